import Foundation
import RenderProtocol
import TestSupport
import Testing

/// What an SVG becomes.
@Suite struct SVGTests {
    private let desk: Desk
    private let square = "<rect x='10' y='20' width='30' height='40' fill='red'/>"

    init() throws { desk = try Desk() }

    // The sizes follow from SVG 2 and CSS: 96 pixels to the inch, and a viewBox that keeps its shape.
    @Test(
        "its size is in points, and has a resolution if it was made of pixels",
        arguments: [
            ("width='200' height='100'", 150.0, 75.0, 96.0, 10),
            ("width='254mm' height='127mm'", 720, 360, nil, 10),
            ("width='72pt' height='36pt' viewBox='0 0 200 100'", 72, 36, nil, 5),
            ("viewBox='0 0 300 150'", 225, 112.5, 96, 10),
            ("width='400' viewBox='0 0 200 100'", 300, 150, 96, 20),
            ("width='100%' height='100%' viewBox='5 5 300 150'", 225, 112.5, 96, 5),
            ("", 22.5, 30, 96, 0),
        ])
    func size(attributes: String, width: Double, height: Double, resolution: Double?, left: Int) throws {
        let document = try desk.open(svg: attributes, square)
        #expect(abs(document.page.width - width) < 0.001)
        #expect(abs(document.page.height - height) < 0.001)
        #expect(document.page.resolution == resolution)
        // At 96 pixels to the inch, the square's left edge.
        let drawn = try document.draw(0..<200, 0..<100, scale: 96.0 / 72)
        let row = left == 0 ? 20 : left * 3
        #expect((0..<200).first { drawn[$0, row] == [255, 0, 0, 255] } == left)
    }

    @Test(
        "missing fonts of texts are reported, of each list the first font",
        .needs("fc-match"),
        arguments: [
            ("<text font-family='No Such Font'>A</text>", ["No Such Font"]),
            (
                "<text style=\"font-family:'No Such Font', No-Such, sans-serif;fill:red\">A</text>",
                ["No Such Font"]
            ),
            ("<text style='font-family:&quot;No Such Font&quot;'>A</text>", ["No Such Font"]),
            ("<style>text { font-family : No Such\n, DejaVu Sans }</style><text>A</text>", []),
            (
                "<style>.a{font-family:\"No &amp; Such\"}.b{font-family:No-Such}</style><text>A</text>",
                ["No &amp; Such", "No-Such"]
            ),
            ("<text font-family='dejavu sans'>A</text><text font-family = \"DejaVu Sans\">A</text>", []),
            ("<text font-family='sans-serif'>A</text><text font-family=''>A</text>", []),
            ("<text style='font-family:'>A</text><text style='font-family'>A</text>", []),
            ("<svg:text font-family='No Such'>A</svg:text><text font-family='No Such'>A</text>", ["No Such"]),
            ("<g font-family='No Such Font'><rect width='9' height='9'/></g>", []),
        ].some(4))
    func fonts(content: String, missing: [String]) throws {
        let attributes = "width='200' height='100' xmlns:svg='http://www.w3.org/2000/svg'"
        #expect(try desk.open(svg: attributes, content).page.missingFonts == missing)
    }

    @Test("an empty drawing without a size is refused")
    func nothing() throws {
        let failure = #expect(throws: RendererFailure.self) { try desk.open(svg: "", "") }
        #expect(failure?.cause == .damaged)
    }

    @Test("the error of a damaged drawing is one line")
    func damaged() throws {
        let path = try desk.write(Array("<svg>\n<g>\n</svg>".utf8), to: "damaged.svg")
        let failure = #expect(throws: RendererFailure.self) { try desk.open(path, .svg) }
        #expect(failure?.cause == .damaged)
        #expect(failure?.reason.contains { $0.isNewline } == false)
    }

    @Test("it has one page and no layers")
    func pages() throws {
        let path = try desk.write(
            Array("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>".utf8), to: "a.svg")
        #expect(try desk.open(path, .svg).page.pageCount == 1)
        var failure = #expect(throws: RendererFailure.self) { try desk.open(path, .svg, page: 2) }
        #expect(failure?.cause == .noPage)
        failure = #expect(throws: RendererFailure.self) { try desk.open(path, .svg, layers: ["Walls"]) }
        #expect(failure?.cause == .noLayer)
        failure = #expect(throws: RendererFailure.self) { try desk.open(path, .pdf) }
        #expect(failure?.cause == .damaged)
    }

    @Test("a compressed drawing is the same", .needs("gzip"))
    func compressed() throws {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'>\(square)</svg>"
        let path = try desk.write(Array(text.utf8), to: "a.svg")
        let plain = try desk.open(path, .svg).draw(0..<150, 0..<75)
        try #require(try Tool.run("gzip", [path]).status == 0)
        #expect(try desk.open(path + ".gz", .svg).draw(0..<150, 0..<75) == plain)
    }

    @Test("files named in a drawing are not read")
    func files() throws {
        let picture = try desk.write(
            Array(
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
                    .utf8),
            to: "other.svg")
        for name in ["other.svg", picture, "file://\(picture)"] {
            let image = "<image href='\(name)' width='100' height='100'/>"
            let drawn = try desk.open(svg: "width='100' height='100'", image).draw(0..<75, 0..<75)
            #expect(drawn.form == .transparent)
        }
    }

    @Test("thin lines get the least width and are paler; lines of no width are not drawn")
    func lines() throws {
        func ink(_ width: Double, least: Double, palest: Double) throws -> Double {
            let line = "<path d='M20 50.5h100' stroke='black' stroke-width='\(width)'/>"
            return try desk.open(svg: "width='200' height='100'", line).draw(
                0..<200, 0..<100, scale: 96.0 / 72, thinnest: least, palest: palest
            ).ink
        }
        #expect(abs(try ink(0.2, least: 0, palest: 0) - 20) < 1)
        #expect(abs(try ink(0.2, least: 1, palest: 0.5) - 50) < 1)
        #expect(abs(try ink(0.2, least: 1, palest: 0) - 20) < 1)
        #expect(try ink(0, least: 1, palest: 1) == 0)
    }

    @Test(
        "shapes, gradients, masks, filters and opacity are those of rsvg-convert", .long,
        .needs("rsvg-convert"))
    func rsvg() throws {
        let contents = """
            <defs><linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue'/></linearGradient>
            <filter id='f'><feGaussianBlur stdDeviation='3'/></filter>
            <mask id='m'><circle cx='150' cy='50' r='30' fill='white' opacity='.7'/></mask></defs>
            <rect x='5.5' y='5.5' width='90' height='40' fill='url(#g)'/>
            <g opacity='.5'><circle cx='50' cy='60' r='30'/><circle cx='80' cy='60' r='30' fill='lime'/></g>
            <rect x='100' y='10' width='90' height='80' fill='green' mask='url(#m)'/>
            <rect x='20' y='70' width='60' height='20' fill='purple' filter='url(#f)'/>
            """
        let document = try desk.open(svg: "width='200' height='200'", contents)
        let made = try Tool.run(
            "rsvg-convert",
            [
                "-w", "600", "-h", "600", "-b", "white", desk.folder.path("document.svg"), "-o",
                desk.folder.path("a.png"),
            ])
        try #require(made.status == 0, "\(made.errors)")
        let reference = try RGBPicture(png: desk.folder.path("a.png"), size: 600)
        let drawn = try document.draw(0..<600, 0..<600, scale: 4)
        var most = 0
        for row in 0..<600 {
            for column in 0..<600 {
                let differences = zip(drawn.onWhite(column, row), reference[column, row]).map { abs($0 - $1) }
                most = max(most, differences.max() ?? 0)
            }
        }
        #expect(most <= 2)
    }
}

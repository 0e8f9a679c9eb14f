import Foundation
import RenderProtocol
import TestSupport
import Testing
import Tiling

/// What pixels a page of a PDF becomes.
@Suite struct DrawingTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private static func turned(by degrees: Double, scale: Double) -> Tiling.AffineTransform {
        let (c, s) = (cos(degrees * .pi / 180) * scale, sin(degrees * .pi / 180) * scale)
        return Tiling.AffineTransform(a: c, b: -s, c: 40.3, d: s, e: c, f: 3.7)
    }

    /// A page with some of everything.
    private var mixture: PDFBuilder {
        var pdf = PDFBuilder(
            """
            0.9 g 0 0 200 100 re f 0.3 w 1 0 0 RG
            \((0..<40).map { "0 \($0 * 2).3 m 200 \($0 * 3) l S" }.joined(separator: "\n"))
            q 60 10 -10 40 20 30 cm /I Do Q
            /Pattern cs /P scn 120 20 60 60 re f
            /G gs 0 0 1 rg 30 30 100 30 re f
            BT /T 20 Tf 10 70 Td (aaa) Tj ET
            """)
        pdf.resources = """
            /XObject<</I 5 0 R>>/Pattern<</P 6 0 R>>/ExtGState<</G<</ca 0.4/BM/Multiply>>>>
            /Font<</T<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97
            /Widths[1.1]/Encoding<</Differences[97/a]>>/CharProcs<</a 7 0 R>>/Resources<<>>>>>>
            """
        pdf.objects = [
            PDFBuilder.image(37, 23) { UInt8($0 * 5 ^ $1 * 9) },
            PDFBuilder.stream(
                "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 7 7]/XStep 7/YStep 7/Resources<<>>",
                Array("1 w 0 0 m 7 7 l S".utf8)),
            PDFBuilder.stream("", Array("1 0 0 0 1 1 d1 0 0 1 0.5 re f 0 0.7 0.6 0.2 re f".utf8)),
        ]
        return pdf
    }

    @Test("a pixel is the same in every window and process, whatever was drawn before", .long)
    func windows() throws {
        let matrix = Self.turned(by: 17, scale: 7.3)
        let document = try desk.open(mixture)
        let (columns, rows) = (-150..<1450, -20..<1180)
        let whole = try document.draw(columns, rows, matrix)
        #expect(whole.ink > 900_000)
        var random = SplitMix(seed: 7)
        for _ in 0..<40 {
            let width = Int.random(in: 1...300, using: &random),
                height = Int.random(in: 1...300, using: &random)
            let left = Int.random(in: columns.lowerBound...columns.upperBound - width, using: &random)
            let top = Int.random(in: rows.lowerBound...rows.upperBound - height, using: &random)
            let isFresh = Int.random(in: 0..<4, using: &random) == 0
            let isMany = Bool.random(using: &random)
            let part = try (isFresh ? desk.open(mixture) : document).draw(
                left..<left + width, top..<top + height, matrix, isOneOfMany: isMany)
            let isEqual = (0..<height).allSatisfy { row in
                (0..<width).allSatisfy { column in
                    part[column, row]
                        == whole[left + column - columns.lowerBound, top + row - rows.lowerBound]
                }
            }
            #expect(isEqual, "the window of \(width) x \(height) at \(left), \(top)")
        }
    }

    @Test(
        "a window with its own matrix is drawn by it, and not shifted or resampled", .long,
        arguments: [(0.3, 0.0), (7.71, 0.0), (0, 0.0004), (-3.37, -0.0003)])
    func bases(shift: Double, stretch: Double) throws {
        let base = Self.turned(by: 17, scale: 7.3)
        let matrix = Tiling.AffineTransform(
            a: base.a * (1 + stretch), b: base.b, c: base.c + shift, d: base.d, e: base.e * (1 - stretch),
            f: base.f - shift / 2)
        let (columns, rows) = (512..<1024, 0..<512)
        let drawn = try desk.open(mixture).draw(columns, rows, matrix, base: base)
        let expected = try desk.open(mixture).draw(columns, rows, matrix)
        var (sum, most) = (0, 0)
        for row in 0..<512 {
            for column in 0..<512 {
                let difference =
                    zip(drawn[column, row], expected[column, row]).map { abs($0 - $1) }.max() ?? 0
                (sum, most) = (sum + difference, max(most, difference))
            }
        }
        // Of a base's pixels, places of corners are kept to 1/256.
        #expect(Double(sum) / 262_144 < 0.3)
        #expect(most < 128)
        #expect(expected.ink > 100_000)
    }

    @Test("a base that is another drawing is refused")
    func strangeBase() throws {
        let document = try desk.open(mixture)
        let failure = #expect(throws: RendererFailure.self) {
            try document.draw(0..<9, 0..<9, .identity, base: Self.turned(by: 0, scale: 9))
        }
        #expect(failure?.cause == .request)
    }

    @Test("a luminosity mask has the same pixels if the page is interpreted again")
    func masks() throws {
        var pdf = PDFBuilder("/M gs 1 0 0 rg 0 0 200 100 re f")
        pdf.resources = "/ExtGState<</M<</SMask<</S/Luminosity/G 5 0 R>>>>>>"
        pdf.objects = [
            PDFBuilder.stream(
                "/Type/XObject/Subtype/Form/BBox[0 0 200 100]/Group<</S/Transparency/CS/DeviceGray>>",
                Array("0.5 g 50 0 100 100 re f".utf8))
        ]
        let document = try desk.open(pdf)
        let whole = try document.draw(0..<1000, 0..<500, scale: 5)
        #expect(whole[100, 250] == [0, 0, 0, 0])
        #expect(abs(whole[500, 250][3] - 128) <= 1)
        let part = try document.draw(480..<520, 240..<260, scale: 5)
        #expect(part[20, 10] == whole[500, 250])
    }

    @Test("a pixel's alpha is the part of it that a shape covers")
    func coverage() throws {
        let drawn = try desk.open(PDFBuilder("10.25 20.5 30.5 40.25 re f")).draw(0..<200, 0..<100)
        #expect(abs(drawn.ink - 30.5 * 40.25) < 2)
        #expect(abs(drawn[10, 50][3] - 191) <= 1)
        #expect(abs(drawn[20, 79][3] - 128) <= 1)
    }

    @Test("without mixing, a pixel belongs to a shape or not")
    func aliased() throws {
        let line = try desk.open(PDFBuilder("3 w 0 0 m 200 90 l S")).draw(
            0..<600, 0..<300, scale: 3, isAliased: true)
        let alphas = Set((0..<600).flatMap { column in (0..<300).map { line[column, $0][3] } })
        #expect(alphas == [0, 255])
    }

    @Test(
        "thin lines are drawn as wide as wanted, and paler",
        arguments: [
            // Width in points, scale, least width, palest; width in pixels, share of the ink.
            (0.5, 1.0, 0.0, 1.0, 0.5, 1.0), (0.5, 1, 1, 1, 1, 1), (0.5, 1, 1, 0, 1, 0.5),
            (0.1, 1, 1, 0.3, 1, 0.3), (0.5, 4, 1, 0, 2, 1), (0, 1, 0, 1, 1, 1), (0, 4, 0, 0, 1, 1),
            (0, 1, 2, 0.25, 2, 0.25), (3, 1, 2, 0, 3, 1),
        ].some(2))
    func lines(width: Double, scale: Double, least: Double, palest: Double, pixels: Double, share: Double)
        throws
    {
        let document = try desk.open(PDFBuilder("\(width) w 20 50.5 m 120 50.5 l S"))
        let drawn = try document.draw(
            0..<Int(200 * scale), 0..<Int(100 * scale), scale: scale, thinnest: least, palest: palest)
        #expect(abs(drawn.ink - 100 * scale * pixels * share) < 0.03 * 100 * scale)
        // A turned page makes them no wider.
        let turned = try document.draw(
            -300..<900, -300..<900, Self.turned(by: 45, scale: scale), thinnest: least, palest: palest)
        #expect(abs(turned.ink - 100 * scale * pixels * share) < 0.05 * 100 * scale)
    }

    /// Lines of some width as other programs write them: along the page, and turned by atan(3/4).
    private static func areas(_ width: Double) -> [(name: String, path: String)] {
        let half = width / 2
        func points(_ offsets: [(Double, Double)], _ direction: Point) -> String {
            offsets.enumerated().map { index, offset in
                let (x, y) = (
                    20 + offset.0 * direction.x - offset.1 * direction.y,
                    20 + offset.0 * direction.y + offset.1 * direction.x
                )
                return "\(x) \(y) \(index == 0 ? "m" : "l")"
            }.joined(separator: " ")
        }
        let corners: [(Double, Double)] = [(0, -half), (100, -half), (100, half), (0, half)]
        let more: [(Double, Double)] = [
            (0, -half), (40, -half), (100, -half), (100, half), (60, half), (0, half),
        ]
        return [
            ("a rectangle", "20 \(20 - half) 100 \(width) re f"),
            ("corners", "\(points(corners, Point(x: 1, y: 0))) h f"),
            ("turned", "\(points(corners, Point(x: 0.8, y: 0.6))) f*"),
            ("in pieces", "\(points(more, Point(x: 1, y: 0))) h f"),
            ("two at once", "20 \(20 - half) 50 \(width) re 70 \(20 - half) 50 \(width) re f"),
        ]
    }

    @Test(
        "areas that are lines are as strong as lines", .long, arguments: [0, 0.05, 0.24, 0.48, 0.9],
        [(0.5, 1.0), (1, 1), (1, 0.3), (2.7, 1), (4, 0.5)])
    func thinAreas(width: Double, look: (scale: Double, palest: Double)) throws {
        for (name, path) in Self.areas(width) {
            let direction = name == "turned" ? "100 80" : "120 20"
            func inks(_ contents: String) throws -> [Double] {
                let document = try desk.open(PDFBuilder(contents))
                return try [0, 0.25, 0.5].map { shift in
                    let matrix = Tiling.AffineTransform(
                        a: look.scale, b: 0, c: shift, d: 0, e: look.scale, f: shift)
                    let (columns, rows) = (0..<Int(205 * look.scale), 0..<Int(105 * look.scale))
                    return try document.draw(columns, rows, matrix, thinnest: 1, palest: look.palest).ink
                }
            }
            let wanted = try inks("\(width) w 20 20 m \(direction) l S")
            let found = try inks(path)
            #expect(
                zip(found, wanted).allSatisfy { $1 > 1 && abs($0 - $1) < 0.1 * $1 },
                "\(name): \(found) for \(wanted)")
        }
    }

    @Test("empty areas are drawn like lines of width 0, even without a least width")
    func areasOfNothing() throws {
        let line = try desk.open(PDFBuilder("0 w 20 60 m 120 60 l S")).draw(0..<200, 0..<100)
        let area = try desk.open(PDFBuilder("20 60 100 0 re f")).draw(0..<200, 0..<100)
        #expect(area.ink > 90 && abs(area.ink - line.ink) < 0.1 * line.ink)
    }

    @Test(
        "holes, letters and areas of many pixels stay as they are",
        arguments: [
            "20 20 100 50 re 30 45 80 0.2 re f*", "20 20 100 50 re 30 45 80 0.2 re 150 20 30 30 re f*",
            "20 20 m 120 20 l 120 70 l h f", "20 20 100 3 re f",
        ])
    func thickAreas(path: String) throws {
        let document = try desk.open(PDFBuilder(path))
        let (plain, ruled) = try (
            document.draw(0..<200, 0..<100), document.draw(0..<200, 0..<100, thinnest: 1, palest: 1)
        )
        #expect(abs(plain.ink - ruled.ink) < 1e-6)
    }

    @Test("letters are at their exact places, not at whole pixels", arguments: [0.0, 0.25, 0.5, 0.75])
    func letters(shift: Double) throws {
        var pdf = PDFBuilder("BT /T 10 Tf \(20 + shift) \(30 + shift) Td (a) Tj ET")
        pdf.resources = mixture.resources
        pdf.objects = mixture.objects
        let drawn = try desk.open(pdf).draw(0..<200, 0..<100)
        // A glyph of 10 x 5 points, whose left edge lies in column 20.
        #expect(abs(Double(drawn[20, 67][3]) - (1 - shift) * 255) <= 2)
        #expect(abs(Double(drawn[30, 67][3]) - shift * 255) <= 2)
    }

    @Test("letters of fonts are their outlines", .long, .needs("fc-match"), arguments: [0.0, 0.37])
    func outlines(shift: Double) throws {
        var pdf = PDFBuilder("BT /F 9 Tf \(20 + shift) 30 Td (Hamburg) Tj ET")
        pdf.resources = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
        let document = try desk.open(pdf)
        let (small, large) = (
            try document.draw(0..<200, 0..<100), try document.draw(0..<1600, 0..<800, scale: 8)
        )
        #expect(abs(small.ink - large.ink / 64) < 0.02 * small.ink)
        var most = 0
        for row in 0..<100 {
            for column in 0..<200 {
                var sum = 0
                for part in 0..<64 { sum += large[column * 8 + part % 8, row * 8 + part / 8][3] }
                most = max(most, abs(small[column, row][3] - sum / 64))
            }
        }
        // A glyph half a pixel off would differ by 100 and more.
        #expect(most < 24)
    }

    @Test("pixels outside the page's visible part are transparent")
    func clip() throws {
        let clip = BoundingBox(minX: 10.5, minY: 20, maxX: 60, maxY: 70)
        let drawn = try desk.open(PDFBuilder("0 0 200 100 re f 0 0 200 100 re f")).draw(
            0..<200, 0..<100, .identity, clip: clip)
        #expect(abs(drawn.ink - 49.5 * 50) < 1)
        // Two fills lie over one another, and the edge is cut once.
        #expect(abs(drawn[10, 30][3] - 128) <= 1)
    }

    @Test("images are averaged where they are drawn smaller, and leave no seam where they meet")
    func images() throws {
        var pdf = PDFBuilder("q 100.3 0 0 33.3 0 66.7 cm /I Do Q q 100.3 0 0 66.7 0 0 cm /I Do Q")
        pdf.resources = "/XObject<</I 5 0 R>>"
        pdf.objects = [PDFBuilder.image(400, 400) { $0 & 1 == $1 & 1 ? 255 : 1 }]
        let drawn = try desk.open(pdf).draw(0..<200, 0..<100)
        for row in 0..<100 {
            #expect(drawn[50, row][3] == 255)
            #expect(abs(drawn[50, row][0] - 128) < 24, "row \(row)")
        }
    }

    @Test("images of many pixels keep them all")
    func largeImages() throws {
        var pdf = PDFBuilder("q 200 0 0 1 0 50 cm /I Do Q")
        pdf.resources = "/XObject<</I 5 0 R>>"
        pdf.objects = [PDFBuilder.image(10000, 50) { column, _ in column & 1 == 0 ? 255 : 0 }]
        let drawn = try desk.open(pdf).draw(5000..<5100, 2460..<2490, scale: 50)
        #expect((0..<100).map { drawn[$0, 15][0] } == (0..<100).map { $0 & 1 == 0 ? 255 : 0 })
    }

    @Test("annotations are drawn if they are printed", arguments: [10000, 10])
    func annotations(columns: Int) throws {
        // With an image of many pixels, poppler draws as for a screen.
        var pdf = PDFBuilder("q 1 0 0 1 0 0 cm /I Do Q")
        pdf.resources = "/XObject<</I 5 0 R>>"
        func remark(_ flags: Int, left: Int) -> String {
            """
            <</Type/Annot/Subtype/Square/Rect[\(left) 40 \(left + 20) 60]/F \(flags)/AP<</N 6 0 R>>>>
            """
        }
        // Flags: 2 hidden, 4 printed, 32 not seen.
        pdf.page =
            "/Annots[\(remark(4, left: 20))\(remark(0, left: 60))\(remark(36, left: 100))\(remark(6, left: 140))]"
        pdf.objects = [
            PDFBuilder.image(columns, 1) { _, _ in 0 },
            PDFBuilder.stream(
                "/Type/XObject/Subtype/Form/BBox[0 0 20 20]/Resources<<>>", Array("0 0 20 20 re f".utf8)),
        ]
        let drawn = try desk.open(pdf).draw(0..<200, 0..<100)
        #expect([30, 70, 110, 150].map { drawn[$0, 50][3] } == [255, 0, 255, 0])
    }

    @Test("shapes, colors and images are those of pdftocairo", .long, .needs("pdftocairo"))
    func pdftocairo() throws {
        var pdf = mixture
        // Its letters lie at whole pixels.
        pdf.contents = pdf.contents.replacing("(aaa) Tj", with: "")
        pdf.mediaBox = "0 0 200 200"
        let path = try desk.write(pdf.bytes, to: "document.pdf")
        let made = try Tool.run(
            "pdftocairo", ["-png", "-r", "288", "-singlefile", path, desk.folder.path("reference")])
        try #require(made.status == 0, "\(made.errors)")
        let reference = try RGBPicture(png: desk.folder.path("reference.png"), size: 800)
        let drawn = try desk.open(pdf).draw(0..<800, 0..<800, scale: 4)
        var sum = 0
        for row in 400..<800 {
            for column in 0..<800 {
                let (ours, theirs) = (drawn.onWhite(column, row), reference[column, row])
                sum += zip(ours, theirs).map { abs($0 - $1) }.max() ?? 0
            }
        }
        // It moves lines to whole pixels, and repeats the pixels of tiles.
        #expect(Double(sum) / 320_000 < 6)
    }
}

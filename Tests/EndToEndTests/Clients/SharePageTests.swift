import Foundation
import TestSupport
import Testing

/// The page of `share` in a browser without a network, and on paper.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash"))
struct SharePageTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    /// What the browser says of a page; it leaves pictures and sheets in the folder `seen`.
    private func look(at page: String) throws -> SeenPage {
        try SeenPage(workshop.file(page), to: workshop.file("seen"), screenshots: "share")
    }

    @Test("every floor shows its own tiles, and prints on one sheet with its name and a scale")
    func floors() throws {
        try workshop.drawFloors()
        try workshop.write(Workshop.house(zoom: "15-17").utf8, to: "house.yaml")
        try Program.succeed(["house.yaml"], in: workshop.url)
        try Program.succeed(["share", "house.yaml", "-o", "page.html"], in: workshop.url)
        // Its tiles may go.
        try FileManager.default.moveItem(at: workshop.file("tiles"), to: workshop.file("elsewhere"))
        let page = try look(at: "page.html")
        let floors = page.floors
        #expect(floors.map(\.name) == ["First floor", "Ground floor", "Basement"])
        #expect((page.said["pixel"] as? String)?.hasPrefix("#") == true, "pixels are read from a disk, too")
        for (index, (floor, key)) in zip(floors, ["1", "0", "B1"]).enumerated() {
            let ratio = try page.ratio(index) {
                workshop.path("elsewhere/L\(key)_\($0.replacingOccurrences(of: "/", with: "_")).png")
            }
            #expect(ratio > 40, "\(floor.name)")
            #expect(floor.isRestored, "\(floor.name): the view after printing is that before")
            guard let text = try printed("seen/\(index).pdf") else { continue }
            #expect(text.contains("House") && text.contains(floor.name))
            #expect(text.contains(/[0-9]+ m\n/) && text.contains("Leaflet"))
            #expect(!text.contains("Opacity") && !text.contains("Zoom"))
        }
    }

    /// The text of a sheet; nil if no program reads it.
    private func printed(_ name: String) throws -> String? {
        guard Tool.path("pdftotext") != nil else { return nil }
        let facts = try Tool.run("pdfinfo", [workshop.path(name)]).output
        #expect(facts.contains(/Pages: +1\n/))
        #expect(facts.contains(/Page size: +(841\.\d+ x 59[45]|59[45]\.\d+ x 841)[^\n]*A4/), "\(facts)")
        // The plan fills most of the sheet's width or height; its patch and walls are there.
        _ = try Tool.run(
            "pdftoppm", ["-r", "50", "-png", "-singlefile", workshop.path(name), workshop.path("sheet")])
        let sheet = try Picture(contentsOf: workshop.path("sheet.png"))
        let inked = (0..<sheet.width).filter { column in
            (50..<sheet.height).contains { row in sheet[column, row].green < 200 }
        }
        #expect((inked.last ?? 0) - (inked.first ?? 0) > sheet.width / 2)
        return try Tool.run("pdftotext", ["-layout", workshop.path(name), "-"]).output
    }

    @Test("what a received tileset says is text, and nothing that the page runs or loads")
    func hostile() throws {
        let script = "</script><script>hacked = 1</script><!--"
        let load = "<img src=\"https://example.org/a.png\" onerror=\"hacked = 1\">"
        try workshop.build([
            "--name", script + load, "--description", load + script, "--attribution",
            load + script + "<a href=\"javascript:hacked=1\" onclick=\"hacked=1\">A</a>",
        ])
        try Program.succeed(["share", "out", "out", "-o", "page.html"], in: workshop.url)
        let page = try look(at: "page.html")
        #expect(page.said["hacked"] as? Bool == false)
        #expect(page.said["title"] as? String == script + load)
        #expect(page.floors.count == 2)
    }
}

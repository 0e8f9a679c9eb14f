import Foundation
import TestSupport
import Testing

/// Somebody who has a PDF with three floors, and knows where the building is, goes through the pages of `open`.
@Suite(
    .needsServer,
    .needsRenderer,
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needsPython("cairo"),
    .needs("bash"))
struct OpenPageTests {
    private let workshop: TemporaryDirectory

    init() throws { workshop = try TemporaryDirectory() }

    /// What a person or several see who do something.
    private func act(_ mode: String) throws -> [String: Any] {
        let script = SharedData.packageRoot.appending(
            path: "Tests/EndToEndTests/Support/Serving/open_guide.py")
        let python = try #require(Python.path(with: ["cairo"]))
        let outcome = try Tool.run(
            python,
            ["-B", script.path, workshop.url.path, mode, Program.path]
                + Browser.screenshots("open-\(mode.prefix(5))"))
        try #require(outcome.status == 0, "\(outcome.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(json as? [String: Any])
    }

    @Test(
        "plans become tiles that are where the building is, and a page for others",
        arguments: ["mouse", "touch", "keys"])
    func fromPlansToPage(way: String) throws {
        let said = try act(way)
        checkUse(said)
        #expect(said["framed"] as? [Bool] == [true, true, true], "walls, and no title block or legend")
        #expect(said["widened"] as? Bool == true)
        let floors = try #require(said["floors"] as? [[Any]])
        #expect(floors.map { $0[0] as? String } == ["0", "1", "2"])
        #expect(floors.map { $0[1] as? String } == ["Ground floor", "Floor 1", "Upper floor"])
        #expect(floors.map { $0[2] as? Int } == [0, 1, 2])
        // The typed scale of the drawing stays, whatever the points say.
        let rough = try #require(said["rough"] as? [String: Double])
        #expect(abs((rough["scale"] ?? 0) / (100 * 0.0254 / 150) - 1) < 1e-6)
        #expect(said["model"] as? String == "rigid")
        let walls = try #require(said["walls"] as? [Double])
        #expect(walls.count == 3 && walls.allSatisfy { $0 < 0.1 }, "\(walls) m")
        let built = try #require(said["built"] as? [String: Any])
        #expect(built["state"] as? String == "done" && built["warnings"] as? [String] == [])
        let seen = try #require(said["seen"] as? [[Any]])
        #expect(seen.map { $0[0] as? String } == ["Upper floor", "Floor 1", "Ground floor"])
        #expect(seen.allSatisfy { $0[1] as? Int ?? 0 > 0 })
        let manifest = try #require(said["manifest"] as? String)
        #expect(manifest.contains("name: Office\n") && manifest.contains("\ngcps: building.points\n"))

        let outcome = try Program.succeed(["building.yaml"], in: workshop.url)
        #expect(outcome.errors.contains(" 0 tiles written"), "\(outcome.errors)")
        for floor in ["0", "1", "2"] { try checkWalls(floor) }
        try checkPage()
    }

    /// Screen readers have a name for everything, no page is wider than its window, and fingers hit all buttons.
    private func checkUse(_ said: [String: Any]) {
        #expect(said["problems"] as? [String] == [])
        #expect(said["unnamed"] as? [String] == [])
        #expect((said["wider"] as? [String: Int])?.filter { $0.value > 0 } == [:])
        #expect((said["small"] as? [String: [String]])?.filter { !$0.value.isEmpty } == [:])
        #expect(said["asked"] as? [String] == [], "without a map, nothing comes from elsewhere")
    }

    /// The walls of a floor's tiles are where the building has them.
    private func checkWalls(_ floor: String) throws {
        let walls = try GeoJSON(contentsOf: workshop.url.appending(path: "walls.geojson"))
        let mosaic = try Mosaic(of: workshop.url.appending(path: "tiles/\(floor)"), zoom: 21)
        let alignment = Alignment(of: walls.pixels(zoom: 21), on: mosaic) { column, row in
            // The outline runs along the middle of the outer wall, which is 6 pixels thick.
            [(2, 0), (-2, 0), (0, 2), (0, -2)].reduce(255) {
                min($0, mosaic.picture.darkness(column + $1.0, row + $1.1))
            }
        }
        #expect(abs(alignment.column) <= 1 && abs(alignment.row) <= 1, "floor \(floor)")
        #expect(alignment.contrast > 4, "floor \(floor)")
    }

    /// The page for others shows the tiles of every floor.
    private func checkPage() throws {
        let page = try SeenPage(
            workshop.url.appending(path: "building.html"), to: workshop.url.appending(path: "seen"),
            screenshots: "open-shared")
        #expect((page.said["title"] as? String)?.contains("Office") == true)
        #expect(page.floors.map(\.name) == ["Upper floor", "Floor 1", "Ground floor"])
        for (index, key) in ["2", "1", "0"].enumerated() where index < page.floors.count {
            let ratio = try page.ratio(index) { workshop.path("tiles/\(key)/\($0).png") }
            #expect(ratio > 40, "floor \(key)")
        }
    }

    @Test("nothing is lost when the program is killed after any step")
    func killed() throws {
        let said = try act("kill")
        #expect(said["problems"] as? [String] == [])
        let kept = try #require(said["kept"] as? [String: Bool])
        #expect(kept.count >= 12)
        for (what, isKept) in kept { #expect(isKept, "\(what)") }
    }

    @Test("of two browsers, one changes the building, and both are told which")
    func twoBrowsers() throws {
        var said = try act("two")
        #expect(said.removeValue(forKey: "problems") as? [String] == [])
        said["manifest"] = nil
        #expect(said.count == 5)
        for (what, isTrue) in said { #expect(isTrue as? Bool == true, "\(what)") }
    }

    @Test("all pages are usable in long words, from right to left, and on a phone")
    func languages() throws {
        _ = try act("mouse")
        let said = try act("ar-390-dark,de-390-light,de-1200-dark,ar-1200-light")
        let looks = try #require(said["looks"] as? [[String: Any]])
        #expect(looks.count == 4)
        for look in looks { checkUse(look) }
        #expect(Set(looks.compactMap { ($0["looked"] as? [String])?.joined(separator: " ") }).count == 2)
    }
}

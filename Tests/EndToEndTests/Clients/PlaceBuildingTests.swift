import Foundation
import TestSupport
import Testing

/// The page of a manifest, by real pointers and fingers: two floors of the example are placed over its ground
/// floor, saved, and built with it.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3"))
struct PlaceBuildingTests {
    private let scratch: TemporaryDirectory
    private let examples = SharedData.packageRoot.appending(path: "Examples")

    init() throws { scratch = try TemporaryDirectory() }

    private func copy(_ name: String, as copy: String? = nil) throws {
        try FileManager.default.copyItem(
            at: examples.appending(path: name), to: scratch.url.appending(path: copy ?? name))
    }

    private func write(_ manifest: String) throws {
        _ = try scratch.write(manifest, to: "building.yaml")
    }

    /// Writes the page, and acts in it.
    private func act(_ way: String) throws -> [String: Any] {
        let assets = MapLibraries.leaflet?.path ?? ""
        try Program.succeed(
            ["place", "building.yaml", "--basemap", "none", "--viewer-assets", assets], in: scratch.url)
        let downloads = scratch.url.appending(path: "downloads")
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: true)
        if way == "shared" { try writeGoodPoints(to: "downloads/good.points") }
        let done = try Browser.act(
            "Floors/place_building.py", on: scratch.url.appending(path: "building.html"),
            [way, downloads.path] + Browser.screenshots("building-\(way)"))
        #expect(done["problems"] as? [String] == [])
        return done
    }

    @Test(
        "a floor is placed by points, the next one by the lifts of that one, and both are built",
        arguments: ["mouse", "touch"])
    func placed(way: String) throws {
        for name in ["ground.png", "ground.pgw", "ground.prj", "first.png", "second.png"] { try copy(name) }
        try write(
            """
            name: House of the Example
            output: tiles
            zoom: 21
            floors:
              - {floor: 0, label: Ground floor, image: ground.png}
              - {floor: 1, label: First floor, image: first.png}
              - {floor: 2, label: Second floor, image: second.png}
            """)
        let done = try act(way)
        let texts = { (key: String) in done[key] as? [String] ?? [] }
        #expect(
            texts("begin") == [
                "Second floor: Not placed", "First floor: Not placed", "Ground floor: Placed",
            ])
        #expect(done["floor"] as? String == "1", "the lowest floor that is not placed comes first")
        #expect(texts("below") == ["0"] && texts("below second") == ["1"], "the next lower one")
        #expect(
            texts("changed") == [
                "Second floor: Not placed", "First floor: Changed, not saved", "Ground floor: Placed",
            ])
        #expect(done["legend"] as? String == "Also on First floor")
        #expect(texts("offered") == ["Lift A", "Lift B"] && done["left"] as? Bool == false)
        for floor in ["first", "second"] {
            let error = try #require(done[floor] as? Double)
            #expect(error < 0.1, "the \(floor) floor is off by \(error) m")
        }
        #expect(texts("moved").count == 1 && texts("moved")[0].hasPrefix("Lift A: 0.7"), "\(texts("moved"))")
        for what in ["untouched", "taken", "settled", "undone", "back"] {
            #expect(done[what] as? Bool == true, "\(what)")
        }
        try checkLines(done)
        #expect(texts("asked") == [], "no request leaves the page")
        #expect(texts("unnamed") == [], "a screen reader has a name for everything")
        #expect(done["wider"] as? Int == 0 && done["small"] as? Int == 0)

        let names = ["first", "second"].map { "downloads/\($0).png.points" }
        let taken = try Program.succeed(
            ["place", "building.yaml"] + names.flatMap { ["--take", $0] }, in: scratch.url)
        #expect(taken.output == "first.png.points\nsecond.png.points\n")
        #expect(!taken.errors.contains("gcps"))
        try Program.succeed(["building.yaml"], in: scratch.url)
        for floor in ["1", "2"] { try checkWalls(floor) }
    }

    private func checkLines(_ done: [String: Any]) throws {
        let take = "tilewright place building.yaml --take ~/Downloads/"
        #expect(done["line"] as? String == take + "first.png.points")
        #expect(
            done["lines"] as? [String] == [
                take + "second.png.points --take ~/Downloads/first.png.points",
                "building.yaml needs no change: it finds the points there.", "tilewright building.yaml",
            ])
        let kept = try #require(done["kept"] as? [Any])
        #expect(kept[0] as? String == "2" && kept[1] as? Int == 2, "the page is as it was before")
        #expect(
            kept.dropFirst(2).compactMap { $0 as? String } == [
                "Second floor: Saved", "First floor: Saved", "Ground floor: Placed",
            ])
    }

    /// The outer walls of a floor lie where they belong, to a pixel of 5 cm.
    private func checkWalls(_ floor: String) throws {
        let building = try GeoJSON(
            contentsOf: examples.appending(path: "building.geojson"), kind: "outline")
        let mosaic = try Mosaic(of: scratch.url.appending(path: "tiles/\(floor)"), zoom: 21)
        let alignment = Alignment(of: Array(building.pixels(zoom: 21).prefix(1)), on: mosaic) { column, row in
            // The outline runs along the middle of the outer wall, which is 10 pixels thick.
            [(4, 0), (-4, 0), (0, 4), (0, -4)].reduce(255) {
                min($0, mosaic.picture.darkness(column + $1.0, row + $1.1))
            }
        }
        #expect(abs(alignment.column) <= 1 && abs(alignment.row) <= 1)
        #expect(alignment.contrast > 4)
    }

    /// Points on the corners of the building, in pixels of `ground.png`: 20 to a metre, and a margin of 60.
    private func writeGoodPoints(to name: String) throws {
        let building = try GeoJSON(
            contentsOf: examples.appending(path: "building.geojson"), kind: "outline")
        let outline = [(0, 0), (80, 0), (80, 38), (66, 38), (66, 50), (0, 50)]
        let rows = zip(outline, building.rings[0]).enumerated().map { index, pair in
            "\(pair.1.longitude),\(pair.1.latitude),\(60 + 20 * pair.0.0),-\(1060 - 20 * pair.0.1),"
                + "1,0,0,0,\(index + 1),1720x1120"
        }
        let header = "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize"
        _ = try scratch.write(([header] + rows).joined(separator: "\n"), to: name)
    }

    @Test("floors that share a position are placed together, until one of them gets its own")
    func shared() throws {
        try copy("ground.png")
        try copy("ground.png", as: "upper.png")
        try copy("ground.pgw")
        try copy("ground.prj")
        let manifest = """
            name: House of the Example
            output: tiles
            zoom: 18
            world-file: ground.pgw
            floors:
              - {floor: 0, label: Ground floor, image: ground.png}
              - {floor: 1, label: Upper floor, image: upper.png}
            """
        try write(manifest)
        let done = try act("shared")
        let texts = { (key: String) in done[key] as? [String] ?? [] }
        let shares = try #require(done["shares"] as? String)
        #expect(shares.contains("Ground floor shares its position with Upper floor"))
        let changed = "Changed, not saved"
        #expect(texts("both") == ["Upper floor: \(changed)", "Ground floor: \(changed)"])
        #expect(texts("saved both") == ["Upper floor: Saved", "Ground floor: Saved"])
        let take = "tilewright place building.yaml --take ~/Downloads/"
        #expect(
            texts("top") == [
                take + "ground.png.points",
                "Write at the top of building.yaml, in place of the position there, including crs and "
                    + "transform:",
                "gcps: ground.png.points", "transform: similarity",
            ])
        #expect((done["own"] as? String)?.contains("Upper floor now has its own position") == true)
        #expect(texts("separate") == ["Upper floor: \(changed)", "Ground floor: Saved"])
        #expect(
            texts("floor") == [
                take + "upper.png.points --take ~/Downloads/ground.png.points",
                "Write at the floor 1 of building.yaml:", "gcps: upper.png.points", "transform: similarity",
            ])
        for what in ["as before", "ground stays", "again"] { #expect(done[what] as? Bool == true, "\(what)") }
        #expect(done["kept"] as? String == done["own"] as? String)
        #expect(texts("shared again") == ["Upper floor: Saved", "Ground floor: Saved"])

        let names = ["upper", "ground"].map { "downloads/\($0).png.points" }
        let taken = try Program.succeed(
            ["place", "building.yaml"] + names.flatMap { ["--take", $0] }, in: scratch.url)
        #expect(taken.output == "upper.png.points\nground.png.points\n")
        try write(
            manifest.replacing("world-file: ground.pgw", with: "gcps: ground.png.points")
                .replacing("image: upper.png", with: "image: upper.png, gcps: upper.png.points"))
        try Program.succeed(["building.yaml"], in: scratch.url)
    }
}

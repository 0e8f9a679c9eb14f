import Foundation
import TestSupport
import Testing

/// The page of `place`, by real pointers, fingers and keys: the second floor of the example, which has no
/// position beside it, is laid over the ground floor, saved and built.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash"))
struct PlacePageTests {
    private let scratch: TemporaryDirectory
    private let examples = SharedData.packageRoot.appending(path: "Examples")

    init() throws {
        scratch = try TemporaryDirectory()
        for name in ["second.png", "ground.png", "ground.pgw", "ground.prj"] {
            try FileManager.default.copyItem(
                at: examples.appending(path: name), to: scratch.url.appending(path: name))
        }
    }

    /// What a script that acts as a person says of the page.
    private func run(_ script: String, _ arguments: [String]) throws -> [String: Any] {
        let folder = SharedData.packageRoot.appending(path: "Tests/EndToEndTests/Support")
        let outcome = try Tool.run(
            "python3",
            ["-B", folder.appending(path: script).path, "file://\(scratch.path("second.html"))"]
                + arguments)
        try #require(outcome.status == 0, "\(outcome.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(json as? [String: Any])
    }

    /// Places the plan in one of the ways.
    private func act(_ way: String) throws -> [String: Any] {
        let downloads = scratch.path("downloads")
        try FileManager.default.createDirectory(atPath: downloads, withIntermediateDirectories: true)
        let folder = ProcessInfo.processInfo.environment["TILEWRIGHT_SCREENSHOTS"].map { "\($0)/\(way)" }
        if let folder {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        return try run("place_by_hand.py", [way, downloads] + [folder].compactMap(\.self))
    }

    @Test(
        "a plan is laid, pinned by four points and saved, and its walls are where they belong",
        arguments: ["mouse", "touch", "keys"])
    func placed(way: String) throws {
        try Program.succeed(
            [
                "place", "second.png", "--over", "ground.png", "--basemap", "none", "--viewer-assets",
                MapLibraries.leaflet?.path ?? "",
            ], in: scratch.url)
        let result = try act(way)
        #expect(result["problems"] as? [String] == [])
        #expect(result["asked"] as? [String] == [], "no request leaves the page")
        #expect(result["unnamed"] as? [String] == [], "a screen reader has a name for everything")
        #expect(result["wider"] as? Int == 0 && result["small"] as? Int == 0)
        let laid = try #require(result["laid"] as? Double)
        #expect(laid < 0.5, "laid by hand to \(laid) m")
        #expect(result["points"] as? Int == 4 && result["kept"] as? Int == 4)
        #expect(result["step"] as? String == "compare", "the page is as it was when it is loaded again")

        let taken = try Program.succeed(
            ["place", "second.png", "--take", "downloads/second.png.points"], in: scratch.url)
        #expect(taken.output == "second.png.points\n")
        try compare(result["fit"])
        try Program.succeed(["second.png", "-o", "tiles"], in: scratch.url)
        try checkWalls(scratch.url)
    }

    /// The page's fit is that of `fit`.
    private func compare(_ fit: Any?) throws {
        let outcome = try Program.succeed(["fit", "second.png", "--json"], in: scratch.url)
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let expected = try #require((json as? [String: Any])?["rms"] as? [String: Double])
        let rms = try #require((fit as? [String: Any])?["rms"] as? [String: Double])
        #expect(abs(rms["metres", default: .nan] - expected["metres", default: .nan]) < 0.001)
        #expect(abs(rms["leftOut", default: .nan] - expected["leftOut", default: .nan]) < 0.001)
        #expect(abs(rms["pixels", default: .nan] - expected["pixels", default: .nan]) < 0.01)
    }

    private func checkWalls(_ folder: URL) throws {
        let building = try GeoJSON(
            contentsOf: examples.appending(path: "building.geojson"), kind: "outline")
        let mosaic = try Mosaic(of: folder.appending(path: "tiles"), zoom: 21)
        let alignment = Alignment(of: Array(building.pixels(zoom: 21).prefix(1)), on: mosaic) { column, row in
            // The outline runs along the middle of the outer wall, which is 10 pixels thick.
            [(4, 0), (-4, 0), (0, 4), (0, -4)].reduce(255) {
                min($0, mosaic.picture.darkness(column + $1.0, row + $1.1))
            }
        }
        #expect(abs(alignment.column) <= 1 && abs(alignment.row) <= 1)
        #expect(alignment.contrast > 4)
    }

    @Test("points are opened, corrected, undone, judged and saved in other forms")
    func details() throws {
        try Program.succeed(
            [
                "place", "second.png", "--near", "1.73,48.217", "--basemap", "none", "--viewer-assets",
                MapLibraries.leaflet?.path ?? "",
            ], in: scratch.url)
        let building = try GeoJSON(
            contentsOf: examples.appending(path: "building.geojson"), kind: "outline")
        let outline = [(0, 0), (80, 0), (80, 38), (66, 38), (66, 50), (0, 50)]
        let rows = zip(outline, building.rings[0]).enumerated().map { index, pair in
            "\(pair.1.longitude),\(pair.1.latitude),\(50 + 25 * pair.0.0),-\(1300 - 25 * pair.0.1),"
                + "1,0,0,0,\(index + 1),2100x1350"
        }
        let header = "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize"
        _ = try scratch.write(([header] + rows).joined(separator: "\n"), to: "good.points")
        let done = try run("place_details.py", [scratch.url.path])
        #expect(done.count > 15)
        for (what, isDone) in done { #expect(isDone as? Bool == true, "\(what)") }
        // What it saved for other programs says the same as the program's own.
        let folder = try TemporaryDirectory()
        try FileManager.default.copyItem(
            at: scratch.url.appending(path: "second.png"), to: folder.url.appending(path: "second.png"))
        for name in ["second.pgw", "second.prj"] {
            try FileManager.default.copyItem(
                at: scratch.url.appending(path: name), to: folder.url.appending(path: name))
        }
        try Program.succeed(["second.png", "-o", "tiles"], in: folder.url)
        try checkWalls(folder.url)
    }

    @Test("a page with a map asks the map's server, and nobody else")
    func requests() throws {
        try Program.succeed(
            [
                "place", "second.png", "--near", "1.73,48.217", "--viewer-assets",
                MapLibraries.leaflet?.path ?? "",
            ], in: scratch.url)
        let asked = try #require(try act("mouse")["asked"] as? [String])
        #expect(!asked.isEmpty)
        #expect(asked.allSatisfy { $0.hasPrefix("https://tile.openstreetmap.org/") })
    }
}

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

    /// Writes the page.
    private func writePage(_ options: [String]) throws {
        try Program.succeed(
            ["place", "second.png", "--viewer-assets", MapLibraries.leaflet?.path ?? ""] + options,
            in: scratch.url)
    }

    /// What a script that acts as a person says of the page.
    private func run(_ script: String, _ arguments: [String]) throws -> [String: Any] {
        try Browser.act(script, on: scratch.url.appending(path: "second.html"), arguments)
    }

    /// Places the plan in one of the ways.
    private func act(_ way: String) throws -> [String: Any] {
        let downloads = scratch.path("downloads")
        try FileManager.default.createDirectory(atPath: downloads, withIntermediateDirectories: true)
        return try run("Placing/place_by_hand.py", [way, downloads] + Browser.screenshots(way))
    }

    @Test(
        "a plan is laid, pinned by four points and saved, and its walls are where they belong",
        arguments: ["mouse", "touch", "keys"])
    func placed(way: String) throws {
        try writePage(["--over", "ground.png", "--basemap", "none"])
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
        let fit = try #require(result["fit"] as? [String: Any])
        let model = ["--transform", try #require(fit["model"] as? String)]
        try compare(fit, model)
        try Program.succeed(["second.png", "-o", "tiles"] + model, in: scratch.url)
        try checkWalls(scratch.url)
    }

    /// The page's fit is that of `fit`.
    private func compare(_ fit: [String: Any], _ model: [String]) throws {
        let outcome = try Program.succeed(["fit", "second.png", "--json"] + model, in: scratch.url)
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let expected = try #require((json as? [String: Any])?["rms"] as? [String: Double])
        let rms = try #require(fit["rms"] as? [String: Double])
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

    /// A file of points on the corners of the building.
    private func writeGoodPoints() throws {
        let building = try GeoJSON(
            contentsOf: examples.appending(path: "building.geojson"), kind: "outline")
        let outline = [(0, 0), (80, 0), (80, 38), (66, 38), (66, 50), (0, 50)]
        let rows = zip(outline, building.rings[0]).enumerated().map { index, pair in
            "\(pair.1.longitude),\(pair.1.latitude),\(50 + 25 * pair.0.0),-\(1300 - 25 * pair.0.1),"
                + "1,0,0,0,\(index + 1),2100x1350"
        }
        let header = "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize"
        _ = try scratch.write(([header] + rows).joined(separator: "\n"), to: "good.points")
    }

    @Test("points are opened, corrected, undone, judged and saved in other forms")
    func details() throws {
        try writePage(["--near", "1.73,48.217", "--basemap", "none"])
        try writeGoodPoints()
        let done = try run("Placing/place_details.py", [scratch.url.path])
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

    @Test("without a map, a plan is aligned with outlines that are opened, and addresses of maps are read")
    func opened() throws {
        _ = try scratch.write(
            #"{"type":"LineString","coordinates":[[1.5,48.1],[1.51,48.1]]}"#, to: "F.geojson")
        let ring = "1.73,48.217,0 1.731,48.217,0 1.731,48.218,0 1.73,48.218,0 1.73,48.217,0"
        _ = try scratch.write(
            """
            <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><MultiGeometry>
            <Polygon><outerBoundaryIs><LinearRing><coordinates>\(ring)</coordinates></LinearRing></outerBoundaryIs>
            </Polygon></MultiGeometry></Placemark></Document></kml>
            """, to: "building.kml")
        try writePage(["--over", "F.geojson", "--basemap", "http://127.0.0.1:9/{z}/{x}/{y}.png"])
        let done = try run("Placing/place_opened.py", [scratch.url.path] + Browser.screenshots("opened"))
        #expect(done.count > 30)
        for (what, isDone) in done { #expect(isDone as? Bool == true, "\(what)") }
    }

    @Test("points are judged by the zoom at which they were set, and Next stays in sight")
    func judged() throws {
        try writePage(["--near", "1.73,48.217", "--basemap", "none"])
        let done = try run("Placing/place_judged.py", Browser.screenshots("judged"))
        #expect(done.count > 12)
        for (what, isDone) in done { #expect(isDone as? Bool == true, "\(what)") }
    }

    @Test(
        "outlines of what stays are drawn, corrected, kept and saved as a cutline",
        arguments: ["mouse", "touch", "keys"])
    func cutline(way: String) throws {
        try writePage(["--near", "1.73,48.217", "--basemap", "none"])
        try writeGoodPoints()
        let done = try run(
            "Placing/place_cutline.py", [way, scratch.url.path] + Browser.screenshots("cutline-\(way)"))
        #expect(done.count > 12)
        for (what, isDone) in done { #expect(isDone as? Bool == true, "\(what)") }

        let file = scratch.url.appending(path: "second.cutline.geojson")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        #expect(json?["type"] as? String == "FeatureCollection")
        let rings = try GeoJSON(contentsOf: file).rings
        try #require(rings.count == 2)
        // As RFC 7946 has it: closed, the outline counterclockwise, the hole clockwise.
        #expect(rings.map(\.count) == [7, 5])
        for ring in rings { #expect(ring.first == ring.last) }
        #expect(area(of: rings[0]) > 0 && area(of: rings[1]) < 0)
        let building = try GeoJSON(
            contentsOf: examples.appending(path: "building.geojson"), kind: "outline")
        for corner in building.rings[0] {
            let misses = rings[0].map { $0.offset(to: corner) }.map { hypot($0.east, $0.north) }
            let miss = misses.min() ?? .infinity
            // A pixel of the screen, as the whole plan was drawn on it.
            #expect(miss < 0.2, "\(miss) m")
        }
        try checkCut(file)
    }

    /// The line that the page shows cuts the tiles to what it saved.
    private func checkCut(_ file: URL) throws {
        try Program.succeed(["place", "second.png", "--take", "good.points"], in: scratch.url)
        try Program.succeed(
            ["second.png", "--cutline", file.lastPathComponent, "-z", "20", "-o", "tiles"], in: scratch.url)
        let mosaic = try Mosaic(of: scratch.url.appending(path: "tiles"), zoom: 20)
        let rings = try GeoJSON(contentsOf: file).pixels(zoom: 20)
        // The yard's corners are a rectangle's.
        let (first, third) = (rings[1][0], rings[1][2])
        let middle = mosaic.picture[
            Int((first.x + third.x) / 2) - mosaic.origin.column,
            Int((first.y + third.y) / 2) - mosaic.origin.row]
        #expect(middle.alpha == 0)
        let pixels = mosaic.picture.width * mosaic.picture.height
        let opaque = (0..<pixels).count { mosaic.picture.rgba[4 * $0 + 3] == 255 }
        let areas = rings.map { ring in
            let twice = zip(ring, ring.dropFirst()).reduce(0.0) { sum, edge in
                sum + (edge.0.x - edge.1.x) * (edge.0.y + edge.1.y)
            }
            return abs(twice) / 2
        }
        // Pixels along edges are not opaque.
        #expect(abs(Double(opaque) / (areas[0] - areas[1]) - 1) < 0.02, "\(opaque) of \(areas)")
    }

    /// Square degrees, positive for a ring that runs counterclockwise.
    private func area(of ring: [Place]) -> Double {
        zip(ring, ring.dropFirst()).reduce(0) { sum, edge in
            sum + (edge.0.longitude - ring[0].longitude) * (edge.1.latitude - ring[0].latitude)
                - (edge.1.longitude - ring[0].longitude) * (edge.0.latitude - ring[0].latitude)
        } / 2
    }

    @Test("points of the floor below are chosen by name, and only need a click on the plan")
    func knownPoints() throws {
        try writeGoodPoints()
        for (name, copy) in [("second.png", "below.png"), ("good.points", "below.png.points")] {
            try FileManager.default.copyItem(
                at: scratch.url.appending(path: name), to: scratch.url.appending(path: copy))
        }
        try writePage(["--over", "below.png", "--basemap", "none"])
        let done = try run("Placing/place_known.py", Browser.screenshots("known"))
        #expect(done["problems"] as? [String] == [])
        #expect(done["offered"] as? [String] == (1...6).map(String.init))
        #expect(done["set"] as? [String] == (1...6).map(String.init))
        #expect(done["left"] as? Bool == false, "none is offered twice")
        let error = try #require(done["error"] as? Double)
        // A pixel of the screen is 0.2 m of the whole plan.
        #expect(error < 0.3, "\(error) m")
    }

    @Test("a page with a map only sends requests to the map's server")
    func requests() throws {
        try writePage(["--near", "1.73,48.217"])
        let asked = try #require(try act("mouse")["asked"] as? [String])
        #expect(!asked.isEmpty)
        #expect(asked.allSatisfy { $0.hasPrefix("https://tile.openstreetmap.org/") })
    }
}

import Foundation
import TestSupport
import Testing

/// The page of `place` with the scale of a drawing: it is typed, kept by the points and by their file, and
/// built.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash"))
struct PlaceScaleTests {
    /// 2500 pixels per metre of paper, at 1 : 100.
    private static let metresPerPixel = 0.04

    private let scratch: TemporaryDirectory

    init() throws {
        scratch = try TemporaryDirectory()
        let examples = SharedData.packageRoot.appending(path: "Examples")
        for name in ["ground.png", "ground.pgw", "ground.prj"] {
            try FileManager.default.copyItem(
                at: examples.appending(path: name), to: scratch.url.appending(path: name))
        }
        let plan = try Data(contentsOf: examples.appending(path: "second.png"))
        try Self.withPaper(plan).write(to: scratch.url.appending(path: "second.png"))
    }

    /// A PNG with the chunk pHYs, 2500 pixels per metre, behind its header.
    private static func withPaper(_ png: Data) -> Data {
        // The checksum is that of zlib for these bytes.
        let chunk: [UInt8] = [
            0, 0, 0, 9, 0x70, 0x48, 0x59, 0x73, 0, 0, 0x09, 0xC4, 0, 0, 0x09, 0xC4, 1, 0x55, 0xC3, 0x26, 0x10,
        ]
        return png.prefix(33) + Data(chunk) + png.dropFirst(33)
    }

    private func fit(_ options: [String]) throws -> (model: String, rms: Double, metresPerPixel: Double) {
        let outcome = try Program.succeed(
            ["fit", "second.png", "--json", "-o", "fit.pgw"] + options, in: scratch.url)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        let world = try String(contentsOf: scratch.url.appending(path: "fit.pgw"), encoding: .utf8)
            .split(whereSeparator: \.isNewline).compactMap { Double($0) }
        try #require(world.count == 6)
        return (
            try #require(json["transform"] as? String),
            try #require((json["rms"] as? [String: Any])?["metres"] as? Double),
            hypot(world[0], world[1])
        )
    }

    private func topRight(_ options: [String] = []) throws -> Place {
        try Report(
            Program.succeed(["info", "second.png", "--json"] + options, in: scratch.url).output
        ).corners[1]
    }

    @Test("1 : 100 is typed, two points are set, and fit and build keep it exactly")
    func typed() throws {
        try Program.succeed(
            [
                "place", "second.png", "--over", "ground.png", "--basemap", "none", "--viewer-assets",
                MapLibraries.leaflet?.path ?? "",
            ], in: scratch.url)
        let result = try Browser.act(
            "Placing/place_scale.py", on: scratch.url.appending(path: "second.html"),
            [scratch.url.path] + Browser.screenshots("scale"))
        let done = try #require(result["done"] as? [String: Bool])
        #expect(done.count > 15)
        for (what, isDone) in done { #expect(isDone, "\(what)") }

        let taken = try Program.succeed(
            ["place", "second.png", "--take", "second.png.points"], in: scratch.url)
        #expect(taken.errors.contains("2 points, rigid fit"), "\(taken.errors)")
        let page = try #require((result["fit"] as? [String: Any])?["rms"] as? [String: Any])
        let fitted = try fit([])
        #expect(fitted.model == "rigid")
        #expect(abs(fitted.rms - (page["metres"] as? Double ?? .nan)) < 0.001)
        #expect(abs(fitted.metresPerPixel / Self.metresPerPixel - 1) < 1e-12)
        // The line that the page shows says the same without the file.
        let line = try #require((result["fit"] as? [String: Any])?["line"] as? String)
        try checkSame(line, as: topRight())
        try Program.succeed(["second.png", "-o", "tiles", "-z", "19"], in: scratch.url)

        try Program.succeed(["place", "second.png", "--take", "one.points"], in: scratch.url)
        #expect(abs(try fit([]).metresPerPixel / Self.metresPerPixel - 1) < 1e-12)
        let corner = try #require(result["corner"] as? [Double])
        let expected = Place(longitude: corner[0], latitude: corner[1])
        let miss = try topRight().offset(to: expected)
        #expect(hypot(miss.east, miss.north) < 0.001, "one point: \(miss)")
        try checkSame(#require(result["line"] as? String), as: expected)
    }

    /// The options of a line that the page shows, without its output, place the image likewise.
    private func checkSame(_ line: String, as place: Place) throws {
        let words = line.split(separator: " ").map(String.init)
        let options = words.dropFirst(2).prefix { $0 != "-o" }
        let miss = try topRight(Array(options)).offset(to: place)
        #expect(hypot(miss.east, miss.north) < 0.001, "\(line): \(miss)")
    }
}

import Codecs
import Platform
import Foundation
import TestSupport
import Testing
import TilewrightKit
import Tiling

/// A folder with a plan in it, and requests of another program for it.
struct Site {
    /// The position of the plan, in degrees; its native zoom is 17.
    static let box = BoundingBox(minX: 2, minY: 48, maxX: 2.003, maxY: 48.002)

    /// The corners of the box: top left, top right, bottom right, bottom left.
    static let corners = [
        Point(x: box.minX, y: box.maxY), Point(x: box.maxX, y: box.maxY),
        Point(x: box.maxX, y: box.minY), Point(x: box.minX, y: box.minY),
    ]

    private let scratch: TemporaryDirectory

    /// Makes the folder and `plan.png`, of 300 x 200 pixels.
    init() throws {
        scratch = try TemporaryDirectory()
        try draw("plan.png", width: 300, height: 200)
    }

    /// Control points at the plan's corners and its middle, at whose places `shift` is added.
    static func points(_ shift: (Int) -> Point = { _ in Point(x: 0, y: 0) }) -> [ControlPoint] {
        let shares = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0.5, 0.5), (0.25, 0.5), (0.75, 0.25)]
        return shares.enumerated().map { index, share in
            let more = shift(index)
            return ControlPoint(
                pixel: Point(x: 300 * share.0, y: 200 * share.1),
                lonLat: Point(
                    x: box.minX + share.0 * box.width + more.x,
                    y: box.maxY - share.1 * box.height + more.y),
                name: "p\(index + 1)")
        }
    }

    /// The path of a file inside, or of a folder, which may end in a slash.
    func path(_ name: String) -> String { scratch.path(name) + (name.hasSuffix("/") ? "/" : "") }

    /// Draws an image: stripes of colours, opaque unless another alpha is given.
    func draw(_ name: String, width: Int, height: Int, alpha: (Int, Int) -> UInt8 = { _, _ in 255 }) throws {
        var pixels: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                pixels += [
                    UInt8(column / 8 * 29 % 256), UInt8(row / 8 * 53 % 256), 90, alpha(column, row),
                ]
            }
        }
        try write(PNGImage.encode(rgba: pixels, width: width, height: height), to: name)
    }

    /// Writes a file inside.
    func write(_ bytes: some Collection<UInt8>, to name: String) throws {
        let url = scratch.url.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// The bytes of a file inside.
    func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: scratch.url.appending(path: name)))
    }

    /// The text of a file inside.
    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    /// Whether there is an entry with this name.
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Asks for the plan, at the place of the box unless another position is given.
    func image(_ name: String = "plan.png", at position: PositionRequest? = nil) -> ImageRequest {
        ImageRequest(path(name), at: position ?? PositionRequest(.bounds(Self.box)))
    }

    /// Asks for a build of the plan.
    func request(
        _ output: String = "out", zoom: ClosedRange<Int> = 15...17, encoding: TileEncoding = TileEncoding()
    ) -> BuildRequest {
        BuildRequest(
            image(), pyramid: PyramidRequest(zoom: ZoomRange(zoom), encoding: encoding),
            output: OutputRequest(path(output)))
    }
}

/// Expects a refusal of a kind, with words in the message or the remedy.
func expectRefusal<Result>(
    _ kind: Failure.Kind, _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) {
    let failure = #expect(throws: Failure.self, sourceLocation: sourceLocation) { _ = try body() }
    #expect(failure?.kind == kind, sourceLocation: sourceLocation)
    #expect(
        failure.map { "\($0)".contains(words) } == true, "\(failure.map { "\($0)" } ?? "")",
        sourceLocation: sourceLocation)
}

/// The same for an asynchronous call.
func expectRefusal<Result>(
    _ kind: Failure.Kind, _ words: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Result
) async {
    let failure = await #expect(throws: Failure.self, sourceLocation: sourceLocation) { _ = try await body() }
    expectRefusal(kind, words, sourceLocation: sourceLocation) { if let failure { throw failure } }
}

extension TileCoordinate {
    /// The tile of a place, by the formula of the slippy map, as mercantile's `tile` has it.
    init(of place: Point, zoom: Int) {
        let edge = Double(1 << zoom)
        let sine = sin(place.y * .pi / 180)
        self.init(
            zoom: zoom, column: Int((place.x / 360 + 0.5) * edge),
            row: Int((0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * edge))
    }
}

import Georeferencing
import Raster
import Rendering
import Tiling

/// Pyramids whose tiles are discarded: the cost of rendering, without codecs and files.
enum RenderBenchmark {
    /// Builds a pyramid a number of times, with one job.
    static func run(_ name: String, times: Int) async throws {
        let picture = Picture()
        let info = picture.info
        let mapping = try ImageMapping(
            georeference(name, width: info.width, height: info.height), width: info.width,
            height: info.height)
        let plan = try PyramidPlan(
            layers: [ImageLayer(mapping: mapping, info: info)],
            options: PyramidOptions(
                zooms: 15...18, tileSize: 256, resampling: .area, overviewResampling: .area))
        let builder = PyramidBuilder(
            .images { _ in Picture() }, plan: plan,
            resources: PyramidResources(jobs: 1, memory: 1 << 30, scratchDirectory: "/nonexistent"))
        for _ in 0..<times {
            var sink = Sink()
            _ = try await BuildSequence([builder]).build(
                to: &sink, makeEncoder: { Encoder() }, progress: { _ in })
            precondition(sink.count > 10, "the pyramid has hardly a tile")
        }
    }

    private static func georeference(_ name: String, width: Int, height: Int) throws -> Georeference {
        switch name {
        case "upright":
            let box = BoundingBox(minX: 1_224_800, minY: 5_979_000, maxX: 1_225_312, maxY: 5_979_384)
            return try .bounds(box, crs: .webMercator, width: width, height: height)
        case "turned":
            return try .corners(
                [
                    Point(x: 11.0031, y: 47.2098), Point(x: 11.0097, y: 47.2086),
                    Point(x: 11.0084, y: 47.2052), Point(x: 11.0018, y: 47.2064),
                ], width: width, height: height)
        default: fatalError("'\(name)' is neither 'upright' nor 'turned'")
        }
    }
}

/// An image that repeats a tile in both directions.
private final class Picture: RasterSource {
    let info = RasterInfo(width: 1024, height: 768, pixelFormat: .rgba8, summary: "a plan")
    private var row = 0

    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) {
        for index in 0..<count {
            let line = UnsafeMutableRawBufferPointer(
                start: destination + index * stride, count: 4 * info.width)
            DrawnTile.softPlan.repeatRow(row, into: line)
            row += 1
        }
    }
}

private final class Encoder: TileEncoder {
    func encode(_ pixels: TilePixels) -> [UInt8] { [pixels.bytes[0]] }
}

private struct Sink: TileSink {
    let staged: Set<TileCoordinate> = []
    var count = 0

    mutating func write(_ tile: EncodedTile) { count += 1 }
}

import Georeferencing
import Raster
import Rendering
import Testing
import Tiling

struct EncodedTilesTests {
    /// Counts what it is asked for, as the census of a palette does.
    private final class CountingEncoder: TileEncoder {
        private(set) var count = 0

        func encode(_ pixels: TilePixels) -> [UInt8] {
            count += 1
            return [1]
        }
    }

    @Test("Every tile reaches the encoder, even single-coloured ones")
    func everyTile() async throws {
        let box = BoundingBox(minX: 0, minY: 0, maxX: 100_000, maxY: 100_000)
        let georeference = try Georeference.bounds(box, crs: .webMercator, width: 1200, height: 1200)
        let mapping = try ImageMapping(georeference, width: 1200, height: 1200)
        let build = TestBuild(
            mapping, .flat([1, 2, 3], width: 1200, height: 1200), zooms: 9...11, resampling: .area)
        let plan = try build.plan()
        let builder = PyramidBuilder(
            build.pixels, plan: plan, resources: build.resources, kernels: build.kernels)
        let encoder = CountingEncoder()
        var sink = MemorySink()
        _ = try await BuildSequence([builder]).build(
            to: &sink, makeEncoder: { encoder }, progress: { _ in })
        #expect(sink.tiles.count > 10)
        #expect(encoder.count == sink.tiles.count)
    }
}

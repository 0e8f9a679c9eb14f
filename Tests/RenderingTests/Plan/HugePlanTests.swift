import Georeferencing
import Rendering
import Testing
import Tiling

/// Plans that are far too large to build must still be told apart, quickly and in little memory.
@Suite struct HugePlanTests {
    // Listing them would never end.
    @Test("tiles of all zooms of a country are counted without listing them", .timeLimit(.minutes(1)))
    func country() throws {
        let mapping = try Placement.degrees(5.9, 47.3, 15, 55.1, width: 40_000, height: 50_000)
        let count = try PyramidPlan(mapping, zooms: 0...30).tileCount
        // Tiles under the box at zoom 30, from the formula of EPSG:3857, and a third of that above.
        let box = try #require(BoundingBox(around: mapping.outline))
        let edge = TileMatrix(zoom: 30, tileSize: 1).cellSize
        let expected = box.width / edge * (box.height / edge) * 4 / 3
        #expect(abs(Double(count) / expected - 1) < 1e-4)
    }

    @Test("the number of tiles of a turned square is its share of the world's", arguments: [24, 27, 30])
    func turned(zoom: Int) throws {
        let matrix = TileMatrix(zoom: 10, tileSize: 256)
        let mapping = try Placement.turned(
            matrix, around: Point(x: 100_000, y: 120_000), degrees: 20, scale: 20, width: 1000,
            height: 900)
        let plan = try PyramidPlan(
            mapping, width: 1000, height: 900, zooms: zoom...zoom)
        let tile = TileMatrix(zoom: zoom, tileSize: 1).cellSize
        let pixel = matrix.cellSize * 20 / tile
        let count = Double(plan.tileCount)
        #expect(abs(count / (pixel * pixel * 900_000) - 1) < 1e-3)
    }

    @Test("the world at zoom 30 does not overflow")
    func world() throws {
        let mapping = try Placement.degrees(-180, -90, 180, 90)
        let plan = try PyramidPlan(mapping, zooms: 0...30)
        #expect(plan.tileCount == (0...30).reduce(0) { $0 + (1 << (2 * $1)) })
    }
}

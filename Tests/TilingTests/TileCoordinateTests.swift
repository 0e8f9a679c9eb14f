import Testing
import Tiling

@Suite struct TileCoordinateTests {
    @Test(
        "quadkeys are those of Bing Maps' documentation and of mercantile",
        arguments: [
            (TileCoordinate(zoom: 3, column: 3, row: 5), "213"),
            (TileCoordinate(zoom: 1, column: 1, row: 0), "1"),
            (TileCoordinate(zoom: 0, column: 0, row: 0), ""),
            (TileCoordinate(zoom: 10, column: 486, row: 332), "0313102310"),
        ])
    func quadkeys(tile: TileCoordinate, key: String) {
        #expect(tile.quadkey == key)
    }

    @Test("a TMS row counts from the south")
    func tmsRow() {
        #expect(TileCoordinate(zoom: 0, column: 0, row: 0).tmsRow == 0)
        #expect(TileCoordinate(zoom: 3, column: 1, row: 0).tmsRow == 7)
        #expect(TileCoordinate(zoom: 3, column: 1, row: 5).row(in: .tms) == 2)
        #expect(TileCoordinate(zoom: 3, column: 1, row: 5).row(in: .xyz) == 5)
    }

    @Test("a column beyond the antimeridian is wrapped into the world")
    func wrapping() {
        #expect(TileCoordinate(zoom: 3, column: 8, row: 0).column == 0)
        #expect(TileCoordinate(zoom: 3, column: -1, row: 0).column == 7)
        #expect(TileCoordinate(zoom: 0, column: 5, row: 0).column == 0)
    }
}

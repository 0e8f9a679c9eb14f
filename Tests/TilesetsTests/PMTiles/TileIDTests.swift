import Testing
import Tiling

@testable import Tilesets

@Suite struct TileIDTests {
    /// The example of the specification, and the tests of go-pmtiles.
    @Test(
        "IDs are those of the specification",
        arguments: [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
            (12, 3423, 1763, 19_078_479),
        ])
    func specification(zoom: Int, column: Int, row: Int, number: UInt64) {
        let tile = TileCoordinate(zoom: zoom, column: column, row: row)
        #expect(TileID(tile).number == number)
        #expect(TileID(number).coordinate == tile)
    }

    @Test("each tile has one ID, and neighbours along the curve share an edge")
    func curve() {
        var last: TileCoordinate?
        for number in UInt64(0)..<TileID.first(ofZoom: 7).number {
            let tile = TileID(number).coordinate
            #expect(TileID(tile).number == number)
            if let last, last.zoom == tile.zoom {
                #expect(abs(last.column - tile.column) + abs(last.row - tile.row) == 1)
            }
            last = tile
        }
    }

    @Test("the IDs of the corners of every zoom are decoded as they were encoded", arguments: 0...30)
    func extremes(zoom: Int) {
        let edge = 1 << zoom - 1
        for (column, row) in [(0, 0), (edge, 0), (0, edge), (edge, edge)] {
            let tile = TileCoordinate(zoom: zoom, column: column, row: row)
            #expect(TileID(tile).coordinate == tile)
            #expect(TileID(tile).number < TileID.end)
            #expect(PackedCoordinate(tile).coordinate == tile)
        }
    }

    @Test("packed addresses are ordered by zoom, column, row")
    func packed() {
        let tiles = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 3), (2, 1, 0)].map {
            PackedCoordinate(TileCoordinate(zoom: $0.0, column: $0.1, row: $0.2))
        }
        #expect(tiles.reversed().sorted() == tiles)
    }

    @Test(
        "the tiles of a run are counted as if one by one",
        arguments: [0..<1, 0..<5, 1..<2, 3..<9, 7..<300, 21..<85, 6..<1365, 340..<5461, 100..<1000])
    func runs(run: Range<UInt64>) {
        var (all, single) = (TilesByZoom(), TilesByZoom())
        all.count(run)
        for number in run { single.count(TileID(number).coordinate) }
        #expect(all.limits == single.limits)
    }
}

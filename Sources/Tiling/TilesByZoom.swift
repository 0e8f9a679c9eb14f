/// Which columns and rows the tiles of each zoom fill, counted one by one.
package struct TilesByZoom: Sendable {
    private struct Zoom {
        var limits: TileRange
        /// The columns of the eastern half of the world, and of the western.
        var halves: [ClosedRange<Int>?] = [nil, nil]
    }

    private var zooms: [Int: Zoom] = [:]

    /// Starts without a tile.
    package init() {}

    /// Counts a tile.
    package mutating func count(_ tile: TileCoordinate) {
        let (column, row) = (tile.column, tile.row)
        let single = TileRange(zoom: tile.zoom, column: column, row: row)
        var zoom = zooms[tile.zoom] ?? Zoom(limits: single)
        zoom.limits.extend(toColumn: column, row: row)
        let half = column < (1 << tile.zoom) / 2 ? 1 : 0
        zoom.halves[half] = zoom.halves[half]?.extended(to: column) ?? column...column
        zooms[tile.zoom] = zoom
    }

    /// The tiles that exist, per zoom from the lowest. Two entries stand for a zoom if a gap wider
    /// than half the world says that the tiles cross the antimeridian.
    package var limits: [TileRange] {
        zooms.sorted { $0.key < $1.key }.flatMap { zoom, tiles in
            let edge = 1 << zoom
            if let east = tiles.halves[0], let west = tiles.halves[1],
                east.lowerBound - west.upperBound > edge / 2, east.upperBound == edge - 1,
                west.lowerBound == 0
            {
                return [east, west].map {
                    TileRange(zoom: zoom, columns: $0, rows: tiles.limits.rows)
                }
            }
            return [tiles.limits]
        }
    }
}

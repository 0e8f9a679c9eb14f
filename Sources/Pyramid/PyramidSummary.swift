package import Tiling

/// What a build has made.
package struct PyramidSummary: Sendable {
    /// Tiles that went to the sink, or that an interrupted run had left there.
    package var tiles = 0
    /// Tiles of the footprint that are wholly transparent, and were left out.
    package var emptyTiles = 0
    /// Bytes of the tiles that were encoded by this run.
    package var encodedBytes = 0

    private var ranges: [Int: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)] = [:]

    /// The tiles that exist, per zoom from the lowest.
    package var limits: [TileMatrixLimits] {
        ranges.sorted { $0.key < $1.key }.flatMap { zoom, range in
            TileMatrixLimits.wrapping(zoom: zoom, columns: range.columns, rows: range.rows)
        }
    }

    /// Counts a tile that exists.
    mutating func count(_ tile: UnitTile) {
        let coordinate = tile.coordinate
        switch tile.content {
        case .empty:
            emptyTiles += 1
            return
        case .encoded(let bytes): encodedBytes += bytes.count
        case .staged: break
        }
        tiles += 1
        let (column, row) = (tile.column, coordinate.row)
        let range = ranges[coordinate.zoom] ?? (column...column, row...row)
        ranges[coordinate.zoom] = (
            min(range.columns.lowerBound, column)...max(range.columns.upperBound, column),
            min(range.rows.lowerBound, row)...max(range.rows.upperBound, row)
        )
    }
}

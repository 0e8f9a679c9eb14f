package import Tiling

extension PyramidPlan {
    /// The tiles that exist of those that the plan has, per zoom from the lowest: the smallest
    /// rectangles around them, two at a zoom across the antimeridian.
    package func limits(of tiles: some Sequence<TileCoordinate>) -> [TileMatrixLimits] {
        var extents: [Int: TileExtent] = [:]
        let firstColumns = Dictionary(
            uniqueKeysWithValues: levels.map { ($0.matrix.zoom, $0.tileColumns.lowerBound) })
        for tile in tiles {
            // Columns go on counting across the antimeridian.
            let first = firstColumns[tile.zoom] ?? 0
            let column = first + (tile.column - first) & (1 << tile.zoom - 1)
            extents[tile.zoom, default: TileExtent(column, tile.row)].extend(to: column, tile.row)
        }
        return extents.sorted { $0.key < $1.key }.flatMap { zoom, extent in
            TileMatrixLimits.wrapping(zoom: zoom, columns: extent.columns, rows: extent.rows)
        }
    }
}

/// A rectangle of tiles that grows.
private struct TileExtent {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>

    init(_ column: Int, _ row: Int) {
        columns = column...column
        rows = row...row
    }

    mutating func extend(to column: Int, _ row: Int) {
        columns = min(columns.lowerBound, column)...max(columns.upperBound, column)
        rows = min(rows.lowerBound, row)...max(rows.upperBound, row)
    }
}

package import Tiling

extension PyramidPlan {
    /// Folders of a tree of tiles, one for each zoom and each column. They are counted twice, as they
    /// are there twice while tiles are staged and published.
    package var folderCount: Int {
        let written = levels.filter(\.isWritten)
        return 2 * written.reduce(0) { $0 + $1.tileColumns.count + 1 }
    }

    /// The tiles that exist of those that the plan has, per zoom from the lowest: the smallest
    /// rectangles around them, two at a zoom across the antimeridian.
    package func limits(of tiles: some Sequence<TileCoordinate>) -> [TileRange] {
        var extents: [Int: TileRange] = [:]
        let firstColumns = Dictionary(
            uniqueKeysWithValues: levels.map { ($0.matrix.zoom, $0.tileColumns.lowerBound) })
        for tile in tiles {
            // Columns go on counting across the antimeridian.
            let first = firstColumns[tile.zoom] ?? 0
            let column = first + ((tile.column - first) & ((1 << tile.zoom) - 1))
            let single = TileRange(zoom: tile.zoom, column: column, row: tile.row)
            extents[tile.zoom, default: single].extend(toColumn: column, row: tile.row)
        }
        return extents.values.sorted { $0.zoom < $1.zoom }.flatMap {
            TileRange.wrapping(zoom: $0.zoom, columns: $0.columns, rows: $0.rows)
        }
    }
}

import Tiling

extension TilesByZoom {
    /// Counts tiles that follow each other, in time that does not depend on their number: along the
    /// curve they are a few hundred squares at most.
    ///
    /// - Parameter run: IDs below `TileID.end`.
    mutating func count(_ run: Range<UInt64>) {
        var start = run.lowerBound
        while start < run.upperBound {
            let zoom = TileID(start).zoom
            let base = TileID.first(ofZoom: zoom).number
            let end = min(run.upperBound, TileID.first(ofZoom: zoom + 1).number)
            // A square that is the whole world would lie in both of its halves.
            let largest = max(0, zoom - 1)
            let aligned = min(largest, (start - base).trailingZeroBitCount / 2)
            let fitting = (63 - (end - start).leadingZeroBitCount) / 2
            let level = min(aligned, fitting)
            countSquare(at: TileID(start).coordinate, level: level)
            start += 1 << UInt64(2 * level)
        }
    }

    /// Counts the square of `2^level` columns and rows, in which the tile lies.
    private mutating func countSquare(at tile: TileCoordinate, level: Int) {
        let last = 1 << level - 1
        let (column, row) = (tile.column & ~last, tile.row & ~last)
        count(TileCoordinate(zoom: tile.zoom, column: column, row: row))
        count(TileCoordinate(zoom: tile.zoom, column: column + last, row: row + last))
    }
}

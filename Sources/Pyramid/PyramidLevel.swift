package import Tiling

/// One zoom of a plan.
package struct PyramidLevel: Sendable {
    /// The zoom's tile matrix.
    package let matrix: TileMatrix
    /// The pixels of the matrix that exist; all others are transparent. Columns go on counting
    /// beyond the antimeridian.
    package let window: PixelWindow
    /// The cells that the footprint touches.
    package let coverage: CellCoverage
    /// Whether tiles of this zoom are written; a zoom that is finer than asked for only feeds the
    /// others.
    package let isWritten: Bool

    private var cellsPerTile: Int { matrix.tileSize / CellCoverage.cellSize }

    /// The rows of tiles that the zoom has.
    package var tileRows: Range<Int> { matrix.tiles(ofPixels: window.rows) }

    /// The columns of tiles that the window has; some may stand twice, see `isWrapped`.
    var tileColumns: Range<Int> { matrix.tiles(ofPixels: window.columns) }

    /// Whether the image comes around the world to a tile in which it also begins.
    var isWrapped: Bool { tileColumns.count > matrix.tilesPerEdge }

    /// The columns of tiles that the footprint touches in a row of tiles, none of them twice.
    package func tileColumns(inRow row: Int) -> Range<Int> {
        let columns = coverage.tileColumns(inRow: row, cellsPerTile: cellsPerTile)
            .clamped(to: tileColumns)
        let turn = columns.lowerBound + matrix.tilesPerEdge
        return columns.lowerBound..<min(columns.upperBound, turn)
    }

    /// Rows of tiles up to which tiles are counted, which takes tens of milliseconds.
    private static let countedRows = 1 << 18

    /// Rows of tiles that stand for all, where there are more.
    private static let sampledRows = 1 << 14

    /// How many tiles the footprint touches.
    ///
    /// Exact up to 2^18 rows of tiles. Beyond, where no one builds them any more, it is estimated
    /// from evenly spaced rows. An `Int` holds the tiles of every zoom; their pixels it may not.
    package var tileCount: Int {
        guard isWritten else { return 0 }
        if tileRows.count <= Self.countedRows {
            return tileRows.reduce(0) { $0 + tileColumns(inRow: $1).count }
        }
        let spacing = Double(tileRows.count) / Double(Self.sampledRows)
        let sum = (0..<Self.sampledRows).reduce(0.0) { sum, index in
            let row = tileRows.lowerBound + Int((Double(index) + 0.5) * spacing)
            return sum + Double(tileColumns(inRow: row).count)
        }
        return Int(sum * spacing)
    }

    /// The pixels of a row of cells that the footprint does not touch, left and right of those that
    /// it does, within some columns.
    func uncovered(inCellRow row: Int, of columns: Range<Int>) -> [Range<Int>] {
        let covered = covered(inCellRow: row, of: columns)
        if covered.isEmpty { return [columns] }
        return [
            columns.lowerBound..<covered.lowerBound, covered.upperBound..<columns.upperBound,
        ].filter { !$0.isEmpty }
    }

    /// The pixels of a row of cells that the footprint touches, within some columns.
    func covered(inCellRow row: Int, of columns: Range<Int>) -> Range<Int> {
        let cells = coverage.columns(inRow: row)
        let size = CellCoverage.cellSize
        return (cells.lowerBound * size..<cells.upperBound * size).clamped(to: columns)
    }
}

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

    /// The columns of tiles that the footprint touches in a row of tiles.
    package func tileColumns(inRow row: Int) -> Range<Int> {
        coverage.tileColumns(inRow: row, cellsPerTile: cellsPerTile)
            .clamped(to: matrix.tiles(ofPixels: window.columns))
    }

    /// How many tiles the footprint touches.
    package var tileCount: Int {
        isWritten ? tileRows.reduce(0) { $0 + tileColumns(inRow: $1).count } : 0
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

internal import CRaster

/// The source positions of a block, fixed to fractions of a pixel, and the source pixels that their
/// kernels touch.
struct FixedPositions {
    /// Columns as the core takes them; `Int32.min` where no kernel touches the source.
    let columns: [Int32]
    /// Rows likewise; 0 there.
    let rows: [Int32]
    /// The source columns that all kernels together touch; may reach beyond the source.
    let sourceColumns: Range<Int>
    /// The source rows likewise.
    let sourceRows: Range<Int>

    /// Fixes positions; nil where no kernel touches the source.
    ///
    /// - Parameter reach: source pixels that a kernel reaches from its position.
    init?(
        _ positions: SourcePositions, on grid: PositionGrid, of source: SourceBand,
        reach: (columns: Int, rows: Int)
    ) {
        let count = positions.width * positions.height
        var columns = [Int32](repeating: Int32.min, count: count)
        var rows = [Int32](repeating: 0, count: count)
        var (minX, maxX, minY, maxY) = (Int32.max, Int32.min, Int32.max, Int32.min)
        let limitX = Double(source.width + reach.columns)
        let limitY = Double(source.height + reach.rows)
        let (lowestX, lowestY) = (-Double(reach.columns), -Double(reach.rows))
        for index in 0..<count {
            let (x, y) = (positions.columns[index], positions.rows[index])
            // Not a number is not above anything.
            guard x > lowestX, y > lowestY, x < limitX, y < limitY else { continue }
            let (fixedX, fixedY) = (grid.fixed(x), grid.fixed(y))
            (columns[index], rows[index]) = (fixedX, fixedY)
            (minX, maxX) = (min(minX, fixedX), max(maxX, fixedX))
            (minY, maxY) = (min(minY, fixedY), max(maxY, fixedY))
        }
        guard minX <= maxX else { return nil }
        self.columns = columns
        self.rows = rows
        sourceColumns = grid.whole(minX) - reach.columns..<grid.whole(maxX) + reach.columns + 1
        sourceRows = grid.whole(minY) - reach.rows..<grid.whole(maxY) + reach.rows + 1
    }
}

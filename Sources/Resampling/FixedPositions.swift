internal import Tiling

/// The source positions of a part of a block, fixed to fractions of a pixel, and the source pixels
/// that their kernels touch.
struct FixedPositions {
    /// Columns as the core takes them; `Int32.min` where no kernel touches the source.
    let columns: [Int32]
    /// Rows likewise; 0 there.
    let rows: [Int32]
    /// The source pixels that all kernels together touch; may reach beyond the source.
    let window: PixelWindow

    /// Fixes positions; nil where no kernel touches the source.
    ///
    /// - Parameter reach: source pixels that a kernel reaches from its position.
    init?(
        _ part: PixelWindow, of positions: SourcePositions, on grid: PositionGrid,
        in source: SourceBand, reach: (columns: Int, rows: Int)
    ) {
        var columns = [Int32](repeating: Int32.min, count: part.width * part.height)
        var rows = [Int32](repeating: 0, count: part.width * part.height)
        var (minX, maxX, minY, maxY) = (Int32.max, Int32.min, Int32.max, Int32.min)
        let limitX = Double(source.width + reach.columns)
        let limitY = Double(source.height + reach.rows)
        let (lowestX, lowestY) = (-Double(reach.columns), -Double(reach.rows))
        var index = 0
        for row in part.rows {
            for place in part.columns {
                defer { index += 1 }
                let (x, y) = (
                    positions.columns[row * positions.width + place],
                    positions.rows[row * positions.width + place]
                )
                // Not a number is not above anything.
                guard x > lowestX, y > lowestY, x < limitX, y < limitY else { continue }
                let (fixedX, fixedY) = (grid.fixed(x), grid.fixed(y))
                (columns[index], rows[index]) = (fixedX, fixedY)
                (minX, maxX) = (min(minX, fixedX), max(maxX, fixedX))
                (minY, maxY) = (min(minY, fixedY), max(maxY, fixedY))
            }
        }
        guard minX <= maxX else { return nil }
        self.columns = columns
        self.rows = rows
        window = PixelWindow(
            columns: grid.whole(minX) - reach.columns..<grid.whole(maxX) + reach.columns + 1,
            rows: grid.whole(minY) - reach.rows..<grid.whole(maxY) + reach.rows + 1)
    }
}

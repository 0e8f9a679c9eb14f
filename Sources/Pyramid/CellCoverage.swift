package import Tiling

/// Which cells of a zoom the image's footprint touches.
///
/// A cell is a square of 256 pixels, anchored to the world: a tile of 256 pixels, or a quarter of
/// one of 512. What lies in a cell that the footprint does not touch is transparent by definition,
/// whatever a wide kernel would put there; so tiles of both sizes agree.
package struct CellCoverage: Sendable {
    /// Pixels along a cell's edge.
    package static let cellSize = 256

    /// How much of a pixel may hang over a cell's edge without counting: outlines come out of
    /// coordinate transforms and are not exact.
    package static let tolerance = 0.01

    /// The first and behind-the-last column of cells, per row of cells.
    private let columns: [Range<Int>]
    private let firstRow: Int

    /// Finds the cells that a polygon touches.
    ///
    /// - Parameter outline: a closed ring in pixels of the zoom, without its end repeated. Where it
    ///   is not convex within a row of cells, cells in its bay count too.
    package init(outline: [Point]) {
        let rows = outline.map(\.y)
        let size = Double(Self.cellSize)
        let top = ((rows.min() ?? 0) + Self.tolerance) / size
        let bottom = ((rows.max() ?? 0) - Self.tolerance) / size
        firstRow = Int(top.rounded(.down))
        let endRow = max(firstRow + 1, Int(bottom.rounded(.up)))
        columns = (firstRow..<endRow).map { Self.columns(of: $0, touchedBy: outline) }
    }

    /// The rows of cells that the footprint touches.
    package var rows: Range<Int> { firstRow..<firstRow + columns.count }

    /// The columns of cells that the footprint touches in a row of cells.
    package func columns(inRow row: Int) -> Range<Int> {
        rows.contains(row) ? columns[row - firstRow] : 0..<0
    }

    /// The columns of tiles that the footprint touches in a row of tiles.
    ///
    /// - Parameter cellsPerTile: 1 for tiles of 256 pixels, 2 for 512.
    package func tileColumns(inRow row: Int, cellsPerTile: Int) -> Range<Int> {
        var result = 0..<0
        for cellRow in row * cellsPerTile..<(row + 1) * cellsPerTile {
            let cells = columns(inRow: cellRow)
            if cells.isEmpty { continue }
            let tiles =
                floorDivide(cells.lowerBound, cellsPerTile)..<floorDivide(
                    cells.upperBound - 1, cellsPerTile) + 1
            result =
                result.isEmpty
                ? tiles
                : min(
                    result.lowerBound, tiles.lowerBound)..<max(result.upperBound, tiles.upperBound)
        }
        return result
    }

    private static func columns(of row: Int, touchedBy outline: [Point]) -> Range<Int> {
        let size = Double(cellSize)
        let top = Double(row) * size + tolerance
        let bottom = Double(row + 1) * size - tolerance
        var (west, east) = (Double.infinity, -Double.infinity)
        guard var previous = outline.last else { return 0..<0 }
        for point in outline {
            if let (first, second) = clip(from: previous, to: point, top: top, bottom: bottom) {
                west = min(west, first, second)
                east = max(east, first, second)
            }
            previous = point
        }
        guard west <= east else { return 0..<0 }
        let first = Int(((west + tolerance) / size).rounded(.down))
        let end = Int(((east - tolerance) / size).rounded(.up))
        return first..<max(first + 1, end)
    }

    /// The columns at which an edge enters and leaves a band of rows, or nil where it misses it.
    private static func clip(
        from start: Point, to end: Point, top: Double, bottom: Double
    ) -> (Double, Double)? {
        let (low, high) = (min(start.y, end.y), max(start.y, end.y))
        guard high >= top, low <= bottom else { return nil }
        func column(at y: Double) -> Double {
            guard end.y != start.y else { return start.x }
            let t = min(max((y - start.y) / (end.y - start.y), 0), 1)
            return start.x + t * (end.x - start.x)
        }
        if start.y == end.y { return (start.x, end.x) }
        return (column(at: max(low, top)), column(at: min(high, bottom)))
    }
}

package import Tiling

/// The cells of a zoom that the image's footprint touches.
///
/// A cell is a square of 256 pixels, anchored to the world: a tile of 256 pixels, or a quarter of a tile of
/// 512. Cells that the footprint does not touch are transparent by definition, even if a wide kernel would
/// reach them; so tiles of both sizes agree.
///
/// Nothing is stored per cell: a zoom may have too many cells for memory.
package struct CellCoverage: Sendable {
    /// Pixels along a cell's edge.
    package static let cellSize = 256

    /// The rows of cells that the footprint touches.
    package let rows: Range<Int>
    /// The columns of cells from its western to its eastern end.
    package let columns: Range<Int>

    private let footprint: Footprint
    private let tolerance: (x: Double, y: Double)
    /// The rows of pixels in which the image is drawn; nil for all.
    private let limit: Range<Int>?

    /// Finds the cells that a footprint touches.
    ///
    /// - Parameters:
    ///   - limit: the rows of pixels in which the image is drawn; nil for all.
    ///   - distance: how far a kernel reaches beyond the footprint, in pixels; nil for the footprint alone.
    package init(
        _ footprint: Footprint, within limit: Range<Int>? = nil, reaching distance: Double? = nil
    ) {
        self.footprint = footprint
        self.limit = limit
        tolerance =
            distance.map { (-$0, -$0) }
            ?? (Self.tolerance(of: footprint.columns), Self.tolerance(of: footprint.rows))
        rows = Self.touched(footprint.rows, tolerance: tolerance.y, size: Self.cellSize)
        columns = Self.touched(footprint.columns, tolerance: tolerance.x, size: Self.cellSize)
    }

    /// The cells that a kernel reaches from the footprint, even outside of it.
    func reaching(_ distance: Double) -> CellCoverage {
        CellCoverage(footprint, within: limit, reaching: distance)
    }

    /// The pixels of those rows and columns of cells.
    var window: PixelWindow {
        PixelWindow(
            columns: columns.multiplied(by: Self.cellSize), rows: rows.multiplied(by: Self.cellSize))
    }

    /// How far a footprint may extend beyond an edge without counting as beyond it, in pixels: outlines come
    /// from coordinate transforms and are not exact. It is at most a quarter of the footprint, so that a tiny
    /// footprint does not vanish.
    static func tolerance(of extent: ClosedRange<Double>) -> Double {
        min(0.01, (extent.upperBound - extent.lowerBound) / 4)
    }

    /// The pixels, or squares of them, that an extent touches; at least one.
    static func touched(
        _ extent: ClosedRange<Double>, tolerance: Double, size: Int = 1
    ) -> Range<Int> {
        let first = Int(((extent.lowerBound + tolerance) / Double(size)).rounded(.down))
        let end = Int(((extent.upperBound - tolerance) / Double(size)).rounded(.up))
        return first..<max(first + 1, end)
    }

    /// The columns of cells that the footprint touches in a row of cells.
    package func columns(inRow row: Int) -> Range<Int> {
        guard rows.contains(row) else { return 0..<0 }
        let (top, bottom) = (Double(row * Self.cellSize), Double((row + 1) * Self.cellSize))
        let touched = footprint.columns(from: top + tolerance.y, to: bottom - tolerance.y)
        guard let touched else { return 0..<0 }
        return Self.touched(touched, tolerance: tolerance.x, size: Self.cellSize)
    }

    /// The columns that the footprint touches in some rows of pixels, all in one row of cells, within some
    /// columns.
    func pixels(inRows rows: Range<Int>, of columns: Range<Int>) -> Range<Int> {
        if let limit, !limit.overlaps(rows) { return columns.lowerBound..<columns.lowerBound }
        let cells = self.columns(inRow: floorDivide(rows.lowerBound, Self.cellSize))
        return cells.multiplied(by: Self.cellSize).clamped(to: columns)
    }

    /// The columns of tiles that the footprint touches in a row of tiles.
    ///
    /// - Parameter cellsPerTile: 1 for tiles of 256 pixels, 2 for 512.
    package func tileColumns(inRow row: Int, cellsPerTile: Int) -> Range<Int> {
        var result = 0..<0
        for cellRow in row * cellsPerTile..<(row + 1) * cellsPerTile {
            let cells = columns(inRow: cellRow)
            if cells.isEmpty { continue }
            let tiles = cells.cells(of: cellsPerTile)
            result = result.isEmpty ? tiles : result.hull(with: tiles)
        }
        return result
    }
}

extension [CellCoverage] {
    /// The columns that any footprint touches in some rows of pixels, all in one row of cells, within some
    /// columns, from the west.
    func pixels(inRows rows: Range<Int>, of columns: Range<Int>) -> [Range<Int>] {
        map { $0.pixels(inRows: rows, of: columns) }.union
    }
}

extension [Range<Int>] {
    /// The union of the ranges, as ranges that do not touch.
    ///
    /// Usually there is only one. The standard library's sets are not specialised for integers and would take
    /// as long as resampling some rows.
    var union: [Range<Int>] {
        count > 1 ? Array(RangeSet(self).ranges) : filter { !$0.isEmpty }
    }
}

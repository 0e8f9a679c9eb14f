internal import Tiling

/// Which cells of a zoom the image's footprint touches.
///
/// A cell is a square of 256 pixels, anchored to the world: a tile of 256 pixels, or a quarter of
/// one of 512. What lies in a cell that the footprint does not touch is transparent by definition,
/// whatever a wide kernel would put there; so tiles of both sizes agree.
///
/// Nothing is kept per cell: a zoom may have more of them than memory.
package struct CellCoverage: Sendable {
    /// Pixels along a cell's edge.
    package static let cellSize = 256

    /// The rows of cells that the footprint touches.
    package let rows: Range<Int>
    /// The columns of cells from its western to its eastern end.
    package let columns: Range<Int>

    private let footprint: Footprint
    private let tolerance: (x: Double, y: Double)
    /// The rows of pixels that count; nil for all.
    private let limit: Range<Int>?

    /// Finds the cells that a footprint touches.
    ///
    /// - Parameter limit: the rows of pixels in which the image is drawn at all; nil for all.
    package init(_ footprint: Footprint, within limit: Range<Int>? = nil) {
        self.init(
            footprint,
            tolerance: (Self.tolerance(of: footprint.columns), Self.tolerance(of: footprint.rows)),
            within: limit)
    }

    private init(_ footprint: Footprint, tolerance: (x: Double, y: Double), within limit: Range<Int>?) {
        self.footprint = footprint
        self.limit = limit
        self.tolerance = tolerance
        rows = Self.touched(footprint.rows, tolerance: tolerance.y, size: Self.cellSize)
        columns = Self.touched(footprint.columns, tolerance: tolerance.x, size: Self.cellSize)
    }

    /// The cells that a kernel reaches from the footprint: of a sheet these may lie beside it.
    ///
    /// - Parameter distance: in pixels.
    func reaching(_ distance: Double) -> CellCoverage {
        CellCoverage(footprint, tolerance: (-distance, -distance), within: limit)
    }

    /// The pixels of those rows and columns.
    var window: PixelWindow {
        func pixels(_ cells: Range<Int>) -> Range<Int> {
            cells.lowerBound * Self.cellSize..<cells.upperBound * Self.cellSize
        }
        return PixelWindow(columns: pixels(columns), rows: pixels(rows))
    }

    /// How much of a footprint may hang over an edge without counting, in pixels: outlines come out
    /// of coordinate transforms and are not exact. At most a quarter of the footprint, so that a
    /// tiny one does not vanish.
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

    /// The columns of some rows of pixels, all in one row of cells, that the footprint touches, within
    /// some columns.
    func pixels(inRows rows: Range<Int>, of columns: Range<Int>) -> Range<Int> {
        if let limit, !limit.overlaps(rows) { return columns.lowerBound..<columns.lowerBound }
        let cells = self.columns(inRow: floorDivide(rows.lowerBound, Self.cellSize))
        let pixels = cells.lowerBound * Self.cellSize..<cells.upperBound * Self.cellSize
        return pixels.clamped(to: columns)
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
            result = result.isEmpty ? tiles : result.hull(with: tiles)
        }
        return result
    }
}

extension [CellCoverage] {
    /// The columns of some rows of pixels, all in one row of cells, that any footprint touches, within
    /// some columns, from the west.
    func pixels(inRows rows: Range<Int>, of columns: Range<Int>) -> [Range<Int>] {
        map { $0.pixels(inRows: rows, of: columns) }.union
    }
}

extension [Range<Int>] {
    /// What lies in any of the ranges, as ranges that do not touch.
    ///
    /// Mostly there is one. For that the standard library's sets, which are not compiled for integers, take as long as
    /// resampling some rows.
    var union: [Range<Int>] {
        count > 1 ? Array(RangeSet(self).ranges) : filter { !$0.isEmpty }
    }
}

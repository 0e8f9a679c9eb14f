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

/// An image's footprint in pixels of a zoom, cut at the rows of its corners into slabs, in which its western
/// and eastern edges are straight.
///
/// It takes the same memory at every zoom, and finds the columns of a row in a time that grows with the
/// logarithm of the number of corners. If the footprint is not convex along a row, its bays are included.
package struct Footprint: Sendable {
    /// The part between two consecutive rows of corners.
    private struct Slab: Sendable {
        let top: Double
        let bottom: Double
        /// The western and eastern edge at the top and at the bottom.
        var atTop: ClosedRange<Double>
        var atBottom: ClosedRange<Double>

        /// The columns at a row; for a row beyond the slab, the columns of its nearer end.
        func columns(at row: Double) -> ClosedRange<Double> {
            let t = bottom > top ? min(max((row - top) / (bottom - top), 0), 1) : 0
            let west = atTop.lowerBound + t * (atBottom.lowerBound - atTop.lowerBound)
            let east = atTop.upperBound + t * (atBottom.upperBound - atTop.upperBound)
            return west...max(west, east)
        }
    }

    /// From the north, without gaps.
    private let slabs: [Slab]

    /// From the western to the eastern end.
    package let columns: ClosedRange<Double>

    /// From the northern to the southern end.
    package let rows: ClosedRange<Double>

    /// Cuts up a polygon.
    ///
    /// - Parameter outline: a ring of at least one point, in pixels of the zoom, without its end
    ///   repeated.
    package init(outline: [Point]) {
        let box = BoundingBox(around: outline) ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
        (columns, rows) = (box.minX...box.maxX, box.minY...box.maxY)
        let corners = Set(outline.map(\.y)).sorted()
        var edges = [(top: ClosedRange<Double>?, bottom: ClosedRange<Double>?)](
            repeating: (nil, nil), count: max(corners.count - 1, 0))
        for (index, end) in outline.enumerated() {
            let start = outline[(index + outline.count - 1) % outline.count]
            let (upper, lower) = start.y < end.y ? (start, end) : (end, start)
            if upper.y == lower.y { continue }
            var slab = corners.sortedFirstIndex { $0 >= upper.y }
            while slab < edges.count, corners[slab] < lower.y {
                edges[slab].top = Self.union(
                    edges[slab].top, Self.column(at: corners[slab], from: upper, to: lower))
                edges[slab].bottom = Self.union(
                    edges[slab].bottom, Self.column(at: corners[slab + 1], from: upper, to: lower))
                slab += 1
            }
        }
        let all = columns
        let cut = edges.enumerated().map { index, edges in
            Slab(
                top: corners[index], bottom: corners[index + 1], atTop: edges.top ?? all,
                atBottom: edges.bottom ?? all)
        }
        // A footprint without height is one slab.
        slabs =
            cut.isEmpty
            ? [Slab(top: box.minY, bottom: box.maxY, atTop: all, atBottom: all)] : cut
    }

    private init(slabs: [Slab], columns: ClosedRange<Double>, rows: ClosedRange<Double>) {
        self.slabs = slabs
        self.columns = columns
        self.rows = rows
    }

    /// The same footprint in pixels of the next coarser zoom; exact, as halving always is.
    package var halved: Footprint {
        func halved(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
            range.lowerBound / 2...range.upperBound / 2
        }
        return Footprint(
            slabs: slabs.map {
                Slab(
                    top: $0.top / 2, bottom: $0.bottom / 2, atTop: halved($0.atTop),
                    atBottom: halved($0.atBottom))
            },
            columns: halved(columns), rows: halved(rows))
    }

    /// The columns that the footprint touches in a band of rows; nil if there are none.
    package func columns(from top: Double, to bottom: Double) -> ClosedRange<Double>? {
        var result: ClosedRange<Double>?
        var index = slabs.sortedFirstIndex { $0.bottom >= top }
        while index < slabs.count, slabs[index].top <= bottom {
            for row in [max(top, slabs[index].top), min(bottom, slabs[index].bottom)] {
                let columns = slabs[index].columns(at: row)
                result = Self.union(result, columns.lowerBound)
                result = Self.union(result, columns.upperBound)
            }
            index += 1
        }
        return result
    }

    private static func column(at row: Double, from upper: Point, to lower: Point) -> Double {
        let t = (row - upper.y) / (lower.y - upper.y)
        return t >= 1 ? lower.x : upper.x + t * (lower.x - upper.x)
    }

    private static func union(_ range: ClosedRange<Double>?, _ value: Double) -> ClosedRange<Double> {
        guard let range else { return value...value }
        return min(range.lowerBound, value)...max(range.upperBound, value)
    }
}

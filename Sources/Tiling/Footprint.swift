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
    private var slabs: [Slab]

    /// From the western to the eastern end.
    package private(set) var columns: ClosedRange<Double>

    /// From the northern to the southern end.
    package private(set) var rows: ClosedRange<Double>

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

    /// The same footprint in pixels of the next coarser zoom; exact, as halving always is.
    package var halved: Footprint {
        func halved(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
            range.lowerBound / 2...range.upperBound / 2
        }
        var footprint = self
        footprint.slabs = slabs.map {
            Slab(
                top: $0.top / 2, bottom: $0.bottom / 2, atTop: halved($0.atTop),
                atBottom: halved($0.atBottom))
        }
        (footprint.columns, footprint.rows) = (halved(columns), halved(rows))
        return footprint
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

package import Tiling

/// A cell of pixels with the source positions of its corners, its middle, and the middles of
/// its edges.
package struct GridNodes {
    /// The pixels; a square.
    package let cell: PixelWindow
    /// Three rows of three points, from the top left; nan if a point has no source.
    package let points: [Point]

    /// Makes a cell of its nine nodes.
    package init(cell: PixelWindow, points: [Point]) { (self.cell, self.points) = (cell, points) }

    /// The value of the biquadratic function through the nodes at a place in the cell.
    ///
    /// - Parameters:
    ///   - x: the fraction of the cell's width from its left edge, 0 to 1.
    ///   - y: the fraction of its height from its upper edge, 0 to 1.
    package func point(x: Double, y: Double) -> Point {
        let (across, down) = (Self.quadratic(x), Self.quadratic(y))
        func row(_ index: Int) -> Point {
            let (left, middle, right) = (points[index], points[index + 1], points[index + 2])
            return Point(
                x: left.x * across.first + middle.x * across.middle + right.x * across.last,
                y: left.y * across.first + middle.y * across.middle + right.y * across.last)
        }
        let (top, middle, bottom) = (row(0), row(3), row(6))
        return Point(
            x: top.x * down.first + middle.x * down.middle + bottom.x * down.last,
            y: top.y * down.first + middle.y * down.middle + bottom.y * down.last)
    }

    /// Lagrange polynomials for the nodes 0, 1/2 and 1.
    private static func quadratic(_ t: Double) -> (first: Double, middle: Double, last: Double) {
        ((2 * t - 1) * (t - 1), 4 * t * (1 - t), t * (2 * t - 1))
    }

    /// The nodes of a smaller cell inside, by the same function.
    package func nodes(of part: PixelWindow) -> GridNodes {
        let size = Double(cell.width)
        let left = Double(part.columns.lowerBound - cell.columns.lowerBound) / size
        let top = Double(part.rows.lowerBound - cell.rows.lowerBound) / size
        let half = Double(part.width) / size / 2
        let points = (0..<9).map { index in
            point(x: left + Double(index % 3) * half, y: top + Double(index / 3) * half)
        }
        return GridNodes(cell: part, points: points)
    }

    /// The error of linear interpolation between the corners at the other points, in source pixels along the
    /// worse axis; infinite if a point has no source.
    package var interpolationError: Double {
        let (a, c, g, i) = (points[0], points[2], points[6], points[8])
        func error(_ point: Point, _ x: Double, _ y: Double) -> Double {
            max(abs(x - point.x), abs(y - point.y))
        }
        let worst = max(
            error(points[1], (a.x + c.x) / 2, (a.y + c.y) / 2),
            error(points[3], (a.x + g.x) / 2, (a.y + g.y) / 2),
            error(points[5], (c.x + i.x) / 2, (c.y + i.y) / 2),
            error(points[7], (g.x + i.x) / 2, (g.y + i.y) / 2),
            error(points[4], (a.x + c.x + g.x + i.x) / 4, (a.y + c.y + g.y + i.y) / 4))
        return isComplete ? worst : .infinity
    }

    /// Whether all points have a source.
    package var isComplete: Bool { points.allSatisfy { !$0.x.isNaN && !$0.y.isNaN } }

    /// Source pixels per pixel in the middle of the cell, along the longer direction; 0 if unknown.
    package var cellSize: Double {
        jacobian.map { 2 * max($0.columnReach, $0.rowReach) } ?? 0
    }

    /// Whether all points are beyond one edge of the source by more than a distance, or have no source at
    /// all. Then positions interpolated from them show nothing either.
    package func misses(
        columns: ClosedRange<Double>, rows: ClosedRange<Double>, by distance: Double
    ) -> Bool {
        points.allSatisfy { !($0.x >= columns.lowerBound - distance) }
            || points.allSatisfy { !($0.y >= rows.lowerBound - distance) }
            || points.allSatisfy { !($0.x <= columns.upperBound + distance) }
            || points.allSatisfy { !($0.y <= rows.upperBound + distance) }
    }

    /// The change of the source position across the middle of the cell, per pixel; nil if unknown.
    package var jacobian: Jacobian? {
        Jacobian(right: points[5] - points[3], down: points[7] - points[1], over: Double(cell.width))
    }

    /// The Jacobian of a cell that the limb of the Earth or the seam of a projection may cut: the mean of the
    /// changes from node to node, without the changes over a seam; nil if one of the directions has no change
    /// left.
    package var piecewiseJacobian: Jacobian? {
        func change(_ pairs: [(Int, Int)]) -> Point? {
            let steps = pairs.map { points[$0.1] - points[$0.0] }.filter(\.isFinite)
            let lengths = steps.map { max(abs($0.x), abs($0.y)) }
            guard let shortest = lengths.min() else { return nil }
            // On either side of a seam the mapping is smooth: changes there are of similar size.
            let near = zip(steps, lengths).filter { $0.1 <= Self.smoothChange * shortest }.map(\.0)
            let share = 2 / Double(cell.width * near.count)
            return near.reduce(Point(x: 0, y: 0)) { $0 + $1 * share }
        }
        guard let right = change([(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)]),
            let down = change([(0, 3), (3, 6), (1, 4), (4, 7), (2, 5), (5, 8)])
        else { return nil }
        return Jacobian(right: right, down: down)
    }

    /// The largest ratio between changes within a smooth part of a cell.
    private static let smoothChange = 4.0

    /// Whether the cell may be one smooth piece. If a seam jumps between two nodes, a node between them is
    /// off the middle by half of the jump.
    package var isSmooth: Bool { interpolationError <= cellSize * Double(cell.width) / 4 }

    /// The nodes of a pixel. If its centre has no source, it gets the mean of the nodes that have one: the
    /// limb of the Earth crosses such a pixel.
    package var centred: GridNodes {
        if cell.width > 1 || points[4].isFinite { return self }
        let known = points.filter(\.isFinite)
        if known.isEmpty { return self }
        var points = points
        let share = 1 / Double(known.count)
        points[4] = known.reduce(Point(x: 0, y: 0)) { $0 + $1 * share }
        return GridNodes(cell: cell, points: points)
    }
}

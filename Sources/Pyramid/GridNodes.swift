internal import Resampling
internal import Tiling

/// A cell of pixels with the exact source positions of its corners, its middle, and the middles of
/// its edges.
struct GridNodes {
    /// The pixels; a square.
    let cell: PixelWindow
    /// Three rows of three points, from the top left; not a number where there is no source.
    let points: [Point]

    /// By how much linear interpolation between the corners errs at the other points, in source
    /// pixels along the worse axis; infinite where a point has no source.
    var interpolationError: Double {
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
        return points.contains { $0.x.isNaN || $0.y.isNaN } ? .infinity : worst
    }

    /// Source pixels along a pixel of the cell's middle, the longer way; 0 where it is not known.
    var cellSize: Double {
        jacobian.map { 2 * max($0.columnReach, $0.rowReach) } ?? 0
    }

    /// Whether all points lie beyond one edge of the source by more than a distance, or have no
    /// source at all: then what interpolation makes of them shows nothing either.
    func misses(width: Double, height: Double, by distance: Double) -> Bool {
        points.allSatisfy { !($0.x >= -distance) } || points.allSatisfy { !($0.y >= -distance) }
            || points.allSatisfy { !($0.x <= width + distance) }
            || points.allSatisfy { !($0.y <= height + distance) }
    }

    /// The source rows between the points, or nil where none has a source.
    var rows: ClosedRange<Double>? {
        let rows = points.lazy.map(\.y).filter { !$0.isNaN }
        guard let first = rows.min(), let last = rows.max() else { return nil }
        return first...last
    }

    /// How the source position changes across the middle of the cell, per pixel, or nil where it
    /// is not known.
    var jacobian: Jacobian? {
        let size = Double(cell.width)
        let (west, east, north, south) = (points[3], points[5], points[1], points[7])
        let jacobian = Jacobian(
            columnPerX: (east.x - west.x) / size, columnPerY: (south.x - north.x) / size,
            rowPerX: (east.y - west.y) / size, rowPerY: (south.y - north.y) / size)
        let sum = jacobian.columnReach + jacobian.rowReach
        return sum.isFinite ? jacobian : nil
    }

    /// Writes the positions of the centres of those pixels that lie in a part of the positions.
    ///
    /// - Parameter part: the window that `positions` describe.
    func interpolate(over part: PixelWindow, into positions: inout SourcePositions) {
        let pixels = cell.intersection(part)
        guard !pixels.isEmpty else { return }
        if cell.width == 1 {
            store(points[4], at: pixels, of: part, into: &positions)
            return
        }
        let size = Double(cell.width)
        for row in pixels.rows {
            let y = (Double(row - cell.rows.lowerBound) + 0.5) / size
            let left = Self.blend(points[0], points[6], y)
            let right = Self.blend(points[2], points[8], y)
            let (stepX, stepY) = ((right.x - left.x) / size, (right.y - left.y) / size)
            var index =
                (row - part.rows.lowerBound) * part.width + pixels.columns.lowerBound
                - part.columns.lowerBound
            for column in pixels.columns {
                let x = Double(column - cell.columns.lowerBound) + 0.5
                positions.columns[index] = left.x + stepX * x
                positions.rows[index] = left.y + stepY * x
                index += 1
            }
        }
    }

    private func store(
        _ point: Point, at pixel: PixelWindow, of part: PixelWindow,
        into positions: inout SourcePositions
    ) {
        let row = pixel.rows.lowerBound - part.rows.lowerBound
        let index = row * part.width + pixel.columns.lowerBound - part.columns.lowerBound
        positions.columns[index] = point.x
        positions.rows[index] = point.y
    }

    private static func blend(_ first: Point, _ second: Point, _ t: Double) -> Point {
        Point(x: first.x + (second.x - first.x) * t, y: first.y + (second.y - first.y) * t)
    }
}

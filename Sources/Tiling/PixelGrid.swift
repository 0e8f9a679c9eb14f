/// A grid of pixels over the Web Mercator plane, onto which images are rendered. Columns grow to the right
/// and rows grow down; both may be negative.
package struct PixelGrid: Hashable, Sendable {
    /// The mapping of pixels to the plane.
    package enum Form: Hashable, Sendable {
        /// Squares whose columns grow east and whose rows grow south.
        ///
        /// - Parameters:
        ///   - origin: the north-western corner of the pixel in column 0 and row 0, in Mercator metres.
        ///   - cellSize: the edge of a pixel in Mercator metres; on the ground it is shorter by
        ///     `cos(latitude)`.
        case upright(origin: Point, cellSize: Double)
        /// The view of a camera.
        ///
        /// - Parameters:
        ///   - transform: from pixels to Mercator metres from the centre, which keeps it precise at every
        ///     zoom. Where its denominator is not positive, nothing is visible.
        ///   - centre: the centre in Mercator metres.
        case seen(ProjectiveTransform, centre: Point)
    }

    /// The mapping of pixels to the plane.
    package let form: Form

    /// The columns after which the world repeats; nil if this is not a whole number.
    package let columnsPerTurn: Int?

    private let pixelFromMetres: ProjectiveTransform?

    /// Makes an upright grid.
    package init(origin: Point, cellSize: Double, columnsPerTurn: Int? = nil) {
        form = .upright(origin: origin, cellSize: cellSize)
        self.columnsPerTurn = columnsPerTurn
        pixelFromMetres = nil
    }

    /// Makes the grid of a camera's view; see `Form.seen`. Its transform must have an inverse.
    package init(seenBy transform: ProjectiveTransform, centre: Point) {
        guard let inverse = transform.inverse else {
            preconditionFailure("a camera sees an area")
        }
        form = .seen(transform, centre: centre)
        columnsPerTurn = nil
        pixelFromMetres = inverse
    }

    /// Mercator metres to pixels of this grid; whole numbers are pixel edges. Longitudes are not wrapped at
    /// the antimeridian. A point behind a camera becomes (nan, nan).
    package func pixel(ofMercator point: Point) -> Point {
        switch form {
        case .upright(let origin, let cellSize):
            Point(x: (point.x - origin.x) / cellSize, y: (origin.y - point.y) / cellSize)
        case .seen(_, let centre):
            pixelFromMetres?(point - centre) ?? .nowhere
        }
    }

    /// Pixels of this grid to Mercator metres; the inverse of `pixel(ofMercator:)`. A point beyond a camera's
    /// horizon becomes (nan, nan).
    package func mercator(ofPixel point: Point) -> Point {
        switch form {
        case .upright(let origin, let cellSize):
            return Point(x: point.x * cellSize + origin.x, y: origin.y - point.y * cellSize)
        case .seen(let transform, let centre):
            return transform(point) + centre
        }
    }

    /// Whether columns grow east and rows grow south.
    package var isUpright: Bool {
        if case .upright = form { true } else { false }
    }

    /// Whether all pixels have the same shape.
    package var isAffine: Bool {
        if case .seen(let transform, _) = form { transform.g == 0 && transform.h == 0 } else { true }
    }
}

extension PixelGrid {
    /// The shorter side of the narrowest pixel in a run of columns, in Mercator metres. It measures the ends
    /// and the middle of the run, since pixels change less in between.
    package func narrowestCell(columns: Range<Int>, row: Double) -> Double {
        let (first, last) = (Double(columns.lowerBound), Double(columns.upperBound))
        return [first, (first + last) / 2, last].map { column in
            narrowness(at: Point(x: column, y: row))
        }.reduce(.infinity, min)
    }

    /// The number of rows whose pixels have nearly the same shape: near the horizon, pixels of one such run
    /// of rows are at most half as long again as those of the run before. It is a power of two, up to a
    /// limit; 1 if pixels change faster.
    package func rowsOfOneShape(from row: Double, atMost limit: Int) -> Int {
        guard case .seen(let transform, _) = form, !isAffine else { return limit }
        // Lengths are proportional to the inverse square of the denominator, which is linear in the row.
        let here = transform.denominator(at: Point(x: 0, y: row))
        let change = abs(transform.h) / here
        var rows = limit
        while rows > 1, 2 * change * Double(rows) > 0.5 { rows /= 2 }
        return rows
    }

    /// The shorter side of a pixel, in Mercator metres.
    private func narrowness(at point: Point) -> Double {
        // Central differences over a thousandth of a pixel: exact for affine grids, and accurate to a
        // millionth for cameras.
        let length = 1 / 2048.0
        func way(_ x: Double, _ y: Double) -> Point {
            let step = Point(x: x, y: y)
            let (from, to) = (mercator(ofPixel: point - step), mercator(ofPixel: point + step))
            return Point(x: (to.x - from.x) / (2 * length), y: (to.y - from.y) / (2 * length))
        }
        return Point.leastStretch(right: way(length, 0), down: way(0, length))
    }
}

/// A map of the plane that keeps lines straight: `x' = (a x + b y + c) / w`,
/// `y' = (d x + e y + f) / w` with `w = g x + h y + i`.
///
/// Points with `w > 0` have an image; all others are on or beyond the horizon. This also holds for the
/// inverse, whose `w` is the reciprocal.
package struct ProjectiveTransform: Hashable, Sendable {
    /// The rows of the matrix.
    package var a, b, c, d, e, f, g, h, i: Double

    /// Makes a transform from the three rows of its matrix.
    package init(
        _ first: (Double, Double, Double), _ second: (Double, Double, Double),
        _ third: (Double, Double, Double)
    ) {
        (a, b, c) = first
        (d, e, f) = second
        (g, h, i) = third
    }

    /// The projective form of an affine transform.
    package init(_ affine: AffineTransform) {
        self.init(
            (affine.a, affine.b, affine.c), (affine.d, affine.e, affine.f), (0, 0, 1))
    }

    /// The denominator at a point; positive on this side of the horizon.
    package func denominator(at point: Point) -> Double { g * point.x + h * point.y + i }

    /// Maps a point; (nan, nan) if it has no image.
    package func callAsFunction(_ point: Point) -> Point {
        let w = denominator(at: point)
        guard w > 0 else { return .nowhere }
        return Point(
            x: (a * point.x + b * point.y + c) / w, y: (d * point.x + e * point.y + f) / w)
    }

    /// The determinant of the matrix; zero if the transform has no inverse.
    package var determinant: Double {
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    }

    /// The inverse transform; nil if this transform flattens the plane.
    package var inverse: ProjectiveTransform? {
        let det = determinant
        guard det != 0, det.isFinite else { return nil }
        return ProjectiveTransform(
            ((e * i - f * h) / det, (c * h - b * i) / det, (b * f - c * e) / det),
            ((f * g - d * i) / det, (a * i - c * g) / det, (c * d - a * f) / det),
            ((d * h - e * g) / det, (b * g - a * h) / det, (a * e - b * d) / det))
    }

    /// This transform, followed by another.
    package func followed(by next: ProjectiveTransform) -> ProjectiveTransform {
        func row(_ x: Double, _ y: Double, _ z: Double) -> (Double, Double, Double) {
            (x * a + y * d + z * g, x * b + y * e + z * h, x * c + y * f + z * i)
        }
        return ProjectiveTransform(
            row(next.a, next.b, next.c), row(next.d, next.e, next.f), row(next.g, next.h, next.i))
    }
}

/// A map of the plane that keeps lines straight and parallel: `x' = a x + b y + c`,
/// `y' = d x + e y + f`.
package struct AffineTransform: Hashable, Sendable {
    /// Change of x' for a step along x.
    package var a: Double
    /// Change of x' for a step along y.
    package var b: Double
    /// The x' of the origin.
    package var c: Double
    /// Change of y' for a step along x.
    package var d: Double
    /// Change of y' for a step along y.
    package var e: Double
    /// The y' of the origin.
    package var f: Double

    /// Makes a transform from the two rows of its matrix.
    package init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    }

    /// The factors, row by row.
    package var numbers: [Double] { [a, b, c, d, e, f] }

    /// The transform that leaves every point where it is.
    package static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0)

    /// A shift along both axes.
    package static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: x, d: 0, e: 1, f: y)
    }

    /// A change of scale along both axes.
    package static func scale(_ x: Double, _ y: Double? = nil) -> AffineTransform {
        AffineTransform(a: x, b: 0, c: 0, d: 0, e: y ?? x, f: 0)
    }

    /// The signed area of the image of the unit square; zero if the transform has no inverse.
    package var determinant: Double { a * e - b * d }

    /// Maps a point.
    package func callAsFunction(_ point: Point) -> Point {
        Point(x: a * point.x + b * point.y + c, y: d * point.x + e * point.y + f)
    }

    /// The inverse transform; nil if this transform flattens the plane.
    package var inverse: AffineTransform? {
        let determinant = self.determinant
        guard determinant != 0, determinant.isFinite else { return nil }
        let (ia, ib) = (e / determinant, -b / determinant)
        let (id, ie) = (-d / determinant, a / determinant)
        return AffineTransform(
            a: ia, b: ib, c: -(ia * c + ib * f), d: id, e: ie, f: -(id * c + ie * f))
    }

    /// This transform, followed by another.
    package func followed(by next: AffineTransform) -> AffineTransform {
        AffineTransform(
            a: next.a * a + next.b * d,
            b: next.a * b + next.b * e,
            c: next.a * c + next.b * f + next.c,
            d: next.d * a + next.e * d,
            e: next.d * b + next.e * e,
            f: next.d * c + next.e * f + next.f)
    }
}

/// The change of the source position with the pixel of the result: source pixels per pixel.
package struct Jacobian: Hashable, Sendable {
    /// Source columns per step right.
    package var columnPerX: Double
    /// Source columns per step down.
    package var columnPerY: Double
    /// Source rows per step right.
    package var rowPerX: Double
    /// Source rows per step down.
    package var rowPerY: Double

    /// Makes a Jacobian from its four derivatives.
    package init(columnPerX: Double, columnPerY: Double, rowPerX: Double, rowPerY: Double) {
        self.columnPerX = columnPerX
        self.columnPerY = columnPerY
        self.rowPerX = rowPerX
        self.rowPerY = rowPerY
    }

    /// Makes a Jacobian from changes of the source position; nil if they are not finite.
    ///
    /// - Parameters:
    ///   - right: the change over some steps right.
    ///   - down: the change over as many steps down.
    package init?(right: Point, down: Point, over steps: Double = 1) {
        self.init(
            columnPerX: right.x / steps, columnPerY: down.x / steps, rowPerX: right.y / steps,
            rowPerY: down.y / steps)
        guard (columnReach + rowReach).isFinite else { return nil }
    }

    /// The factor by which a kernel along source rows must widen to cover the result's pixel; at least 1.
    package var columnScale: Double { max(1, Self.length(columnPerX, columnPerY)) }

    /// The factor by which a kernel down source columns must widen; at least 1.
    package var rowScale: Double { max(1, Self.length(rowPerX, rowPerY)) }

    /// Half the width of the box around the result's pixel in the source.
    package var columnReach: Double { (abs(columnPerX) + abs(columnPerY)) / 2 }

    /// Half the height of that box.
    package var rowReach: Double { (abs(rowPerX) + abs(rowPerY)) / 2 }

    /// The derivatives, rounded to `bits` bits after the leading bit of the larger one. Those of columns and
    /// those of rows are rounded separately, so that pixels a hundred times as long as wide keep both.
    ///
    /// Weights are computed once per distinct Jacobian. Rounding lets neighbours share them, and makes
    /// weights independent of the last bits of a coordinate transform.
    package func rounded(bits: Int) -> Jacobian {
        func rounded(_ x: Double, _ y: Double) -> (Double, Double) {
            let largest = max(abs(x), abs(y))
            guard largest > 0, largest.isFinite else { return (x, y) }
            let step = Double(sign: .plus, exponent: largest.exponent - bits, significand: 1)
            return ((x / step).rounded() * step, (y / step).rounded() * step)
        }
        let (columns, rows) = (rounded(columnPerX, columnPerY), rounded(rowPerX, rowPerY))
        return Jacobian(
            columnPerX: columns.0, columnPerY: columns.1, rowPerX: rows.0, rowPerY: rows.1)
    }

    private static func length(_ a: Double, _ b: Double) -> Double {
        (a * a + b * b).squareRoot()
    }
}

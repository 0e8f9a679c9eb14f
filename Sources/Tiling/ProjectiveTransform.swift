/// A map of the plane that keeps lines straight: `x' = (a x + b y + c) / w`,
/// `y' = (d x + e y + f) / w` with `w = g x + h y + i`.
///
/// The points with `w > 0` have an image, the others lie on or beyond the horizon. The inverse
/// keeps to that rule: its own `w` is the reciprocal.
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

    /// The transform that undoes this one, or nil if it flattens the plane.
    package var inverse: ProjectiveTransform? {
        let det = determinant
        guard det != 0, det.isFinite else { return nil }
        return ProjectiveTransform(
            ((e * i - f * h) / det, (c * h - b * i) / det, (b * f - c * e) / det),
            ((f * g - d * i) / det, (a * i - c * g) / det, (c * d - a * f) / det),
            ((d * h - e * g) / det, (b * g - a * h) / det, (a * e - b * d) / det))
    }

    /// This transform first, then the other.
    package func followed(by next: ProjectiveTransform) -> ProjectiveTransform {
        func row(_ x: Double, _ y: Double, _ z: Double) -> (Double, Double, Double) {
            (x * a + y * d + z * g, x * b + y * e + z * h, x * c + y * f + z * i)
        }
        return ProjectiveTransform(
            row(next.a, next.b, next.c), row(next.d, next.e, next.f), row(next.g, next.h, next.i))
    }
}

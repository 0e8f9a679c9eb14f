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
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.e = e
        self.f = f
    }

    /// The transform that leaves every point where it is.
    package static let identity = AffineTransform(a: 1, b: 0, c: 0, d: 0, e: 1, f: 0)

    /// A shift along both axes.
    package static func translation(x: Double, y: Double) -> AffineTransform {
        AffineTransform(a: 1, b: 0, c: x, d: 0, e: 1, f: y)
    }

    /// The signed area that the unit square is mapped to; zero if the transform has no inverse.
    package var determinant: Double { a * e - b * d }

    /// Maps a point.
    package func callAsFunction(_ point: Point) -> Point {
        Point(x: a * point.x + b * point.y + c, y: d * point.x + e * point.y + f)
    }

    /// The transform that undoes this one, or nil if it flattens the plane.
    package var inverse: AffineTransform? {
        let determinant = self.determinant
        guard determinant != 0, determinant.isFinite else { return nil }
        let (ia, ib) = (e / determinant, -b / determinant)
        let (id, ie) = (-d / determinant, a / determinant)
        return AffineTransform(
            a: ia, b: ib, c: -(ia * c + ib * f), d: id, e: ie, f: -(id * c + ie * f))
    }

    /// This transform first, then the other.
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

import Tiling

/// A shift and a scale that bring points around the origin, at a root mean square distance of one,
/// so that sums of their products keep their digits.
struct Normalisation {
    /// The points' mean.
    let centre: Point
    /// The points' root mean square distance from it; zero if all are one point.
    let spread: Double

    /// Measures points; at least one.
    init(_ points: [Point]) {
        let centre = points.centroid
        self.centre = centre
        let squares = points.reduce(0) { $0 + ($1 - centre).dot($1 - centre) }
        spread = (squares / Double(points.count)).squareRoot()
    }

    /// A point in normal form.
    func callAsFunction(_ point: Point) -> Point {
        Point(x: (point.x - centre.x) / spread, y: (point.y - centre.y) / spread)
    }

    /// To normal form.
    var transform: AffineTransform {
        AffineTransform(
            a: 1 / spread, b: 0, c: -centre.x / spread, d: 0, e: 1 / spread, f: -centre.y / spread)
    }

    /// Back from normal form.
    var inverse: AffineTransform {
        AffineTransform(a: spread, b: 0, c: centre.x, d: 0, e: spread, f: centre.y)
    }
}

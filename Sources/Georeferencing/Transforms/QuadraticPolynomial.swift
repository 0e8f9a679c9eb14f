import Platform
import Tiling

/// A map of the plane with a polynomial of the second order for each coordinate.
struct QuadraticPolynomial: Hashable, Sendable {
    /// The factors of 1, x, y, x squared, x y, and y squared.
    private let constant, x, y, xx, xy, yy: Point

    /// The polynomial from points to targets that minimises the squares of the misses.
    ///
    /// - Parameters:
    ///   - points: six or more, in normal form.
    ///   - targets: the same number of points.
    /// - Throws: a `Failure` if the points lie on one curve of the second order, such as two lines: between
    ///   them, any bend would fit.
    init(from points: [Point], to targets: [Point]) throws {
        var system = LeastSquares(equations: points.count, unknowns: 6, sides: 2)
        for (row, (p, q)) in zip(points, targets).enumerated() {
            system.set(row, [1, p.x, p.y, p.x * p.x, p.x * p.y, p.y * p.y, q.x, q.y])
        }
        // As for points in line: a thousandth of the cloud's size is the error of the clicks.
        guard let solution = system.solve(tolerance: 1e-3) else {
            throw Failure(
                .badInput,
                "the control points do not determine a polynomial: all are on two lines, a circle or similar",
                remedy: "add points elsewhere, in the middle of the image for example, or fit an "
                    + "affine transform: --transform affine")
        }
        let factors = (0..<6).map { Point(x: solution[$0], y: solution[6 + $0]) }
        (constant, x, y) = (factors[0], factors[1], factors[2])
        (xx, xy, yy) = (factors[3], factors[4], factors[5])
    }

    /// The factors, each for x and for y.
    var numbers: [Double] { [constant, x, y, xx, xy, yy].numbers }

    /// The map near a point.
    func tangent(at p: Point) -> TangentMap {
        TangentMap(
            value: constant + x * p.x + y * p.y + xx * (p.x * p.x) + xy * (p.x * p.y)
                + yy * (p.y * p.y),
            alongX: x + xx * (2 * p.x) + xy * p.y, alongY: y + xy * p.x + yy * (2 * p.y))
    }

    /// The smallest value of `sign` times the determinant on the straight line between two points.
    func leastDeterminant(from start: Point, to end: Point, sign: Double) -> Double {
        let first = sign * tangent(at: start).determinant
        let middle = sign * tangent(at: (start + end) * 0.5).determinant
        let last = sign * tangent(at: end).determinant
        // first + slope t + bend t^2 has these values at t = 0, 1/2 and 1.
        let bend = 2 * (first + last - 2 * middle)
        let slope = last - first - bend
        guard bend > 0, slope < 0, -slope < 2 * bend else { return min(first, last) }
        return first - slope * slope / (4 * bend)
    }

    /// The point where the gradient of the determinant, itself a polynomial of the second order, is zero:
    /// there is one inside any folded island. Nil if there is none or a whole line.
    var determinantCentre: Point? {
        // det = (x + 2 xx px + xy py) cross (y + xy px + 2 yy py); its gradient is linear in p.
        let (atOrigin, byX) = (
            Point(x: x.cross(xy) + 2 * xx.cross(y), y: 2 * x.cross(yy) + xy.cross(y)),
            Point(x: 4 * xx.cross(xy), y: 4 * xx.cross(yy))
        )
        let gradient = TangentMap(
            value: atOrigin, alongX: byX, alongY: Point(x: byX.y, y: 4 * xy.cross(yy)))
        return gradient.step(for: Point(x: -atOrigin.x, y: -atOrigin.y))
    }
}

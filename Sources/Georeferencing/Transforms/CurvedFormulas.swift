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
        let atOrigin = Point(x: x.cross(xy) + 2 * xx.cross(y), y: 2 * x.cross(yy) + xy.cross(y))
        let byX = Point(x: 4 * xx.cross(xy), y: 4 * xx.cross(yy))
        let gradient = TangentMap(
            value: atOrigin, alongX: byX, alongY: Point(x: byX.y, y: 4 * xy.cross(yy)))
        return gradient.step(for: Point(x: -atOrigin.x, y: -atOrigin.y))
    }
}

/// The map of the plane that takes points exactly to their targets and bends least in between: an affine map
/// plus, for each point, a weight times `r² log r²` of the distance from it.
///
/// After Duchon (1977) and Bookstein (1989). Evaluating it takes a logarithm per point.
struct ThinPlateSpline: Hashable, Sendable {
    /// The points.
    let points: [Point]
    /// The image of each point.
    let targets: [Point]
    /// A weight per point; then the factors of 1, x and y.
    private let coefficients: [Point]

    /// The maximum number of points. More would take minutes: the time grows with the cube of their number.
    static let mostPoints = 2000

    /// The spline through all targets.
    ///
    /// - Parameters:
    ///   - points: three or more, in normal form, all different and not in line.
    ///   - targets: the same number of points.
    /// - Throws: a `Failure` if the points do not fix a spline, or are too many.
    init(from points: [Point], to targets: [Point]) throws {
        guard points.count <= ThinPlateSpline.mostPoints else {
            throw Failure(
                .badInput,
                "a thin plate spline takes at most \(ThinPlateSpline.mostPoints) control points, "
                    + "but there are \(points.count)",
                remedy: "disable some of them, or fit --transform polynomial2")
        }
        let sides = targets.numbers + [Double](repeating: 0, count: 6)
        guard let solution = ThinPlateSpline.system(points).solve(sides, width: 2) else {
            throw Failure(.badInput, "the control points do not determine a thin plate spline")
        }
        self.init(points: points, targets: targets, coefficients: [Point](numbers: solution))
    }

    private init(points: [Point], targets: [Point], coefficients: [Point]) {
        (self.points, self.targets, self.coefficients) = (points, targets, coefficients)
    }

    /// The points and the coefficients.
    var numbers: [Double] { points.numbers + coefficients.numbers }

    /// The equations for the coefficients: the spline meets each target, and the sum and the moments of the
    /// weights are zero.
    private static func system(_ points: [Point]) -> LinearSystem {
        let (n, size) = (points.count, points.count + 3)
        var system = LinearSystem(count: size)
        for (row, here) in points.enumerated() {
            for (column, other) in points.enumerated() where column != row {
                let way = here - other
                let square = way.dot(way)
                system.matrix[row * size + column] = square * log(square)
            }
            for (index, term) in [1, here.x, here.y].enumerated() {
                system.matrix[row * size + n + index] = term
                system.matrix[(n + index) * size + row] = term
            }
        }
        return system
    }

    /// The map near a point.
    func tangent(at p: Point) -> TangentMap {
        let n = points.count
        var map = TangentMap(
            value: coefficients[n] + coefficients[n + 1] * p.x + coefficients[n + 2] * p.y,
            alongX: coefficients[n + 1], alongY: coefficients[n + 2])
        // Numbers rather than points: a spline spends its time in this loop.
        let (x, y) = (p.x, p.y)
        points.withUnsafeBufferPointer { points in
            coefficients.withUnsafeBufferPointer { weights in
                for index in 0..<n {
                    let (wayX, wayY) = (x - points[index].x, y - points[index].y)
                    let square = wayX * wayX + wayY * wayY
                    if square == 0 { continue }
                    let logarithm = log(square)
                    let (height, slope) = (square * logarithm, 2 * (logarithm + 1))
                    let (weightX, weightY) = (weights[index].x, weights[index].y)
                    map.value.x += weightX * height
                    map.value.y += weightY * height
                    map.alongX.x += weightX * (slope * wayX)
                    map.alongX.y += weightY * (slope * wayX)
                    map.alongY.x += weightX * (slope * wayY)
                    map.alongY.y += weightY * (slope * wayY)
                }
            }
        }
        return map
    }
}

extension ThinPlateSpline {
    /// The leave-one-out and leave-two-out misses of the spline.
    ///
    /// They need no systems of their own (Rippa 1999). With the inverse `B` of the system, leaving out point
    /// i changes the coefficients by `-B[., i] w[i] / B[i, i]`, and the spline then misses its target by
    /// `-w[i] / B[i, i]`.
    struct Omissions {
        private let spline: ThinPlateSpline
        private let inverse: [Double]
        private let size: Int

        /// Inverts the system; nil if it is singular.
        init?(of spline: ThinPlateSpline) {
            self.spline = spline
            size = spline.points.count + 3
            var unit = [Double](repeating: 0, count: size * size)
            for index in 0..<size { unit[index * size + index] = 1 }
            let system = ThinPlateSpline.system(spline.points)
            guard let inverse = system.solve(unit, width: size) else { return nil }
            self.inverse = inverse
        }

        /// The spline without one of its points.
        func spline(without index: Int) -> ThinPlateSpline {
            let miss = miss(of: index)
            var coefficients = spline.coefficients.enumerated().map {
                $0.element + miss * inverse[$0.offset * size + index]
            }
            coefficients.remove(at: index)
            var (points, targets) = (spline.points, spline.targets)
            points.remove(at: index)
            targets.remove(at: index)
            return ThinPlateSpline(points: points, targets: targets, coefficients: coefficients)
        }

        /// The vector from a point's target to where the spline of all other points puts the point.
        func miss(of index: Int) -> Point {
            spline.coefficients[index] * (-1 / inverse[index * size + index])
        }

        /// The same vector with another point left out, too.
        func miss(of index: Int, without other: Int) -> Point {
            let share = inverse[index * size + other] / inverse[other * size + other]
            let weight = spline.coefficients[index] - spline.coefficients[other] * share
            let pivot = inverse[index * size + index] - inverse[other * size + index] * share
            return weight * (-1 / pivot)
        }
    }
}

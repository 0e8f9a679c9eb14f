package import Platform
package import Tiling

/// A family of transforms that can be fitted to control points.
public enum TransformModel: String, CaseIterable, Codable, Sendable {
    /// Turns and shifts, at a scale that is known: see `KeptScale`.
    case rigid
    /// Turns, shifts and scales; angles stay, and walls stay square.
    case similarity
    /// Keeps lines straight and parallel.
    case affine
    /// Keeps lines straight: a photograph of a plane.
    case projective
    /// Bends lines by polynomials of the second order: paper that has warped as a whole.
    case polynomial2
    /// A thin plate spline: bends lines so that every point is met exactly.
    case tps

    /// The number of points that fix the transform. A single point is enough for a rigid one if its bearing is
    /// known.
    public var minimumPoints: Int {
        switch self {
        case .rigid, .similarity: 2
        case .affine: 3
        case .projective: 4
        case .polynomial2: 6
        case .tps: 3
        }
    }

    /// The numbers that points have to give. A point gives two.
    package var parameters: Int { self == .rigid ? 3 : 2 * minimumPoints }

    /// Whether angles stay, so that points on a line are enough, and an image is never mirrored.
    var keepsAngles: Bool { self == .rigid || self == .similarity }

    /// Whether every point is met exactly, however many there are. Residuals then say nothing; only
    /// leave-one-out fits do.
    public var meetsAllPoints: Bool { self == .tps }

    /// Whether straight lines become curves. Such a transform is fitted from the ground to pixels, so that it
    /// minimises the squares of misses on the image.
    package var bendsLines: Bool { self == .polynomial2 || self == .tps }

    /// The default family for a number of points: a similarity for two, an affine transform for more.
    public static func standard(forPoints count: Int) -> TransformModel {
        count > 2 ? .affine : .similarity
    }
}

/// The scale that a rigid fit keeps, and the turn if a single point cannot give it.
public struct KeptScale: Hashable, Codable, Sendable {
    /// The edge of a pixel on the ground, in metres.
    public var metresPerPixel: Double
    /// The compass bearing, in degrees clockwise from north, that the image's up direction points to; nil if
    /// two or more points give it.
    public var bearing: Double?

    /// Takes a scale.
    public init(metresPerPixel: Double, bearing: Double? = nil) {
        (self.metresPerPixel, self.bearing) = (metresPerPixel, bearing)
    }

    /// Checks the numbers, and that there is a bearing for a single point, and for no more.
    ///
    /// - Parameter count: the number of points that take part in the fit.
    func check(points count: Int) throws {
        guard metresPerPixel > 0, metresPerPixel.isFinite else {
            throw Failure(.usage, "a scale of \(metresPerPixel) metres per pixel is not positive")
        }
        guard let bearing else {
            if count != 1 { return }
            throw Failure(
                .badInput, "one control point does not say how the plan is turned",
                remedy: "add a second point, or --bearing DEGREES, where the image's up direction points to")
        }
        guard bearing.isFinite else { throw Failure(.usage, "the bearing is not a number") }
        guard count < 2 else {
            throw Failure(
                .usage,
                "a bearing does not apply to \(count) control points: they say how the plan is turned",
                remedy: "leave --bearing out")
        }
    }
}

extension TransformModel {
    /// The transform of the family, from pixels to a plane, that minimises the squares of the misses: on the
    /// plane, or on the image if the transform is curved.
    ///
    /// - Parameters:
    ///   - pixels: at least as many as fix the transform; y down.
    ///   - ground: the same number of points; y north.
    ///   - kept: the scale of a rigid transform; other transforms ignore it.
    /// - Throws: a `Failure` if the points do not fix the transform.
    func fit(_ pixels: [Point], to ground: [Point], keeping kept: KeptScale? = nil) throws -> PixelTransform {
        switch self {
        case .rigid: .affine(try TransformModel.rigid(pixels, ground, kept))
        case .similarity: .affine(TransformModel.similarity(pixels, ground))
        case .affine: .affine(try AffineTransform(fitting: pixels, to: ground))
        case .projective: .projective(try ProjectiveTransform(from: pixels, to: ground))
        case .polynomial2:
            .curved(
                try CurvedTransform(from: ground, to: pixels) {
                    .polynomial(try QuadraticPolynomial(from: $0, to: $1))
                })
        case .tps:
            .curved(
                try CurvedTransform(from: ground, to: pixels) {
                    .spline(try ThinPlateSpline(from: $0, to: $1))
                })
        }
    }

    /// The similarity that does not mirror, in closed form. Take pixels and ground as complex numbers around
    /// their centres, with pixels conjugated because their y runs down. Then the similarity is one factor:
    /// the sum of `conj(p) g` over the sum of `|p|^2`.
    private static func similarity(_ pixels: [Point], _ ground: [Point]) -> AffineTransform {
        let (product, squares) = product(pixels, ground)
        return turn(product.x / squares, product.y / squares, pixels.centroid, ground.centroid)
    }

    /// The rigid transform with a scale, in closed form (Procrustes without scale): the similarity's factor
    /// has the best turn, and its length is replaced. If all turns are equally good, the image is not turned.
    private static func rigid(_ pixels: [Point], _ ground: [Point], _ kept: KeptScale?) throws
        -> AffineTransform
    {
        guard let kept else { throw Failure.unknownScale }
        let direction: Point
        if let bearing = kept.bearing, pixels.count == 1 {
            let angle = bearing.remainder(dividingBy: 360) * .pi / 180
            direction = Point(x: cos(angle), y: -sin(angle))
        } else {
            let product = product(pixels, ground).sum
            let length = product.length
            direction =
                length > 0 ? Point(x: product.x / length, y: product.y / length) : Point(x: 1, y: 0)
        }
        return turn(
            kept.metresPerPixel * direction.x, kept.metresPerPixel * direction.y, pixels.centroid,
            ground.centroid)
    }

    /// The sum of `conj(p) g`, and that of `|p|^2`.
    private static func product(_ pixels: [Point], _ ground: [Point]) -> (sum: Point, squares: Double) {
        let (from, to) = (pixels.centroid, ground.centroid)
        var (real, imaginary, squares) = (0.0, 0.0, 0.0)
        for (pixel, place) in zip(pixels, ground) {
            let (p, g) = (pixel - from, place - to)
            real += p.x * g.x - p.y * g.y
            imaginary += p.x * g.y + p.y * g.x
            squares += p.dot(p)
        }
        return (Point(x: real, y: imaginary), squares)
    }

    /// The transform by a complex factor that takes a point to another one.
    private static func turn(_ re: Double, _ im: Double, _ from: Point, _ to: Point) -> AffineTransform {
        let turn = AffineTransform(a: re, b: im, c: 0, d: im, e: -re, f: 0)
        let shift = to - turn(from)
        return turn.followed(by: .translation(x: shift.x, y: shift.y))
    }
}

extension Failure {
    /// The failure of a rigid fit whose scale nothing gives.
    package static var unknownScale: Failure {
        Failure(
            .usage, "--transform rigid needs the plan's scale",
            remedy: "add --scale 1:N, the scale of the drawing, or --scale METRES_PER_PIXEL; or use "
                + "--transform similarity, which measures it")
    }
}

extension AffineTransform {
    /// The transform from points to targets that minimises the squares of the misses.
    ///
    /// - Throws: a `Failure` if the points lie on a line.
    init(fitting points: [Point], to targets: [Point]) throws {
        let (source, target) = (Normalisation(points), Normalisation(targets))
        var system = LeastSquares(equations: points.count, unknowns: 3, sides: 2)
        for (row, pair) in zip(points, targets).enumerated() {
            let (p, q) = (source(pair.0), target(pair.1))
            system.set(row, [p.x, p.y, 1, q.x, q.y])
        }
        guard let s = system.solve(tolerance: 1e-9) else {
            throw Failure(.badInput, "the control points lie on one line")
        }
        self = source.transform
            .followed(by: AffineTransform(a: s[0], b: s[1], c: s[2], d: s[3], e: s[4], f: s[5]))
            .followed(by: target.inverse)
    }
}

extension ProjectiveTransform {
    /// The transform from points to targets that minimises the squares of the misses; exact for four points.
    ///
    /// First solved linearly in normal form. There, the points' centre is the origin. It is on the same side
    /// of the horizon as the points, so the denominator there can be set to one. A few Gauss-Newton steps
    /// then minimise the distances instead of the algebraic error.
    ///
    /// - Parameters:
    ///   - points: four or more.
    ///   - targets: the same number of points.
    /// - Throws: a `Failure` if too many points are in line, such as three of four, or if the transform would
    ///   send a point beyond the horizon.
    package init(from points: [Point], to targets: [Point]) throws {
        let (source, target) = (Normalisation(points), Normalisation(targets))
        let (from, to) = (points.map { source($0) }, targets.map { target($0) })
        guard var fit = ProjectiveTransform.linearFit(from, to) else {
            throw Failure(
                .badInput, "the points do not determine a projective transform: too many lie on one line")
        }
        for _ in 0..<5 where points.count > 4 {
            guard let better = fit.refined(from, to) else { break }
            fit = better
        }
        guard from.allSatisfy({ fit.denominator(at: $0) > 0 }) else {
            throw Failure(
                .badInput, "no projective transform fits the points: its horizon would pass between them"
            )
        }
        self = ProjectiveTransform(source.transform).followed(by: fit)
            .followed(by: ProjectiveTransform(target.inverse))
    }

    /// The points fix nothing if the least-squares system is singular within this tolerance, as with three of
    /// four points in line.
    private static let tolerance = 1e-4

    private init(parameters p: [Double]) {
        self.init((p[0], p[1], p[2]), (p[3], p[4], p[5]), (p[6], p[7], 1))
    }

    /// Solves `x' w = a x + b y + c` and `y' w = d x + e y + f`, which are linear in the unknowns.
    private static func linearFit(_ from: [Point], _ to: [Point]) -> ProjectiveTransform? {
        var system = LeastSquares(equations: 2 * from.count, unknowns: 8, sides: 1)
        for (index, (p, q)) in zip(from, to).enumerated() {
            system.set(2 * index, [p.x, p.y, 1, 0, 0, 0, -p.x * q.x, -p.y * q.x, q.x])
            system.set(2 * index + 1, [0, 0, 0, p.x, p.y, 1, -p.x * q.y, -p.y * q.y, q.y])
        }
        return system.solve(tolerance: tolerance).map(ProjectiveTransform.init(parameters:))
    }

    /// One Gauss-Newton step on the distances; nil if it no longer helps.
    private func refined(_ from: [Point], _ to: [Point]) -> ProjectiveTransform? {
        var system = LeastSquares(equations: 2 * from.count, unknowns: 8, sides: 1)
        for (index, (p, q)) in zip(from, to).enumerated() {
            let (w, image) = (denominator(at: p), self(p))
            let (x, y, miss) = (p.x / w, p.y / w, q - image)
            guard miss.isFinite else { return nil }
            system.set(2 * index, [x, y, 1 / w, 0, 0, 0, -x * image.x, -y * image.x, miss.x])
            system.set(2 * index + 1, [0, 0, 0, x, y, 1 / w, -x * image.y, -y * image.y, miss.y])
        }
        guard let step = system.solve(tolerance: ProjectiveTransform.tolerance) else { return nil }
        let next = ProjectiveTransform(parameters: zip([a, b, c, d, e, f, g, h], step).map(+))
        return next.squaredError(from, to) < squaredError(from, to) ? next : nil
    }

    private func squaredError(_ from: [Point], _ to: [Point]) -> Double {
        zip(from, to).reduce(0) { sum, pair in
            let miss = self(pair.0) - pair.1
            return sum + miss.dot(miss)
        }
    }
}

/// A shift and a scale that move the centre of points to the origin and make their root mean square distance
/// one, so that sums of their products keep their digits.
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

extension [Point] {
    /// Whether the points do not lie on a line. They count as a line if their cloud is a thousand times
    /// longer than wide: errors of the clicks would decide how the image crosses the line.
    var areSpread: Bool {
        let normalisation = Normalisation(self)
        let moments = map { normalisation($0) }.principalMoments
        return moments.smaller > 1e-6 * moments.larger
    }

    /// The eigenvalues of the covariance of points in normal form: squares of the cloud's width and length.
    var principalMoments: (smaller: Double, larger: Double) {
        let (xx, yy) = (reduce(0) { $0 + $1.x * $1.x }, reduce(0) { $0 + $1.y * $1.y })
        let (middle, half, xy) = ((xx + yy) / 2, (xx - yy) / 2, reduce(0) { $0 + $1.x * $1.y })
        let radius = (half * half + xy * xy).squareRoot()
        return (middle - radius, middle + radius)
    }
}

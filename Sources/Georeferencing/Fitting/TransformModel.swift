import Platform
import Tiling

/// A family of transforms that control points are fitted by.
public enum TransformModel: String, CaseIterable, Codable, Sendable {
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

    /// How many points fix the transform.
    public var minimumPoints: Int {
        switch self {
        case .similarity: 2
        case .affine: 3
        case .projective: 4
        case .polynomial2: 6
        case .tps: 3
        }
    }

    /// Whether every point is met exactly, however many there are: residuals then say nothing, and
    /// only fits that leave points out do.
    public var meetsAllPoints: Bool { self == .tps }

    /// Whether straight lines become curves. Such a transform is fitted from the ground to pixels, so that its
    /// squares are those of misses on the image.
    package var bendsLines: Bool { self == .polynomial2 || self == .tps }

    /// The family for a number of points: a similarity for two, an affine transform for more.
    public static func standard(forPoints count: Int) -> TransformModel {
        count > 2 ? .affine : .similarity
    }
}

extension TransformModel {
    /// The transform of the family that takes pixels to points of a plane with the smallest squares
    /// of their distances: on the plane, and on the image if the transform is curved.
    ///
    /// - Parameters:
    ///   - pixels: as many as fix the transform, or more; y down.
    ///   - ground: as many, y north.
    /// - Throws: a `Failure` if the points do not fix the transform.
    func fit(_ pixels: [Point], to ground: [Point]) throws -> PixelTransform {
        switch self {
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

    /// The similarity that does not mirror, in closed form. With pixels and ground as complex
    /// numbers around their centres, pixels conjugated because their y runs down, it is one factor:
    /// the sum of `conj(p) g` over the sum of `|p|^2`.
    private static func similarity(_ pixels: [Point], _ ground: [Point]) -> AffineTransform {
        let (from, to) = (pixels.centroid, ground.centroid)
        var (real, imaginary, squares) = (0.0, 0.0, 0.0)
        for (pixel, place) in zip(pixels, ground) {
            let (p, g) = (pixel - from, place - to)
            real += p.x * g.x - p.y * g.y
            imaginary += p.x * g.y + p.y * g.x
            squares += p.dot(p)
        }
        let (re, im) = (real / squares, imaginary / squares)
        let turn = AffineTransform(a: re, b: im, c: 0, d: im, e: -re, f: 0)
        let shift = to - turn(from)
        return turn.followed(by: .translation(x: shift.x, y: shift.y))
    }
}

extension AffineTransform {
    /// The transform that takes points to targets with the smallest squares of their distances.
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

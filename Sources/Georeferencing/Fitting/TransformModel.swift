/// A family of transforms that control points are fitted by.
public enum TransformModel: String, CaseIterable, Sendable {
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

    /// The family for a number of points: a similarity for two, an affine transform for more.
    public static func standard(forPoints count: Int) -> TransformModel {
        count > 2 ? .affine : .similarity
    }
}

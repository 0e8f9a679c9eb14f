/// A family of transforms that control points are fitted by.
package enum TransformModel: String, CaseIterable, Sendable {
    /// Turns, shifts and scales; angles stay, and walls stay square.
    case similarity
    /// Keeps lines straight and parallel.
    case affine
    /// Keeps lines straight: a photograph of a plane.
    case projective

    /// How many points fix the transform.
    package var minimumPoints: Int {
        switch self {
        case .similarity: 2
        case .affine: 3
        case .projective: 4
        }
    }

    /// The family for a number of points: a similarity for two, an affine transform for more.
    package static func standard(forPoints count: Int) -> TransformModel {
        count > 2 ? .affine : .similarity
    }
}

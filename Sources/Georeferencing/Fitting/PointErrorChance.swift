import Platform
import Tiling

/// The chance that right points look as if an explanation of errors held for them: that it improves their fit
/// as much.
///
/// Their misses scatter alike in all directions, so that of a fit of n points with p parameters the residuals
/// are a vector of v = 2n - p dimensions whose direction is uniform.
///
/// - A point, or two, left out take k = 2 or 4 of the dimensions. The share q of the sum of squares that
///   the others keep has the distribution Beta((v - k) / 2, k / 2): for k = 2, P(share <= q) =
///   q^((v-2)/2), which is the F test in another form; for k = 4, it is
///   q^((v-4)/2) (1 + (v-4)/2 (1 - q)).
/// - A repair moves the points by a known way. The share q is left only if the residuals point against
///   that way to within an angle whose sine is the root of q: a cap of the sphere, whose part of the
///   surface is below q^((v-1)/2).
///
/// Each chance is multiplied by the number of explanations of its kind (Bonferroni).
struct PointErrorChance {
    /// What an explanation does to the points.
    enum Change {
        /// One of them is left out.
        case oneLeftOut
        /// Two of them are left out.
        case twoLeftOut
        /// Some of them are moved by a known way.
        case repair

        /// The dimensions that the residuals lose.
        fileprivate var lostFreedom: Int {
            switch self {
            case .oneLeftOut: 2
            case .twoLeftOut: 4
            case .repair: 0
            }
        }
    }

    /// The chance, of sets of right points, that one is accused by explanations of one kind.
    static let level = 0.01
    /// The same for points with any errors, where nothing is taken for granted of how well people click.
    static let looseLevel = 0.05
    /// How far clicks err along an axis, in pixels. It counts like two more measurements: few points say
    /// little of how far their own clicks err, and would be accused for meeting a fit by chance.
    static let click = 2.0
    /// The square of a quarter of the Earth's circumference in metres: without a fit, points are as far off as
    /// can be.
    private static let farOff = 1e14

    private let model: TransformModel
    /// Dimensions of the residuals.
    private let freedom: Int
    /// The sum of squares of the fit of all points; infinite if there is none.
    private let squares: Double
    /// Whether no explanation could be good enough, even if it left no misses at all.
    let isNone: Bool

    /// Prepares chances for points and a model.
    init(of set: PointSet, _ model: TransformModel) {
        self.model = model
        freedom = 2 * (set.count - model.minimumPoints)
        squares = set.squares(model)
        let prior = Self.prior(set, model)
        isNone = Double(freedom) / 2 * log(prior / (squares + prior)) > log(Self.level)
    }

    /// Whether enough dimensions are left to judge by.
    func judges(_ change: Change) -> Bool { freedom - change.lostFreedom >= 2 }

    /// The logarithm of the chance: once with what is known of clicks, once without.
    ///
    /// - Parameters:
    ///   - set: the points without the error.
    ///   - trials: the number of explanations of its kind.
    /// - Returns: nil if there is no fit, or if the chance is too large without what is known of clicks.
    func logarithm(of change: Change, leaving set: PointSet, trials: Int) -> Double? {
        let rest = set.squares(model)
        guard rest.isFinite else { return nil }
        let all = squares.isFinite ? squares : Self.farOff
        let bonferroni = log(Double(trials))
        guard bonferroni + logPart(of: change, rest / all, more: 0) <= log(Self.looseLevel) else {
            return nil
        }
        let prior = Self.prior(set, model)
        return bonferroni + logPart(of: change, (rest + prior) / (all + prior), more: 2)
    }

    /// What is known of clicks, as what it adds to sums of squares: two measurements.
    private static func prior(_ set: PointSet, _ model: TransformModel) -> Double {
        let click = click * (model.bendsLines ? 1 : set.metresPerPixel)
        return 2 * click * click
    }

    /// See above, for a share of the squares, with so many more dimensions.
    private func logPart(of change: Change, _ share: Double, more: Int) -> Double {
        let (share, rest) = (min(1, share), Double(freedom - change.lostFreedom + more))
        return switch change {
        case .oneLeftOut: rest / 2 * log(share)
        case .twoLeftOut: rest / 2 * log(share) + log(1 + rest / 2 * (1 - share))
        case .repair: (rest - 1) / 2 * log(share)
        }
    }
}

import Platform
import Tiling

/// The probability that, if all points were right, an explanation would improve the fit by at least as much
/// as here.
///
/// Misses of right points scatter equally in all directions. So the residuals of a fit of n points with p
/// parameters are a vector of v = 2n - p dimensions whose direction is uniform.
///
/// - Leaving out one or two points takes k = 2 or 4 of the dimensions. The share q of the sum of squares that
///   remains for the others has the distribution Beta((v - k) / 2, k / 2): for k = 2, P(share <= q) =
///   q^((v-2)/2), which is the F test in another form; for k = 4, it is
///   q^((v-4)/2) (1 + (v-4)/2 (1 - q)).
/// - A repair moves points in a known way. A share of q remains only if the residuals point against that
///   movement, to within an angle whose sine is the root of q. These directions form a spherical cap, less
///   than q^((v-1)/2) of the surface.
///
/// Each chance is multiplied by the number of explanations of its kind (Bonferroni).
struct PointErrorChance {
    /// The change that an explanation makes to the points.
    enum Change {
        /// One of them is left out.
        case oneLeftOut
        /// Two of them are left out.
        case twoLeftOut
        /// Some of them are moved in a known way.
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

    /// The share of sets of right points in which explanations of one kind may report a point as wrong.
    static let level = 0.01
    /// The same level when nothing is assumed about how well people click.
    static let looseLevel = 0.05
    /// The error of clicks along an axis, in pixels. It counts as two more measurements: a few points say
    /// little about click accuracy; if the others happen to fit very well by chance, a right point could be
    /// reported as wrong.
    static let click = 2.0
    /// The square of a quarter of the Earth's circumference in metres: the largest possible miss, for points
    /// without a fit.
    private static let farOff = 1e14

    private let model: TransformModel
    /// Dimensions of the residuals.
    private let freedom: Int
    /// The sum of squares of the fit of all points; infinite if there is no fit.
    private let squares: Double
    /// Whether leaving out a point could not be good enough, even if no misses remained. Repairs are then not
    /// tried either, although their chance could be slightly smaller.
    let isNone: Bool

    /// Prepares chances for points and a model.
    init(of set: PointSet, _ model: TransformModel) {
        self.model = model
        freedom = 2 * (set.count - model.minimumPoints)
        squares = set.squares(model)
        let prior = Self.prior(set, model)
        isNone = Double(freedom) / 2 * log(prior / (squares + prior)) > log(Self.level)
    }

    /// Whether enough dimensions are left for a judgement.
    func judges(_ change: Change) -> Bool { freedom - change.lostFreedom >= 2 }

    /// The logarithm of the chance: computed once with what is known about clicks, once without.
    ///
    /// - Parameters:
    ///   - set: the points without the error.
    ///   - trials: the number of explanations of this kind.
    /// - Returns: nil if there is no fit, or if the chance is too large without what is known about clicks.
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

    /// What is known about clicks, as a term added to sums of squares: two measurements.
    private static func prior(_ set: PointSet, _ model: TransformModel) -> Double {
        let click = click * (model.bendsLines ? 1 : set.metresPerPixel)
        return 2 * click * click
    }

    /// The logarithm of the probability above, for a share of the squares and `more` additional dimensions.
    private func logPart(of change: Change, _ share: Double, more: Int) -> Double {
        let (share, rest) = (min(1, share), Double(freedom - change.lostFreedom + more))
        return switch change {
        case .oneLeftOut: rest / 2 * log(share)
        case .twoLeftOut: rest / 2 * log(share) + log(1 + rest / 2 * (1 - share))
        case .repair: (rest - 1) / 2 * log(share)
        }
    }
}

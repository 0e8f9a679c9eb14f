import Platform
import Tiling

/// What is probably wrong with control points that do not agree.
public struct PointError: Hashable, Sendable {
    /// The kinds of errors.
    public enum Kind: Hashable, Sendable {
        /// Clicked or typed wrongly, in an unknown way.
        case elsewhere
        /// Longitude and latitude are interchanged.
        case swappedPlace
        /// Rows are counted from the bottom.
        case rowFromBottom
        /// Rows have the wrong sign, so that the point is above the image.
        case negativeRow
        /// A number with two digits interchanged: its name, as written and as meant.
        case digits(of: String, written: String, meant: String)
        /// The places of two points are interchanged.
        case interchanged
        /// The image is mirrored: rows are counted from the bottom, or longitude and latitude are
        /// interchanged, or the places of two points.
        case mirrored
    }

    /// The points that are wrong, in their order: one, two or all.
    public let points: [ControlPoint]
    /// The kind of error.
    public let kind: Kind
    /// Whether all points are wrong in the same way.
    public let concernsAll: Bool

    /// What is wrong, as a clause.
    public var message: String { concernsAll ? messageOfAll : messageOfSome }

    /// What to do about it.
    public var remedy: String {
        switch kind {
        case .elsewhere:
            "correct or remove \(points.count == 1 ? "it" : "them"), and look at the residuals again"
        case .swappedPlace: "write the longitude first, then the latitude"
        case .rowFromBottom: "count rows from the top: the image's height minus the row as written"
        case .negativeRow:
            "count rows down from the image's top edge: with a minus sign in .points files of QGIS, without "
                + "it elsewhere"
        case .digits(let name, _, let meant): "write the \(name) as \(meant), or remove the point"
        case .interchanged: "give each of the two points the longitude and latitude of the other"
        case .mirrored:
            "count rows from the image's top edge, and write the longitude first, then the latitude"
        }
    }

    private var messageOfAll: String {
        switch kind {
        case .swappedPlace:
            "longitude and latitude are probably swapped in all control points, which mirrors the image"
        case .rowFromBottom:
            "the rows of all control points are probably counted from the bottom, which mirrors the image"
        case .negativeRow: "the rows of all control points have the wrong sign: they are above the image"
        default:
            "the control points mirror the image: their rows are counted from the bottom, or longitude and "
                + "latitude are swapped, or two points are"
        }
    }

    private var messageOfSome: String {
        let names = points.map { "'\($0.name)'" }.joined(separator: " and ")
        let isOne = points.count == 1
        let subject =
            "the control point\(isOne ? "" : "s") \(names) \(isOne ? "is" : "are") probably "
        switch kind {
        case .interchanged: return subject + "swapped: with their places swapped back, all points agree"
        case .swappedPlace:
            return subject
                + "wrong: longitude and latitude are swapped; the other way around it agrees with "
                + "the others"
        case .rowFromBottom:
            return subject
                + "wrong: the row is counted from the bottom; counted from the top it agrees with the others"
        case .negativeRow:
            return subject
                + "wrong: the row has the wrong sign; with the right sign it agrees with the others"
        case .digits(let name, let written, let meant):
            return subject + "wrong: with \(meant) as \(name), not \(written), it agrees with the others"
        case .elsewhere, .mirrored:
            return subject + "wrong: without \(isOne ? "it" : "them") the others agree"
        }
    }
}

/// Typing errors that may have made a control point wrong.
struct PointSlips {
    /// A typing error, and the point without it.
    private struct Slip {
        var kind: PointError.Kind
        var pixel: Point
        var lonLat: Point
    }

    private let point: ControlPoint
    private let plane: LocalPlane

    /// Prepares the typing errors of a point.
    init(of point: ControlPoint, in plane: LocalPlane) { (self.point, self.plane) = (point, plane) }

    /// The typing error that explains why the point does not agree with others; nil if none is certain.
    ///
    /// If a point misses by d, the chance that one of m random corrections brings it within r of the right
    /// place is about m (r / d)^2. A correction is accepted only if that is small.
    func explanation(by others: PointSet, _ model: TransformModel) -> PointError.Kind? {
        let slips = slips
        guard let transform = others.fit(model),
            let ground = try? plane.finitePoints(ofLonLat: [point.lonLat] + slips.map(\.lonLat))
        else { return nil }
        let original = PointSet.miss(point.pixel, ground[0], by: transform)
        let best = zip(slips, ground.dropFirst())
            .map { ($0.kind, PointSet.miss($0.pixel, $1, by: transform)) }
            .filter { $0.1.isFinite }.min { $0.1 < $1.1 }
        guard let best else { return nil }
        // An infinite miss means that the point is too far away for the plane.
        let share = original.isFinite ? best.1 / original : 0
        return Double(slips.count) * share * share <= PointErrorChance.looseLevel ? best.0 : nil
    }

    private var slips: [Slip] {
        let numbers: [(String, WritableKeyPath<ControlPoint, Double>)] = [
            ("column", \.pixel.x), ("row", \.pixel.y), ("longitude", \.lonLat.x), ("latitude", \.lonLat.y),
        ]
        return numbers.flatMap { name, path in
            let written = point[keyPath: path].shortText
            return Self.transpositions(written).compactMap { meant -> Slip? in
                guard let value = Double(meant) else { return nil }
                var other = point
                other[keyPath: path] = value
                return Slip(
                    kind: .digits(of: name, written: written, meant: meant), pixel: other.pixel,
                    lonLat: other.lonLat)
            }
        }
    }

    /// A number with two neighbouring digits interchanged, in all ways that change it.
    private static func transpositions(_ text: String) -> [String] {
        let characters = Array(text)
        guard !characters.contains("e") else { return [] }
        let digits = characters.indices.filter { characters[$0].isNumber }
        return zip(digits, digits.dropFirst()).filter { characters[$0] != characters[$1] }.map {
            var other = characters
            other.swapAt($0, $1)
            return String(other)
        }
    }
}

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
        freedom = 2 * set.count - model.parameters
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

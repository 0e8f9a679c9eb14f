import Diagnostics
import Tiling

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Looks for the points that keep a fit from being good, and for how they came to be wrong.
///
/// Every explanation is judged by the chance that it improves the fit of right points as much. Their
/// misses scatter alike in all directions, so that of a fit of n points with p parameters the residuals
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
struct PointErrorSearch {
    /// The chance, of sets of right points, that one is accused by explanations of one kind.
    static let level = 0.01
    /// The same for points with any errors, where nothing is taken for granted of how well people click.
    static let looseLevel = 0.05
    /// How far clicks err along an axis, in pixels. It counts like two more measurements: few points say
    /// little of how far their own clicks err, and would be accused for meeting a fit by chance.
    static let click = 2.0
    /// Pairs are tried for so many points; the time grows with the fourth power of it.
    static let mostInPairs = 20

    /// The model by which points are judged.
    let model: TransformModel
    /// Whether that stands in for a spline, which meets all points, right or wrong.
    let isSpline: Bool
    let points: [ControlPoint]
    let height: Double
    let plane: LocalPlane
    let set: PointSet
    /// Where the points would lie with longitude and latitude interchanged.
    let swapped: [Point]

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - points: those that take part.
    ///   - height: rows of the image.
    /// - Returns: nil if there are too few points or too many, if two are the same, or one is no place.
    init?(_ points: [ControlPoint], model: TransformModel, height: Int) {
        let pixels = points.map(\.pixel)
        guard points.count > 2, points.count <= ControlPointFit.mostLeftOut,
            pixels.allSatisfy({ $0.x.isFinite && $0.y.isFinite }), Set(pixels).count == points.count,
            Set(points.map(\.lonLat)).count == points.count
        else { return nil }
        isSpline = model.meetsAllPoints
        self.model = isSpline ? .affine : model
        self.points = points
        self.height = Double(height)
        let lonLat = points.map(\.lonLat).unwrapped
        // Not the mean, which one point on another continent would move.
        plane = LocalPlane(around: [lonLat.median])
        let all = lonLat + points.map(\.lonLat.interchanged)
        guard let ground = try? plane.finitePoints(ofLonLat: all) else { return nil }
        set = PointSet(pixels: pixels, ground: Array(ground.prefix(points.count)))
        swapped = Array(ground.suffix(points.count))
    }

    /// The error that explains best why the points of a fit do not agree; nil if they do, or if none does.
    ///
    /// - Parameters:
    ///   - isMirrored: whether the fit mirrors the image.
    ///   - missedBySpline: of a spline that meets all points, the one that others say is wrong.
    func find(isMirrored: Bool, missedBySpline: Int?) -> PointError? {
        if let error = negativeRows { return error }
        let spline = missedBySpline.map { Explanation(indices: [$0], kind: .elsewhere, logChance: 0) }
        // Points of warped paper do not agree by an affine transform, and need not.
        if let best = isSpline ? spline : bestExplanation { return error(best) }
        return isMirrored ? mirrorError : nil
    }

    /// The error that explains best why there is no fit; nil if none does.
    func findWithoutFit() -> PointError? { negativeRows ?? bestExplanation.map(error) }

    private var bestExplanation: Explanation? {
        let all = set.squares(model)
        guard !isCertainlyGood(all) else { return nil }
        return explanations(all).filter { $0.logChance <= log(Self.level) }
            .min { $0.logChance < $1.logChance }
    }

    /// Whether no explanation could be good enough, even if it left no misses at all.
    private func isCertainlyGood(_ squares: Double) -> Bool {
        let prior = prior(set)
        let share = prior / (squares + prior)
        return Double(freedom) / 2 * log(share) > log(Self.level)
    }

    /// Dimensions of the residuals.
    private var freedom: Int { 2 * set.count - model.parameters }

    /// What the prior knowledge of clicks adds to sums of squares: two measurements.
    private func prior(_ set: PointSet) -> Double {
        let click = Self.click * (model.isCurved ? 1 : set.metresPerPixel)
        return 2 * click * click
    }

    // MARK: Explanations

    /// An explanation, and the chance that it comes of right points.
    struct Explanation {
        /// The points that it names; none if all.
        var indices: [Int]
        /// How they are wrong.
        var kind: PointError.Kind
        /// The logarithm of the chance.
        var logChance: Double
    }

    private func explanations(_ all: Double) -> [Explanation] {
        leftOut(all) + repairs(all) + wholeRepairs(all)
    }

    /// Each point left out, and each pair.
    private func leftOut(_ all: Double) -> [Explanation] {
        var sets = set.pixels.indices.map { [$0] }
        if set.count <= Self.mostInPairs { sets += pairs }
        return sets.compactMap { indices in
            let rest = freedom - 2 * indices.count
            guard rest >= 2 else { return nil }
            let count = indices.count == 1 ? set.count : pairs.count
            return judged(
                Explanation(indices: indices, kind: .elsewhere, logChance: 0), set.without(indices), of: all,
                trials: count
            ) { indices.count == 1 ? Self.logBeta1($0, rest + $1) : Self.logBeta2($0, rest + $1) }
        }
    }

    private var pairs: [[Int]] {
        let count = set.count
        return (0..<count).flatMap { one in (one + 1..<count).map { [one, $0] } }
    }

    /// Single points and pairs with a known slip undone.
    private func repairs(_ all: Double) -> [Explanation] {
        guard freedom >= 2 else { return [] }
        var trials: [(Explanation, PointSet)] = []
        func add(_ indices: [Int], _ kind: PointError.Kind, by change: (inout PointSet) -> Void) {
            var changed = set
            change(&changed)
            trials.append((Explanation(indices: indices, kind: kind, logChance: 0), changed))
        }
        for index in set.pixels.indices {
            add([index], .swappedPlace) { $0.ground[index] = swapped[index] }
            add([index], .rowFromBottom) { $0.pixels[index].y = height - $0.pixels[index].y }
            if set.pixels[index].y < 0 {
                add([index], .negativeRow) { $0.pixels[index].y = -$0.pixels[index].y }
            }
        }
        if set.count <= Self.mostInPairs {
            for pair in pairs { add(pair, .interchanged) { $0.ground.swapAt(pair[0], pair[1]) } }
        }
        return trials.compactMap { explanation, changed in
            judged(explanation, changed, of: all, trials: trials.count) {
                Self.logCap($0, freedom + $1)
            }
        }
    }

    /// All points with a known slip undone, which mirrors them. Models that can mirror fit both alike.
    private func wholeRepairs(_ all: Double) -> [Explanation] {
        guard model == .similarity, freedom >= 2 else { return [] }
        return [(PointError.Kind.swappedPlace, allSwapped), (.rowFromBottom, allFromBottom)]
            .compactMap { kind, changed in
                judged(
                    Explanation(indices: [], kind: kind, logChance: 0), changed, of: all,
                    trials: 2
                ) { Self.logCap($0, freedom + $1) }
            }
    }

    /// The explanation with its chance: once with what is known of clicks, once without.
    private func judged(
        _ explanation: Explanation, _ set: PointSet, of all: Double, trials: Int,
        by logChance: (_ share: Double, _ more: Int) -> Double
    ) -> Explanation? {
        let squares = set.squares(model)
        guard squares.isFinite else { return nil }
        let bonferroni = log(Double(trials))
        // If there is no fit of all, the points are as far off as can be.
        let all = all.isFinite ? all : Self.farOff
        let prior = prior(set)
        let loose = bonferroni + logChance(squares / all, 0)
        guard loose <= log(Self.looseLevel) else { return nil }
        var explanation = explanation
        explanation.logChance = bonferroni + logChance((squares + prior) / (all + prior), 2)
        return explanation
    }

    /// The square of a quarter of the Earth's circumference in metres.
    private static let farOff = 1e14

    /// See above: one point left out of a fit that leaves `rest` dimensions.
    private static func logBeta1(_ share: Double, _ rest: Int) -> Double {
        Double(rest) / 2 * log(min(1, share))
    }

    /// See above: two points left out.
    private static func logBeta2(_ share: Double, _ rest: Int) -> Double {
        let (share, half) = (min(1, share), Double(rest) / 2)
        return half * log(share) + log(1 + half * (1 - share))
    }

    /// See above: the cap of a sphere.
    private static func logCap(_ share: Double, _ freedom: Int) -> Double {
        Double(freedom - 1) / 2 * log(min(1, share))
    }

    // MARK: All points

    private var allSwapped: PointSet {
        let lonLat = points.map(\.lonLat.interchanged)
        guard lonLat.allSatisfy({ abs($0.y) <= 90 }) else {
            return PointSet(pixels: set.pixels, ground: lonLat.map { _ in Point(x: .nan, y: .nan) })
        }
        let unwrapped = lonLat.unwrapped
        let ground = try? LocalPlane(around: [unwrapped.median]).finitePoints(ofLonLat: unwrapped)
        return PointSet(
            pixels: set.pixels, ground: ground ?? lonLat.map { _ in Point(x: .nan, y: .nan) })
    }

    private var allFromBottom: PointSet {
        PointSet(pixels: set.pixels.map { Point(x: $0.x, y: height - $0.y) }, ground: set.ground)
    }

    /// No image has rows above its top edge, and clicks beside it are few.
    private var negativeRows: PointError? {
        let rows = set.pixels.map(\.y)
        guard rows.allSatisfy({ $0 <= 0 }), rows.filter({ $0 < -1 }).count > 1 else { return nil }
        return PointError(points: points, kind: .negativeRow, concernsAll: true)
    }

    /// A model that can mirror fits points of a mirrored image as well. A similarity cannot, and keeps
    /// pixels square: what it fits best is how the image was meant, for latitudes at which a degree of
    /// longitude is clearly shorter than one of latitude.
    private var mirrorError: PointError? {
        let squares = [allSwapped, allFromBottom].map { $0.squares(.similarity) }
        let kind: PointError.Kind =
            if 4 * squares[0] < squares[1] {
                .swappedPlace
            } else if 4 * squares[1] < squares[0] {
                .rowFromBottom
            } else {
                .mirrored
            }
        // Two points that are interchanged can mirror an image too, and then there is no good fit.
        let asItIs = set.squares(.similarity)
        let isClear = kind != .mirrored && 4 * (squares.min() ?? 0) < asItIs
        return PointError(points: points, kind: isClear ? kind : .mirrored, concernsAll: true)
    }

    // MARK: Names

    /// The error that an explanation names; if a point is just wrong, with the slip that explains how.
    private func error(_ explanation: Explanation) -> PointError {
        let indices = explanation.indices
        let slip =
            explanation.kind == .elsewhere && indices.count == 1
            ? PointSlips(of: points[indices[0]], in: plane)
                .explanation(by: set.without(indices), model) : nil
        return PointError(
            points: indices.isEmpty ? points : indices.map { points[$0] },
            kind: slip ?? explanation.kind, concernsAll: indices.isEmpty)
    }
}

extension TransformModel {
    /// How many numbers are fitted.
    fileprivate var parameters: Int { 2 * minimumPoints }

    /// Whether the least squares are those of misses on the image.
    fileprivate var isCurved: Bool { self == .polynomial2 || self == .tps }
}

extension Point {
    /// The point with its coordinates in each other's place.
    var interchanged: Point { Point(x: y, y: x) }
}

extension [Point] {
    /// The middle of the coordinates, each for itself; at least one point.
    fileprivate var median: Point {
        Point(x: map(\.x).sorted()[count / 2], y: map(\.y).sorted()[count / 2])
    }
}

extension LocalPlane {
    /// Places as points of the plane; (nan, nan) for what is no place or has none on the plane.
    func finitePoints(ofLonLat lonLat: [Point]) throws -> [Point] {
        var points = lonLat
        try CRSConversion(CRS(self)).coordinates(ofLonLat: &points)
        return zip(points, lonLat).map { point, place in
            point.isFinite && abs(place.y) <= 90 ? point : Point(x: .nan, y: .nan)
        }
    }
}

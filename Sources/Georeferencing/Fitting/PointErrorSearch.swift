import Platform
import Tiling

/// Searches for wrong points, and for the kind of their error. The best explanation is the one whose
/// improvement of the fit is least likely to be due to chance.
struct PointErrorSearch {
    /// The number of points up to which pairs are tried; the time grows with its third power.
    static let mostInPairs = 20

    /// The model by which points are judged.
    let model: TransformModel
    /// Whether `model` replaces a spline, which meets all points, right or wrong.
    let isSpline: Bool
    let points: [ControlPoint]
    let height: Double
    let plane: LocalPlane
    let set: PointSet
    /// The points' positions on the plane with longitude and latitude interchanged.
    let swapped: [Point]

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - points: the points that take part in the fit.
    ///   - kept: the scale of a rigid transform.
    ///   - height: rows of the image.
    /// - Returns: nil if there are too few points or too many, if two are the same, or if one is not a place.
    init?(
        _ points: [ControlPoint], model: TransformModel, keeping kept: KeptScale? = nil, height: Int
    ) {
        let pixels = points.map(\.pixel)
        guard points.count > 2, points.count <= ControlPointFit.mostLeftOut,
            pixels.allSatisfy(\.isFinite), Set(pixels).count == points.count,
            Set(points.map(\.lonLat)).count == points.count
        else { return nil }
        isSpline = model.meetsAllPoints
        self.model = isSpline ? .affine : model
        self.points = points
        self.height = Double(height)
        let lonLat = points.map(\.lonLat).unwrapped
        // Not the mean, which a single point on another continent would move.
        plane = LocalPlane(around: [lonLat.median])
        let all = lonLat + points.map(\.lonLat.interchanged)
        guard let ground = try? plane.finitePoints(ofLonLat: all) else { return nil }
        set = PointSet(pixels: pixels, ground: Array(ground.prefix(points.count)), kept: kept)
        swapped = Array(ground.suffix(points.count))
    }

    /// The error that best explains why the points of a fit do not agree; nil if they agree, or if no error
    /// explains it.
    ///
    /// - Parameters:
    ///   - isMirrored: whether the fit mirrors the image.
    ///   - missedBySpline: for a spline, which meets all points, the point that is wrong according to the
    ///     others.
    func find(isMirrored: Bool, missedBySpline: Int?) -> PointError? {
        if let error = negativeRows { return error }
        let spline = missedBySpline.map { Explanation(indices: [$0], kind: .elsewhere) }
        // Points of warped paper do not fit an affine transform, and need not.
        if let best = isSpline ? spline : bestExplanation { return error(best) }
        return isMirrored ? mirrorError : nil
    }

    /// The error that best explains why there is no fit; nil if no error explains it.
    func findWithoutFit() -> PointError? { negativeRows ?? bestExplanation.map(error) }

    /// The error that an explanation names. If it only says that one point is wrong, and a typing
    /// error explains how, the typing error is named instead.
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

extension PointErrorSearch {
    /// An error that may explain the misses.
    private struct Explanation {
        /// The points that are wrong; empty if all are.
        var indices: [Int]
        /// The kind of error.
        var kind: PointError.Kind
    }

    /// An explanation, and the points without the error.
    private typealias Trial = (explanation: Explanation, set: PointSet)

    private var bestExplanation: Explanation? {
        let chance = PointErrorChance(of: set, model)
        if chance.isNone { return nil }
        let pairs = set.count <= Self.mostInPairs ? pairs : []
        let judged =
            judge(leftOut(set.pixels.indices.map { [$0] }), as: .oneLeftOut, by: chance)
            + judge(leftOut(pairs), as: .twoLeftOut, by: chance)
            + judge(repairs(ofPairs: pairs), as: .repair, by: chance)
            + judge(repairsOfAll, as: .repair, by: chance)
        return judged.filter { $0.logChance <= log(PointErrorChance.level) }
            .min { $0.logChance < $1.logChance }?.explanation
    }

    private func judge(
        _ trials: [Trial], as change: PointErrorChance.Change, by chance: PointErrorChance
    ) -> [(explanation: Explanation, logChance: Double)] {
        guard chance.judges(change) else { return [] }
        return trials.compactMap { explanation, set in
            chance.logarithm(of: change, leaving: set, trials: trials.count).map { (explanation, $0) }
        }
    }

    private var pairs: [[Int]] {
        let count = set.count
        return (0..<count).flatMap { one in (one + 1..<count).map { [one, $0] } }
    }

    private func leftOut(_ indices: [[Int]]) -> [Trial] {
        indices.map { (Explanation(indices: $0, kind: .elsewhere), set.without($0)) }
    }

    /// Single points and pairs, with a known error corrected.
    private func repairs(ofPairs pairs: [[Int]]) -> [Trial] {
        func repair(
            _ indices: [Int], _ kind: PointError.Kind, by change: (inout PointSet) -> Void
        ) -> Trial {
            var changed = set
            change(&changed)
            return (Explanation(indices: indices, kind: kind), changed)
        }
        let slips = set.pixels.indices.flatMap { index in
            let row = set.pixels[index].y
            return [
                repair([index], .swappedPlace) { $0.ground[index] = swapped[index] },
                repair([index], .rowFromBottom) { $0.pixels[index].y = height - row },
            ] + (row < 0 ? [repair([index], .negativeRow) { $0.pixels[index].y = -row }] : [])
        }
        return slips
            + pairs.map { pair in repair(pair, .interchanged) { $0.ground.swapAt(pair[0], pair[1]) } }
    }

    /// Repairs of all points, for a model that keeps angles. A model that can mirror fits the points equally well with and
    /// without such an error.
    private var repairsOfAll: [Trial] {
        model.keepsAngles ? wholeRepairs.map { (Explanation(indices: [], kind: $0.kind), $0.set) } : []
    }
}

extension [Point] {
    /// The median of the coordinates, separately for x and y; at least one point.
    var median: Point {
        Point(x: map(\.x).sorted()[count / 2], y: map(\.y).sorted()[count / 2])
    }
}

/// Errors of all points at once. Most of them mirror the image.
extension PointErrorSearch {
    /// No image has rows above its top edge, and few clicks are outside an image.
    var negativeRows: PointError? {
        let rows = set.pixels.map(\.y)
        guard rows.allSatisfy({ $0 <= 0 }), rows.filter({ $0 < -1 }).count > 1 else { return nil }
        return PointError(points: points, kind: .negativeRow, concernsAll: true)
    }

    /// All points, with a known error corrected.
    var wholeRepairs: [(kind: PointError.Kind, set: PointSet)] {
        [(.swappedPlace, allSwapped), (.rowFromBottom, allFromBottom)]
    }

    /// A model that can mirror fits a mirrored image equally well. A similarity cannot mirror, and keeps
    /// pixels square: the repair with the smallest misses shows what went wrong. That works at latitudes
    /// where a degree of longitude is clearly shorter than a degree of latitude.
    var mirrorError: PointError? {
        let squares = wholeRepairs.map { $0.set.squares(.similarity) }
        let kind: PointError.Kind =
            if 4 * squares[0] < squares[1] {
                .swappedPlace
            } else if 4 * squares[1] < squares[0] {
                .rowFromBottom
            } else {
                .mirrored
            }
        // Two interchanged points can also mirror an image; then no repair of all points fits well.
        let asItIs = set.squares(.similarity)
        let isClear = kind != .mirrored && 4 * (squares.min() ?? 0) < asItIs
        return PointError(points: points, kind: isClear ? kind : .mirrored, concernsAll: true)
    }

    private var allSwapped: PointSet {
        let lonLat = points.map(\.lonLat.interchanged)
        let unwrapped = lonLat.allSatisfy { abs($0.y) <= 90 } ? lonLat.unwrapped : []
        let ground =
            unwrapped.isEmpty
            ? nil : try? LocalPlane(around: [unwrapped.median]).finitePoints(ofLonLat: unwrapped)
        return PointSet(pixels: set.pixels, ground: ground ?? lonLat.map { _ in .nowhere }, kept: set.kept)
    }

    private var allFromBottom: PointSet {
        PointSet(
            pixels: set.pixels.map { Point(x: $0.x, y: height - $0.y) }, ground: set.ground, kept: set.kept)
    }
}

/// Control points on the image and on a plane, for trial fits: points may be changed and left out.
struct PointSet {
    /// The points' positions on the image.
    var pixels: [Point]
    /// The points' positions on the plane, in metres; (nan, nan) for places too far away for the plane.
    var ground: [Point]
    /// The scale of a rigid transform.
    var kept: KeptScale?

    /// The number of points.
    var count: Int { pixels.count }

    /// The set without some of the points.
    func without(_ indices: [Int]) -> PointSet {
        var others = self
        for index in indices.sorted(by: >) {
            others.pixels.remove(at: index)
            others.ground.remove(at: index)
        }
        return others
    }

    /// Metres of the plane per pixel, averaged over the area of the points.
    var metresPerPixel: Double { Normalisation(ground).spread / Normalisation(pixels).spread }

    /// The fit of a model; nil if the points do not determine a fit.
    func fit(_ model: TransformModel) -> PixelTransform? {
        guard pixels.count >= model.minimumPoints, ground.allSatisfy(\.isFinite) else { return nil }
        return model.keepsAngles || pixels.areSpread && ground.areSpread
            ? try? model.fit(pixels, to: ground, keeping: kept) : nil
    }

    /// The smallest sum of squared misses of a fit, in metres on the ground, or in pixels for curved models;
    /// infinite if there is no fit.
    ///
    /// If there is no projective fit, the affine fit counts: it is a view of the plane from infinitely far
    /// away. So the best projective fit is never worse than the best affine one.
    func squares(_ model: TransformModel) -> Double {
        let own = fit(model).map(squares) ?? .infinity
        return model == .projective ? min(own, squares(.affine)) : own
    }

    private func squares(of transform: PixelTransform) -> Double {
        let sum = zip(pixels, ground).reduce(0) { sum, pair in
            let miss = PointSet.miss(pair.0, pair.1, by: transform)
            return sum + miss * miss
        }
        return sum.isFinite ? sum : .infinity
    }

    /// The distance by which a transform misses a point, in the same units.
    static func miss(_ pixel: Point, _ place: Point, by transform: PixelTransform) -> Double {
        if case .curved(let curved) = transform { return (curved.pixel(at: place) - pixel).length }
        return (transform(pixel) - place).length
    }
}

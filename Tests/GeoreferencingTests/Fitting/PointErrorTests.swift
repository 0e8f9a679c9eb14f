import Foundation
import TestSupport
import Testing
import Tiling

@testable import Georeferencing

/// Control points of floor plans as people click and type them: six to ten of them on a plan of 4000 x 3000
/// pixels of a building of some 100 m, at any bearing, each 1 to 2 pixels off.
private struct ClickedPlan {
    static let (width, height) = (4000, 3000)

    /// As they should have been clicked, rounded as they are typed.
    let exact: [ControlPoint]
    /// As they were.
    var points: [ControlPoint]
    /// How far clicks err along an axis, in pixels.
    let click: Double
    /// A pixel on the ground, in metres.
    let scale: Double

    /// - Parameter latitudes: of the building. Near the equator a degree of longitude is as long as one of
    ///   latitude, and nothing tells which is which.
    init(
        _ model: TransformModel, latitudes: ClosedRange<Double> = -60...60, _ random: inout SplitMix
    ) throws {
        let count = Int.random(in: 6...10, using: &random)
        scale = .random(in: 0.018...0.035, using: &random)
        click = .random(in: 1...2, using: &random)
        let origin = Point(
            x: .random(in: -85...85, using: &random), y: .random(in: latitudes, using: &random))
        let pixels = ClickedPlan.spread(count, &random)
        var places = pixels.map(ClickedPlan.view(model, scale: scale, &random))
        try CRSConversion(CRS(LocalPlane(around: [origin]))).lonLat(of: &places)
        exact = zip(pixels, places).enumerated().map { index, pair in
            ControlPoint(
                pixel: pair.0, lonLat: Point(x: pair.1.x.rounded(to: 1e7), y: pair.1.y.rounded(to: 1e7)),
                name: "p\(index + 1)")
        }
        let click = click
        points = exact.map { point in
            var point = point
            point.pixel.x = (point.pixel.x + click * random.normal()).rounded(to: 10)
            point.pixel.y = (point.pixel.y + click * random.normal()).rounded(to: 10)
            return point
        }
    }

    /// Points that are 300 pixels apart or more.
    private static func spread(_ count: Int, _ random: inout SplitMix) -> [Point] {
        var pixels: [Point] = []
        while pixels.count < count {
            let pixel = Point(
                x: Double.random(in: 40...3960, using: &random).rounded(to: 10),
                y: Double.random(in: 40...2960, using: &random).rounded(to: 10))
            if pixels.allSatisfy({ $0.distance(to: pixel) > 300 }) { pixels.append(pixel) }
        }
        return pixels
    }

    /// From pixels to metres: sheared by up to 2 degrees and stretched by up to 4 % if the model is affine
    /// or more, and up to 15 % larger at an edge than at the opposite one if it is projective.
    private static func view(
        _ model: TransformModel, scale: Double, _ random: inout SplitMix
    ) -> (Point) -> Point {
        let bearing = Double.random(in: 0...(2 * .pi), using: &random)
        let (c, s) = (scale * cos(bearing), scale * sin(bearing))
        let limits = (affine: model == .similarity ? 0 : 0.04, view: model == .projective ? 3e-5 : 0)
        let (shear, stretch, g, h) = (
            Double.random(in: -limits.affine...limits.affine, using: &random),
            1 + Double.random(in: -limits.affine...limits.affine, using: &random),
            Double.random(in: -limits.view...limits.view, using: &random),
            Double.random(in: -limits.view...limits.view, using: &random)
        )
        return { pixel in
            let (right, down) = (pixel.x - 2000, pixel.y - 1500)
            let (x, y, w) = (right + shear * down, down * stretch, 1 + g * right + h * down)
            return Point(x: (c * x - s * y) / w, y: (-s * x - c * y) / w)
        }
    }
}

/// A mistake of somebody who places a plan.
private enum Mistake: String, CaseIterable {
    case none, swapped, digits, metres, row, interchanged

    /// Makes the mistake; nil if what comes of it is no place, which is refused before any fit.
    func spoil(_ points: inout [ControlPoint], _ random: inout SplitMix) -> Set<Int>? {
        let one = Int.random(in: points.indices, using: &random)
        let other = (one + Int.random(in: 1..<points.count, using: &random)) % points.count
        switch self {
        case .none: return []
        case .swapped: points[one].lonLat = points[one].lonLat.interchanged
        case .digits: Mistake.transpose(&points[one], &random)
        case .metres:
            let (way, bearing) = (
                Double.random(in: 5...50, using: &random), Double.random(in: 0...(2 * .pi), using: &random)
            )
            // A degree of latitude has 111 km.
            points[one].lonLat.y += way * cos(bearing) / 111_000
            points[one].lonLat.x += way * sin(bearing) / 111_000 / cos(points[one].lonLat.y * .pi / 180)
        case .row: points[one].pixel.y = Double(ClickedPlan.height) - points[one].pixel.y
        case .interchanged:
            (points[one].lonLat, points[other].lonLat) = (points[other].lonLat, points[one].lonLat)
            return [one, other]
        }
        return abs(points[one].lonLat.y) <= 90 ? [one] : nil
    }

    private static func transpose(_ point: inout ControlPoint, _ random: inout SplitMix) {
        let numbers: [WritableKeyPath<ControlPoint, Double>] = [
            \.pixel.x, \.pixel.y, \.lonLat.x, \.lonLat.y,
        ]
        let number = numbers[Int.random(in: 0..<4, using: &random)]
        var text = Array("\(point[keyPath: number])")
        let digits = text.indices.filter { text[$0].isNumber }
        let first = Int.random(in: 0..<digits.count - 1, using: &random)
        text.swapAt(digits[first], digits[first + 1])
        point[keyPath: number] = Double(String(text)) ?? .nan
    }
}

/// Wrong points are named, right ones are not.
@Suite struct PointErrorTests {
    static let models: [TransformModel] = [.similarity, .affine, .projective]
    static let count = 200

    /// What is found in points, whether there is a fit of them or not.
    private func error(in points: [ControlPoint], _ model: TransformModel) -> PointError? {
        let (width, height) = (ClickedPlan.width, ClickedPlan.height)
        if let fit = try? ControlPointFit(points, model: model, width: width, height: height) {
            return fit.error
        }
        return PointErrorSearch(points, model: model, height: height)?.findWithoutFit()
    }

    /// Whether a mistake is large enough to be told from the clicks: on points without any noise, it alone
    /// leaves residuals of ten clicks' errors together.
    private func counts(_ plan: ClickedPlan, _ spoiled: [ControlPoint], _ model: TransformModel) -> Bool {
        let centre = plan.exact[0].lonLat
        let noiseless = zip(plan.exact, zip(plan.points, spoiled)).map { exact, pair in
            var point = exact
            point.pixel.x += pair.1.pixel.x - pair.0.pixel.x
            point.pixel.y += pair.1.pixel.y - pair.0.pixel.y
            point.lonLat.x += pair.1.lonLat.x - pair.0.lonLat.x
            point.lonLat.y += pair.1.lonLat.y - pair.0.lonLat.y
            return point
        }
        // By the ellipsoid's radii of curvature: a sphere is stretched by more than ten clicks.
        let (sine, radians) = (sin(centre.y * .pi / 180), Double.pi / 180)
        let shape = 1 - 0.00669438 * sine * sine
        let across = 6_378_137 / shape.squareRoot() * cos(centre.y * radians) * radians
        let along = 6_378_137 * (1 - 0.00669438) / (shape * shape.squareRoot()) * radians
        let set = PointSet(
            pixels: noiseless.map(\.pixel),
            ground: noiseless.map { point in
                Point(x: (point.lonLat.x - centre.x) * across, y: (point.lonLat.y - centre.y) * along)
            })
        return set.squares(model).squareRoot() >= 10 * plan.click * plan.scale
    }

    /// Plans of each model; what differs between the tests is what is done to them.
    private static let plans: [TransformModel: [ClickedPlan]] = {
        var plans: [TransformModel: [ClickedPlan]] = [:]
        for model in models {
            var random = SplitMix(seed: 2026)
            plans[model] = (0..<count).compactMap { _ in try? ClickedPlan(model, &random) }
        }
        return plans
    }()

    @Test(
        "Only the wrong point is named in 98 of 100 sets, a right one in at most 2 of 100", .long,
        arguments: models, Mistake.allCases)
    fileprivate func culprits(model: TransformModel, mistake: Mistake) throws {
        var random = SplitMix(seed: 2027)
        let plans = try #require(Self.plans[model])
        var (sets, right) = (0, 0)
        for index in 0... {
            if sets == Self.count { break }
            let plan = plans[index % plans.count]
            var points = plan.points
            guard let culprits = mistake.spoil(&points, &random),
                mistake == .none || counts(plan, points, model)
            else { continue }
            sets += 1
            let error = error(in: points, model)
            let named = error.map { Set($0.points.map(\.name)) } ?? []
            if named == Set(culprits.map { points[$0].name }) { right += 1 }
        }
        #expect(100 * right >= 98 * sets, "\(model) \(mistake): \(right) of \(sets)")
    }

    @Test(
        "Right points with errors of any size are accused in at most 10 of 100 sets", .long, arguments: models
    )
    func sloppyClicks(model: TransformModel) throws {
        var random = SplitMix(seed: 5)
        var accused = 0
        for plan in try #require(Self.plans[model]) {
            var points = plan.points
            for index in points.indices {
                points[index].pixel.x += 20 * random.normal()
                points[index].pixel.y += 20 * random.normal()
            }
            if error(in: points, model) != nil { accused += 1 }
        }
        // The levels of one point and of two left out, and three standard deviations of a count of 200.
        let most = 20 + 3 * 4.2
        #expect(Double(accused) <= most, "\(accused)")
    }

    @Test(
        "A mistake in all points is named by its kind", .long,
        arguments: models, [PointError.Kind.swappedPlace, .rowFromBottom, .negativeRow])
    func wholeSets(model: TransformModel, kind: PointError.Kind) throws {
        var random = SplitMix(seed: 7)
        var right = 0
        for _ in 0..<Self.count {
            let latitudes = Bool.random(using: &random) ? 30.0...60 : -60.0...(-30)
            let points = try ClickedPlan(model, latitudes: latitudes, &random).points.map { point in
                var point = point
                switch kind {
                case .swappedPlace: point.lonLat = point.lonLat.interchanged
                case .rowFromBottom: point.pixel.y = Double(ClickedPlan.height) - point.pixel.y
                default: point.pixel.y.negate()
                }
                return point
            }
            let error = error(in: points, model)
            if error?.concernsAll == true, error?.kind == kind { right += 1 }
        }
        #expect(100 * right >= 98 * Self.count, "\(model) \(kind): \(right)")
    }

    /// Six points of a plan of 4000 x 3000 pixels, 2.5 cm each, at latitude 47.
    private static let rows: [[Double]] = [
        [120, 80, 8.5417, 47.3781], [3900, 210, 8.542952, 47.378071], [3800, 2850, 8.542919, 47.377477],
        [200, 2900, 8.541727, 47.377466], [2010, 1490, 8.542326, 47.377783],
        [900, 2100, 8.541958, 47.377645],
    ]

    private static func points(_ change: (inout [[Double]]) -> Void = { _ in }) -> [ControlPoint] {
        var rows = rows
        change(&rows)
        return rows.enumerated().map { index, row in
            ControlPoint(
                pixel: Point(x: row[0], y: row[1]), lonLat: Point(x: row[2], y: row[3]),
                name: "p\(index + 1)")
        }
    }

    @Test("The probable meaning is named, in a failure if there is no fit", arguments: models)
    func words(model: TransformModel) throws {
        let cases: [(words: String, points: [ControlPoint])] = [
            ("'p4' is probably wrong: longitude and latitude are", Self.points { $0[3].swapAt(2, 3) }),
            ("with 8.542326 as longitude, not 8.543226", Self.points { $0[4][2] = 8.543226 }),
            ("'p6' is probably wrong: the row is counted from the bottom", Self.points { $0[5][1] = 900 }),
            ("'p2' is probably wrong: the row has the wrong sign", Self.points { $0[1][1] = -210 }),
            (
                "'p1' and 'p3' are probably swapped",
                Self.points {
                    let first = $0[0]
                    $0[0].replaceSubrange(2..., with: $0[2][2...])
                    $0[2].replaceSubrange(2..., with: first[2...])
                }
            ),
        ]
        for (words, points) in cases {
            do {
                let fit = try ControlPointFit(points, model: model, width: 4000, height: 3000)
                #expect(fit.error?.message.contains(words) == true, "\(fit.error?.message ?? "")")
                #expect(fit.suspect != nil)
            } catch {
                #expect("\(error)".contains(words))
            }
        }
        #expect(
            try ControlPointFit(Self.points(), model: model, width: 4000, height: 3000).error == nil)
    }

    @Test("Two wrong points are both named", .long)
    func two() throws {
        var right = 0
        for plan in try #require(Self.plans[.affine]) {
            var points = plan.points
            // 20 and 30 m.
            points[1].lonLat.y += 20 / 111_000.0
            points[4].lonLat.y -= 30 / 111_000.0
            let names = error(in: points, .affine)?.points.map(\.name)
            if names == ["p2", "p5"] { right += 1 }
        }
        // With six points, all but two of them fit any two errors.
        #expect(right >= 150, "\(right)")
    }
}

extension SplitMix {
    /// A number of the standard normal distribution (Box and Muller, 1958).
    fileprivate mutating func normal() -> Double {
        let (radius, angle) = (
            Double.random(in: Double.leastNormalMagnitude...1, using: &self),
            Double.random(in: 0...1, using: &self)
        )
        return (-2 * log(radius)).squareRoot() * cos(2 * .pi * angle)
    }
}

extension Double {
    fileprivate func rounded(to parts: Double) -> Double { (self * parts).rounded() / parts }
}

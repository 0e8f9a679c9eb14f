import Georeferencing
import Testing
import TilewrightKit
import Tiling

/// The comparison of all models' fits.
struct FitComparisonTests {
    private let site: Site

    init() throws { site = try Site() }

    private func comparison(_ points: [ControlPoint]) throws -> FitComparison {
        try FitComparison(site.image(at: PositionRequest(.controlPoints(points))))
    }

    @Test("The model with the least freedom that fits the points is recommended")
    func best() throws {
        // A degree of longitude is shorter than one of latitude: the plan is stretched, and affine.
        #expect(try comparison(Site.points()).best?.model == .affine)
        // Pixels of 1 m at the equator, where both are as long, to a promille.
        let square = Site.points().map { point in
            var point = point
            point.lonLat = Point(x: 2 + point.pixel.x / 111_320, y: -point.pixel.y / 110_574)
            return point
        }
        #expect(try comparison(square).best?.model == .similarity)
    }

    @Test("Each fit equals the single fit of its model, or is the same error")
    func trials() throws {
        let points = Array(Site.points { Point(x: 0, y: 1e-6 * Double($0 % 3)) }.prefix(5))
        let trials = try comparison(points).trials
        #expect(trials.map(\.model) == TransformModel.allCases.filter { $0 != .rigid })
        for trial in trials where trial.model != .polynomial2 {
            let alone = try ControlPointFit(points, model: trial.model, width: 300, height: 200)
            #expect(try trial.fit.get().rmsMetres == alone.rmsMetres)
        }
        let failure = #expect(throws: (any Error).self) { try trials[3].fit.get() }
        #expect("\(failure.map { "\($0)" } ?? "")".contains("needs 6 control points"))
    }

    @Test("Without control points, there is no comparison")
    func nothing() throws {
        expectRefusal(.usage, "there is nothing to fit: the position comes from bounds") {
            try FitComparison(site.image())
        }
    }
}

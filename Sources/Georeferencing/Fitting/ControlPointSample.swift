import Platform
import Tiling

/// The control points that take part in a fit, in pixels and in metres of the plane around them.
struct ControlPointSample {
    /// The points that are enabled.
    let points: [ControlPoint]
    /// The family of transforms to fit by.
    let model: TransformModel
    /// The plane around the points.
    let plane: LocalPlane
    /// Where they lie on the image.
    let pixels: [Point]
    /// Where they lie on the plane, in metres.
    let ground: [Point]

    /// Takes the points that are enabled, and refuses those that fix no transform.
    init(_ points: [ControlPoint], model: TransformModel?) throws {
        self.points = points.filter(\.isEnabled)
        self.model = model ?? .standard(forPoints: self.points.count)
        try ControlPointSample.checkCount(self.points.count, points.count, self.model)
        try self.points.forEach(ControlPointSample.checkNumbers)
        let lonLat = self.points.map(\.lonLat).unwrapped
        plane = LocalPlane(around: lonLat)
        pixels = self.points.map(\.pixel)
        ground = try plane.points(ofLonLat: lonLat)
        try checkDuplicates(pixels, grid: 0.01, "pixel")
        try checkDuplicates(ground, grid: 0.001, "place")
        if self.model != .similarity {
            try ControlPointSample.checkSpread(pixels, "on the image")
            try ControlPointSample.checkSpread(ground, "on the ground")
        }
    }

    private static func checkNumbers(_ point: ControlPoint) throws {
        let numbers = [point.pixel.x, point.pixel.y, point.lonLat.x, point.lonLat.y]
        guard numbers.allSatisfy(\.isFinite), -90...90 ~= point.lonLat.y else {
            throw Failure(.badInput, "the control point '\(point.name)' is nowhere on the Earth")
        }
    }

    private static func checkCount(_ count: Int, _ all: Int, _ model: TransformModel) throws {
        guard count >= model.minimumPoints else {
            let disabled = all > count ? " (\(all - count) are switched off)" : ""
            throw Failure(
                .badInput,
                "the \(model.rawValue) fit needs \(model.minimumPoints) control points, and there "
                    + "\(count == 1 ? "is" : "are") \(count)\(disabled)")
        }
    }

    /// Two points in one cell of a grid, a hundredth of a pixel or a millimetre wide, are the same.
    private func checkDuplicates(_ places: [Point], grid: Double, _ what: String) throws {
        var seen: [Point: Int] = [:]
        for (index, place) in places.enumerated() {
            let cell = Point(x: (place.x / grid).rounded(), y: (place.y / grid).rounded())
            if let first = seen.updateValue(index, forKey: cell) {
                throw Failure(
                    .badInput,
                    "two control points have the same \(what): "
                        + "\(points[first].name) and \(points[index].name)")
            }
        }
    }

    /// Points whose cloud is a thousand times longer than wide lie on a line: the clicks' own errors
    /// would decide how the image lies across it.
    static func checkSpread(_ places: [Point], _ side: String) throws {
        let normalisation = Normalisation(places)
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for place in places.map({ normalisation($0) }) {
            xx += place.x * place.x
            xy += place.x * place.y
            yy += place.y * place.y
        }
        // The eigenvalues of the covariance: squares of the cloud's length and width.
        let middle = (xx + yy) / 2
        let radius = (((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy).squareRoot()
        guard middle - radius > 1e-6 * (middle + radius) else {
            throw Failure(
                .badInput, "the control points lie on one line \(side)",
                remedy: "add a point off the line, or fit a similarity: --transform similarity")
        }
    }
}

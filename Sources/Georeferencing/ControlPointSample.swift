import Diagnostics
import Tiling

/// The control points that take part in a fit, in pixels and in metres of the plane around them.
struct ControlPointSample {
    let points: [ControlPoint]
    let model: TransformModel
    let plane: LocalPlane
    let pixels: [Point]
    let ground: [Point]

    /// Takes the points that are enabled, and refuses those that fix no transform.
    init(_ points: [ControlPoint], model: TransformModel?) throws {
        self.points = points.filter(\.isEnabled)
        self.model = model ?? .standard(forPoints: self.points.count)
        try ControlPointSample.checkCount(self.points.count, points.count, self.model)
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

    private static func checkCount(_ count: Int, _ all: Int, _ model: TransformModel) throws {
        guard count >= model.minimumPoints else {
            let disabled = all > count ? " (\(all - count) are switched off)" : ""
            throw Failure(
                .badInput,
                "\(count) control points are given\(disabled), a \(model.rawValue) fit needs "
                    + "\(model.minimumPoints)")
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
    private static func checkSpread(_ places: [Point], _ side: String) throws {
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

/// A fit without one of its points.
struct LeaveOneOut {
    /// How well the others agree, in metres.
    let rmsOfRest: Double
    /// How far they miss the one that was left out.
    let missOfLeftOut: (metres: Double, pixels: Double)
}

extension ControlPointSample {
    /// The fits without each point in turn; nil where the others do not fix one. Nil as a whole
    /// where no point can be spared, or beyond 500 points, where the time grows too long.
    func withoutEach() -> [LeaveOneOut?]? {
        guard pixels.count > model.minimumPoints, pixels.count <= 500 else { return nil }
        return pixels.indices.map(without)
    }

    private func without(_ index: Int) -> LeaveOneOut? {
        var (others, places) = (pixels, ground)
        others.remove(at: index)
        places.remove(at: index)
        guard
            (try? ControlPointSample.checkSpread(others, "")) != nil || model == .similarity,
            let transform = try? model.fit(others, to: places), let inverse = transform.inverse
        else { return nil }
        let misses = zip(others, places).map { (transform($0) - $1).length }
        let image = inverse(ground[index])
        return LeaveOneOut(
            rmsOfRest: rootMeanSquare(misses),
            missOfLeftOut: (
                metres: (transform(pixels[index]) - ground[index]).length,
                pixels: image.isFinite ? (image - pixels[index]).length : .infinity
            ))
    }
}

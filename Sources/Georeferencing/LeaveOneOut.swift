import Tiling

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

import Tiling

/// A fit without one of its points.
struct LeaveOneOut {
    /// How well the others agree, in metres: how far the fit misses them or, if it meets all
    /// points, how far it misses each of them when that is left out too.
    let rmsOfRest: Double
    /// How far the fit misses the one that was left out.
    let miss: Residual.Miss
}

extension ControlPointSample {
    /// The fits without each point in turn; nil if the others do not fix one. Nil as a whole
    /// if no point can be spared, or for too many points.
    ///
    /// - Parameter transform: the fit of all points.
    func withoutEach(_ transform: PixelTransform) -> [LeaveOneOut?]? {
        guard pixels.count > model.minimumPoints, pixels.count <= ControlPointFit.mostLeftOut
        else { return nil }
        if case .curved(let curved) = transform, case .spline(let spline) = curved.formula {
            return withoutEach(of: spline, in: curved)
        }
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
        return LeaveOneOut(
            rmsOfRest: rootMeanSquare(misses),
            miss: Residual.Miss(pixels[index], ground[index], by: transform, inverse))
    }

    /// A spline needs no further fits, but the inverse of its system.
    private func withoutEach(
        of spline: ThinPlateSpline, in transform: CurvedTransform
    ) -> [LeaveOneOut?]? {
        guard let omissions = ThinPlateSpline.Omissions(of: spline) else { return nil }
        // Values of the spline are in normal form: 1 is the points' spread.
        let metres = Normalisation(ground).spread
        return pixels.indices.map { index in
            var others = Array(pixels.indices)
            others.remove(at: index)
            guard (try? ControlPointSample.checkSpread(others.map { pixels[$0] }, "")) != nil,
                (try? ControlPointSample.checkSpread(others.map { ground[$0] }, "")) != nil
            else { return nil }
            let rest = others.map { omissions.miss(of: $0, without: index).length * metres }
            let without = transform.replacing(.spline(omissions.spline(without: index)))
            return LeaveOneOut(
                rmsOfRest: rootMeanSquare(rest),
                miss: Residual.Miss(
                    pixelOffset: transform.pixelOffset(of: omissions.miss(of: index)),
                    groundOffset: without.place(of: pixels[index]) - ground[index]))
        }
    }
}

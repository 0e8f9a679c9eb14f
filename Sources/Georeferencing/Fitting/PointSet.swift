import Tiling

/// Control points on the image and on a plane, for trial fits: points may be changed and left out.
struct PointSet {
    /// Where they lie on the image.
    var pixels: [Point]
    /// Where they lie on the plane, in metres; (nan, nan) a quarter of the Earth away.
    var ground: [Point]

    /// How many there are.
    var count: Int { pixels.count }

    /// The same without some of them.
    func without(_ indices: [Int]) -> PointSet {
        var others = self
        for index in indices.sorted(by: >) {
            others.pixels.remove(at: index)
            others.ground.remove(at: index)
        }
        return others
    }

    /// Metres of the plane to a pixel, as a mean between the points.
    var metresPerPixel: Double { Normalisation(ground).spread / Normalisation(pixels).spread }

    /// The fit of a model; nil if the points do not fix one.
    func fit(_ model: TransformModel) -> PixelTransform? {
        guard pixels.count >= model.minimumPoints, ground.allSatisfy(\.isFinite) else { return nil }
        let isSpread =
            model == .similarity
            || ((try? ControlPointSample.checkSpread(pixels, "")) != nil
                && (try? ControlPointSample.checkSpread(ground, "")) != nil)
        return isSpread ? try? model.fit(pixels, to: ground) : nil
    }

    /// The least sum of the squares of misses that a fit has: in metres on the ground, for curved models in
    /// pixels; infinite if there is no fit.
    ///
    /// A view of a plane that does not exist is replaced by an affine transform, which is one seen from
    /// infinitely far away: the best projective fit is never worse than the best affine one.
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

    /// By how much a transform misses a point, likewise.
    static func miss(_ pixel: Point, _ place: Point, by transform: PixelTransform) -> Double {
        if case .curved(let curved) = transform { return (curved.pixel(at: place) - pixel).length }
        return (transform(pixel) - place).length
    }
}

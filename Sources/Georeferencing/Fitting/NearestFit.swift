import Platform
package import Tiling

/// What comes nearest to a fit of control points that have none: for a picture that shows why.
package struct NearestFit: Sendable {
    /// The fit of the points that agree, or of all by a model with less freedom.
    package let fit: ControlPointFit
    /// How far it misses the points that it leaves out, since they are probably wrong.
    package let leftOut: [Residual]

    /// Looks for a fit.
    ///
    /// - Parameters: as those of a `ControlPointFit`.
    /// - Returns: nil if there is none at all, or if nothing is wrong with the points' own.
    package init?(
        _ points: [ControlPoint], model: TransformModel?, width: Int, height: Int, crop: PixelWindow?
    ) {
        func fit(_ points: [ControlPoint], _ model: TransformModel) -> ControlPointFit? {
            try? ControlPointFit(points, model: model, width: width, height: height, crop: crop)
        }
        let enabled = points.filter(\.isEnabled)
        let model = model ?? .standard(forPoints: enabled.count)
        if fit(enabled, model) != nil { return nil }
        let error = PointErrorSearch(enabled, model: model, height: height)?.findWithoutFit()
        if let error, !error.concernsAll {
            let others = enabled.filter { !error.points.contains($0) }
            if let nearest = [model, .affine, .similarity].lazy.compactMap({ fit(others, $0) }).first,
                let misses = try? error.points.map({ try nearest.residual(of: $0) })
            {
                (self.fit, leftOut) = (nearest, misses)
                return
            }
        }
        guard let nearest = [TransformModel.affine, .similarity].lazy.compactMap({ fit(enabled, $0) }).first
        else { return nil }
        (self.fit, leftOut) = (nearest, [])
    }
}

extension ControlPointFit {
    /// How far the fit misses a point that takes no part.
    fileprivate func residual(of point: ControlPoint) throws -> Residual {
        guard let inverse = pixelToPlane.inverse else { throw ExactMapping.flattened }
        let place = try plane.finitePoints(ofLonLat: [point.lonLat])[0]
        return Residual(
            point: point, miss: Residual.Miss(point.pixel, place, by: pixelToPlane, inverse), leftOut: nil)
    }
}

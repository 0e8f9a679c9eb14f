import Diagnostics
import Tiling

/// The transform that fits control points best, in metres on the ground, and how well it does.
///
/// It is fitted in the conformal plane around the points, and never in degrees or in Web Mercator,
/// which are not true to angles or to scale on the ground.
package struct ControlPointFit: Sendable {
    /// The family of transforms.
    package let model: TransformModel
    /// The plane in which was fitted.
    package let plane: LocalPlane
    /// From pixels to metres of the plane.
    package let pixelToPlane: PixelTransform
    /// The misses, one per point that takes part, in their order.
    package let residuals: [Residual]
    /// The point that is most likely mistyped: without it, the others agree at least three times
    /// better, and it is two pixels or more off. Nil where there is none, or where the points are
    /// too few to say: it takes two more than fix the transform.
    package let suspect: Residual?
    /// Whether the image would be seen as in a mirror: points are probably interchanged.
    package let isMirrored: Bool

    /// Fits the points that are enabled.
    ///
    /// - Parameters:
    ///   - points: two or more, as the model needs.
    ///   - model: the family of transforms; by itself a similarity for two points and an affine
    ///     transform for more.
    ///   - width: columns of the image.
    ///   - height: rows of the image.
    /// - Throws: a `Failure` of kind `badInput` where the points are too few, equal, in line, or
    ///   where the horizon of a projective transform passes through the image.
    package init(
        _ points: [ControlPoint], model: TransformModel? = nil, width: Int, height: Int
    ) throws {
        let sample = try ControlPointSample(points, model: model)
        let transform = try sample.model.fit(sample.pixels, to: sample.ground)
        try ControlPointFit.checkHorizon(of: transform, width: width, height: height)
        guard let inverse = transform.inverse else { throw ImageProjection.flattened }
        self.model = sample.model
        plane = sample.plane
        pixelToPlane = transform
        let trials = sample.withoutEach()
        residuals = sample.points.indices.map { index in
            let (pixel, place) = (sample.pixels[index], sample.ground[index])
            return Residual(
                point: sample.points[index], pixelOffset: inverse(place) - pixel,
                groundOffset: transform(pixel) - place,
                leaveOneOutMetres: trials?[index]?.missOfLeftOut.metres)
        }
        suspect = ControlPointFit.suspect(residuals, trials, sample.model)
        isMirrored = transform.mirrors(
            at: Point(x: Double(width) / 2, y: Double(height) / 2))
    }

    /// Where the fit places the image.
    package var georeference: Georeference {
        Georeference(crs: CRS(plane), pixelToCRS: pixelToPlane)
    }

    /// The fit as a world file in its plane, or nil for a projective transform, which none can hold.
    package var worldFile: WorldFile? {
        guard case .affine(let transform) = pixelToPlane else { return nil }
        return WorldFile(pixelToCRS: transform)
    }

    /// The root mean square of the misses in pixels.
    package var rmsPixels: Double { rootMeanSquare(residuals.map(\.pixels)) }

    /// The root mean square of the misses on the ground in metres.
    package var rmsMetres: Double { rootMeanSquare(residuals.map(\.metres)) }

    /// The largest miss on the ground.
    package var worst: Residual? { residuals.max { $0.metres < $1.metres } }

    private static func checkHorizon(
        of transform: PixelTransform, width: Int, height: Int
    ) throws {
        let corners = PixelTransform.corners(width: width, height: height)
        guard corners.allSatisfy({ transform($0).isFinite }) else {
            throw Failure(
                .badInput, "the horizon of the projective fit passes through the image",
                remedy: "check the control points, spread them over the image, "
                    + "or fit an affine transform: --transform affine")
        }
    }

    private static func suspect(
        _ residuals: [Residual], _ trials: [LeaveOneOut?]?, _ model: TransformModel
    ) -> Residual? {
        guard let trials, residuals.count >= model.minimumPoints + 2 else { return nil }
        let candidates = trials.indices.filter { trials[$0] != nil }
        let restOf = { (index: Int) in trials[index]?.rmsOfRest ?? .infinity }
        guard let best = candidates.min(by: { restOf($0) < restOf($1) }), let trial = trials[best]
        else { return nil }
        let all = rootMeanSquare(residuals.map(\.metres))
        return 3 * trial.rmsOfRest <= all && trial.missOfLeftOut.pixels >= 2
            ? residuals[best] : nil
    }
}

/// The root of the mean of the squares.
func rootMeanSquare(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
}

extension PixelTransform {
    /// Whether a proper image is seen mirrored: pixels count down and the ground counts north, so
    /// that a proper one has a negative determinant.
    fileprivate func mirrors(at pixel: Point) -> Bool {
        let here = self(pixel)
        let (right, down) = (
            self(pixel + Point(x: 1, y: 0)) - here, self(pixel + Point(x: 0, y: 1)) - here
        )
        return right.cross(down) > 0
    }
}

import Georeferencing
import Raster

/// Fits that several images share: floors that are drawn alike lie where the same points say. Each is made
/// once, since a fit of hundreds of points takes seconds.
///
/// Not for several tasks at a time.
final class SharedFits {
    private struct Key: Hashable {
        let points: [ControlPoint]
        let model: TransformModel?
        let width: Int
        let height: Int
        let crop: PixelWindow?
    }

    private var fits: [Key: ControlPointFit] = [:]

    /// A fit, as `ControlPointFit` makes it, or as it was made before.
    func fit(
        _ points: [ControlPoint], model: TransformModel?, of view: ImageView, crop: PixelWindow?
    ) throws -> ControlPointFit {
        let key = Key(points: points, model: model, width: view.width, height: view.height, crop: crop)
        if let fit = fits[key] { return fit }
        let fit = try ControlPointFit(
            points, model: model, width: view.width, height: view.height, crop: crop)
        fits[key] = fit
        return fit
    }
}

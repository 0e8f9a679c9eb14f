public import Georeferencing
import Platform
import Raster

/// The fits of the control points of a building's floors.
public struct FloorFits: Sendable {
    /// An image of a floor, and its fit.
    public struct Fit: Sendable {
        /// The floor's name.
        public let name: FloorName
        /// The request.
        public let request: ImageRequest
        /// The image with its position, or the error.
        public let image: Result<PlacedImage, Failure>
        /// The largest allowed residual of a control point, in metres on the ground; nil for no limit.
        public let maxResidual: Double?

        /// The fit; nil if the image is not placed by control points.
        public var fit: ControlPointFit? { (try? image.get())?.fit }

        /// Fails if the image has no position, or a control point's residual is larger than allowed.
        ///
        /// - Parameter maxResidual: the limit, in metres on the ground, which replaces the manifest's.
        /// - Throws: a `Failure` whose message begins with the floor's name.
        public func check(maxResidual: Double? = nil) throws {
            do {
                let image = try image.get()
                // A floor that is placed in another way has no residuals.
                if image.fit != nil { try image.check(maxResidual: maxResidual ?? self.maxResidual) }
            } catch let failure as Failure { throw failure.of(name) }
        }
    }

    /// The images, in the order of the floors.
    public let all: [Fit]

    /// Fits the control points of floors. Points that several floors share are fitted once.
    ///
    /// - Parameter floors: the floors, as a manifest lists them.
    public init(_ floors: [Manifest.Floor]) {
        let fits = SharedFits()
        all = floors.flatMap { floor in
            floor.request.build.images.map { request in
                Fit(
                    name: floor.name, request: request,
                    image: .ofFloor {
                        try PlacedImage(
                            request,
                            limits: PixelLimits(BuildResources.standardMaxPixels, isAdjustable: false),
                            fits: fits)
                    }, maxResidual: floor.request.build.maxResidual)
            }
        }
    }

    /// Warnings for the user, a line each, each for the first floor that has it.
    public var warnings: [String] {
        var seen: Set<String> = []
        return all.flatMap { fit in
            let texts = (try? fit.image.get())?.warnings.map(\.text) ?? []
            return texts.filter { seen.insert($0).inserted }.map { "\(fit.name): \($0)" }
        }
    }
}

/// Fits that several images share: floors with the same drawing frame have the same points. Each fit is
/// computed once, since hundreds of points take seconds.
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

    /// A fit of `ControlPointFit`, new or computed before.
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

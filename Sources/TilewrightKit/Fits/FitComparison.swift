public import Georeferencing
import Platform
import Raster
import Tiling

/// The fits of an image's control points by all models, to compare.
public struct FitComparison {
    /// A model, and its fit or error.
    public struct Trial {
        /// The model.
        public let model: TransformModel
        /// Its fit.
        public let fit: Result<ControlPointFit, Failure>
    }

    /// The models, least freedom first.
    public let trials: [Trial]

    /// The recommended fit: the model with the least freedom whose leave-one-out residuals are not clearly
    /// larger than those of a model with more freedom. Nil if no two fits can be compared.
    public let best: ControlPointFit?

    /// Probable errors of the points, a line each, as the recommended fit, or else the first one, finds them.
    public var warnings: [String] {
        let fit = best ?? trials.lazy.compactMap { try? $0.fit.get() }.first
        return [fit?.error].compactMap(\.self).map { "\($0.message); \($0.remedy)" }
    }

    /// Fits an image's control points.
    ///
    /// A rigid transform takes part if the request or the file of the points gives its scale.
    ///
    /// - Parameter request: the image; the model that it names is ignored.
    /// - Throws: a `Failure` if the image cannot be read, or has a position but no control points.
    public init(_ request: ImageRequest) throws {
        let info = try request.fileInfo()
        let position = try Self.position(of: request, info)
        let view = ImageView(info, position: position, orient: request.position.orient)
        let isScaled =
            try request.position.scale != nil
            || position.controlPoints(width: view.width, height: view.height)?.kept != nil
        trials = try TransformModel.allCases.filter { $0 != .rigid || isScaled }.map { model in
            do {
                var place = request.position
                place.transform = model
                guard let fit = try position.fit(place, info: info, of: view, crop: request.crop) else {
                    throw Failure.nothingToFit(position.summary)
                }
                return Trial(model: model, fit: .success(fit))
            } catch let failure as Failure where failure.kind == .badInput {
                return Trial(model: model, fit: .failure(failure))
            }
        }
        best = Self.best(trials.compactMap { try? $0.fit.get() })
    }

    private static func position(of request: ImageRequest, _ info: RasterInfo) throws -> Position {
        var (place, plain) = (request.position, request.position)
        // Positions in files may consist of control points, to which a transform applies. It does not apply
        // to other positions, which are read without it.
        (place.transform, plain.transform) = (.affine, nil)
        if let position = try? Position(place, of: request, info: info) { return position }
        return try request.placing { try Position(plain, of: request, info: info) }
    }

    /// The leave-one-out RMS of n points scatters by some 1 / sqrt(4 n) of itself, and the difference of two
    /// such values by 1.4 times that: by a quarter for 6 to 10 points. A model with more freedom has to be
    /// better by more than the scatter. A model that bends lines has to be twice as good, since it bends
    /// walls.
    private static let (better, muchBetter) = (0.75, 0.5)

    private static func best(_ fits: [ControlPointFit]) -> ControlPointFit? {
        let judged = fits.filter { ($0.rmsLeftOutMetres ?? .infinity).isFinite }
        guard judged.count > 1 else { return nil }
        return judged.dropFirst().reduce(judged[0]) { best, next in
            let factor = next.model.bendsLines ? muchBetter : better
            guard let one = best.rmsLeftOutMetres, let other = next.rmsLeftOutMetres else { return best }
            // No click is exact to a tenth of a pixel.
            return other < factor * one - 0.1 * best.metresPerPixel ? next : best
        }
    }
}

extension Failure {
    /// The failure for a position that is not made of control points.
    static func nothingToFit(_ position: String) -> Failure {
        Failure(
            .usage, "there is nothing to fit: the position comes from \(position)",
            remedy: "give control points with --gcp or --gcps")
    }
}

extension PlacedImage {
    /// The fit.
    ///
    /// - Throws: `.usage` if the position is not control points.
    package func requiredFit() throws -> ControlPointFit {
        guard let fit else { throw Failure.nothingToFit(positionSource) }
        return fit
    }

    /// Fails if a control point misses its place by more than allowed.
    package func check(maxResidual: Double?) throws {
        guard let maxResidual else { return }
        guard maxResidual >= 0 else {
            throw Failure(.usage, "--max-residual \(maxResidual) is not a distance in metres")
        }
        guard let fit else {
            throw Failure(
                .usage, "--max-residual does not apply to this position (\(position.summary))",
                remedy: "leave it out: there are no control points")
        }
        guard let worst = fit.worst else {
            throw Failure(
                .usage,
                "--max-residual cannot check this \(fit.model.rawValue) fit: it meets all points, and "
                    + "leave-one-out residuals need 4 to \(ControlPointFit.mostLeftOut) points",
                remedy: fit.isJustFixed ? "add control points" : "use --transform affine")
        }
        guard worst.metres > maxResidual else { return }
        let condition = fit.model.meetsAllPoints ? " when it is left out" : ""
        throw Failure(
            .checkFailed,
            "the control point '\(worst.point.name)' is off by "
                + "\(worst.metres.text(decimals: 2)) m\(condition), but --max-residual allows "
                + "\(maxResidual.text(decimals: 2)) m",
            remedy: "'tilewright fit' shows how far each point is off")
    }
}

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
        let choice: FitChoice
        let width: Int
        let height: Int
        let crop: PixelWindow?
    }

    private var fits: [Key: ControlPointFit] = [:]

    /// A fit of `ControlPointFit`, new or computed before.
    func fit(
        _ points: [ControlPoint], _ choice: FitChoice, of view: ImageView, crop: PixelWindow?
    ) throws -> ControlPointFit {
        let key = Key(points: points, choice: choice, width: view.width, height: view.height, crop: crop)
        if let fit = fits[key] { return fit }
        let fit = try ControlPointFit(
            points, model: choice.model, keeping: choice.kept, width: view.width, height: view.height,
            crop: crop)
        fits[key] = fit
        return fit
    }
}

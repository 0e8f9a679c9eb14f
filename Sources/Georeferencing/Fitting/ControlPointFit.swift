import Platform
public import Tiling

/// The transform that fits control points best, in metres on the ground, with its residuals.
///
/// It is fitted in the conformal plane around the points. It is never fitted in degrees or in Web Mercator,
/// which distort angles or scale on the ground.
public struct ControlPointFit: Sendable {
    /// Up to this number of points, each is left out in turn. The time grows with the square of the number,
    /// for a spline with its cube.
    public static let mostLeftOut = 500

    /// The family of transforms.
    public let model: TransformModel
    /// The scale that a rigid fit keeps; nil for other models, which measure it.
    public let kept: KeptScale?
    /// The plane of the fit.
    package let plane: LocalPlane
    /// From pixels to metres of the plane.
    package let pixelToPlane: PixelTransform
    /// The misses of the points that take part, in the points' order.
    public let residuals: [Residual]
    /// What is probably wrong with the points. Nil if they agree, or if there are too few to say: finding one
    /// wrong point takes two more points than the transform needs.
    public let error: PointError?
    /// Whether the fit mirrors the image, probably because points are interchanged.
    public let isMirrored: Bool
    /// The edge of a pixel on the ground, in metres, averaged over the area of the points.
    public let metresPerPixel: Double
    /// For a rigid fit of two or more points, the edge of a pixel, in metres, that a similarity would have:
    /// what the points themselves measure. Nil for other fits.
    public let measuredMetresPerPixel: Double?
    /// A pixel's width on the ground as a multiple of its height, at the middle of the image: 1 for square
    /// pixels, 2 if the image is stretched to twice its width.
    public let pixelRatio: Double

    /// Fits the points that are enabled.
    ///
    /// - Parameters:
    ///   - points: two or more, as the model needs; one for a rigid transform with a bearing.
    ///   - model: the family of transforms; nil for a similarity for two points and an affine transform for
    ///     more.
    ///   - kept: the scale of a rigid transform; nil for other models.
    ///   - width: columns of the image.
    ///   - height: rows of the image.
    ///   - crop: the part of the image that counts; nil for all of it.
    /// - Throws: a `Failure` of kind `badInput` if the points are too few, equal or in line, if the horizon
    ///   of a projective transform passes through the image, or if a curved transform folds the image; of
    ///   kind `usage` if a rigid transform has no scale, or a bearing that the points give themselves.
    package init(
        _ points: [ControlPoint], model: TransformModel? = nil, keeping kept: KeptScale? = nil, width: Int,
        height: Int, crop: PixelWindow? = nil
    ) throws {
        if model == .rigid {
            guard let kept else { throw Failure.unknownScale }
            try kept.check(points: points.count(where: \.isEnabled))
        }
        do {
            try self.init(
                agreeing: points, model: model, keeping: kept, width: width, height: height, crop: crop)
        } catch let failure as Failure {
            throw ControlPointFit.reason(points, model, keeping: kept, height: height) ?? failure
        }
    }

    /// Fits likewise, but does not look for the reason why there is no fit.
    private init(
        agreeing points: [ControlPoint], model: TransformModel?, keeping kept: KeptScale?, width: Int,
        height: Int, crop: PixelWindow?
    ) throws {
        let sample = try ControlPointSample(points, model: model, keeping: kept)
        let transform = try sample.model.fit(sample.pixels, to: sample.ground, keeping: kept)
        guard let inverse = transform.inverse else { throw ExactMapping.flattened }
        self.model = sample.model
        self.kept = sample.model == .rigid ? kept : nil
        plane = sample.plane
        pixelToPlane = transform
        metresPerPixel =
            self.kept?.metresPerPixel
            ?? Normalisation(sample.ground).spread / Normalisation(sample.pixels).spread
        measuredMetresPerPixel = sample.measuredMetresPerPixel
        let trials = sample.withoutEach(transform)
        residuals = sample.residuals(transform, inverse, trials)
        let sides = transform.pixelSides(at: Point(x: Double(width) / 2, y: Double(height) / 2))
        // Pixels count down and the ground counts north: a proper image has a negative determinant.
        isMirrored = sides.right.cross(sides.down) > 0
        pixelRatio = sides.right.length / sides.down.length
        let search = PointErrorSearch(
            sample.points, model: sample.model, keeping: self.kept, height: height)
        error = search?.find(
            isMirrored: isMirrored,
            missedBySpline: ControlPointFit.missedBySpline(
                residuals, trials, sample.model, metresPerPixel: metresPerPixel))
        try checkImage(width: width, height: height, crop: crop)
    }

    /// Where the fit places the image.
    package var georeference: Georeference {
        Georeference(crs: CRS(plane), pixelToCRS: pixelToPlane)
    }

    /// The fit as a world file in its plane; nil for a transform that a world file cannot hold.
    package var worldFile: WorldFile? {
        guard case .affine(let transform) = pixelToPlane else { return nil }
        return WorldFile(pixelToCRS: transform)
    }

    /// The misses of the points that are probably wrong: at most two.
    public var suspects: [Residual] {
        guard let error, !error.concernsAll else { return [] }
        return residuals.filter { error.points.contains($0.point) }
    }

    /// The first of the suspects.
    public var suspect: Residual? { suspects.first }

    /// Whether there are only as many points as the transform needs, so that it meets them exactly.
    public var isJustFixed: Bool { 2 * residuals.count <= model.parameters }

    /// The points' labels in tables and pictures: their names if all are short, else numbers from 1 in the
    /// points' order.
    public var labels: [String] {
        let names = residuals.map(\.point.name)
        return names.allSatisfy { 1...10 ~= $0.count } ? names : names.indices.map { "\($0 + 1)" }
    }

    /// The root mean square of the misses in pixels.
    public var rmsPixels: Double { rootMeanSquare(residuals.map(\.miss.pixels)) }

    /// The root mean square of the misses on the ground in metres.
    public var rmsMetres: Double { rootMeanSquare(residuals.map(\.miss.metres)) }

    /// The root mean square of the leave-one-out misses in metres; nil if no point could be left out. It is
    /// the honest measure of a model, as more freedom alone does not make it smaller.
    public var rmsLeftOutMetres: Double? {
        let misses = residuals.compactMap(\.leftOut?.metres)
        return misses.isEmpty ? nil : rootMeanSquare(misses)
    }

    /// The point that the fit misses most on the ground, and by how many metres. If the fit meets all points,
    /// it is the point with the largest leave-one-out miss; nil if none could be left out.
    public var worst: (point: ControlPoint, metres: Double)? {
        residuals.compactMap { residual in
            let miss = model.meetsAllPoints ? residual.leftOut : residual.miss
            return miss.map { (residual.point, $0.metres) }
        }.max { $0.1 < $1.1 }
    }

    private func checkImage(width: Int, height: Int, crop: PixelWindow?) throws {
        if case .curved(let transform) = pixelToPlane {
            let part = crop ?? PixelWindow(columns: 0..<width, rows: 0..<height)
            try checkFolds(of: transform, in: BoundingBox(part))
        } else {
            try ControlPointFit.checkHorizon(of: pixelToPlane, width: width, height: height)
        }
    }

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

    /// The point that is most likely mistyped in a spline, which meets all its points: without it, the others
    /// agree at least three times better, and their fit misses it by two pixels or more.
    private static func missedBySpline(
        _ residuals: [Residual], _ trials: [LeaveOneOut?]?, _ model: TransformModel,
        metresPerPixel: Double
    ) -> Int? {
        guard model.meetsAllPoints, let trials, residuals.count >= model.minimumPoints + 2 else { return nil }
        let candidates = trials.enumerated().compactMap { index, trial in
            trial.map { (index: index, trial: $0) }
        }.filter { $0.trial.rmsOfRest.isFinite }
        guard let best = candidates.min(by: { $0.trial.rmsOfRest < $1.trial.rmsOfRest }) else { return nil }
        let all = rootMeanSquare(trials.compactMap { $0?.miss.pixels }) * metresPerPixel
        return 3 * best.trial.rmsOfRest <= all && best.trial.miss.pixels >= 2 ? best.index : nil
    }

    /// Why there is no fit, if errors of the points explain it.
    private static func reason(
        _ points: [ControlPoint], _ model: TransformModel?, keeping kept: KeptScale?, height: Int
    ) -> Failure? {
        let enabled = points.filter(\.isEnabled)
        let model = model ?? .standard(forPoints: enabled.count)
        let error = PointErrorSearch(enabled, model: model, keeping: kept, height: height)?
            .findWithoutFit()
        return error.map { Failure(.badInput, $0.message, remedy: $0.remedy) }
    }
}

/// The root of the mean of the squares.
func rootMeanSquare(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
}

extension ControlPointSample {
    /// The edge of a pixel by a similarity, if the model is rigid and there are points enough.
    fileprivate var measuredMetresPerPixel: Double? {
        guard model == .rigid, points.count > 1,
            case .affine(let free)? = try? TransformModel.similarity.fit(pixels, to: ground)
        else { return nil }
        return Point(x: free.a, y: free.d).length
    }

    fileprivate func residuals(
        _ transform: PixelTransform, _ inverse: PixelTransform, _ trials: [LeaveOneOut?]?
    ) -> [Residual] {
        points.indices.map { index in
            let leftOut = trials?[index]?.miss
            return Residual(
                point: points[index],
                miss: Residual.Miss(pixels[index], ground[index], by: transform, inverse),
                leftOut: leftOut?.metres.isFinite == true ? leftOut : nil)
        }
    }
}

extension PixelTransform {
    /// The sides of a pixel, from a point of the image to the right and down.
    fileprivate func pixelSides(at pixel: Point) -> (right: Point, down: Point) {
        let here = self(pixel)
        return (self(pixel + Point(x: 1, y: 0)) - here, self(pixel + Point(x: 0, y: 1)) - here)
    }
}

extension ControlPointFit {
    /// Refuses a transform that turns over within a part of the image, or at a control point.
    func checkFolds(of transform: CurvedTransform, in part: BoundingBox) throws {
        let points = residuals.map(\.point)
        let stray = points.first { !transform.place(of: $0.pixel).isFinite }
        guard let fold = stray?.pixel ?? transform.fold(in: part) else { return }
        throw Failure(
            .badInput,
            "the \(model.rawValue) fit folds the image over itself near column "
                + "\(fold.x.text(decimals: 0)), row \(fold.y.text(decimals: 0))",
            remedy: wayOut(near: fold, points))
    }

    private func wayOut(near fold: Point, _ points: [ControlPoint]) -> String {
        if let suspect {
            return "the control point '\(suspect.point.name)' is probably wrong: without it the "
                + "others agree at least three times better; --transform affine shows the residuals"
        }
        let nearest = points.sorted { $0.pixel.distance(to: fold) < $1.pixel.distance(to: fold) }[0]
        return
            "check '\(nearest.name)', the control point nearest to it, and its neighbours; "
            + "or add points there, leave that part out with --crop, or fit --transform affine"
    }
}

/// How far a fit misses one of its control points.
public struct Residual: Hashable, Sendable {
    /// The control point.
    public let point: ControlPoint
    /// The miss of the fit of all points.
    public let miss: Miss
    /// The leave-one-out miss, by the fit of all other points; nil if they do not fix a fit.
    public let leftOut: Miss?

    /// The distance between a point and its place.
    public struct Miss: Hashable, Sendable {
        /// On the image: from the point to where the fit sees its given place. x right, y down.
        public let pixelOffset: Point
        /// On the ground, in metres: from the given place to where the fit puts the point; x east,
        /// y north.
        public let groundOffset: Point

        /// A miss that is known.
        init(pixelOffset: Point, groundOffset: Point) {
            (self.pixelOffset, self.groundOffset) = (pixelOffset, groundOffset)
        }

        /// Measures by a transform from pixels to a plane, and by its inverse.
        init(
            _ pixel: Point, _ place: Point, by transform: PixelTransform, _ inverse: PixelTransform
        ) {
            pixelOffset = inverse(place) - pixel
            groundOffset = transform(pixel) - place
        }

        /// The miss in pixels; infinite if the place has no image.
        public var pixels: Double { pixelOffset.isFinite ? pixelOffset.length : .infinity }

        /// The miss on the ground in metres; infinite if the pixel has no place.
        public var metres: Double { groundOffset.isFinite ? groundOffset.length : .infinity }
    }
}

/// The nearest thing to a fit for control points that have none, for a picture that shows why.
package struct NearestFit: Sendable {
    /// The fit of the points that agree, or of all points by a model with less freedom.
    package let fit: ControlPointFit
    /// How far it misses the points that it leaves out because they are probably wrong.
    package let leftOut: [Residual]

    /// Looks for the nearest fit.
    ///
    /// - Parameters: as those of a `ControlPointFit`.
    /// - Returns: nil if there is no fit at all, or if nothing is wrong with the fit of all points.
    package init?(
        _ points: [ControlPoint], model: TransformModel?, keeping kept: KeptScale? = nil, width: Int,
        height: Int, crop: PixelWindow?
    ) {
        func fit(_ points: [ControlPoint], _ model: TransformModel) -> ControlPointFit? {
            try? ControlPointFit(
                points, model: model, keeping: kept, width: width, height: height, crop: crop)
        }
        let enabled = points.filter(\.isEnabled)
        let model = model ?? .standard(forPoints: enabled.count)
        if fit(enabled, model) != nil { return nil }
        let error = PointErrorSearch(enabled, model: model, keeping: kept, height: height)?.findWithoutFit()
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

import Platform
public import Tiling

/// A point of an image whose place on the Earth is known.
public struct ControlPoint: Hashable, Codable, Sendable {
    /// The point on the image, in pixels from its top-left corner.
    public var pixel: Point
    /// Its place, longitude and latitude in degrees on WGS 84.
    public var lonLat: Point
    /// The name in messages: `line 4`, or its numbers as they were typed.
    public var name: String
    /// Whether it takes part in fits.
    public var isEnabled: Bool

    /// Makes a control point.
    public init(pixel: Point, lonLat: Point, name: String, isEnabled: Bool = true) {
        self.pixel = pixel
        self.lonLat = lonLat
        self.name = name
        self.isEnabled = isEnabled
    }

    /// Reads `COL,ROW,LON,LAT`, as on a command line.
    ///
    /// - Throws: a `Failure` of kind `usage` that quotes the text.
    public init(parsing text: String) throws {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = fields.compactMap { Double($0.filter { !$0.isWhitespace }) }
        guard fields.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite) else {
            throw Failure(
                .usage, "'\(text.shortened)' is not a control point",
                remedy: "write COL,ROW,LON,LAT, in decimal degrees: 120.5,80,8.5417,47.3769")
        }
        let lonLat = Point(x: numbers[2], y: numbers[3])
        try Georeference.checkPlace(lonLat, of: "control point '\(text)'")
        self.init(pixel: Point(x: numbers[0], y: numbers[1]), lonLat: lonLat, name: text)
    }
}

/// The control points that take part in a fit, in pixels and in metres of the plane around them.
struct ControlPointSample {
    /// The points that are enabled.
    let points: [ControlPoint]
    /// The family of transforms to fit by.
    let model: TransformModel
    /// The scale that a rigid transform keeps.
    let kept: KeptScale?
    /// The plane around the points.
    let plane: LocalPlane
    /// The points' positions on the image.
    let pixels: [Point]
    /// The points' positions on the plane, in metres.
    let ground: [Point]

    /// Takes the points that are enabled; refuses points that fix no transform.
    init(_ points: [ControlPoint], model: TransformModel?, keeping kept: KeptScale? = nil) throws {
        self.points = points.filter(\.isEnabled)
        self.model = model ?? .standard(forPoints: self.points.count)
        self.kept = kept
        if self.points.count != 1 || kept?.bearing == nil || self.model != .rigid {
            try ControlPointSample.checkCount(self.points.count, points.count, self.model)
        }
        try self.points.forEach(ControlPointSample.checkNumbers)
        let lonLat = self.points.map(\.lonLat).unwrapped
        plane = LocalPlane(around: lonLat)
        pixels = self.points.map(\.pixel)
        ground = try plane.points(ofLonLat: lonLat)
        try checkDuplicates(pixels, grid: 0.01, "pixel")
        try checkDuplicates(ground, grid: 0.001, "place")
        if !self.model.keepsAngles {
            try ControlPointSample.checkSpread(pixels, "on the image")
            try ControlPointSample.checkSpread(ground, "on the ground")
        }
    }

    private static func checkNumbers(_ point: ControlPoint) throws {
        let numbers = [point.pixel.x, point.pixel.y, point.lonLat.x, point.lonLat.y]
        guard numbers.allSatisfy(\.isFinite), -90...90 ~= point.lonLat.y else {
            throw Failure(.badInput, "the control point '\(point.name)' is nowhere on the Earth")
        }
    }

    private static func checkCount(_ count: Int, _ all: Int, _ model: TransformModel) throws {
        guard count >= model.minimumPoints else {
            let disabled = all > count ? " (\(all - count) are switched off)" : ""
            throw Failure(
                .badInput,
                "the \(model.rawValue) fit needs \(model.minimumPoints) control points, but there "
                    + "\(count == 1 ? "is" : "are") \(count)\(disabled)")
        }
    }

    /// Two points in one cell of a grid, a hundredth of a pixel or a millimetre wide, are duplicates.
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

    private static func checkSpread(_ places: [Point], _ side: String) throws {
        if places.areSpread { return }
        throw Failure(
            .badInput, "the control points lie on one line \(side)",
            remedy: "add a point off the line, or fit a similarity: --transform similarity")
    }
}

/// A fit without one of its points.
struct LeaveOneOut {
    /// The root mean square distance in metres by which the fit misses the other points. A spline meets
    /// all its points; the miss of each is then that of a fit which lacks this point as well.
    let rmsOfRest: Double
    /// How far the fit misses the point that was left out.
    let miss: Residual.Miss
}

extension ControlPointSample {
    /// The fits without each point in turn; an element is nil if the other points do not fix a fit. The whole
    /// result is nil if no point can be spared, or if there are too many points.
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
        guard others.areSpread || model.keepsAngles,
            let transform = try? model.fit(others, to: places, keeping: kept), let inverse = transform.inverse
        else { return nil }
        let misses = zip(others, places).map { (transform($0) - $1).length }
        return LeaveOneOut(
            rmsOfRest: rootMeanSquare(misses),
            miss: Residual.Miss(pixels[index], ground[index], by: transform, inverse))
    }

    /// A spline needs no further fits, only the inverse of its system.
    private func withoutEach(
        of spline: ThinPlateSpline, in transform: CurvedTransform
    ) -> [LeaveOneOut?]? {
        guard let omissions = ThinPlateSpline.Omissions(of: spline) else { return nil }
        // Values of the spline are normalised: 1 is the points' spread.
        let metres = Normalisation(ground).spread
        return pixels.indices.map { index in
            var others = Array(pixels.indices)
            others.remove(at: index)
            guard others.map({ pixels[$0] }).areSpread, others.map({ ground[$0] }).areSpread else {
                return nil
            }
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

import Platform
import Tiling

/// Known places of a measure: their positions on the Earth and in the unit square of a viewport.
struct KnownPlaces {
    /// Latitude as y, longitude as x; or northing and easting.
    private let ground: [Point]
    private let square: [Point]
    private let title: String

    /// The allowed numbers of places. Three make an affine transform; most maps have four, some a grid.
    private static let counts = 3...10_000

    /// Takes `GPTS` and `LPTS`.
    ///
    /// - Throws: a `Failure` of kind `badInput` if they do not form pairs, or are too few.
    init(ground: [Double]?, square: [Double]?, title: String) throws {
        guard let ground, let square else {
            let missing = ground == nil ? "GPTS" : "LPTS"
            throw Failure(.badInput, "its \(title) has no \(missing), which its control points need")
        }
        let count = ground.count / 2
        guard ground.count.isMultiple(of: 2), ground.count == square.count else {
            throw Failure(
                .badInput,
                "its \(title) has \(ground.count) numbers in GPTS and \(square.count) in LPTS, which do not "
                    + "form pairs")
        }
        guard Self.counts.contains(count) else {
            throw Failure(
                .badInput,
                "its \(title) has \(count) control points instead of \(Self.counts.lowerBound) to "
                    + "\(Self.counts.upperBound)")
        }
        self.ground = PagePolygon.points(ground).map { Point(x: $0.y, y: $0.x) }
        self.square = PagePolygon.points(square)
        self.title = title
        guard self.ground.count == count, self.square.count == count else {
            throw Failure(.badInput, "its \(title) has control points that are not numbers")
        }
    }

    /// The affine transform that meets the places best.
    ///
    /// A measure with a geographic system may describe a sheet that is drawn in another, unnamed system. If
    /// the corners of a map do not meet an affine transform of degrees, Web Mercator and a conformal plane
    /// are tried, too.
    ///
    /// - Parameters:
    ///   - squareToPage: from the unit square to points of the page.
    ///   - crs: the system that the measure names.
    /// - Throws: a `Failure` of kind `badInput` if the places lie on a line, or do not form a map.
    func fit(onto squareToPage: AffineTransform, crs: CRS) throws -> GroundFit {
        let page = square.map { squareToPage($0) }
        guard page.allSatisfy(\.isFinite), !page.lieOnLine(within: 1e-3) else { throw onLine }
        var trials = try trials(in: crs)[...]
        guard let first = trials.popFirst() else { throw onLine }
        var best: GroundFit
        do { best = try GroundFit(page, to: first.coordinates(), crs: first.crs) } catch let failure
            as Failure
        {
            throw failure.about(title)
        }
        for trial in trials where !best.isGood {
            let fit = try? GroundFit(page, to: trial.coordinates(), crs: trial.crs)
            if let fit, fit.isBetter(than: best) { best = fit }
        }
        try best.checkMiss(of: page, title)
        return best
    }

    private var onLine: Failure { Failure(.badInput, "the control points of its \(title) lie on one line") }

    /// A system in which a map may be drawn, and the places' coordinates in it.
    private typealias Trial = (crs: CRS, coordinates: () throws -> [Point])

    /// The systems to try, starting with the measure's own.
    private func trials(in crs: CRS) throws -> [Trial] {
        guard let fullTurn = crs.fullTurn else { return try projectedTrials(in: crs) }
        try checkDegrees(fullTurn: fullTurn)
        let scale = 360 / fullTurn
        let connected = ground.map { $0 * scale }.unwrapped.map { $0 * (1 / scale) }
        let variants = connected == ground ? [ground] : [ground, connected]
        return variants.map { places in (crs, { places }) } + drawnTrials(of: connected, in: crs)
    }

    /// The systems in which a sheet with places in degrees may be drawn.
    private func drawnTrials(of places: [Point], in crs: CRS) -> [Trial] {
        var lonLat = places
        guard let conversion = try? CRSConversion(crs) else { return [] }
        conversion.lonLat(of: &lonLat)
        guard lonLat.allSatisfy(\.isPlace) else { return [] }
        let (lonLats, plane) = (lonLat, LocalPlane(around: lonLat))
        return [
            (.webMercator, { lonLats.map(WebMercator.metres) }),
            (CRS(plane), { try plane.points(ofLonLat: lonLats) }),
        ]
    }

    /// Latitudes and longitudes of the underlying geographic system. Some writers store northings and
    /// eastings instead; readers such as GDAL recognise them by their size.
    private func projectedTrials(in crs: CRS) throws -> [Trial] {
        guard ground.allSatisfy({ abs($0.y) <= 91 && abs($0.x) <= 361 }) else { return [(crs, { ground })] }
        var coordinates = ground
        try crs.project(&coordinates)
        if let lost = coordinates.firstIndex(where: { !$0.isFinite }) {
            throw Failure(
                .badInput,
                "its \(title) has a place at latitude \(ground[lost].y.shortText), longitude "
                    + "\(ground[lost].x.shortText), which \(crs.name) does not cover")
        }
        let trial: Trial = (crs, { coordinates })
        let connected = ground.unwrapped
        guard crs == .webMercator, connected != ground else { return [trial] }
        return [trial, (crs, { connected.map(WebMercator.metres) })]
    }

    private func checkDegrees(fullTurn: Double) throws {
        guard let wrong = ground.first(where: { abs($0.y) > fullTurn / 4 || abs($0.x) > fullTurn * 1.5 })
        else { return }
        throw Failure.unclearSystem(
            "its \(title) has a place at \(wrong.y.shortText), \(wrong.x.shortText), which is not a latitude "
                + "and a longitude")
    }
}

extension Failure {
    /// The failure with the name of the page's part.
    fileprivate func about(_ title: String) -> Failure {
        Failure(kind, "the control points of its \(title) do not form a map: \(message)", remedy: remedy)
    }
}

/// The affine transform of a page that meets known places best, and its errors.
struct GroundFit {
    /// From points of the page to coordinates.
    let georeference: Georeference
    /// The largest distance between a known place and its position by the transform, in points of the page.
    let worstMiss: Double
    /// Whether the map is a mirror image.
    let isMirrored: Bool

    /// Fits coordinates to points of a page by least squares of the distances in coordinates.
    ///
    /// - Throws: a `Failure` of kind `badInput` if the points or the coordinates lie on a line.
    init(_ page: [Point], to coordinates: [Point], crs: CRS) throws {
        guard coordinates.allSatisfy(\.isFinite), !coordinates.lieOnLine(within: 1e-6) else {
            throw Self.onLine
        }
        let transform = try AffineTransform(fitting: page, to: coordinates)
        guard transform.isFinite, let inverse = transform.inverse, inverse.isFinite else {
            throw Self.onLine
        }
        georeference = Georeference(crs: crs, pixelToCRS: .affine(transform))
        worstMiss = zip(page, coordinates).map { inverse($1).distance(to: $0) }.reduce(0, max)
        // The page's y runs down, the coordinates' y up.
        isMirrored = transform.determinant > 0
        guard worstMiss.isFinite else { throw Self.onLine }
    }

    private static let onLine = Failure(.badInput, "they lie on one line on the ground")

    /// The largest miss of an exact fit, in points: a tenth of a pixel at 150 pixels to the inch.
    private static let exact = 0.05

    /// Whether no other fit needs to be tried.
    var isGood: Bool { worstMiss <= Self.exact && !isMirrored }

    /// Whether it is clearly better: the other fit misses by more than twice as much, or only the other fit
    /// is a mirror image, as happens across the antimeridian if longitudes are not unwrapped.
    func isBetter(than other: GroundFit) -> Bool {
        if isMirrored != other.isMirrored {
            return other.isMirrored && worstMiss <= max(other.worstMiss, Self.exact)
        }
        return worstMiss < other.worstMiss / 2 && other.worstMiss > Self.exact
    }

    /// Refuses a fit that misses a place by more than a fiftieth of the places' extent: then the places are
    /// in the wrong order, or belong to another map. GDAL accepts any fit.
    func checkMiss(of page: [Point], _ title: String) throws {
        guard let box = BoundingBox(around: page) else { return }
        let size = (box.width * box.width + box.height * box.height).squareRoot()
        guard worstMiss > size / 50 else { return }
        let miss =
            worstMiss < size
            ? "by \(worstMiss.rounded().shortText) pt (1/72 inch) on a map of \(size.rounded().shortText) pt"
            : "by more than the size of the map"
        throw Failure(
            .badInput,
            "the control points of its \(title) do not fit one map: the best fit misses one \(miss)",
            remedy: "place it with --gcp, --corners or --bounds")
    }

    /// Warnings for the user, a clause each. A point is about the width of a line in a drawing.
    func warnings(_ title: String) -> [String] {
        var warnings: [String] = []
        if worstMiss > 1 {
            warnings.append(
                "the best fit meets the control points of its \(title) within \(worstMiss.tenths) pt "
                    + "(\((worstMiss * 25.4 / 72).tenths) mm on the sheet)")
        }
        if isMirrored { warnings.append("its \(title) mirrors the map") }
        return warnings
    }
}

extension Double {
    /// The number with one decimal; large numbers in scientific notation.
    fileprivate var tenths: String { ((self * 10).rounded() / 10).shortText }
}

extension [Point] {
    /// Whether all points lie on a line, within a fraction of their distances.
    func lieOnLine(within fraction: Double) -> Bool {
        if isEmpty { return true }
        let form = Normalisation(self)
        guard form.spread > 0, form.spread.isFinite else { return true }
        // The two moments sum up to the count.
        let smaller = Swift.max(0, map { form($0) }.principalMoments.smaller)
        return !((smaller / Double(count)).squareRoot() > fraction)
    }
}

import Platform
import Tiling

/// Places of a measure: where they lie on the Earth and in the unit square of a viewport.
struct KnownPlaces {
    /// Latitude as y, longitude as x; or northing and easting.
    private let ground: [Point]
    private let square: [Point]
    private let title: String

    /// Three make an affine transform; most maps have four, some a grid.
    private static let counts = 3...10_000

    /// Takes `GPTS` and `LPTS`.
    ///
    /// - Throws: a `Failure` of kind `badInput` if they are not pairs of each other, or too few.
    init(ground: [Double]?, square: [Double]?, title: String) throws {
        guard let ground, let square else {
            let missing = ground == nil ? "GPTS" : "LPTS"
            throw Failure(.badInput, "its \(title) has no \(missing): nothing says where its places lie")
        }
        let count = ground.count / 2
        guard ground.count.isMultiple(of: 2), ground.count == square.count else {
            throw Failure(
                .badInput,
                "its \(title) has \(ground.count) numbers in GPTS and \(square.count) in LPTS, which are not "
                    + "pairs of each other")
        }
        guard Self.counts.contains(count) else {
            throw Failure(
                .badInput,
                "its \(title) has \(count) known places, where \(Self.counts.lowerBound) to "
                    + "\(Self.counts.upperBound) are meant")
        }
        self.ground = PagePolygon.points(ground).map { Point(x: $0.y, y: $0.x) }
        self.square = PagePolygon.points(square)
        self.title = title
        guard self.ground.count == count, self.square.count == count else {
            throw Failure(.badInput, "its \(title) has known places that are not numbers")
        }
    }

    /// The affine transform that meets the places best.
    ///
    /// A geographic system may stand for a sheet that is drawn in another one, which is not told: a map whose
    /// corners do not meet an affine transform of degrees is tried as one of Web Mercator and of a
    /// conformal plane.
    ///
    /// - Parameters:
    ///   - squareToPage: from the unit square to points of the page.
    ///   - crs: the system that the measure names.
    /// - Throws: a `Failure` of kind `badInput` if the places lie on a line, or do not make a map.
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

    private var onLine: Failure { Failure(.badInput, "the known places of its \(title) lie on one line") }

    /// A system that a map may be drawn in, and how the places come into it.
    private typealias Trial = (crs: CRS, coordinates: () throws -> [Point])

    /// The system that is named comes first.
    private func trials(in crs: CRS) throws -> [Trial] {
        guard let fullTurn = crs.fullTurn else { return try projectedTrials(in: crs) }
        try checkDegrees(fullTurn: fullTurn)
        let scale = 360 / fullTurn
        let connected = ground.map { $0 * scale }.unwrapped.map { $0 * (1 / scale) }
        let variants = connected == ground ? [ground] : [ground, connected]
        return variants.map { places in (crs, { places }) } + drawnTrials(of: connected, in: crs)
    }

    /// The systems that a sheet may be drawn in whose places are in degrees.
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

    /// Latitudes and longitudes of the system's own geographic one. Some writers have its northings and
    /// eastings instead, which readers tell by their size, as GDAL does.
    private func projectedTrials(in crs: CRS) throws -> [Trial] {
        guard ground.allSatisfy({ abs($0.y) <= 91 && abs($0.x) <= 361 }) else { return [(crs, { ground })] }
        var coordinates = ground
        try crs.project(&coordinates)
        if let lost = coordinates.firstIndex(where: { !$0.isFinite }) {
            throw Failure(
                .badInput,
                "its \(title) has a place at latitude \(ground[lost].y.shortText), longitude "
                    + "\(ground[lost].x.shortText), which \(crs.name) does not reach")
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
    /// The same about a part of a page.
    fileprivate func about(_ title: String) -> Failure {
        Failure(kind, "the known places of its \(title) make no map: \(message)", remedy: remedy)
    }
}

/// The affine transform of a page that meets known places best, and how well.
struct GroundFit {
    /// From points of the page to coordinates.
    let georeference: Georeference
    /// Points of the page between a place and where the transform has it, of the place that is missed most.
    let worstMiss: Double
    /// Whether the map is a mirror image.
    let isMirrored: Bool

    /// Fits coordinates to points of a page, with the least squares of distances in coordinates.
    ///
    /// - Throws: a `Failure` of kind `badInput` if either lie on a line.
    init(_ page: [Point], to coordinates: [Point], crs: CRS) throws {
        guard coordinates.allSatisfy(\.isFinite), !coordinates.lieOnLine(within: 1e-6) else {
            throw Failure(.badInput, "they lie on one line on the ground")
        }
        let transform = try AffineTransform(fitting: page, to: coordinates)
        guard transform.isFinite, let inverse = transform.inverse, inverse.isFinite else {
            throw Failure(.badInput, "they lie on one line on the ground")
        }
        georeference = Georeference(crs: crs, pixelToCRS: .affine(transform))
        worstMiss = zip(page, coordinates).map { inverse($1).distance(to: $0) }.reduce(0, max)
        // The page's y runs down, and that of coordinates up.
        isMirrored = transform.determinant > 0
        guard worstMiss.isFinite else { throw Failure(.badInput, "they lie on one line on the ground") }
    }

    /// Within a tenth of a pixel at 150 to the inch.
    private static let exact = 0.05

    /// Whether no other needs to be looked for.
    var isGood: Bool { worstMiss <= Self.exact && !isMirrored }

    /// Whether it is clearly better: the other one misses twice as far, or is a mirror image without need, as a map on
    /// both sides of the antimeridian is whose longitudes are taken as they are.
    func isBetter(than other: GroundFit) -> Bool {
        if isMirrored != other.isMirrored {
            return other.isMirrored && worstMiss <= max(other.worstMiss, Self.exact)
        }
        return worstMiss < other.worstMiss / 2 && other.worstMiss > Self.exact
    }

    /// Refuses a fit that misses a place by more than a fiftieth of what lies between the places: then they are
    /// in another order than they say, or of another map. GDAL takes any fit.
    func checkMiss(of page: [Point], _ title: String) throws {
        guard let box = BoundingBox(around: page) else { return }
        let size = (box.width * box.width + box.height * box.height).squareRoot()
        guard worstMiss > size / 50 else { return }
        let miss =
            worstMiss < size
            ? "by \(worstMiss.rounded().shortText) points of a map of \(size.rounded().shortText)"
            : "by more than the map is large"
        throw Failure(
            .badInput,
            "the known places of its \(title) are not those of one map: the best that meets them misses one \(miss)",
            remedy: "say where it lies with --gcp, --corners or --bounds")
    }

    /// What the user should know, a clause each. A point is the width of a line of a drawing.
    func warnings(_ title: String) -> [String] {
        var warnings: [String] = []
        if worstMiss > 1 {
            warnings.append(
                "the known places of its \(title) are met within \(worstMiss.tenths) points "
                    + "(\((worstMiss * 25.4 / 72).tenths) mm on the sheet)")
        }
        if isMirrored { warnings.append("by its \(title) the map is a mirror image") }
        return warnings
    }
}

extension Double {
    /// The number with one decimal, and huge ones in short.
    fileprivate var tenths: String { ((self * 10).rounded() / 10).shortText }
}

extension [Point] {
    /// Whether all points lie on a line, to a fraction of how far they lie apart.
    func lieOnLine(within fraction: Double) -> Bool {
        if isEmpty { return true }
        let form = Normalisation(self)
        guard form.spread > 0, form.spread.isFinite else { return true }
        // The two moments sum up to the count.
        let smaller = Swift.max(0, map { form($0) }.principalMoments.smaller)
        return !((smaller / Double(count)).squareRoot() > fraction)
    }
}

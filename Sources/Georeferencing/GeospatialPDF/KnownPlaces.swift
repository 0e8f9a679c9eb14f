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
        guard lonLat.allSatisfy({ abs($0.y) <= 90 && abs($0.x) <= 540 }) else { return [] }
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
        try CRSProjection(crs).coordinates(ofBase: &coordinates)
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
        throw Failure(
            .badInput,
            "its \(title) has a place at \(wrong.y.shortText), \(wrong.x.shortText), which is not a latitude "
                + "and a longitude",
            remedy: "name the system of its coordinates: --crs EPSG:n")
    }
}

extension Failure {
    /// The same about a part of a page.
    fileprivate func about(_ title: String) -> Failure {
        Failure(kind, "the known places of its \(title) make no map: \(message)", remedy: remedy)
    }
}

import Platform
import Tiling

/// The exact part of an image mapping: from a pixel through the georeference and its CRS to Web Mercator
/// metres, and back.
struct ExactMapping: Sendable {
    let crs: CRS
    private var pixelToCRS: PixelTransform
    private var crsToPixel: PixelTransform
    let conversion: CRSConversion
    /// Longitudes of the image are within half a turn of these Mercator metres; nil if the pixel transform
    /// alone keeps the image in one piece.
    private var referenceX: Double?
    /// x of the image's centre, around which longitudes are kept in a geographic CRS that PROJ converts.
    private let centreX: Double
    /// How the image's columns lead around the world; nil if they do not.
    private(set) var turn: WorldTurn?
    /// The image's middle; if a part of its rim is not on the Earth, the middle of the part on the Earth.
    private(set) var middle: Point
    /// Whether a part of the image's rim is not on the Earth.
    private(set) var leavesEarth = false
    /// How far coordinates may be from what they become on the way to their place and back, if the place is
    /// on the Earth.
    let coordinateTolerance: Double

    /// Checks a georeference and shifts it so that the image starts within the world.
    init(_ georeference: Georeference, width: Int, height: Int) throws {
        crs = georeference.crs
        let corners = PixelTransform.corners(width: width, height: height)
        let checked = try georeference.checkedTransform(corners: corners)
        pixelToCRS =
            crs.isOwnArithmetic
            ? try checked.startingInWorld(of: crs, corners: corners) : checked
        guard let inverse = pixelToCRS.inverse else { throw ExactMapping.flattened }
        crsToPixel = inverse
        conversion = try CRSConversion(crs)
        middle = Point(x: Double(width) / 2, y: Double(height) / 2)
        centreX = pixelToCRS(middle).x
        referenceX = nil
        coordinateTolerance = Self.toleratedShare * checked(corners[0]).distance(to: checked(corners[2]))
        if crs.isOwnArithmetic {
            turn = WorldTurn(of: self, width: width, height: height)
        } else {
            try unwrap(corners, width: width, height: height)
        }
    }

    /// The tolerated error of coordinates, as a share of the image's diagonal. Some projections are not
    /// inverted exactly far from their centre; coordinates without a place lead to another side of the world.
    private static let toleratedShare = 0.01

    /// See `ImageMapping.inPixels`.
    func inPixels(_ change: AffineTransform) -> ExactMapping {
        var projection = self
        projection.pixelToCRS = pixelToCRS.preceded(by: change.reversed)
        projection.crsToPixel = crsToPixel.followed(by: change)
        projection.turn = turn?.inPixels(change)
        projection.middle = change(middle)
        return projection
    }

    /// See `ImageMapping.movedEast`.
    func movedEast(turns: Double) -> ExactMapping {
        var projection = self
        if crs.isOwnArithmetic {
            let way = turns * (crs.fullTurn ?? WebMercator.world)
            projection.pixelToCRS = pixelToCRS.followed(by: .translation(x: way, y: 0))
            projection.crsToPixel = crsToPixel.preceded(by: .translation(x: -way, y: 0))
        } else {
            projection.referenceX? += turns * WebMercator.world
        }
        return projection
    }

    /// Chooses the longitudes of the image: around its middle, with its western corner within the world.
    private mutating func unwrap(_ corners: [Point], width: Int, height: Int) throws {
        leavesEarth = isProjected && !isOnEarth(Self.rim(corners)).allSatisfy { $0 }
        if leavesEarth {
            guard let found = middlePixelOnEarth(width: width, height: height) else {
                throw ExactMapping.nowhere(crs)
            }
            middle = found
        }
        referenceX = mercator(ofImage: middle).x
        guard referenceX?.isFinite == true else { throw ExactMapping.nowhere(crs) }
        if leavesEarth { return }
        var points = corners
        mercatorPoints(ofImage: &points)
        guard let west = points.map(\.x).filter(\.isFinite).min() else {
            throw ExactMapping.nowhere(crs)
        }
        referenceX? -= WebMercator.world * turns(toStartAt: west, world: WebMercator.world)
        turn = WorldTurn(of: self, width: width, height: height)
    }

    /// Places the image within half a turn of some Mercator metres.
    mutating func unwrap(around reference: Double) { referenceX = reference }

    /// The corners of an image, and three points on each edge between them.
    private static func rim(_ corners: [Point]) -> [Point] {
        corners.indices.flatMap { index in
            [0, 0.25, 0.5, 0.75].map {
                corners[index] + (corners[(index + 1) % corners.count] - corners[index]) * $0
            }
        }
    }

    /// The refusal of an image without an area.
    static let flattened = Failure(
        .badInput, "the image's position squeezes it into a line",
        remedy: "check the world file, tags or points that place it")

    /// The refusal of an image whose coordinates PROJ cannot place.
    static func nowhere(_ crs: CRS) -> Failure {
        Failure(
            .badInput,
            "the image is nowhere on the map: its coordinates are not places in \(crs.name)",
            remedy: "check --crs: the coordinates may belong to another coordinate reference system"
        )
    }

    /// See `ImageMapping.imagePoints`.
    func imagePoints(ofMercator points: inout [Point]) {
        conversion.coordinates(ofMercator: &points)
        bringNear(&points)
        points.apply { crsToPixel($0) }
    }

    /// Coordinates of pixels, and the coordinates to which their places lead back; (nan, nan) for the latter
    /// if a point has no place.
    func coordinatesThereAndBack(ofImage pixels: [Point]) -> (there: [Point], back: [Point]) {
        let coordinates = pixels.map { pixelToCRS($0) }
        var back = coordinates
        conversion.lonLat(of: &back)
        conversion.coordinates(ofLonLat: &back)
        bringNear(&back)
        return (coordinates, back)
    }

    /// Pixels of places in Mercator metres, and the places to which their coordinates lead back. If a place
    /// has no coordinates, both are (nan, nan).
    func imagePointsThereAndBack(ofMercator places: [Point]) -> (there: [Point], back: [Point]) {
        var points = places
        conversion.coordinates(ofMercator: &points)
        var back = points
        conversion.mercator(of: &back)
        bringNear(&points)
        points.apply { crsToPixel($0) }
        return (points, back)
    }

    /// Brings longitudes to within half a turn of the image's centre.
    private func bringNear(_ coordinates: inout [Point]) {
        if let fullTurn = crs.fullTurn, !crs.isOwnArithmetic {
            coordinates.apply { Point(x: $0.x.nearest(to: centreX, modulo: fullTurn), y: $0.y) }
        }
    }

    /// Which poles are inside the image.
    func poles(width: Int, height: Int) -> (north: Bool, south: Bool) {
        var points = [90.0, -90].map { WebMercator.metres(Point(x: 0, y: $0)) }
        imagePoints(ofMercator: &points)
        let image = BoundingBox(width: width, height: height)
        return (image.includes(points[0]), image.includes(points[1]))
    }

    /// See `ImageMapping.mercatorPoints`.
    func mercatorPoints(ofImage points: inout [Point]) {
        let columns = turn == nil ? [] : points.map(\.x)
        points.apply { pixelToCRS($0) }
        conversion.mercator(of: &points)
        if let turn {
            for index in points.indices {
                points[index].bringNear(turn.metres(column: columns[index]))
            }
        } else if let referenceX {
            for index in points.indices { points[index].bringNear(referenceX) }
        }
    }

    /// The difference between two nearby places of the image, even if the longitudes wrap around between
    /// them.
    func way(from start: Point, to end: Point) -> Point {
        var way = end - start
        if referenceX != nil { way.bringNear(0) }
        return way
    }

    /// The Mercator metres of one pixel position.
    func mercator(ofImage point: Point) -> Point {
        var points = [point]
        mercatorPoints(ofImage: &points)
        return points[0]
    }

    /// Whether the image's edges are straight lines in Mercator metres.
    var keepsLinesStraight: Bool {
        if case .general = shape { return crs == .webMercator && !isCurved }
        return true
    }

    /// Whether the pixel transform bends lines.
    var isCurved: Bool { !pixelToCRS.keepsLinesStraight }

    /// Whether the coordinates are those of a projection from the input: not degrees, and not a plane around
    /// control points.
    private var isProjected: Bool {
        if case .text = crs.definition { !crs.isGeographic } else { false }
    }

    /// The kind of mapping from Mercator metres to pixels.
    var shape: ImageMapping.Shape {
        guard case .affine(let inverse) = crsToPixel, crs.isOwnArithmetic else { return .general }
        guard inverse.b == 0, inverse.d == 0 else {
            return crs == .webMercator ? .affine(inverse) : .general
        }
        if crs == .webMercator {
            return .separable(
                column: AxisMapping(kind: .linear, scale: inverse.a, offset: inverse.c),
                row: AxisMapping(kind: .linear, scale: inverse.e, offset: inverse.f))
        }
        let perMetre = inverse.a * WebMercator.longitude(metres: 1)
        return .separable(
            column: AxisMapping(kind: .linear, scale: perMetre, offset: inverse.c),
            row: AxisMapping(kind: .latitude, scale: inverse.e, offset: inverse.f))
    }
}

extension CRS {
    /// Whether the CRS is converted without PROJ.
    var isOwnArithmetic: Bool { self == .webMercator || self == .wgs84 }
}

extension Point {
    /// Moves Mercator metres by whole turns to within half a turn of a reference.
    fileprivate mutating func bringNear(_ reference: Double) {
        x = x.nearest(to: reference, modulo: WebMercator.world)
    }
}

extension Double {
    /// The same position on a circle, at most half a turn from a reference.
    func nearest(to reference: Double, modulo turn: Double) -> Double {
        self + turn * ((reference - self) / turn).rounded()
    }
}

extension ExactMapping {
    /// The edge of a pixel in the middle of the image, as the root of its area in Mercator metres and in
    /// metres on the ground. If the middle is beyond the world's square, it is measured at the centre of the
    /// outline.
    func cellSize(width: Int, height: Int, outline: [Point]) throws -> (mercator: Double, ground: Double) {
        var centre = middle
        if abs(mercator(ofImage: centre).y) > WebMercator.halfWorld,
            let box = BoundingBox(around: outline)
        {
            var points = [box.center]
            imagePoints(ofMercator: &points)
            centre = points[0]
        }
        let step = max(1, Double(min(width, height)) / 256)
        var area = abs(mercatorArea(at: centre, step: step))
        // The middle may be surrounded by only a few pixels of the Earth.
        if leavesEarth, !area.isFinite { area = abs(mercatorArea(at: centre, step: step / 16)) }
        guard area > 0, area.isFinite else { throw ExactMapping.flattened }
        let latitude = WebMercator.latitude(metres: mercator(ofImage: centre).y)
        return (area.squareRoot(), area.squareRoot() * Self.groundScale(latitude: latitude))
    }

    /// Metres on the WGS 84 ellipsoid per Mercator metre, as the mean of both axes.
    ///
    /// Along a parallel it is `N cos(latitude) / R`, along a meridian `M cos(latitude) / R`, with
    /// the radii of curvature in the prime vertical and in the meridian.
    private static func groundScale(latitude: Double) -> Double {
        let flattening = 1 / 298.257_223_563
        let squaredEccentricity = flattening * (2 - flattening)
        let phi = latitude * .pi / 180
        let w = 1 - squaredEccentricity * sin(phi) * sin(phi)
        // N / R = 1 / sqrt(w) and M / R = (1 - e^2) / sqrt(w)^3, so sqrt(N M) / R:
        return (1 - squaredEccentricity).squareRoot() / w * cos(phi)
    }

    /// The signed area of a pixel in square Mercator metres: the Jacobian by central differences. They are a
    /// few pixels wide, so that rounding has no effect.
    func mercatorArea(at pixel: Point, step: Double) -> Double {
        var points = [
            pixel - Point(x: step, y: 0), pixel + Point(x: step, y: 0),
            pixel - Point(x: 0, y: step), pixel + Point(x: 0, y: step),
        ]
        mercatorPoints(ofImage: &points)
        return way(from: points[0], to: points[1]).cross(way(from: points[2], to: points[3]))
            / (4 * step * step)
    }
}

import CGeodesy
import Platform
import Synchronization
package import Tiling

/// Turns coordinates of a CRS into longitudes and latitudes in degrees on WGS 84 and into Web
/// Mercator metres, and back. Safe to share between threads.
///
/// Web Mercator and WGS 84 are plain arithmetic and never use PROJ.
package struct CRSConversion: Sendable {
    private enum Method {
        case webMercator
        case wgs84
        case proj(SharedOperation)
    }

    private let method: Method

    /// Prepares the conversion; reads PROJ's database for a CRS that has a datum to look up.
    package init(_ crs: CRS) throws {
        method =
            switch crs.definition {
            case .webMercator: .webMercator
            case .wgs84: .wgs84
            case .localPlane(let plane): .proj(SharedOperation(try plane.operation()))
            case .text(let text): .proj(try CRSConversion.operation(from: text))
            }
    }

    /// The operations by definition. Hundreds of sheets share one, and finding the best takes PROJ tens of
    /// milliseconds.
    private static let operations = Mutex<[String: SharedOperation]>([:])

    private static func operation(from text: String) throws -> SharedOperation {
        if let known = operations.withLock({ $0[text] }) { return known }
        let operation = SharedOperation(
            try UTMZone(text).map { try PROJOperation(pipeline: $0.pipeline) } ?? PROJOperation(from: text))
        operations.withLock { $0[text] = operation }
        return operation
    }

    /// Coordinates of the CRS to degrees, in place; a point that cannot be converted becomes (nan, nan).
    package func lonLat(of points: inout [Point]) {
        switch method {
        case .webMercator: points.apply(WebMercator.lonLat)
        case .wgs84: break
        case .proj(let shared): shared.operation.withLock { $0.transform(&points, PJ_FWD) }
        }
    }

    /// Degrees to coordinates of the CRS, in place; a point that cannot be converted becomes (nan, nan).
    package func coordinates(ofLonLat points: inout [Point]) {
        switch method {
        case .webMercator: points.apply(WebMercator.metres)
        case .wgs84: break
        case .proj(let shared): shared.operation.withLock { $0.transform(&points, PJ_INV) }
        }
    }

    /// Whether it is the Mercator projection of an ellipsoid: its eastings are those of Web Mercator, its
    /// northings differ.
    var isEllipsoidalMercator: Bool {
        let place = Point(x: 10, y: 50)
        var points = [place]
        coordinates(ofLonLat: &points)
        let sphere = WebMercator.metres(place)
        // A datum may be 2 km off, and northings are 33 km off here.
        return abs(points[0].x - sphere.x) < 2000 && (2000..<100_000).contains(abs(points[0].y - sphere.y))
    }

    /// Coordinates of the CRS to Mercator metres, in place.
    package func mercator(of points: inout [Point]) {
        if case .webMercator = method { return }
        lonLat(of: &points)
        points.apply(WebMercator.metres)
    }

    /// Mercator metres to coordinates of the CRS, in place.
    package func coordinates(ofMercator points: inout [Point]) {
        if case .webMercator = method { return }
        points.apply(WebMercator.lonLat)
        coordinates(ofLonLat: &points)
    }

    /// The accuracy of the CRS's datum shift to WGS 84 at a place in degrees, in metres. Infinite if PROJ has
    /// only a ballpark shift; nil if there is no shift, or PROJ does not state its accuracy.
    package func accuracy(atLonLat place: Point) -> Double? {
        guard case .proj(let shared) = method else { return nil }
        return shared.operation.withLock { $0.accuracy(atLonLat: place) }
    }

    /// The names of the grids by which the datum of the CRS is shifted to WGS 84 at a place in degrees.
    package func grids(atLonLat place: Point) -> [String] {
        guard case .proj(let shared) = method else { return [] }
        return shared.operation.withLock { $0.grids(atLonLat: place) }
    }
}

/// A PROJ operation that several threads use in turn.
private final class SharedOperation: Sendable {
    let operation: Mutex<PROJOperation>

    init(_ operation: consuming sending PROJOperation) { self.operation = Mutex(operation) }
}

extension CRS {
    /// Whether it is the Mercator projection of an ellipsoid, which is sometimes taken for Web Mercator.
    package var isEllipsoidalMercator: Bool { (try? CRSConversion(self))?.isEllipsoidalMercator ?? false }

    /// Projects longitudes and latitudes of the underlying geographic system to coordinates of the CRS, in
    /// place. Longitudes and latitudes are on that system's own datum and in its own unit; there is no datum
    /// shift. A point that cannot be projected becomes (nan, nan). Reads PROJ's database if the definition is
    /// a code.
    ///
    /// - Throws: a `Failure` of kind `badInput` if PROJ knows no underlying geographic system.
    package func project(_ points: inout [Point]) throws {
        if self == .webMercator { return points.apply(WebMercator.metres) }
        let crs = try PROJCRS(projDefinition, failure: .badInput)
        guard crs.project(&points) else {
            throw Failure(
                .badInput, cannot: "project longitudes and latitudes into '\(crs.name.shortened)'", nil)
        }
    }
}

/// A conformal plane that touches the Earth at a point: PROJ's transverse Mercator in metres, scale
/// 1 at its centre, x east and y north from there.
///
/// Lengths are exact at the centre; 10 km away, they are off by about a millionth.
package struct LocalPlane: Hashable, Sendable {
    /// The longitude of the origin in degrees.
    package let longitude: Double
    /// The latitude of the origin in degrees.
    package let latitude: Double

    /// Makes the plane around places. Their centre is rounded to 1e-6 degrees, so that the definition reads
    /// well.
    ///
    /// - Parameter lonLat: one place or more, in degrees on WGS 84.
    package init(around lonLat: [Point]) {
        let centre = lonLat.centroid
        longitude = (centre.x * 1e6).rounded() / 1e6
        latitude = (centre.y * 1e6).rounded() / 1e6
    }

    /// The plane's projection in PROJ's syntax.
    private var projection: String {
        let (lat, lon) = (LocalPlane.decimal(latitude), LocalPlane.decimal(longitude))
        return "+proj=tmerc +lat_0=\(lat) +lon_0=\(lon) +k=1 +x_0=0 +y_0=0"
    }

    /// Six decimals and no exponent: PROJ could take its `e` for east.
    private static func decimal(_ degrees: Double) -> String {
        let millionths = Int((abs(degrees) * 1e6).rounded())
        let fraction = String(millionths % 1_000_000 + 1_000_000).dropFirst()
        return "\(degrees < 0 ? "-" : "")\(millionths / 1_000_000).\(fraction)"
    }

    /// The plane as a CRS on the datum of WGS 84.
    var crsDefinition: String { "\(projection) +datum=WGS84 +units=m +no_defs +type=crs" }

    /// From the plane to degrees, as a pipeline, so that PROJ's database is not needed.
    func operation() throws -> PROJOperation {
        try PROJOperation(
            pipeline: """
                +proj=pipeline +step +inv \(projection) +ellps=WGS84 \
                +step +proj=unitconvert +xy_in=rad +xy_out=deg
                """)
    }
}

extension LocalPlane {
    /// Places in degrees on WGS 84 as points of the plane, in metres.
    ///
    /// - Throws: a `Failure` if a place is a quarter of the Earth away.
    func points(ofLonLat lonLat: [Point]) throws -> [Point] {
        let points = try finitePoints(ofLonLat: lonLat)
        guard points.allSatisfy(\.isFinite) else {
            throw Failure(.badInput, "the given points are too far apart to make one image")
        }
        return points
    }

    /// The same; (nan, nan) if a number is not a place, or the place has no point on the plane.
    func finitePoints(ofLonLat lonLat: [Point]) throws -> [Point] {
        var points = lonLat
        try CRSConversion(CRS(self)).coordinates(ofLonLat: &points)
        return zip(points, lonLat).map { $0.isFinite && abs($1.y) <= 90 ? $0 : .nowhere }
    }
}

import Platform
package import Tiling

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
        var points = lonLat
        try CRSConversion(CRS(self)).coordinates(ofLonLat: &points)
        guard points.allSatisfy(\.isFinite) else {
            throw Failure(.badInput, "the given points are too far apart to make one image")
        }
        return points
    }

    /// A place in degrees on WGS 84 as a point of the plane, in metres.
    func point(ofLonLat lonLat: Point) throws -> Point {
        try points(ofLonLat: [lonLat])[0]
    }
}

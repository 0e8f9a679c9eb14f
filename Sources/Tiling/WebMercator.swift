#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// The plane of EPSG:3857: metres on a sphere of the radius below, x east, y north.
package enum WebMercator {
    /// The radius of the sphere in metres: WGS 84's semi-major axis.
    package static let radius = 6_378_137.0

    /// Half the width of the world in metres: pi times the radius.
    package static let halfWorld = 20_037_508.342789244

    /// The latitude, in degrees, at which the world becomes a square: `atan(sinh(pi))`.
    package static let maximumLatitude = 85.0511287798066

    /// The width and height of the world in metres.
    package static let world = 2 * halfWorld

    /// Metres from the meridian of Greenwich to a longitude in degrees.
    package static func metres(longitude: Double) -> Double { longitude * metresPerDegree }

    /// Metres from the equator to a latitude in degrees; finite even at the poles, and beyond them
    /// it stays there.
    package static func metres(latitude: Double) -> Double {
        let clamped = min(max(latitude, -90), 90)
        return radius * asinh(tan(clamped * .pi / 180))
    }

    /// The longitude in degrees; beyond 180 if the metres are beyond the world.
    package static func longitude(metres: Double) -> Double { metres / metresPerDegree }

    /// The latitude in degrees: the exact inverse, `atan(sinh(y / radius))`.
    package static func latitude(metres: Double) -> Double {
        atan(sinh(metres / radius)) * 180 / .pi
    }

    /// A place in degrees to Mercator metres.
    package static func metres(_ lonLat: Point) -> Point {
        Point(x: metres(longitude: lonLat.x), y: metres(latitude: lonLat.y))
    }

    /// A place in Mercator metres to degrees.
    package static func lonLat(_ metres: Point) -> Point {
        Point(x: longitude(metres: metres.x), y: latitude(metres: metres.y))
    }

    /// The length of a degree on the equator: a 180th of half the world.
    private static let metresPerDegree = halfWorld / 180
}

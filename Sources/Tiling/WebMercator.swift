/// The plane of EPSG:3857: metres on a sphere of the radius below, x east, y north.
package enum WebMercator {
    /// The radius of the sphere in metres: WGS 84's semi-major axis.
    package static let radius = 6_378_137.0

    /// Half the width of the world in metres: pi times the radius.
    package static let halfWorld = 20_037_508.342789244

    /// The latitude, in degrees, at which the world becomes a square: `atan(sinh(pi))`.
    package static let maximumLatitude = 85.0511287798066
}

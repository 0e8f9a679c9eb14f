import Foundation

/// A place on the Earth, WGS 84.
struct Place: Equatable {
    /// In degrees.
    var longitude: Double
    /// In degrees.
    var latitude: Double

    /// The place in pixels of a zoom, from the north-west corner of the Web Mercator world: the
    /// formula of the OpenStreetMap wiki's "Slippy map tilenames".
    func pixel(zoom: Int, tileSize: Int = 256) -> (x: Double, y: Double) {
        let edge = Double(tileSize << zoom)
        let angle = latitude * .pi / 180
        return (
            (longitude + 180) / 360 * edge, (1 - asinh(tan(angle)) / .pi) / 2 * edge
        )
    }

    /// The place some metres away, on the ellipsoid's radii of curvature; right to a millimetre for
    /// a few hundred metres.
    func moved(east: Double, north: Double) -> Place {
        let (a, e2) = (6_378_137.0, 0.006_694_379_990_14)
        let angle = latitude * .pi / 180
        let w = 1 - e2 * sin(angle) * sin(angle)
        let meridian = a * (1 - e2) / (w * w.squareRoot())
        let normal = a / w.squareRoot()
        return Place(
            longitude: longitude + east / (normal * cos(angle)) * 180 / .pi,
            latitude: latitude + north / meridian * 180 / .pi)
    }

    /// Metres to another place nearby, east and north.
    func offset(to other: Place) -> (east: Double, north: Double) {
        let unit = moved(east: 1, north: 1)
        return (
            (other.longitude - longitude) / (unit.longitude - longitude),
            (other.latitude - latitude) / (unit.latitude - latitude)
        )
    }
}

import Tiling

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A place in EPSG:3857, in metres east and north, of published degrees.
struct MercatorPoint: Hashable, Sendable {
    /// Metres east, to the millimetre.
    var x: Double
    /// Metres north, to the millimetre.
    var y: Double

    /// Projects a place: `R * lon` and `R * asinh(tan(lat))`.
    init(longitude: Double, latitude: Double) {
        let latitude = min(max(latitude, -WebMercator.maximumLatitude), WebMercator.maximumLatitude)
        x = Self.rounded(longitude / 180 * WebMercator.halfWorld)
        y = Self.rounded(WebMercator.radius * asinh(tan(latitude * .pi / 180)))
    }

    private static func rounded(_ metres: Double) -> Double { (metres * 1000).rounded() / 1000 }

    /// The longitude, in degrees, of the western edge of a column.
    static func longitude(ofColumn column: Int, zoom: Int) -> Double {
        Double(column) / Double(1 << zoom) * 360 - 180
    }

    /// The latitude, in degrees, of the northern edge of a row: `atan(sinh(y))`.
    static func latitude(ofRow row: Int, zoom: Int) -> Double {
        atan(sinh(.pi * (1 - 2 * Double(row) / Double(1 << zoom)))) * 180 / .pi
    }
}

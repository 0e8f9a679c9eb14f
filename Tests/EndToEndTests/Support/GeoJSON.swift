import Foundation

/// The polygons of a GeoJSON file.
struct GeoJSON {
    /// Outlines and holes.
    let rings: [[Place]]

    /// Reads the features that have a property, or all.
    init(contentsOf url: URL, kind: String? = nil) throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
        let features = (json as? [String: Any])?["features"] as? [[String: Any]] ?? []
        rings = features.flatMap { feature -> [[Place]] in
            let properties = feature["properties"] as? [String: Any]
            if let kind, properties?["kind"] as? String != kind { return [] }
            let geometry = feature["geometry"] as? [String: Any]
            let polygons =
                geometry?["type"] as? String == "Polygon"
                ? [geometry?["coordinates"] as? [[[Double]]] ?? []]
                : geometry?["coordinates"] as? [[[[Double]]]] ?? []
            return polygons.joined().map { ring in
                ring.map { Place(longitude: $0[0], latitude: $0[1]) }
            }
        }
    }

    /// West, south, east, north in degrees.
    var bounds: [Double] {
        let places = rings.joined()
        let (longitudes, latitudes) = (places.map(\.longitude), places.map(\.latitude))
        return [longitudes.min(), latitudes.min(), longitudes.max(), latitudes.max()].map {
            $0 ?? .nan
        }
    }

    /// The rings in pixels of a zoom.
    func pixels(zoom: Int, tileSize: Int = 256) -> [[(x: Double, y: Double)]] {
        rings.map { ring in ring.map { $0.pixel(zoom: zoom, tileSize: tileSize) } }
    }
}

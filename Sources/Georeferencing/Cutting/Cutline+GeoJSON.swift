internal import Platform
internal import Tiling

#if canImport(Glibc)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension Cutline {
    /// Larger files hold no outline of a building, nor of a country.
    private static let mostBytes = 32 << 20

    /// Reads the polygons of a GeoJSON file (RFC 7946): of geometries, features and collections of them.
    /// Points and lines are passed over.
    ///
    /// - Throws: `.missingInput` if the file cannot be read; `.badInput` if it is not GeoJSON, holds no
    ///   polygon, or is not in longitude and latitude.
    package init(file path: String) throws {
        let bytes = TextEncoding.utf8(try InputFile.bytes(of: path, atMost: Self.mostBytes))
        do throws(Failure) {
            self.init(try Self.polygons(in: bytes))
        } catch {
            throw error.inAttempt("read the cutline '\(path)'")
        }
    }

    /// The polygons of a document, each a ring and its holes without their ends repeated.
    private static func polygons(in bytes: [UInt8]) throws(Failure) -> [[[Point]]] {
        let document: GeoJSONObject
        do { document = try JSONDecoder().decode(GeoJSONObject.self, from: Data(bytes)) } catch {
            throw Failure(
                .badInput, "it is not GeoJSON",
                remedy:
                    "a GeoJSON file holds an object with a 'type', and each place as [longitude, latitude]")
        }
        if let name = document.foreignCRS {
            throw Failure(
                .badInput, "its coordinates are in '\(name)'",
                remedy: "write it in longitude and latitude: ogr2ogr -t_srs EPSG:4326 cut.geojson FILE")
        }
        var polygons: [[[Point]]] = []
        for polygon in document.polygons { polygons.append(try rings(polygon)) }
        guard !polygons.isEmpty else {
            throw Failure(
                .badInput, "it holds no polygon",
                remedy: "lines do not surround anything, also if they are closed: make them polygons")
        }
        return polygons
    }

    private static func rings(_ polygon: [[[Double]]]) throws(Failure) -> [[Point]] {
        var rings: [[Point]] = []
        for positions in polygon { rings.append(try ring(positions)) }
        guard !rings.isEmpty else {
            throw Failure(.badInput, "a polygon has no ring", remedy: "take it out, or draw it again")
        }
        return rings
    }

    /// Degrees beyond which a longitude is no longer one, whichever way around the world.
    private static let mostLongitude = 540.0

    private static func ring(_ positions: [[Double]]) throws(Failure) -> [Point] {
        var points: [Point] = []
        for position in positions {
            guard position.count >= 2 else {
                throw Failure(
                    .badInput, "a place has \(position.count) numbers",
                    remedy: "each place is [longitude, latitude] in degrees")
            }
            let point = Point(x: position[0], y: position[1])
            guard abs(point.y) <= 90, abs(point.x) <= mostLongitude else {
                throw Failure(
                    .badInput,
                    "\(point.x.text(decimals: 6)), \(point.y.text(decimals: 6)) is not a longitude and a "
                        + "latitude in degrees",
                    remedy: "write it in longitude and latitude: ogr2ogr -t_srs EPSG:4326 cut.geojson FILE")
            }
            if point != points.last { points.append(point) }
        }
        if points.count > 1, points.last == points.first { points.removeLast() }
        guard points.count >= 3 else {
            throw Failure(
                .badInput, "a ring of a polygon has \(points.count) different places",
                remedy: "a ring has three or more: take it out, or draw it again")
        }
        return points
    }
}

/// As much of a GeoJSON object as tells polygons.
private struct GeoJSONObject: Decodable {
    /// Each a ring and its holes.
    let polygons: [[[[Double]]]]
    /// The name of a coordinate reference system, if it is not that of longitude and latitude. RFC 7946 has
    /// done away with it, and programs still write it.
    let foreignCRS: String?

    private enum Key: String, CodingKey {
        case type, coordinates, geometries, geometry, features, crs, properties, name
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        switch try object.decode(String.self, forKey: .type) {
        case "Polygon": polygons = [try object.decode([[[Double]]].self, forKey: .coordinates)]
        case "MultiPolygon": polygons = try object.decode([[[[Double]]]].self, forKey: .coordinates)
        case "Feature":
            polygons = try object.decodeIfPresent(GeoJSONObject.self, forKey: .geometry)?.polygons ?? []
        case "FeatureCollection":
            polygons = try object.decode([GeoJSONObject].self, forKey: .features).flatMap(\.polygons)
        case "GeometryCollection":
            polygons = try object.decode([GeoJSONObject].self, forKey: .geometries).flatMap(\.polygons)
        case "Point", "MultiPoint", "LineString", "MultiLineString": polygons = []
        case let type:
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: object, debugDescription: "'\(type)' is not a type of GeoJSON")
        }
        foreignCRS = Self.foreignCRS(object)
    }

    private static func foreignCRS(_ object: KeyedDecodingContainer<Key>) -> String? {
        let crs = try? object.nestedContainer(keyedBy: Key.self, forKey: .crs)
        let properties = try? crs?.nestedContainer(keyedBy: Key.self, forKey: .properties)
        guard let name = try? properties?.decode(String.self, forKey: .name) else { return nil }
        let isGeographic = ["CRS84", "CRS84h", ":4326", ":4979"].contains(where: name.hasSuffix)
        return isGeographic ? nil : name
    }
}

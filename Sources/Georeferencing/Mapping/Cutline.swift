import Platform
package import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Polygons that limit the visible part of an image.
package struct Cutline: Hashable, Sendable {
    /// A ring and its holes: longitudes and latitudes in degrees, without their ends repeated.
    package struct Polygon: Hashable, Sendable {
        /// The rings. A place is inside if an odd number of rings surrounds it.
        package let rings: [[Point]]

        /// The box around the rings.
        let box: BoundingBox
    }

    /// The polygons; everything inside any of them is visible.
    package let polygons: [Polygon]

    /// Makes a cutline of at least one polygon, each with at least one ring.
    init(_ polygons: [[[Point]]]) {
        self.polygons = polygons.map { rings in
            Polygon(rings: rings, box: BoundingBox(around: rings.joined()).unwrapped("rings have points"))
        }
    }

    /// The smallest box around the overlaps of a box in degrees with the polygons' boxes, at any turn around
    /// the world: nothing outside of it is visible. Nil if there are no overlaps.
    package func box(within outer: BoundingBox) -> BoundingBox? {
        let parts = polygons.flatMap { polygon in
            Self.turns(of: polygon.box, seenIn: outer, world: 360).compactMap { turn in
                polygon.box.movedEast(by: 360 * Double(turn)).intersection(outer)
            }
        }
        return parts.dropFirst().reduce(parts.first) { $0?.hull(with: $1) }
    }

    /// The rings in Mercator metres, at every turn around the world at which a window shows them.
    ///
    /// GeoJSON's edges are straight in longitude and latitude (RFC 7946, section 3.1.1). They are subdivided
    /// until the chords in the plane deviate by less than a 32nd of a pixel.
    ///
    /// - Parameters:
    ///   - window: the window in Mercator metres.
    ///   - cellSize: the edge of a pixel in Mercator metres.
    /// - Returns: each polygon's rings, once for each turn at which its box meets the window.
    package func rings(seenIn window: BoundingBox, cellSize: Double) -> [[[Point]]] {
        polygons.flatMap { polygon -> [[[Point]]] in
            let box = polygon.box.clampedToMap
            let (low, high) = (
                WebMercator.metres(Point(x: box.minX, y: box.minY)),
                WebMercator.metres(Point(x: box.maxX, y: box.maxY))
            )
            let seen = BoundingBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
            let turns = Self.turns(of: seen, seenIn: window, world: WebMercator.world)
            if turns.isEmpty { return [] }
            let rings = polygon.rings.map { CutlineRing($0).metres(cellSize: cellSize) }
            return turns.map { turn in
                rings.map { $0.movedEast(by: Double(turn) * WebMercator.world) }
            }
        }
    }

    /// The turns around the world by which a box must be moved east to meet another box.
    private static func turns(
        of box: BoundingBox, seenIn window: BoundingBox, world: Double
    ) -> Range<Int> {
        if box.maxY < window.minY || box.minY > window.maxY { return 0..<0 }
        return window.turns(ofWest: box.minX, east: box.maxX, world: world)
    }
}

extension BoundingBox {
    /// The turns around the world by which something must be moved east to meet this box.
    package func turns(ofWest west: Double, east: Double, world: Double) -> Range<Int> {
        let first = Int(((minX - east) / world).rounded(.up))
        return first..<max(first, Int(((maxX - west) / world).rounded(.down)) + 1)
    }

    fileprivate func movedEast(by distance: Double) -> BoundingBox {
        BoundingBox(minX: minX + distance, minY: minY, maxX: maxX + distance, maxY: maxY)
    }

    fileprivate var clampedToMap: BoundingBox {
        let latitude = CutlineRing.farthestLatitude
        return BoundingBox(
            minX: minX, minY: min(max(minY, -latitude), latitude), maxX: maxX,
            maxY: max(min(maxY, latitude), -latitude))
    }
}

/// A ring whose edges are straight in longitude and latitude.
struct CutlineRing {
    /// The latitude north and south at which rings are cut: beyond the map's edge, but far from the poles,
    /// where metres become infinite.
    static let farthestLatitude = 86.0

    private let points: [Point]

    /// Cuts off the parts beyond the map.
    init(_ ring: [Point]) {
        guard ring.contains(where: { abs($0.y) > Self.farthestLatitude }) else {
            points = ring
            return
        }
        let map = BoundingBox(minX: 0, minY: -Self.farthestLatitude, maxX: 1, maxY: Self.farthestLatitude)
            .corners
        points = ring.clipped(from: map[3], to: map[2]).clipped(from: map[1], to: map[0])
    }

    /// The ring in Mercator metres; its chords deviate by less than a 32nd of a pixel.
    ///
    /// - Parameter cellSize: the edge of a pixel in Mercator metres.
    func metres(cellSize: Double) -> [Point] {
        guard var previous = points.last else { return [] }
        var result: [Point] = []
        result.reserveCapacity(points.count)
        for point in points {
            let parts = Self.parts(from: previous.y, to: point.y, error: cellSize / 32)
            for part in 1..<max(parts, 1) {
                let share = Double(part) / Double(parts)
                result.append(WebMercator.metres(previous + (point - previous) * share))
            }
            result.append(WebMercator.metres(point))
            previous = point
        }
        return result
    }

    /// The maximum number of parts of an edge: more than an edge needs at zoom 24, a limit for edges across
    /// half the world.
    private static let mostParts = 1 << 17

    /// The number of parts into which an edge between two latitudes in degrees is cut.
    ///
    /// A chord deviates by at most an eighth of the curve's second derivative times the square of its length.
    /// North is `R asinh(tan(latitude))`, whose second derivative is `R sin(latitude) / cos(latitude)^2`; it
    /// is largest at the end that is closer to a pole.
    private static func parts(from start: Double, to end: Double, error: Double) -> Int {
        let difference = abs(end - start) * .pi / 180
        if difference == 0 { return 1 }
        let latitude = max(abs(start), abs(end)) * .pi / 180
        let bend = WebMercator.radius * sin(latitude) / (cos(latitude) * cos(latitude))
        let parts = (bend * difference * difference / (8 * error)).squareRoot().rounded(.up)
        return min(max(Int(parts), 1), mostParts)
    }
}

extension [Point] {
    /// The part of a ring on the right of a line, with y growing north.
    package func clipped(from start: Point, to end: Point) -> [Point] {
        clipped { (end.y - start.y) * ($0.x - start.x) - (end.x - start.x) * ($0.y - start.y) }
    }
}

extension Cutline {
    /// The maximum number of bytes of a file: an outline of a building or a country is smaller.
    private static let mostBytes = 32 << 20

    /// Reads the polygons of a GeoJSON file (RFC 7946), in geometries, features and collections. Points and
    /// lines are ignored.
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
        let polygons = try document.polygons.map(rings)
        guard !polygons.isEmpty else {
            throw Failure(
                .badInput, "it holds no polygon",
                remedy: "lines do not enclose an area, even if they are closed: make them polygons")
        }
        return polygons
    }

    private static func rings(_ polygon: [[[Double]]]) throws(Failure) -> [[Point]] {
        let rings = try polygon.map(ring)
        guard !rings.isEmpty else {
            throw Failure(.badInput, "a polygon has no ring", remedy: "remove it, or draw it again")
        }
        return rings
    }

    private static func ring(_ positions: [[Double]]) throws(Failure) -> [Point] {
        var points: [Point] = []
        for position in positions {
            guard position.count >= 2 else {
                throw Failure(
                    .badInput, "a place has \(position.count) numbers",
                    remedy: "each place is [longitude, latitude] in degrees")
            }
            let point = Point(x: position[0], y: position[1])
            guard point.isPlace else {
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
                remedy: "a ring has three or more: remove it, or draw it again")
        }
        return points
    }
}

/// The part of a GeoJSON object that describes polygons.
private struct GeoJSONObject: Decodable {
    /// The polygons, each a ring and its holes.
    let polygons: [[[[Double]]]]
    /// The name of a coordinate reference system other than longitude and latitude. RFC 7946 removed such
    /// names, but programs still write them.
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

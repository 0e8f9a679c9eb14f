import Platform
package import Tiling

/// The points, lines and polygons of the Placemarks of a KML file, or of a KMZ that contains one.
///
/// Heights, styles, tracks and models are ignored, and nothing that the document links to is read.
package struct KMLShapes: Sendable {
    /// A geometry in longitude and latitude.
    package enum Shape: Hashable, Sendable {
        /// A point.
        case point(Point)
        /// A line of at least two points; a ring ends where it begins.
        case line([Point])
        /// An outline and its holes: closed rings of at least four points, of which the last is the first.
        case polygon([[Point]])
    }

    /// The shapes in the order of the document, at least one.
    package let shapes: [Shape]

    /// Reads a file, if it is a KML file, or a KMZ without pictures.
    ///
    /// - Returns: nil for other files: a KMZ with a GroundOverlay, or with links to others, is an image.
    /// - Throws: a `Failure` of kind `badInput` that names the file if it has no shapes, or if one of them is
    ///   damaged.
    package init?(ifIn path: String) throws {
        let isKMZ = try KMZFile.isKMZ(path)
        guard isKMZ || path.hasEnding(".kml") else { return nil }
        let root = try Failure.naming("read '\(path)'") {
            isKMZ
                ? try ZIPArchive(path: path).parsedDocument().root
                : try XMLDocument.parse(InputFile.xml(of: path))
        }
        let isPicture = ["GroundOverlay", "NetworkLink"].contains { !root.descendants($0).isEmpty }
        if isKMZ, isPicture { return nil }
        shapes = try Failure.naming("read '\(path)'") {
            let shapes = try root.descendants("Placemark").flatMap { try $0.children.flatMap(Self.shapes) }
            if shapes.isEmpty { throw Self.noShape(isPicture: isPicture) }
            return shapes
        }
    }

    private static func noShape(isPicture: Bool) -> Failure {
        Failure(
            .badInput, "it has no Placemark with a point, a line or a polygon",
            remedy: isPicture
                ? "name the image that it shows, or a KMZ that contains both"
                : "in Google Earth, draw the outline of the building as a polygon, and save that")
    }

    /// The shapes of an element; none if it is not a geometry, or an empty one.
    private static func shapes(of element: XMLElement) throws -> [Shape] {
        switch element.name {
        case "Point": return try places(in: element).prefix(1).map(Shape.point)
        case "LineString":
            let line = try places(in: element)
            guard line.count != 1 else { throw tooShort(element, 1) }
            return line.isEmpty ? [] : [.line(line)]
        case "LinearRing": return try ring(in: element).map { [.line($0)] } ?? []
        case "Polygon":
            let rings = try ["outerBoundaryIs", "innerBoundaryIs"].map { name in
                try element.children(name).flatMap { $0.children("LinearRing") }.compactMap(ring)
            }
            guard let outline = rings[0].first else { return [] }
            return [.polygon([outline] + rings[1])]
        case "MultiGeometry": return try element.children.flatMap(shapes)
        default: return []
        }
    }

    /// A closed ring; nil if it is empty.
    private static func ring(in element: XMLElement) throws -> [Point]? {
        var ring = try places(in: element)
        guard let first = ring.first else { return nil }
        // Some files do not close it.
        if ring.last != first { ring.append(first) }
        guard ring.count > 3 else { throw tooShort(element, ring.count - 1) }
        return ring
    }

    private static func tooShort(_ element: XMLElement, _ count: Int) -> Failure {
        Failure(.badInput, "a \(element.name) of it has only \(count.counted("place"))")
    }

    private static func places(in element: XMLElement) throws -> [Point] {
        try GroundOverlay.tuples(element["coordinates"]?.text ?? "").map { tuple in
            let numbers = tuple.split(separator: ",").map { Double($0) ?? .nan }
            guard (2...3).contains(numbers.count), numbers.allSatisfy(\.isFinite) else {
                throw Failure(
                    .badInput, "'\(String(tuple).shortened)' of a \(element.name) of it is not a place")
            }
            let place = Point(x: numbers[0], y: numbers[1])
            guard place.isPlace else {
                throw Failure(
                    .badInput,
                    "a \(element.name) of it is at \(place.x),\(place.y), which is not a place on the Earth",
                    remedy: "KML has longitudes and latitudes in degrees: export it again")
            }
            return place
        }
    }
}

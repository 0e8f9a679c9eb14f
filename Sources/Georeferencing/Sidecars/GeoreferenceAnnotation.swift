import Platform
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The control points of a Georeference Annotation, as saved by Allmaps (IIIF Georeference Extension 1.0).
struct GeoreferenceAnnotation {
    /// All points in the order of the file.
    let points: [ControlPoint]

    /// Whether a text may be an annotation: whether it is JSON.
    static func isMarked(_ text: String) -> Bool { text.first { !$0.isWhitespace } == "{" }

    /// Reads an annotation, or a page with one annotation.
    ///
    /// - Parameters:
    ///   - width: columns of the image. If the points were set on a larger or smaller one, they are scaled.
    ///   - height: rows of the image.
    /// - Throws: a `Failure` of kind `badInput` that names the file.
    init(parsing text: String, path: String, width: Int, height: Int) throws {
        points = try ControlPointFile.naming(path) {
            let document: Document
            do { document = try JSONDecoder().decode(Document.self, from: Data(text.utf8)) } catch {
                throw Failure(
                    .badInput, "it is JSON, but not a Georeference Annotation",
                    remedy: "in Allmaps, save the annotation; or write COL,ROW,LON,LAT,NAME on each line")
            }
            let annotations = document.annotations
            guard annotations.count == 1, let annotation = annotations.first else {
                throw Failure(
                    .badInput, "it has annotations of \(annotations.count) maps, but one is needed",
                    remedy: "save the annotation of this image alone")
            }
            let scale = try annotation.scale(to: width, height)
            return try annotation.features.enumerated().map { try $1.point(number: $0 + 1, scale) }
        }
    }
}

/// The part of the JSON that describes points.
private struct Document: Decodable {
    let annotations: [Annotation]

    private enum Key: String, CodingKey { case items }

    init(from decoder: any Decoder) throws {
        let items = try decoder.container(keyedBy: Key.self).decodeIfPresent(
            [Annotation].self, forKey: .items)
        annotations = try items ?? [Annotation(from: decoder)]
    }
}

private struct Annotation: Decodable {
    let features: [Feature]
    /// Columns and rows of the image that the points were set on; nil if the annotation does not state them.
    private let size: (width: Double, height: Double)?

    private enum Key: String, CodingKey { case body, features, target, source, width, height }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let body = try object.nestedContainer(keyedBy: Key.self, forKey: .body)
        features = try body.decode([Feature].self, forKey: .features)
        let target = try? object.nestedContainer(keyedBy: Key.self, forKey: .target)
        let source = try? target?.nestedContainer(keyedBy: Key.self, forKey: .source)
        if let width = try? source?.decode(Double.self, forKey: .width),
            let height = try? source?.decode(Double.self, forKey: .height), width > 0, height > 0
        {
            size = (width, height)
        } else {
            size = nil
        }
    }

    /// The number of image pixels per pixel of the annotation.
    func scale(to width: Int, _ height: Int) throws -> Point {
        guard let size else { return Point(x: 1, y: 1) }
        let scale = Point(x: Double(width) / size.width, y: Double(height) / size.height)
        // Image servers round both edges.
        guard
            abs(scale.x * size.height - Double(height)) <= 1 || abs(scale.y * size.width - Double(width)) <= 1
        else {
            throw Failure(
                .badInput,
                "its points are on an image of \(size.width.shortText) x \(size.height.shortText) pixels, "
                    + "but this one has \(width) x \(height)",
                remedy: "use the whole, uncropped image, in any size")
        }
        return scale
    }
}

private struct Feature: Decodable {
    private let pixel: [Double]
    private let place: [Double]

    private enum Key: String, CodingKey {
        case properties, geometry, coordinates, resourceCoords, pixelCoords
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let properties = try object.nestedContainer(keyedBy: Key.self, forKey: .properties)
        // Its name before version 1.0.
        pixel =
            try properties.decodeIfPresent([Double].self, forKey: .resourceCoords)
            ?? properties.decode([Double].self, forKey: .pixelCoords)
        place = try object.nestedContainer(keyedBy: Key.self, forKey: .geometry)
            .decode([Double].self, forKey: .coordinates)
    }

    func point(number: Int, _ scale: Point) throws -> ControlPoint {
        guard pixel.count == 2, place.count >= 2, (pixel + place).allSatisfy(\.isFinite) else {
            throw Failure(
                .badInput, "its point \(number) does not have two numbers on the image and two on the map")
        }
        let lonLat = Point(x: place[0], y: place[1])
        try Georeference.checkPlace(lonLat, of: "its point \(number)")
        return ControlPoint(
            pixel: Point(x: pixel[0] * scale.x, y: pixel[1] * scale.y), lonLat: lonLat,
            name: "point \(number)")
    }
}

import Platform
import Georeferencing
import TestSupport
import Testing
import Tiling

/// Annotations as the IIIF Georeference Extension 1.0 shows them, and Allmaps saves them.
@Suite struct GeoreferenceAnnotationTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func points(_ text: String, name: String = "map.json") throws -> [ControlPoint] {
        try ControlPointFile.points(of: directory.write(text, to: name), crs: nil, width: 1000, height: 800)
            .points
    }

    private static func annotation(
        _ name: String = "resourceCoords",
        source: String = "{\"type\": \"ImageService2\", \"id\": \"https://example.org/a\"}",
        place: String = "[4.9, 52.37]"
    ) -> String {
        """
        {"type": "Annotation", "motivation": "georeferencing",
         "target": {"type": "SpecificResource", "source": \(source)},
         "body": {"type": "FeatureCollection", "transformation": {"type": "polynomial", "options": {"order": 1}},
          "features": [
           {"type": "Feature", "properties": {"\(name)": [100.5, 200]},
            "geometry": {"type": "Point", "coordinates": \(place)}},
           {"type": "Feature", "properties": {"\(name)": [900, 700]},
            "geometry": {"type": "Point", "coordinates": [4.91, 52.36, 2]}}]}}
        """
    }

    private static func size(_ width: Double, _ height: Double) -> String {
        "{\"id\": \"https://example.org/a\", \"width\": \(width), \"height\": \(height)}"
    }

    private static let expected = [
        ControlPoint(pixel: Point(x: 100.5, y: 200), lonLat: Point(x: 4.9, y: 52.37), name: "point 1"),
        ControlPoint(pixel: Point(x: 900, y: 700), lonLat: Point(x: 4.91, y: 52.36), name: "point 2"),
    ]

    @Test(
        "one annotation is read, alone or on a page, with new or old member names",
        arguments: [
            annotation(), annotation("pixelCoords", source: "\"https://example.org/a/info.json\""),
            "\n {\"type\": \"AnnotationPage\", \"items\": [\(annotation(source: size(1000, 800)))]}",
        ])
    func read(text: String) throws { #expect(try points(text) == Self.expected) }

    @Test("points on a larger image are scaled to this one, unless it was cut", arguments: [0.5, 4])
    func scaled(factor: Double) throws {
        let found = try points(
            Self.annotation(source: Self.size(1000 * factor + (factor > 1 ? 1 : 0), 800 * factor)))
        for (point, expected) in zip(found, Self.expected) {
            let pixel = Point(x: expected.pixel.x / factor, y: expected.pixel.y / factor)
            #expect(point.pixel.distance(to: pixel) < 4)
        }
        let failure = #expect(throws: Failure.self) {
            try points(Self.annotation(source: Self.size(1000 * factor, 700 * factor)))
        }
        #expect(failure?.kind == .badInput && failure?.message.contains("this one has 1000 x 800") == true)
    }

    @Test(
        "anything but an annotation of one map is refused",
        arguments: [
            ("{}", "not a Georeference Annotation"), ("{\"items\": []}", "annotations of 0 maps"),
            ("{\"items\": [\(annotation()), \(annotation())]}", "annotations of 2 maps"),
            (annotation(place: "[500, 95]"), "point 1"), (annotation(place: "[5]"), "point 1"),
            (annotation(place: "\"x\""), "not a Georeference Annotation"),
        ])
    func refused(text: String, why: String) {
        let failure = #expect(throws: Failure.self) { try points(text) }
        #expect(
            failure?.kind == .badInput && failure?.message.contains(why) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("map.json") == true)
    }

    @Test("Global Mapper's lists are tables", arguments: ["\"door\",0.25", "door, 0.25", "door"])
    func globalMapper(rest: String) throws {
        let found = try points("100.5,200,4.9,52.37,\(rest)\n900,700,4.91,52.36,\(rest)\n", name: "plan.gcp")
        #expect(
            found.map(\.pixel) == Self.expected.map(\.pixel)
                && found.map(\.lonLat) == Self.expected.map(\.lonLat))
        #expect(found[0].name == "door")
    }
}

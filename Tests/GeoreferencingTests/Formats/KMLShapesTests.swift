import Platform
import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

/// Outlines of buildings that Google Earth and others save.
@Suite struct KMLShapesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func shapes(_ placemarks: String, in name: String = "outline.kml") throws -> [KMLShapes.Shape]? {
        let kml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document><Folder>\(placemarks)</Folder></Document></kml>
            """
        return try KMLShapes(ifIn: directory.write(kml, to: name))?.shapes
    }

    private static func placemark(_ geometry: String) -> String {
        "<Placemark><name>a</name>\(geometry)</Placemark>"
    }

    private static func ring(_ coordinates: String) -> String {
        "<LinearRing><coordinates>\(coordinates)</coordinates></LinearRing>"
    }

    /// The pentagon of the KML specification (OGC 07-147r2, 10.8), as it is written there.
    private static let outer = """

        -77.05788457660967,38.87253259892824,100
        -77.05465973756702,38.87291016281703,100
        -77.05315536854791,38.87053267794386,100
        -77.05552622493516,38.868757801256,100
        -77.05844056290393,38.86996206506943,100
        -77.05788457660967,38.87253259892824,100

        """
    private static let inner = """

        -77.05668055019126,38.87154239798456,100
        -77.05542625960818,38.87167890344077,100
        -77.05485125901024,38.87076535397792,100
        -77.05577677433152,38.87008686581446,100
        -77.05691162017543,38.87054446963351,100
        -77.05668055019126,38.87154239798456,100

        """
    private static let outerPlaces = [
        Point(x: -77.05788457660967, y: 38.87253259892824),
        Point(x: -77.05465973756702, y: 38.87291016281703),
        Point(x: -77.05315536854791, y: 38.87053267794386), Point(x: -77.05552622493516, y: 38.868757801256),
        Point(x: -77.05844056290393, y: 38.86996206506943),
        Point(x: -77.05788457660967, y: 38.87253259892824),
    ]
    private static let innerPlaces = [
        Point(x: -77.05668055019126, y: 38.87154239798456),
        Point(x: -77.05542625960818, y: 38.87167890344077),
        Point(x: -77.05485125901024, y: 38.87076535397792),
        Point(x: -77.05577677433152, y: 38.87008686581446),
        Point(x: -77.05691162017543, y: 38.87054446963351),
        Point(x: -77.05668055019126, y: 38.87154239798456),
    ]

    @Test("a polygon has its outline and its holes")
    func polygon() throws {
        let polygon = """
            <Polygon><extrude>1</extrude><altitudeMode>relativeToGround</altitudeMode>
            <outerBoundaryIs>\(Self.ring(Self.outer))</outerBoundaryIs>
            <innerBoundaryIs>\(Self.ring(Self.inner))</innerBoundaryIs></Polygon>
            """
        #expect(try shapes(Self.placemark(polygon)) == [.polygon([Self.outerPlaces, Self.innerPlaces])])
    }

    @Test("geometries may be nested, rings open, and coordinates written with spaces; others are left out")
    func others() throws {
        let ring = Self.ring("1,2 , 0 3,4 5,7")
        let line = "<LineString><coordinates>1,2\n3,4,5</coordinates></LineString>"
        let nested = """
            <MultiGeometry><Point><coordinates> -1.5,2.25 </coordinates></Point>
            <MultiGeometry>\(line)\(ring)</MultiGeometry><Model/><gx:Track/></MultiGeometry>
            """
        let empty = "<LineString><coordinates/></LineString>"
        let expected: [KMLShapes.Shape] = [
            .point(Point(x: -1.5, y: 2.25)), .line([Point(x: 1, y: 2), Point(x: 3, y: 4)]),
            .line([Point(x: 1, y: 2), Point(x: 3, y: 4), Point(x: 5, y: 7), Point(x: 1, y: 2)]),
        ]
        let found = try shapes(Self.placemark(nested) + Self.placemark(empty) + "<Placemark/>")
        #expect(found == expected)
    }

    @Test(
        "what has no shapes, or damaged ones, is refused with the reason",
        arguments: [
            ("", "it has no Placemark"),
            (placemark("<Point><coordinates/></Point>"), "it has no Placemark"),
            (placemark("<Point><coordinates>1</coordinates></Point>"), "'1' of a Point of it is not a place"),
            (
                placemark("<Point><coordinates>1,x</coordinates></Point>"),
                "'1,x' of a Point of it is not a place"
            ),
            (placemark("<Point><coordinates>1,nan</coordinates></Point>"), "is not a place"),
            (
                placemark("<Point><coordinates>2600000,1200000</coordinates></Point>"),
                "which is not a place on the Earth"
            ),
            (
                placemark("<LineString><coordinates>1,2</coordinates></LineString>"),
                "a LineString of it has only"
            ),
            (placemark(ring("1,2 3,4 1,2")), "a LinearRing of it has only 2 places"),
            ("<GroundOverlay/>", "it has no Placemark"),
        ])
    func refused(placemarks: String, reason: String) throws {
        let failure = #expect(throws: Failure.self) { try shapes(placemarks) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("outline.kml") == true || failure?.attempt != nil)
    }

    @Test("other files are not KML")
    func otherFiles() throws {
        #expect(try shapes(Self.placemark(""), in: "outline.xml") == nil)
    }
}

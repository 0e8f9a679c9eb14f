import Platform
import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct KMLTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func overlay(_ kml: String, for image: String = "plan.png") throws -> GroundOverlay {
        try KMLFile(contentsOf: directory.write(kml, to: "overlay.kml")).overlay(for: image)
    }

    private func corners(_ kml: String) throws -> [Point] {
        let georeference = try overlay(kml).georeference(width: 400, height: 300)
        #expect(georeference.crs == .wgs84)
        return [(0.0, 0.0), (400, 0), (400, 300), (0, 300)].map {
            georeference.pixelToCRS(Point(x: $0.0, y: $0.1))
        }
    }

    private static func box(
        _ north: String, _ south: String, _ east: String, _ west: String, _ rotation: String? = nil
    ) -> String {
        "<LatLonBox><north>\(north)</north><south>\(south)</south><east>\(east)</east>"
            + "<west>\(west)</west>"
            + (rotation.map { "<rotation>\($0)</rotation>" } ?? "") + "</LatLonBox>"
    }

    private static func kml(_ shape: String, image: String = "files/plan.png") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
        <GroundOverlay><name>sheet</name><Icon><href>\(image)</href></Icon>\(shape)</GroundOverlay></kml>
        """
    }

    private static let plain = box("48.2", "48.1", "2.3", "2.1")
    private static let plainCorners = [
        Point(x: 2.1, y: 48.2), Point(x: 2.3, y: 48.2), Point(x: 2.3, y: 48.1),
        Point(x: 2.1, y: 48.1),
    ]

    private func expect(_ corners: [Point], _ expected: [Point], within degrees: Double = 1e-11) {
        #expect(corners.count == expected.count)
        for (corner, place) in zip(corners, expected) {
            #expect(corner.distance(to: place) < degrees, "\(corner) \(place)")
        }
    }

    @Test("a box has the image's edges")
    func uprightBox() throws {
        try expect(corners(Self.kml(Self.plain)), Self.plainCorners)
    }

    /// The examples of the KML specification (OGC 07-147r2, 11.2.4 and 11.3.4) and of its reference;
    /// corners by the formula with which orienteering programs read Google Earth's overlays.
    @Test(
        "a turned box is turned anticlockwise on the ground",
        arguments: [
            (
                box(
                    "48.25475939255556", "48.25207367852141", "-90.86591508839973",
                    "-90.8714285289695", "39.37878630116985"),
                [
                    (-90.872082210863, 48.253289982080), (-90.867820494817, 48.255619061422),
                    (-90.865261406507, 48.253543088997), (-90.869523122552, 48.251214009655),
                ]
            ),
            (
                box(
                    "37.91904192681665", "37.46543388598137", "15.35832653742206",
                    "14.60128369746704", "-0.1556640799496235"),
                [
                    (14.602063796521, 37.919854857312), (15.359103842506, 37.918227322219),
                    (15.357546438368, 37.464620955486), (14.600506392383, 37.466248490579),
                ]
            ),
        ] as [(String, [(Double, Double)])])
    func turnedBox(shape: String, expected: [(Double, Double)]) throws {
        try expect(
            corners(Self.kml(shape)), expected.map { Point(x: $0.0, y: $0.1) }, within: 1e-11)
    }

    @Test(
        "by 90 degrees, up is west, and lengths on the ground stay",
        .needs("geod"))
    func quarterTurn() throws {
        let corners = try corners(
            Self.kml(Self.box("60.0005", "59.9995", "10.001", "9.999", "90")))
        // The upper edge's middle lies as far west of the centre as it did north: 0.0005 degrees of
        // a meridian, and half of a sphere's degrees of longitude at 60 degrees.
        let top = Point(
            x: (corners[0].x + corners[1].x) / 2, y: (corners[0].y + corners[1].y) / 2)
        let west = try geod(from: Point(x: 10, y: 60), bearing: 270, metres: 55.7)
        #expect(abs(top.x - west.x) < 1e-5)
        #expect(abs(top.y - 60) < 1e-9)
        // The upper left corner lies south-west.
        #expect(corners[0].y < 60 && corners[0].x < 10)
    }

    @Test(
        "boxes across the antimeridian count beyond 180 or start again at -180",
        arguments: ["180.5", "-179.5"])
    func antimeridian(east: String) throws {
        let corners = try corners(Self.kml(Self.box("1", "0", east, "179.5")))
        #expect(corners[0] == Point(x: 179.5, y: 1))
        #expect(corners[2] == Point(x: 180.5, y: 0))
    }

    @Test("a quad's corners start at the lower left and run anticlockwise")
    func cornersOfQuad() throws {
        // The example of KML's reference.
        let places = [
            Point(x: 81.601884, y: 44.160723), Point(x: 83.529902, y: 43.665148),
            Point(x: 82.947737, y: 44.248831), Point(x: 81.509322, y: 44.321015),
        ]
        let text = places.map { "\($0.x),\($0.y),0" }.joined(separator: "\n  ")
        let shape = "<gx:LatLonQuad><coordinates>\n \(text) </coordinates></gx:LatLonQuad>"
        try expect(
            corners(Self.kml(shape)), [places[3], places[2], places[1], places[0]], within: 1e-9)
    }

    @Test(
        "boxes with altitudes, closed rings, and spaces next to commas are read",
        arguments: [
            "<gx:LatLonAltBox><north>48.2</north><south>48.1</south><east>2.3</east><west>2.1</west>"
                + "<minAltitude>0</minAltitude><maxAltitude>3</maxAltitude></gx:LatLonAltBox>",
            quad("2.1,48.1 2.3,48.1 2.3,48.2 2.1,48.2 2.1,48.1"),
            quad("2.1, 48.1, 0 2.3, 48.1, 0 2.3, 48.2, 0 2.1, 48.2, 0"),
            quad("2.1 ,48.1\n2.3 ,48.1\n2.3\t,\t48.2 2.1 , 48.2"),
            quad("2.1,48.1,0 2.3,48.1,0\n 2.3,48.2,0 2.1,48.2,0\n2.1,48.1,0\n"),
        ])
    func dialects(shape: String) throws {
        try expect(corners(Self.kml(shape)), Self.plainCorners)
    }

    private static func quad(_ coordinates: String) -> String {
        "<gx:LatLonQuad><coordinates>\(coordinates)</coordinates></gx:LatLonQuad>"
    }

    @Test("a parallelogram keeps parallels, even across the antimeridian")
    func affineQuad() throws {
        let shape = """
            <LatLonQuad><coordinates>179.99,0 -179.99,0.01 -179.985,0.02 179.995,0.01</coordinates>\
            </LatLonQuad>
            """
        let georeference = try overlay(Self.kml(shape)).georeference(width: 10, height: 10)
        guard case .affine(let transform) = georeference.pixelToCRS else {
            Issue.record("not affine")
            return
        }
        let middle = transform(Point(x: 5, y: 5))
        #expect(middle.distance(to: Point(x: 180.0025, y: 0.01)) < 1e-9)
    }

    @Test(
        "any version, prefix and wrapping is read",
        arguments: [
            "<kml xmlns='http://earth.google.com/kml/2.0'><Document><Folder>#</Folder></Document></kml>",
            "<kml xmlns='http://earth.google.com/kml/2.1'>#</kml>", "#",
            "\u{FEFF}<kml xmlns='http://www.opengis.net/kml/2.3'>#</kml>",
            "<k:kml xmlns:k='http://www.opengis.net/kml/2.2'><k:Document>#</k:Document></k:kml>",
        ])
    func versions(wrapping: String) throws {
        let element =
            "<GroundOverlay><Icon><href><![CDATA[plan.png]]></href></Icon>\(Self.plain)</GroundOverlay>"
        let prefixed = element.replacing("</", with: "\u{1}").replacing("<!", with: "\u{2}")
            .replacing("<", with: "<k:").replacing("\u{1}", with: "</k:").replacing(
                "\u{2}", with: "<!")
        let isPrefixed = wrapping.contains("k:")
        try expect(
            corners(wrapping.replacing("#", with: isPrefixed ? prefixed : element)),
            Self.plainCorners)
    }

    private static func overlays(_ images: [String]) -> String {
        "<kml>"
            + images.enumerated().map { index, image in
                "<GroundOverlay><name>n\(index)</name><Icon><href>\(image)</href></Icon>"
                    + box("48.\(index + 2)", "48.1", "2.3", "2.1") + "</GroundOverlay>"
            }.joined() + "</kml>"
    }

    @Test(
        "if there are several overlays, the one that shows the image is used",
        arguments: [
            "plan a.png", "files/plan%20a.png", "http://x.org/y/plan%20a.png", "C:\\plan a.png",
        ])
    func oneOfSeveral(href: String) throws {
        let kml = Self.overlays(["other.png", href, ""])
        #expect(try overlay(kml, for: "some/plan a.png").name == "n1")
    }

    @Test(
        "if several overlays are possible, all are listed",
        arguments: [["a.png", "b.png"], ["x/plan.png", "y/plan.png"], ["", ""]])
    func ambiguous(images: [String]) {
        let failure = #expect(throws: Failure.self) { try overlay(Self.overlays(images)) }
        #expect(failure?.kind == .badInput)
        for (index, image) in images.enumerated() {
            #expect(failure?.message.contains(image.isEmpty ? "n\(index)" : image) == true)
        }
        #expect(failure?.message.contains("overlay.kml") == true)
    }

    @Test(
        "an invalid overlay is refused, and the message says why",
        arguments: [
            (box("48", "49", "3", "2"), "no area"), (box("49", "49", "3", "2"), "no area"),
            (box("49", "48", "2", "2"), "no area"), (box("x", "48", "3", "2"), "north"),
            (box("49", "48", "nan", "2"), "east"), (box("91", "48", "3", "2"), "not a place"),
            ("<LatLonBox><north>1</north></LatLonBox>", "no west"), ("", "neither"),
            (quad("0,0 1,0 1,1"), "3 corners"), (quad(""), "0 corners"),
            (quad("0,0 0,1 1,1 1,0"), "clockwise"), (quad("0,0 1,0 0.2,0.2 0,1"), "convex"),
            (quad("0,0 1,1 1,0 0,1"), "convex"), (quad("0,0 1,0 1,1 0,0"), "convex"),
            (quad("0;0 1,0 1,1 0,1"), "not a place"), (quad("0,0 1,0 1,91 0,1"), "not a place"),
        ])
    func refused(shape: String, word: String) {
        let failure = #expect(throws: Failure.self) { try overlay(Self.kml(shape)) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains(word) == true, "\(String(describing: failure))")
    }

    @Test("if there are many overlays, five are listed")
    func many() {
        let images = (0..<7).map { "a\($0).png" }
        let failure = #expect(throws: Failure.self) { try overlay(Self.overlays(images)) }
        #expect(failure?.message.contains("it has 7 overlays") == true)
        #expect(failure?.message.contains("a4.png") == true && failure?.message.contains("a5.png") == false)
        #expect(failure?.message.hasSuffix(", …") == true)
    }

    @Test("a quad without coordinates has no corners")
    func emptyQuad() {
        let failure = #expect(throws: Failure.self) { try overlay(Self.kml("<gx:LatLonQuad/>")) }
        #expect(failure?.message.contains("0 corners") == true)
    }

    @Test("a file without an overlay and a missing file are distinguished from a damaged file")
    func noOverlay() {
        let empty = #expect(throws: Failure.self) { try overlay("<kml><Placemark/></kml>") }
        #expect(empty?.message.contains("no GroundOverlay") == true)
        let missing = #expect(throws: Failure.self) { try KMLFile(contentsOf: "/nowhere.kml") }
        #expect(missing?.kind == .missingInput)
        let damaged = #expect(throws: Failure.self) { try overlay("<kml>") }
        #expect(damaged?.kind == .badInput)
    }
}

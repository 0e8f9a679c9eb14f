import Platform
import Foundation
import Testing
import TilewrightKit
import Tiling

/// Warnings about positions that are probably wrong.
struct PlacementWarningTests {
    private let site: Site

    init() throws { site = try Site() }

    private func warnings(
        of position: PositionRequest = PositionRequest(), files: [String: String] = [:]
    ) throws -> String {
        for (name, text) in files { try site.write(text.utf8, to: name) }
        return try PlacedImage(site.image(at: position)).warnings.map(\.text).joined(separator: "\n")
    }

    private static func geotransform(_ numbers: String, crs: String = "EPSG:4326") -> String {
        "<PAMDataset><SRS dataAxisToSRSAxisMapping=\"2,1\">\(crs)</SRS>"
            + "<GeoTransform>\(numbers)</GeoTransform></PAMDataset>"
    }

    @Test("A position in a file by which rows run north is reported as mirrored")
    func mirror() throws {
        let pam = Self.geotransform("2,0.00001,0,48,0,0.00001")
        #expect(
            try warnings(files: ["plan.png.aux.xml": pam]).contains("do the rows really run north?"))
        let world = "0.00001\n0\n0\n0.00001\n2\n48\n"
        let position = PositionRequest(.worldFile(site.path("a.pgw")), crs: "EPSG:4326")
        #expect(
            try warnings(of: position, files: ["a.pgw": world])
                .contains("is the sign of its fourth number right?"))
    }

    @Test("A control point without which the others agree is named, and swapped points are reported")
    func points() throws {
        // 3e-4 degrees are 30 pixels.
        let wrong = Site.points { Point(x: $0 == 4 ? 3e-4 : 0, y: 0) }
        #expect(
            try warnings(of: PositionRequest(.controlPoints(wrong)))
                .contains("the control point 'p5' is probably wrong"))
        let mirrored = Site.points().map {
            var point = $0
            point.lonLat.y = 96 - point.lonLat.y
            return point
        }
        #expect(
            try warnings(of: PositionRequest(.controlPoints(mirrored)))
                .contains("mirror"))
    }

    @Test(
        "Control points beyond the image are counted",
        arguments: [(1, "1 of 7 control points is outside"), (2, "2 of 7 control points are outside")])
    func stray(count: Int, words: String) throws {
        let points = Site.points().enumerated().map { index, point in
            var point = point
            // A pixel is 1e-5 degrees wide.
            // The corners at the left.
            if [0, 3].prefix(count).contains(index) {
                point.pixel.x -= 10
                point.lonLat.x -= 1e-4
            }
            return point
        }
        let warnings = try warnings(of: PositionRequest(.controlPoints(points)))
        #expect(warnings.contains(words) && warnings.contains("which is 300 x 200"))
    }

    @Test(
        "Two files that put an image at different places disagree",
        arguments: [
            // 1e-4 degrees to the east are 10 pixels.
            ("2.0001,0.00001,0,48.002,0,-0.00001", "EPSG:4326", "up to 10.0 pixels apart"),
            // A transverse Mercator around the ninth meridian has no place for points 89 degrees from it.
            ("500000,1,0,1000,0,-1", "EPSG:32632", "far apart"),
        ])
    func disagreement(numbers: String, crs: String, words: String) throws {
        let isFar = crs != "EPSG:4326"
        let world = "0.00001\n0\n0\n-0.00001\n\(isFar ? 98 : 2.000005)\n\(isFar ? 0.001 : 48.001995)\n"
        let files = [
            "plan.png.aux.xml": Self.geotransform(numbers, crs: crs), "plan.pgw": world,
            "plan.prj": """
            GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.257223563]],\
            PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]
            """,
        ]
        let warnings = try warnings(files: files)
        #expect(warnings.contains("put corners of"))
        #expect(warnings.contains(words), "\(warnings)")
    }

    @Test("A second file that puts the image off the map is ignored")
    func unused() throws {
        let files = [
            "plan.png.aux.xml": Self.geotransform("2,0.00001,0,48.002,0,-0.00001"),
            "plan.pgw": "1\n0\n0\n-1\n500000\n5500000\n",
        ]
        #expect(try warnings(files: files) == "")
    }

    @Test("An unknown datum makes the position uncertain")
    func datum() throws {
        // The ellipsoid alone: projinfo calls the operation a ballpark one.
        let position = PositionRequest(
            .bounds(BoundingBox(minX: 500_000, minY: 5_500_000, maxX: 500_300, maxY: 5_500_200)),
            crs: "+proj=utm +zone=32 +ellps=bessel")
        #expect(try warnings(of: position).contains("is of unknown accuracy"))
    }

    @Test(
        "A warning about pixels that are not square on the ground has their size and a likely cause",
        arguments: [
            (
                PositionRequest.Source.bounds(Plan.box(wider: 1.9)),
                "is 1.9 x 1.0 m on the ground: stretched by a factor of 1.9 in width"
            ),
            (
                .bounds(Plan.box(wider: 1.9, pixel: 0.38)),
                "is 72 x 38 cm on the ground: stretched by a factor of 1.9 in width"
            ),
            (
                .bounds(Plan.box(wider: 0.7)),
                "stretched by a factor of 1.4 in height; are these exactly the bounds"
            ),
            (.bounds(Plan.swapped), "longitude and latitude are probably swapped"),
            // 120 degrees east is not a latitude.
            (
                .bounds(BoundingBox(minX: 120, minY: 10, maxX: 120 + 200.0 / 111_412, maxY: 10.0054)),
                "are these exactly the bounds"
            ),
            // Across the antimeridian: 300 pixels of 1.9 m.
            (
                .bounds(BoundingBox(minX: 179.995, minY: 60, maxX: -179.9948, maxY: 60 + 200 / 111_412)),
                "stretched by a factor of 1.9 in width"
            ),
            (
                .corners(Plan.corners(of: Plan.box(), from: 1)),
                " in height; the corners probably begin at the wrong"
            ),
            (
                .corners(Plan.corners(of: Plan.box(), from: 3)),
                " in height; the corners probably begin at the wrong"
            ),
            (.corners(Plan.corners(of: Plan.box(wider: 1.5), from: 0)), "not of the building in it?"),
            // The third corner is 100 m too far east: an angle of atan(200 / 100).
            (
                .corners(Plan.sheared(by: 100)),
                "1.0 x 1.1 m on the ground, and its sides meet at 63 degrees; is one of the corners wrong"
            ),
            (
                .controlPoints(Plan.clicked(at: Plan.sheared(by: -100))),
                "and its sides meet at 117 degrees; is one of the control points wrong?"
            ),
            (
                .corners(Plan.sheared(by: 300)),
                "its sides meet at 34 degrees: stretched by a factor of 1.8 in height; is one of the corners"
            ),
            (
                .controlPoints(Plan.clicked(on: Plan.box(wider: 1.5))),
                "was the image scaled in one direction only"
            ),
        ])
    func stretched(source: PositionRequest.Source, words: String) throws {
        let found = try warnings(of: PositionRequest(source))
        #expect(found.contains(words), "\(found)")
        #expect(!found.contains("\n"), "\(found)")
    }

    @Test(
        "Usual positions get no warning",
        arguments: [
            PositionRequest.Source.bounds(Plan.box()), .bounds(Plan.box(wider: 1.2)),
            .bounds(Plan.box(wider: 0.85)),
            .corners(Plan.corners(of: Plan.box(), from: 0)), .controlPoints(Plan.clicked(on: Plan.box())),
            .corners(Plan.sheared(by: 20)),
            // Half a turn, a map of half the world in degrees, and a plan of a kiosk.
            .corners(Plan.corners(of: Plan.box(), from: 2)),
            .bounds(BoundingBox(minX: -60, minY: -40, maxX: 60, maxY: 40)),
            .bounds(Plan.box(pixel: 0.01)),
            // Maps in degrees at latitude 60, one of them across the antimeridian.
            .bounds(BoundingBox(minX: 10, minY: 60, maxX: 13, maxY: 62)),
            .bounds(BoundingBox(minX: 179, minY: 60, maxX: -178, maxY: 62)),
            .corners(Plan.corners(of: BoundingBox(minX: 10, minY: 60, maxX: 10.03, maxY: 60.02), from: 0)),
            .controlPoints(Plan.clicked(on: BoundingBox(minX: 10, minY: 60, maxX: 10.03, maxY: 60.02))),
            // A photograph from the side, whose far edge is half as long as the near one.
            .corners([
                Point(x: 10.001, y: 60.004), Point(x: 10.003, y: 60.004), Point(x: 10.004, y: 60),
                Point(x: 10, y: 60),
            ]),
            // A sheet of 15 km by an anchor.
            .anchor(
                pixel: Point(x: 0, y: 0), lonLat: Point(x: 10, y: 50), scale: .metresPerPixel(50), bearing: 30
            ),
        ])
    func unremarkable(source: PositionRequest.Source) throws {
        #expect(try warnings(of: PositionRequest(source)) == "")
    }

    @Test(
        "Squares of other systems are squares: cylindrical maps of the world, and metres of a zone",
        arguments: [
            ("EPSG:4087", BoundingBox(minX: 1e6, minY: 6e6, maxX: 1.3e6, maxY: 6.2e6)),
            ("EPSG:32632", BoundingBox(minX: 5e5, minY: 6.6e6, maxX: 5.003e5, maxY: 6.6002e6)),
            ("EPSG:3857", BoundingBox(minX: 1e6, minY: 8e6, maxX: 1.0003e6, maxY: 8.0002e6)),
        ])
    func otherSystems(crs: String, box: BoundingBox) throws {
        #expect(try warnings(of: PositionRequest(.bounds(box), crs: crs)) == "")
    }

    @Test("Positions in files are not checked: a world file in degrees, or with pixels that are not squares")
    func worldFiles() throws {
        for (height, latitude) in [("-0.00001", 60), ("-0.00005", 48)] {
            let world = "0.00001\n0\n0\n\(height)\n2\n\(latitude)\n"
            let position = PositionRequest(.worldFile(site.path("a.pgw")), crs: "EPSG:4326")
            #expect(try warnings(of: position, files: ["a.pgw": world]) == "")
        }
    }

    @Test("A mirrored image is refused with the likely cause, or warned of")
    func mirrored() throws {
        let ring = Plan.corners(of: Plan.box(), from: 0)
        expectRefusal(.usage, "mirrored: longitude and latitude are probably swapped") {
            try warnings(of: PositionRequest(.corners(ring.map { Point(x: $0.y, y: $0.x) })))
        }
        for order in [[0, 3, 2, 1], [1, 0, 3, 2]] {
            let failure = #expect(throws: Failure.self) {
                try warnings(of: PositionRequest(.corners(order.map { ring[$0] })))
            }
            #expect(failure?.message.hasSuffix("so the image would be mirrored") == true)
        }
    }

    @Test(
        "A size that no plan or map has gets a warning",
        arguments: [
            (
                PositionRequest.Source.bounds(Plan.box(pixel: 0.001)),
                "'PLAN' is 30 x 20 cm on the ground, smaller than any"
            ),
            (
                Plan.anchor(5000),
                " km on the ground, larger than any building: check --scale: it is metres"
            ),
            (Plan.anchor(400), "120 x 80 km on the ground, larger than any building"),
            (Plan.anchor(0.0002), "6.0 x 4.0 cm on the ground, smaller than any plan: check --scale"),
        ])
    func absurd(source: PositionRequest.Source, words: String) throws {
        let found = try warnings(of: PositionRequest(source)).replacing(site.path("plan.png"), with: "PLAN")
        #expect(found.contains(words) && !found.contains("\n"), "\(found)")
    }
}

/// Positions of a plan of 300 x 200 pixels.
private enum Plan {
    /// 300 x 200 pixels of a metre at latitude 60, where a degree of longitude has 55 800 m and one of latitude
    /// 111 412 m (the radii of curvature of the ellipsoid are 6 394 209 m x cos 60 and 6 383 454 m).
    static func box(wider factor: Double = 1, pixel: Double = 1) -> BoundingBox {
        BoundingBox(
            minX: 10, minY: 60, maxX: 10 + 300 * pixel * factor / 55_800, maxY: 60 + 200 * pixel / 111_412)
    }

    /// 300 x 200 m, with interchanged longitudes and latitudes.
    static let swapped = BoundingBox(
        minX: 60, minY: 10, maxX: 60 + 200.0 / 111_412, maxY: 10 + 300.0 / 55_800)

    static func corners(of box: BoundingBox, from first: Int) -> [Point] {
        let ring = [
            Point(x: box.minX, y: box.maxY), Point(x: box.maxX, y: box.maxY),
            Point(x: box.maxX, y: box.minY), Point(x: box.minX, y: box.minY),
        ]
        return (0..<4).map { ring[($0 + first) % 4] }
    }

    /// Three corners, the last of them so many metres east of where it should be.
    static func sheared(by metres: Double) -> [Point] {
        var ring = Array(corners(of: box(), from: 0).prefix(3))
        ring[2].x += metres / 55_800
        return ring
    }

    static func clicked(on box: BoundingBox) -> [ControlPoint] { clicked(at: corners(of: box, from: 0)) }

    /// The corners of the image at places.
    static func clicked(at places: [Point]) -> [ControlPoint] {
        let pixels = [Point(x: 0, y: 0), Point(x: 300, y: 0), Point(x: 300, y: 200), Point(x: 0, y: 200)]
        return zip(pixels, places).enumerated().map {
            ControlPoint(pixel: $1.0, lonLat: $1.1, name: "p\($0)")
        }
    }

    static func anchor(_ metresPerPixel: Double) -> PositionRequest.Source {
        .anchor(
            pixel: Point(x: 0, y: 0), lonLat: Point(x: 10, y: 50), scale: .metresPerPixel(metresPerPixel),
            bearing: 0)
    }
}

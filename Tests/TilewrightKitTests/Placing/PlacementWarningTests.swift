import Foundation
import Testing
import TilewrightKit
import Tiling

/// What is not wrong for certain is said.
struct PlacementWarningTests {
    private let site: Site

    init() throws { site = try Site() }

    private func warnings(
        of position: PositionRequest = PositionRequest(), files: [String: String] = [:]
    ) throws -> String {
        for (name, text) in files { try site.write(text.utf8, to: name) }
        return try PlacedImage(site.image(at: position)).warnings.joined(separator: "\n")
    }

    private static func geotransform(_ numbers: String, crs: String = "EPSG:4326") -> String {
        "<PAMDataset><SRS dataAxisToSRSAxisMapping=\"2,1\">\(crs)</SRS>"
            + "<GeoTransform>\(numbers)</GeoTransform></PAMDataset>"
    }

    @Test("A file by whose position rows run north is said to mirror the image")
    func mirror() throws {
        let pam = Self.geotransform("2,0.00001,0,48,0,0.00001")
        #expect(
            try warnings(files: ["plan.png.aux.xml": pam]).contains("seen as in a mirror: do its rows"))
        let world = "0.00001\n0\n0\n0.00001\n2\n48\n"
        let position = PositionRequest(.worldFile(site.path("a.pgw")), crs: "EPSG:4326")
        #expect(
            try warnings(of: position, files: ["a.pgw": world])
                .contains("is the sign of its fourth number right?"))
    }

    @Test("A control point without which the others agree is named, interchanged ones are told")
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
        arguments: [(1, "1 of 7 control points lies outside"), (2, "2 of 7 control points lie outside")])
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
            // A transverse Mercator of a ninth meridian has no place for one 89 degrees from it.
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

    @Test("A second file that puts the image nowhere is out of use")
    func unused() throws {
        let files = [
            "plan.png.aux.xml": Self.geotransform("2,0.00001,0,48.002,0,-0.00001"),
            "plan.pgw": "1\n0\n0\n-1\n500000\n5500000\n",
        ]
        #expect(try warnings(files: files) == "")
    }

    @Test("A datum of which nothing is known makes the place uncertain")
    func datum() throws {
        // The ellipsoid alone: projinfo calls the operation a ballpark one.
        let position = PositionRequest(
            .bounds(BoundingBox(minX: 500_000, minY: 5_500_000, maxX: 500_300, maxY: 5_500_200)),
            crs: "+proj=utm +zone=32 +ellps=bessel")
        #expect(try warnings(of: position).contains("is not known to any accuracy"))
    }
}

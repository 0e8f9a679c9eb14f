import Platform
import Foundation
import Georeferencing
import Raster
import TestSupport
import Testing
import TilewrightKit
import Tiling

/// Images, placed in every possible way.
struct PlacedImageTests {
    private let site: Site

    init() throws { site = try Site() }

    /// A way to give the plan's position, and its expected description.
    struct Way: CustomTestStringConvertible {
        var name: String
        var files: [String: String] = [:]
        var crs: String?
        /// From the paths of the files.
        var source: @Sendable ((String) -> String) -> PositionRequest.Source
        var summary: String

        var testDescription: String { name }
    }

    /// A world file has the centre of the first pixel.
    private static let worldFile = "0.00001\n0\n0\n-0.00001\n2.000005\n48.001995\n"

    static let ways = [
        Way(name: "bounds", source: { _ in .bounds(Site.box) }, summary: "bounds"),
        Way(name: "four corners", source: { _ in .corners(Site.corners) }, summary: "4 corners"),
        Way(
            name: "three corners", source: { _ in .corners(Array(Site.corners.prefix(3))) },
            summary: "3 corners"),
        Way(
            name: "control points", source: { _ in .controlPoints(Site.points()) },
            summary: "7 control points"),
        Way(
            name: "a file of points",
            files: [
                "a.points": """
                mapX,mapY,pixelX,pixelY,enable
                2,48.002,0,0,1
                2.003,48.002,300,0,1
                2.003,48,300,-200,1
                """
            ], source: { .pointsFile($0("a.points")) }, summary: "control points of 'a.points'"),
        Way(
            name: "a world file", files: ["a.pgw": worldFile], crs: "EPSG:4326",
            source: { .worldFile($0("a.pgw")) }, summary: "world file 'a.pgw'"),
        Way(
            name: "a world file next to it", files: ["plan.pgw": worldFile], crs: "EPSG:4326",
            source: { _ in .files }, summary: "world file 'plan.pgw'"),
        Way(
            name: "KML",
            files: [
                "a.kml": """
                <kml><GroundOverlay><Icon><href>plan.png</href></Icon><LatLonBox><north>48.002</north>
                <south>48</south><east>2.003</east><west>2</west></LatLonBox></GroundOverlay></kml>
                """
            ], source: { .kml($0("a.kml")) }, summary: "ground overlay of 'a.kml'"),
        Way(
            name: "a geotransform of GDAL",
            files: [
                "plan.png.aux.xml": """
                <PAMDataset><SRS dataAxisToSRSAxisMapping="2,1">EPSG:4326</SRS>
                <GeoTransform>2,0.00001,0,48.002,0,-0.00001</GeoTransform></PAMDataset>
                """
            ], source: { _ in .files }, summary: "'plan.png.aux.xml'"),
    ]

    @Test("Each kind of position puts the corners in the right place", arguments: ways)
    func corners(way: Way) throws {
        for (name, text) in way.files { try site.write(text.utf8, to: name) }
        let placed = try PlacedImage(
            site.image(at: PositionRequest(way.source(site.path), crs: way.crs)))
        for (corner, expected) in zip(placed.corners, Site.corners) {
            // A rectangle of degrees is not one on the ground: across 200 m, that is a centimetre.
            #expect(hypot(corner.x - expected.x, corner.y - expected.y) < 2e-7, "\(placed.corners)")
        }
        #expect(placed.corners.count == 4)
        #expect(placed.warnings == [])
        #expect(placed.positionSource.replacing(site.path("") + "/", with: "") == way.summary)
        #expect((placed.fit != nil) == way.summary.contains("control points"))
        #expect(abs(placed.bounds.minX - 2) < 2e-7 && abs(placed.bounds.maxY - 48.002) < 2e-7)
    }

    @Test("An anchor puts a point at its place, and pixels of a size around it", .needs("geod"))
    func anchor() throws {
        let place = Point(x: 2, y: 48)
        let placed = try PlacedImage(
            site.image(
                at: PositionRequest(
                    .anchor(pixel: Point(x: 0, y: 0), lonLat: place, scale: .metresPerPixel(0.5), bearing: 30)
                )))
        #expect(hypot(placed.corners[0].x - 2, placed.corners[0].y - 48) < 1e-9)
        #expect(abs(placed.groundCellSize - 0.5) < 1e-4)
        #expect(placed.positionSource == "an anchor and a scale")
        // Up points to a bearing of 30 degrees, so that the 300 columns lead to one of 120.
        let outcome = try Tool.run(
            "geod", ["+ellps=WGS84", "-f", "%.9f"], input: "48 2 120 150\n")
        let fields = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        #expect(hypot(placed.corners[1].x - fields[1], placed.corners[1].y - fields[0]) < 1e-7)
    }

    @Test("An image has the size of the whole file, whatever is cropped")
    func size() throws {
        var image = site.image()
        image.crop = PixelWindow(columns: 10..<50, rows: 20..<40)
        let placed = try PlacedImage(image)
        #expect(placed.width == 300 && placed.height == 200)
    }

    @Test("The native zoom has pixels as large as the image's; for tiles of 512 pixels, it is one less")
    func nativeZoom() throws {
        let placed = try PlacedImage(site.image())
        // 1e-5 degrees of longitude are a pixel, of 360 / 256 / 2^z degrees; rows are 1 / cos(48) larger.
        let across = log2(360 / 256 / 1e-5)
        let down = across + log2(cos(48.001 * .pi / 180))
        #expect(abs(placed.nativeZoom() - (across + down) / 2) < 1e-3)
        #expect(abs(placed.nativeZoom(tileSize: .double) - placed.nativeZoom() + 1) < 1e-12)
        #expect(placed.crsName == "WGS 84")
    }

    @Test("An image without a position, a missing one and one that is too large are refused")
    func refused() throws {
        expectRefusal(.badInput, "it has no position") {
            try PlacedImage(site.image(at: PositionRequest()))
        }
        expectRefusal(.missingInput, "none.png") { try PlacedImage(site.image("none.png")) }
        expectRefusal(.usage, "60000 pixels, but at most 50000 are read") {
            try PlacedImage(site.image(), maxPixels: 50_000)
        }
        expectRefusal(.usage, "--max-pixels allows 50000") {
            var resources = BuildResources()
            resources.maxPixels = 50_000
            return try PlacedImages([site.image()], resources: resources)
        }
        var cropped = site.image()
        cropped.crop = PixelWindow(columns: 0..<301, rows: 0..<10)
        expectRefusal(.usage, "the crop extends beyond the image, which is 300 x 200") {
            try PlacedImage(cropped)
        }
    }

    @Test(
        "Options that do not apply to a position are refused with a remedy",
        arguments: [
            (PositionRequest(.controlPoints(Site.points()), crs: "EPSG:3857"), "--crs does not apply"),
            (PositionRequest(.corners(Site.corners), crs: "EPSG:3857"), "--crs does not apply to 4 corners"),
            (PositionRequest(.corners(Site.corners), transform: .affine), "--transform does not apply"),
            (PositionRequest(.bounds(Site.box), transform: .tps), "--transform does not apply to bounds"),
            (PositionRequest(.bounds(Site.box), crs: "EPSG:1"), "EPSG:1"),
            (
                PositionRequest(
                    .anchor(
                        pixel: Point(x: .nan, y: 0), lonLat: Point(x: 2, y: 48), scale: .metresPerPixel(1),
                        bearing: 0)), "column and row must be numbers"
            ),
            (
                PositionRequest(
                    .anchor(
                        pixel: Point(x: 0, y: 0), lonLat: Point(x: 2, y: 48), scale: .metresPerPixel(0),
                        bearing: 0)), "is not positive"
            ),
        ])
    func contradictions(position: PositionRequest, words: String) throws {
        expectRefusal(.usage, words) { try PlacedImage(site.image(at: position)) }
    }

    @Test("The nodata values of three bands are a colour, that of one band applies to all bands")
    func nodata() throws {
        func reading(_ values: [String]) throws -> (options: ReadOptions, nodata: ColorKey?) {
            let bands = values.enumerated().map {
                "<PAMRasterBand band=\"\($0 + 1)\"><NoDataValue>\($1)</NoDataValue></PAMRasterBand>"
            }
            try site.write("<PAMDataset>\(bands.joined())</PAMDataset>".utf8, to: "plan.png.aux.xml")
            return try site.image().reading()
        }
        let color = try reading(["1", "2", "3"])
        #expect(color.nodata == ColorKey(red: 1, green: 2, blue: 3, tolerance: 0))
        #expect(color.options.nodata == nil)
        let level = try reading(["7", "7", "7"])
        #expect(level.nodata == nil && level.options.nodata == 7)
        // Numbers of 16 bits are not a colour.
        let wide = try reading(["1", "2", "3000"])
        #expect(wide.nodata == nil && wide.options.nodata == nil)
    }

    /// A gray TIFF of 2 x 1 pixels of 16 bits.
    private static func gray(_ samples: [UInt16]) -> [UInt8] {
        var tiff = TIFFBuilder(
            width: 2, height: 1, data: samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        tiff.setSamples(1, photometric: 1, bits: 16)
        return tiff.bytes
    }

    @Test("Images of more than 8 bits share one range, unless they have their own")
    func ranges() throws {
        try site.write(Self.gray([100, 900]), to: "a.tif")
        try site.write(Self.gray([500, 3000]), to: "b.tif")
        var said = site.image("b.tif")
        said.rescale = SampleRange(0...10)
        let placed = try PlacedImages([site.image("a.tif"), site.image("b.tif"), said, site.image()])
        #expect(placed.all.map(\.info.sampleRange).prefix(2) == [100...3000, 100...3000])
        #expect(placed.all[2].info.sampleRange != 100...3000)
        #expect(placed.all[3].info.sampleRange == nil)
        let shares = try PlacedImages(
            ["a.tif", "b.tif"].map { name in
                var image = site.image(name)
                image.rescale = SampleRange(.percent(50), .percent(100))
                return image
            })
        #expect(shares.all.map(\.info.sampleRange) == [100...3000, 100...3000])
        let alone = try PlacedImages([site.image("a.tif"), site.image()])
        #expect(alone.all[0].info.sampleRange == 100...900)
    }
}

import Foundation
import TestSupport
import Testing

/// GeoTIFFs in many systems at about their native zoom, against GDAL's warper with its exact
/// transformer. GDAL writes them too.
///
/// As in `WarpTests`, the plan's pixels are a little larger than the zoom's, and it stands on white
/// paper. Coordinates themselves are compared in `CRSTableTests`.
@Suite(.needs("gdalwarp", "gdal_translate"))
struct CRSWarpTests {
    /// A plan whose upper left corner is at a place of a system.
    struct Site: Sendable, CustomTestStringConvertible {
        let crs: String
        let corner: (x: Double, y: Double)
        let pixel: Double
        let zoom: Int
        var turned = 0.0
        var testDescription: String { crs }
    }

    /// One of each kind: turned or not, in metres, degrees or kilometres, polar, across the
    /// antimeridian, with a datum of its own.
    static let sites = [
        Site(crs: "EPSG:25832", corner: (690_000, 5_335_000), pixel: 0.7, zoom: 18),
        Site(crs: "EPSG:32756", corner: (334_000, 6_251_000), pixel: 0.7, zoom: 18, turned: 30),
        Site(crs: "EPSG:3035", corner: (2_700_000, 5_000_000), pixel: 6000, zoom: 5),
        Site(crs: "EPSG:3031", corner: (-1_700_000, 1_300_000), pixel: 1000, zoom: 6),
        Site(crs: "EPSG:4326", corner: (10, 50), pixel: 1.2e-5, zoom: 17, turned: 20),
        Site(crs: "EPSG:3832", corner: (1_000_000, 3_000_000), pixel: 3000, zoom: 6),
        Site(
            crs: "+proj=tmerc +lat_0=12 +lon_0=11.3 +k=0.9998 +x_0=1234 +y_0=-500 +ellps=bessel "
                + "+towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m",
            corner: (15_000, 4_000_000), pixel: 0.7, zoom: 18),
    ]

    static let moreSites = [
        Site(crs: "EPSG:27700", corner: (530_000, 180_000), pixel: 0.7, zoom: 18),
        Site(crs: "EPSG:2154", corner: (652_000, 6_862_000), pixel: 0.7, zoom: 18),
        Site(crs: "EPSG:5070", corner: (-2_300_000, 3_100_000), pixel: 6000, zoom: 5),
        Site(crs: "EPSG:3995", corner: (500_000, -1_500_000), pixel: 1000, zoom: 6),
        Site(crs: "EPSG:2056", corner: (2_600_000, 1_200_000), pixel: 0.5, zoom: 18),
        Site(crs: "EPSG:2263", corner: (990_000, 205_000), pixel: 2, zoom: 18),
        Site(crs: "EPSG:27572", corner: (600_000, 2_428_000), pixel: 0.7, zoom: 18),
        Site(crs: "EPSG:4807", corner: (0.05, 54.3), pixel: 1e-5, zoom: 18),
        Site(crs: "EPSG:32660", corner: (800_000, 6_000_000), pixel: 60, zoom: 11),
        Site(crs: "EPSG:3857", corner: (1_000_000, 6_000_000), pixel: 1.3, zoom: 17, turned: 70),
        Site(crs: "EPSG:4979", corner: (10, 50), pixel: 1.2e-5, zoom: 17),
    ]

    /// Lets GDAL write the plan as a GeoTIFF.
    private func write(_ site: Site, to scratch: TemporaryDirectory) throws -> String {
        let image = scratch.path("plan.png")
        try Picture.plan(width: 440, height: 320, hasPaper: true).write(to: image)
        let angle = site.turned * .pi / 180
        let (along, across) = (site.pixel * cos(angle), site.pixel * sin(angle))
        let numbers = [along, -across, -across, -along, site.corner.x, site.corner.y]
        _ = try scratch.write(numbers.map { "\($0)\n" }.joined(), to: "plan.pgw")
        let translate = try Tool.run(
            "gdal_translate",
            ["-q", "-a_srs", site.crs, "-co", "COMPRESS=DEFLATE", "-co", "TILED=YES", image]
                + [scratch.path("plan.tif")])
        #expect(translate.status == 0, "\(translate.errors)")
        return scratch.path("plan.tif")
    }

    /// What GDAL makes of an image on the mosaic's pixels.
    private func warped(
        _ image: String, _ site: Site, like mosaic: Mosaic, in scratch: TemporaryDirectory
    ) throws -> Picture {
        let cell = World.cellSize(zoom: site.zoom)
        let (columns, rows) = (mosaic.picture.width, mosaic.picture.height)
        let west = Double(mosaic.origin.column) * cell - World.halfWidth
        let north = World.halfWidth - Double(mosaic.origin.row) * cell
        let extent = [west, north - Double(rows) * cell, west + Double(columns) * cell, north]
        let (raw, png) = (scratch.path("warped.tif"), scratch.path("warped.png"))
        let warp = try Tool.run(
            "gdalwarp",
            ["-q", "-r", "cubic", "-et", "0", "-wo", "SAMPLE_GRID=YES"]
                + ["-t_srs", "EPSG:3857", "-te"] + extent.map { "\($0)" }
                + ["-ts", "\(columns)", "\(rows)", image, raw])
        let translate = try Tool.run(
            "gdal_translate", ["-q", "-of", "PNG", raw, png])
        #expect(warp.status == 0 && translate.status == 0, "\(warp.errors)\(translate.errors)")
        return try Picture(contentsOf: png)
    }

    @Test("A plan in any system is what gdalwarp makes of it", .long, arguments: sites)
    func planIsAsGDALWarpsIt(site: Site) throws { try check(site) }

    @Test("So is a plan in other systems", .long, arguments: moreSites)
    func planInOtherSystem(site: Site) throws { try check(site) }

    private func check(_ site: Site) throws {
        let scratch = try TemporaryDirectory()
        let image = try write(site, to: scratch)
        try Program.succeed(
            [image, "-o", scratch.path("tiles"), "--zoom", "\(site.zoom)"]
                + ["--resampling", "cubic"])
        let mosaic = try Mosaic(of: scratch.url.appending(path: "tiles"), zoom: site.zoom)
        let reference = try warped(image, site, like: mosaic, in: scratch)
        #expect(mosaic.picture.psnr(against: reference) >= 40)
        let move = mosaic.picture.displacement(from: reference)
        #expect(abs(move.x) < 0.05 && abs(move.y) < 0.05, "moved by \(move)")
    }
}

import Foundation
import TestSupport
import Testing

/// A plan on paper that has warped, at its native zoom, against GDAL's warper.
///
/// As in `WarpTests`, the plan's pixels are larger than the tiles', and it stands on white paper.
@Suite(.needs("gdalwarp", "gdal_translate"))
struct CurvedWarpTests {
    private static let zoom = 19
    private static let size = (width: 760, height: 560)

    /// Column, row, longitude and latitude, the last two rounded to 1e-8 degrees: paper bent by up to
    /// 12 pixels.
    private static let points: [[Double]] = (0..<4).flatMap { row in
        (0..<5).map { column in
            let (x, y) = (10 + 185 * Double(column), 10 + 180 * Double(row))
            let (u, v) = (x + 12 * sin(y / 170), y - 9 * cos(x / 210) + 0.01 * x)
            // 0.418 m a pixel, 1.4 of those of zoom 19 at the equator.
            let degrees = 0.418 / 111_320
            let place = [2 + u * degrees, 0.5 - v * degrees]
            return [x, y] + place.map { ($0 * 1e8).rounded() / 1e8 }
        }
    }

    /// GDAL's picture of the plan on the mosaic's pixels, its control points in the same plane.
    private func warped(
        _ workshop: Workshop, like mosaic: Mosaic, _ method: [String],
        shift: (x: Double, y: Double) = (0, 0)
    ) throws -> Picture {
        func run(_ tool: String, _ arguments: [String], input: String = "") throws -> String {
            let outcome = try Tool.run(
                tool, arguments, input: input, in: workshop.url)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        let mean = [2, 3].map { axis in
            Self.points.map { $0[axis] }.reduce(0, +) / Double(Self.points.count)
        }.map { String(format: "%.6f", $0) }
        let plane = "+proj=tmerc +lon_0=\(mean[0]) +lat_0=\(mean[1]) +datum=WGS84"
        let places = try run(
            "gdaltransform", ["-s_srs", "+proj=longlat +datum=WGS84", "-t_srs", plane],
            input: Self.points.map { "\($0[2]) \($0[3])\n" }.joined()
        ).split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let gcps = zip(Self.points, places).flatMap {
            ["-gcp", "\($0[0])", "\($0[1])", $1[0], $1[1]]
        }
        let (vrt, raw, png) = ("\(UUID()).vrt", "\(UUID()).tif", "\(UUID()).png")
        _ = try run(
            "gdal_translate", ["-q", "-of", "VRT", "-a_srs", plane] + gcps + ["plan.png", vrt])
        let cell = World.cellSize(zoom: Self.zoom)
        let (columns, rows) = (mosaic.picture.width, mosaic.picture.height)
        let west = (Double(mosaic.origin.column) + shift.x) * cell - World.halfWidth
        let north = World.halfWidth - (Double(mosaic.origin.row) + shift.y) * cell
        let extent = [west, north - Double(rows) * cell, west + Double(columns) * cell, north]
        _ = try run(
            "gdalwarp",
            ["-q", "-r", "cubic", "-et", "0", "-t_srs", "EPSG:3857"] + method + ["-te"]
                + extent.map { "\($0)" } + ["-ts", "\(columns)", "\(rows)", vrt, raw])
        _ = try run("gdal_translate", ["-q", "-of", "PNG", raw, png])
        return try Picture(contentsOf: workshop.path(png))
    }

    @Test(
        "A bent plan is what gdalwarp makes of it, to a tenth of a pixel", .long,
        arguments: [("polynomial2", ["-order", "2"]), ("tps", ["-tps"])])
    func bentPlan(model: String, method: [String]) throws {
        let workshop = try Workshop(
            .plan(width: Self.size.width, height: Self.size.height, hasPaper: true))
        let gcps = Self.points.flatMap { ["--gcp", $0.map { "\($0)" }.joined(separator: ",")] }
        try Program.succeed(
            ["plan.png", "--transform", model, "--zoom", "\(Self.zoom)", "--resampling", "cubic"]
                + ["-o", "tiles"] + gcps, in: workshop.url)
        let mosaic = try Mosaic(of: workshop.file("tiles"), zoom: Self.zoom)
        let quality = mosaic.picture.psnr(against: try warped(workshop, like: mosaic, method))
        #expect(quality >= 55)
        for shift in [(0.1, 0.0), (-0.1, 0), (0, 0.1), (0, -0.1)] {
            let shifted = try warped(workshop, like: mosaic, method, shift: shift)
            #expect(mosaic.picture.psnr(against: shifted) < quality, "moved by \(shift)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// A turned plan at its native zoom, against GDAL's warper.
///
/// GDAL widens its kernel if a turned image's pixels are hardly larger than the result's, so the
/// plan's are larger by 1.4; and it makes the edge of what is transparent from whole pixels, so the
/// plan stands on white paper, whose edge cannot be seen on white.
@Suite(.needs("gdalwarp", "gdal_translate"))
struct WarpTests {
    private static let zoom = 19

    /// What GDAL makes of the plan on the mosaic's pixels.
    ///
    /// - Parameter shift: pixels by which GDAL's grid is moved.
    private func warped(
        _ plan: TurnedPlan, like mosaic: Mosaic, shift: (x: Double, y: Double) = (0, 0)
    ) throws -> Picture {
        let cell = World.cellSize(zoom: Self.zoom)
        let (columns, rows) = (mosaic.picture.width, mosaic.picture.height)
        let west = (Double(mosaic.origin.column) + shift.x) * cell - World.halfWidth
        let north = World.halfWidth - (Double(mosaic.origin.row) + shift.y) * cell
        let extent = [west, north - Double(rows) * cell, west + Double(columns) * cell, north]
        let (raw, png) = (plan.path("\(UUID()).tif"), plan.path("\(UUID()).png"))
        let warp = try Tool.run(
            "gdalwarp",
            ["-q", "-r", "cubic", "-et", "0", "-s_srs", "EPSG:3857", "-t_srs", "EPSG:3857", "-te"]
                + extent.map { "\($0)" } + ["-ts", "\(columns)", "\(rows)", plan.image, raw])
        let translate = try Tool.run(
            "gdal_translate", ["-q", "-of", "PNG", raw, png])
        #expect(warp.status == 0 && translate.status == 0, "\(warp.errors)\(translate.errors)")
        return try Picture(contentsOf: png)
    }

    @Test("A turned plan is what gdalwarp makes of it, to a tenth of a pixel", .long)
    func turnedPlanIsAsGDALWarpsIt() throws {
        let plan = try TurnedPlan(
            .plan(width: 760, height: 560, hasPaper: true),
            cellSize: World.cellSize(zoom: Self.zoom) * 1.4, turnedBy: 13)
        let tree = try plan.build(
            ["--zoom", "\(Self.zoom)", "--resampling", "cubic"], to: "tiles")
        let mosaic = try Mosaic(of: tree, zoom: Self.zoom)
        let quality = mosaic.picture.psnr(against: try warped(plan, like: mosaic))
        #expect(quality >= 60)
        for shift in [(0.1, 0.0), (-0.1, 0), (0, 0.1), (0, -0.1)] {
            let shifted = try warped(plan, like: mosaic, shift: shift)
            #expect(mosaic.picture.psnr(against: shifted) < quality, "moved by \(shift)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// Tiles against the exact sums.
struct FidelityTests {
    /// A kernel for all zooms, and how near to the ideal each must be, in decibels.
    struct Case: CustomTestStringConvertible {
        var method: IdealPyramid.Method
        var name: String
        var base: Double
        var overviews: Double
        var testDescription: String { name }
    }

    static let cases = [
        Case(method: .area, name: "area", base: 70, overviews: 55),
        Case(method: .lanczos, name: "lanczos", base: 60, overviews: 55),
    ]

    @Test("Tiles are as near to the exact sums as 8 bits are", .long, arguments: cases)
    func tilesAreExact(of test: Case) throws {
        let scratch = try TemporaryDirectory()
        let plan = Picture.plan(width: 330, height: 250)
        try plan.write(to: scratch.path("plan.png"))
        let zooms = 13...15
        let cell = World.cellSize(zoom: zooms.upperBound)
        // A pixel of the tiles covers 1.37 of the image.
        let scale = 1.37
        let (west, north) = (876_543.21, 5_432_109.87)
        let (east, south) = (west + 330 * cell / scale, north - 250 * cell / scale)
        try Program.succeed([
            scratch.path("plan.png"), "--bounds", "\(west),\(south),\(east),\(north)", "--crs",
            "EPSG:3857", "--zoom", "\(zooms.lowerBound)-\(zooms.upperBound)", "--resampling",
            test.name, "--overview-resampling", test.name, "-o", scratch.path("tiles"),
        ])
        let tree = scratch.url.appending(path: "tiles")
        // A window around the image, whose edges lie between pixels at all zooms.
        let grid = 1 << (zooms.count - 1)
        let left = (Int((west + World.halfWidth) / cell) - 40) / grid * grid
        let top = (Int((World.halfWidth - north) / cell) - 40) / grid * grid
        let (width, height) = (336, 272)
        var ideal = IdealPyramid(
            plan, method: test.method, width: width, height: height,
            origin: (
                (Double(left) * cell - World.halfWidth - west) / (cell / scale),
                (north - World.halfWidth + Double(top) * cell) / (cell / scale)
            ),
            scale: scale)
        for zoom in zooms.reversed() {
            let times = 1 << (zooms.upperBound - zoom)
            if times > 1 { ideal.halve() }
            let mosaic = try Mosaic(of: tree, zoom: zoom)
            let column = left / times - mosaic.origin.column
            let row = top / times - mosaic.origin.row
            let tiles = mosaic.picture.part(
                column..<column + width / times, row..<row + height / times)
            let quality = tiles.psnr(against: ideal.picture)
            #expect(quality >= (times == 1 ? test.base : test.overviews), "zoom \(zoom)")
            #expect(tiles.alphaError(against: ideal.picture) <= 2, "zoom \(zoom)")
        }
    }
}

import Foundation
import Testing
import TilewrightKit
import Tiling

/// The plan of a build, as another program sees it.
struct TilesetPlanTests {
    private let site: Site

    init() throws { site = try Site() }

    private func plan(
        _ request: PyramidRequest = PyramidRequest(), of images: [ImageRequest]? = nil,
        resources: BuildResources = BuildResources()
    ) throws -> TilesetPlan {
        let placed = try PlacedImages(images ?? [site.image()])
        return try TilesetPlan(images: placed.all, request: request, resources: resources)
    }

    @Test("The zooms lead from the overview to the native zoom")
    func zooms() throws {
        // The longer side is 300 pixels of zoom 17: it fits into a tile of 256 pixels at zoom 16.
        #expect(try plan().zooms == 16...17)
        #expect(try plan(PyramidRequest(zoom: ZoomRange(parsing: "-20"))).zooms == 16...20)
        #expect(try plan(PyramidRequest(zoom: ZoomRange(parsing: "12-"))).zooms == 12...17)
        #expect(try plan(PyramidRequest(zoom: ZoomRange(zoom: 10))).zooms == 10...10)
    }

    @Test("The rectangles of tiles are those of the corners, by the formula of the slippy map")
    func limits() throws {
        let plan = try plan(PyramidRequest(zoom: ZoomRange(14...19)))
        #expect(plan.limits.map(\.zoom) == Array(14...19))
        for limits in plan.limits {
            let first = TileCoordinate(of: Site.corners[0], zoom: limits.zoom)
            let last = TileCoordinate(of: Site.corners[2], zoom: limits.zoom)
            #expect(limits.columns == first.column...last.column)
            #expect(limits.rows == first.row...last.row)
        }
        #expect(plan.tileCount == plan.limits.reduce(0) { $0 + $1.columns.count * $1.rows.count })
        #expect(abs(plan.bounds.minX - 2) < 1e-9 && abs(plan.bounds.maxX - 2.003) < 1e-9)
        #expect(plan.warnings.count == 1 && plan.warnings[0].text.contains("zoom 19 is 2 beyond"))
    }

    @Test("The bounds of several images contain all of them")
    func bounds() throws {
        let east = BoundingBox(minX: 2.01, minY: 48.01, maxX: 2.012, maxY: 48.011)
        let plan = try plan(
            of: [site.image(), ImageRequest(site.path("plan.png"), at: PositionRequest(.bounds(east)))])
        let edges = [plan.bounds.minX, plan.bounds.minY, plan.bounds.maxX, plan.bounds.maxY]
        for (edge, expected) in zip(edges, [2, 48, 2.012, 48.011]) {
            #expect(abs(edge - expected) < 1e-9)
        }
    }

    /// Bytes per pixel, from the documentation of the estimate; the drawing is a small file.
    @Test(
        "The rough estimate of bytes is that of the benchmark's drawing",
        arguments: [
            (TileEncoding(.jpeg), 0.15), (TileEncoding(.auto), 0.15), (TileEncoding(.webp), 0.04),
        ])
    func estimate(encoding: TileEncoding, rate: Double) throws {
        let plan = try plan(PyramidRequest(zoom: ZoomRange(zoom: 17), encoding: encoding))
        // At zoom 17 a pixel is 360 / 256 / 2^17 degrees wide, and cos(48) as much high.
        let degrees = 360.0 / 256 / 131_072
        let pixels = 0.003 / degrees * (0.002 / degrees / cos(48.001 * .pi / 180))
        let expected = rate * pixels + 100 * Double(plan.tileCount)
        #expect(abs(Double(plan.roughEstimate.bytes) / expected - 1) < 0.02)
        #expect(plan.roughEstimate.tiles == plan.tileCount)
        #expect(plan.roughEstimate.memory > 0 && plan.roughEstimate.seconds > 0)
    }

    @Test("Lossless WebP takes 1.1 of the bytes of a drawing, and PNG 1.8")
    func lossless() throws {
        var webp = TileEncoding(.webp)
        webp.lossless = true
        let bytes = try [webp, TileEncoding(.png)].map { encoding in
            let request = PyramidRequest(zoom: ZoomRange(zoom: 20), encoding: encoding)
            let plan = try plan(request, of: [site.image()])
            return Double(plan.roughEstimate.bytes - 100 * plan.tileCount)
        }
        #expect(abs(bytes[0] / bytes[1] - 1.1 / 1.8) < 1e-3)
    }

    @Test(
        "Requests that are too large or contradictory are refused",
        arguments: [
            ("jobs", "--jobs 0 is not between 1 and 1024"), ("tiles", "--max-tiles allows 3"),
            ("pixels", "the image has 60000 pixels, but --max-pixels allows 50000"),
            ("zoom", "zoom 24 would have"), ("small", "the image is smaller than a pixel at zoom 5"),
            ("background", "with --background all tiles are opaque"),
        ])
    func refused(what: String, words: String) throws {
        var (request, resources) = (PyramidRequest(), BuildResources())
        switch what {
        case "jobs": resources.jobs = 0
        case "tiles":
            (request.zoom, resources.maxTiles) = (ZoomRange(14...17), 3)
        case "pixels": resources.maxPixels = 50_000
        case "zoom": (request.zoom, resources.maxPixels) = (ZoomRange(zoom: 24), 1_000_000)
        case "small": request.zoom = ZoomRange(zoom: 5)
        default:
            request.encoding.format = .auto
            request.background = RGBColor(red: 1, green: 2, blue: 3)
        }
        expectRefusal(.usage, words) { try plan(request, resources: resources) }
    }

    @Test("Images far apart are refused if all pixels between them would be rendered")
    func apart() throws {
        let south = BoundingBox(minX: 2, minY: 47, maxX: 2.003, maxY: 47.002)
        var resources = BuildResources()
        resources.maxPixels = 200_000
        let images = [site.image(), ImageRequest(site.path("plan.png"), at: PositionRequest(.bounds(south)))]
        expectRefusal(.usage, "build images that are far apart into separate tilesets") {
            try plan(of: images, resources: resources)
        }
    }
}

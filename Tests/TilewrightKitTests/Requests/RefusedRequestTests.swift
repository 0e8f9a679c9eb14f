import Platform
import Georeferencing
import Raster
import Testing
import TilewrightKit
import Tiling

/// Requests that the command's options cannot make, but a program can. They are refused and never trap.
struct RefusedRequestTests {
    private let site: Site

    init() throws { site = try Site() }

    @Test(
        "Zooms that do not exist, or end before they begin, are refused",
        arguments: [(25, 20), (-1, nil), (nil, 31), (31, 32)] as [(Int?, Int?)])
    func zooms(minimum: Int?, maximum: Int?) {
        expectRefusal(.usage, "the zoom '") {
            let zoom = ZoomRange(minimum: minimum, maximum: maximum)
            return try TilesetPlan(
                images: [PlacedImage(site.image())], request: PyramidRequest(zoom: zoom))
        }
    }

    @Test(
        "A crop that is empty, or begins before the image, is refused",
        arguments: [
            (PixelWindow(columns: -5..<10, rows: 0..<10), "extends beyond the image"),
            (PixelWindow(columns: 0..<10, rows: -1..<10), "extends beyond the image"),
            (PixelWindow(columns: 5..<5, rows: 0..<10), "leaves nothing of the image"),
            (PixelWindow(columns: 0..<5, rows: 7..<7), "leaves nothing of the image"),
        ])
    func crop(window: PixelWindow, words: String) {
        var image = site.image()
        image.crop = window
        expectRefusal(.usage, words) { try PlacedImage(image) }
    }

    @Test("If metres are given as degrees, the error says where they belong")
    func metres() {
        let table = "to give metres, put the points in a table for --gcps"
        expectRefusal(.usage, table) {
            try Georeference.checkPlace(Point(x: 500_000, y: 5_300_000), of: "control point 1")
        }
        let failure = #expect(throws: Failure.self) {
            try Georeference.checkPlace(Point(x: 12, y: 95), of: "control point 1")
        }
        #expect(failure.map { "\($0)".contains(table) } == false)
    }

    @Test("A range without a width, or without an end, is refused", arguments: [5...5, 0...Double.infinity])
    func range(range: ClosedRange<Double>) {
        var image = site.image()
        image.rescale = SampleRange(range)
        expectRefusal(.usage, "is empty: MIN is not below MAX") { try PlacedImage(image) }
    }

    @Test(
        "Control points that are not numbers, or beyond a pole, are refused",
        arguments: [
            (Point(x: .nan, y: 0), Point(x: 2, y: 48)), (Point(x: 0, y: .infinity), Point(x: 2, y: 48)),
            (Point(x: 0, y: 0), Point(x: .nan, y: 48)), (Point(x: 0, y: 0), Point(x: 2, y: 91)),
        ])
    func points(pixel: Point, lonLat: Point) {
        var points = Site.points()
        points[3] = ControlPoint(pixel: pixel, lonLat: lonLat, name: "fourth")
        expectRefusal(.badInput, "the control point 'fourth' is nowhere on the Earth") {
            try PlacedImage(site.image(at: PositionRequest(.controlPoints(points))))
        }
    }

    @Test("A limit on residuals that is not a distance is refused", arguments: [-1, Double.nan])
    func residual(metres: Double) {
        var request = site.request()
        request.images[0].position.source = .controlPoints(Site.points())
        request.maxResidual = metres
        expectRefusal(.usage, "is not a distance in metres") { try TilesetBuild(request) }
    }

    @Test("Resources of zero are refused")
    func resources() {
        let none: [(WritableKeyPath<BuildResources, Int>, String)] = [
            (\.memory, "--memory must"), (\.maxTiles, "--max-tiles must"), (\.maxPixels, "--max-pixels must"),
        ]
        for (property, words) in none {
            var resources = BuildResources()
            resources[keyPath: property] = 0
            expectRefusal(.usage, words) {
                try TilesetPlan(images: [PlacedImage(site.image())], resources: resources)
            }
        }
    }

    @Test("Requests with nothing to build or to show are refused")
    func nothing() {
        expectRefusal(.usage, "there is no image") {
            try TilesetBuild(BuildRequest([], output: OutputRequest(site.path("out"))))
        }
        expectRefusal(.usage, "there is no tileset") { try TilesetPage([], at: site.path("page.html")) }
    }

    @Test(
        "Outside the world, there is no tile",
        arguments: ["out", "out.mbtiles", "out.pmtiles"])
    func beyondWorld(output: String) async throws {
        var request = site.request(output, zoom: 2...3)
        request.images[0].position.source = .bounds(BoundingBox(minX: 1, minY: 1, maxX: 80, maxY: 60))
        _ = try await TilesetBuild(request).run()
        let stored = try StoredTileset(site.path(output))
        #expect(try stored.tile(at: TileCoordinate(zoom: 2, column: 2, row: 1)) != nil)
        // The low bits of 5 are those of 1.
        for (zoom, row) in [(2, 5), (2, -1), (-1, 0), (63, 0), (64, 0), (31, 0), (.max, 0)] {
            #expect(try stored.tile(at: TileCoordinate(zoom: zoom, column: 2, row: row)) == nil)
        }
    }
}

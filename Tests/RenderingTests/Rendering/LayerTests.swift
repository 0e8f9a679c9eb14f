import Georeferencing
import Raster
import Rendering
import TestSupport
import Testing
import Tiling

/// Pyramids of several images.
@Suite struct LayerTests {
    private static let matrix = TileMatrix(zoom: 16, tileSize: 256)
    private static let origin = Point(x: 5000, y: 9000)

    /// A part of an image as an image of its own, in its place; the whole is turned around the
    /// origin, and its pixels are a little larger than those of zoom 16.
    private static func sheet(
        of image: TestImage, _ window: PixelWindow, degrees: Double
    ) throws -> TestLayer {
        let size = image.info.pixelFormat.bytesPerPixel
        let sheet = TestImage(
            width: window.width, height: window.height, image.info.pixelFormat
        ) { column, row in
            let index =
                ((row + window.rows.lowerBound) * image.info.width + column
                    + window.columns.lowerBound) * size
            return Array(image.bytes[index..<index + size])
        }
        let mapping = try Placement.turned(
            matrix, around: origin, degrees: degrees, scale: 1.1, width: image.info.width,
            height: image.info.height)
        // The whole's place in the world, seen from the sheet's corner.
        var corners = [
            Point(x: 0, y: 0), Point(x: 1, y: 0), Point(x: 0, y: 1),
        ].map {
            Point(
                x: $0.x + Double(window.columns.lowerBound),
                y: $0.y + Double(window.rows.lowerBound))
        }
        mapping.mercatorPoints(ofImage: &corners)
        let (o, x, y) = (corners[0], corners[1], corners[2])
        let transform = AffineTransform(
            a: x.x - o.x, b: y.x - o.x, c: o.x, d: x.y - o.y, e: y.y - o.y, f: o.y)
        return TestLayer(
            mapping: try ImageMapping(
                Georeference(crs: .webMercator, pixelToCRS: .affine(transform)),
                width: window.width, height: window.height),
            image: sheet)
    }

    private static func sheets(of image: TestImage, degrees: Double) throws -> [TestLayer] {
        let (columns, rows) = ([0, 130, 331, 500], [0, 97, 300])
        return try zip(rows, rows.dropFirst()).flatMap { top, bottom in
            try zip(columns, columns.dropFirst()).map { left, right in
                try sheet(
                    of: image, PixelWindow(columns: left..<right, rows: top..<bottom),
                    degrees: degrees)
            }
        }
    }

    /// The largest difference between the pixels of two builds, apart from those near the edge of
    /// the whole, and how many there are.
    private static func difference(
        _ a: BuiltTiles, _ b: BuiltTiles
    ) -> (alpha: Int, color: Int) {
        #expect(Set(a.tiles.keys) == Set(b.tiles.keys))
        var (alpha, color) = (0, 0)
        for (tile, bytes) in a.tiles {
            guard let other = b.tiles[tile] else { continue }
            for index in stride(from: 0, to: bytes.count, by: 4) {
                alpha = max(alpha, abs(Int(bytes[index + 3]) - Int(other[index + 3])))
                color = max(color, abs(Int(bytes[index]) - Int(other[index])))
            }
        }
        return (alpha, color)
    }

    @Test(
        "an image cut into sheets is assembled without seams", .long,
        arguments: [0, 20.0], [ResamplingMethod.area, .bilinear])
    func sheets(degrees: Double, method: ResamplingMethod) async throws {
        let image = TestImage.smooth(width: 500, height: 300)
        let whole = TestBuild(
            [
                try Self.sheet(
                    of: image, PixelWindow(columns: 0..<500, rows: 0..<300), degrees: degrees)
            ], zooms: 13...16, resampling: method)
        let parts = TestBuild(
            try Self.sheets(of: image, degrees: degrees), zooms: 13...16, resampling: method)
        let difference = Self.difference(try await whole.run(), try await parts.run())
        #expect(difference.alpha <= 2 && difference.color <= 3)
    }

    @Test("later images are laid over earlier ones by their alpha", arguments: [0, 20.0].some(1))
    func order(degrees: Double) async throws {
        let window = PixelWindow(columns: 0..<400, rows: 0..<400)
        let colors: [[UInt8]] = [[200, 0, 0, 255], [0, 100, 0, 128], [0, 0, 240, 51]]
        let layers = try colors.map { color in
            try Self.sheet(
                of: TestImage(width: 400, height: 400, .rgba8) { _, _ in color }, window,
                degrees: degrees)
        }
        func center(_ layers: [TestLayer]) async throws -> [UInt8] {
            let tiles = try await TestBuild(layers, zooms: 15...16, resampling: .cubic).run()
            #expect(
                tiles.pixel(zoom: 15, x: 2500, y: 4500) == tiles.pixel(zoom: 16, x: 5000, y: 9000))
            return tiles.pixel(zoom: 16, x: 5000, y: 9000)
        }
        // Porter and Duff's "over": c = ca + cb (1 - a), a = a + b (1 - a).
        #expect(try await center(layers) == [80, 40, 48, 255])
        #expect(try await center([layers[2], layers[0]]) == [200, 0, 0, 255])
        let both = try await center([layers[1], layers[2]])
        // a = 0.2 + 0.502 * 0.8; blue 240 * 0.2 / a, green 100 * 0.502 * 0.8 / a.
        #expect(zip(both, [0, 67, 80, 153]).allSatisfy { abs(Int($0) - $1) <= 1 })
    }

    @Test("an image read by blocks gives the same bytes as one read by rows", .long, arguments: [1, 3])
    func blocks(jobs: Int) async throws {
        var layer = try Self.sheet(
            of: .noise(width: 700, height: 600), PixelWindow(columns: 0..<700, rows: 0..<600),
            degrees: 35)
        var build = TestBuild([layer], zooms: 13...16, resampling: .cubic)
        build.resources.jobs = jobs
        build.resources.scratchDirectory = "/tmp"
        let expected = try await build.run()
        for (width, height, memory) in [(64, 64, 1 << 30), (64, 64, 0), (256, 16, 0), (700, 1, 0)] {
            layer.blockSize = (width, height)
            build.layers = [layer]
            build.resources.memory = memory
            #expect(try await build.run() == expected)
        }
    }

    @Test(
        "the joining of images at an edge does not depend on units",
        arguments: [WindowTests.Kind.sheets, .turnedSheets].some(1))
    func units(kind: WindowTests.Kind) async throws {
        let build = try kind.build()
        let expected = try await build.with { $0.resources.tilesPerUnit = 1000 }.run().tiles
        let tiles = try await build.with { $0.resources.tilesPerUnit = 1 }.run().tiles
        let different = tiles.filter { expected[$0.key] != $0.value }.keys.sorted()
        #expect(different == [] && tiles.count == expected.count)
    }

    @Test("the halves of an island on the antimeridian come together")
    func antimeridian() async throws {
        let image = TestImage.smooth(width: 256, height: 128)
        let mappings = [
            try Placement.degrees(179, -1, 180, 0, width: 256, height: 128),
            try Placement.degrees(-180, -1, -179, 0, width: 256, height: 128),
        ]
        for mappings in [mappings, mappings.reversed()] {
            let build = TestBuild(
                mappings.map { TestLayer(mapping: $0, image: image) }, zooms: 5...8,
                resampling: .area)
            let plan = try build.plan()
            // Two degrees are 364.1 pixels, which touch 366.
            #expect(plan.levels[0].window.width == 366)
            let tiles = try await build.run()
            // Both sides of the line are whole.
            #expect(tiles.pixel(zoom: 8, x: 256 * 256 - 1, y: 128 * 256 + 50)[3] == 255)
            #expect(tiles.pixel(zoom: 8, x: 0, y: 128 * 256 + 50)[3] == 255)
        }
    }

    @Test("hundreds of sheets take no more memory for rows than one strip of them")
    func memory() throws {
        func bytes(rows: Int) throws -> Int {
            var layers: [ImageLayer] = []
            for row in 0..<rows {
                for column in 0..<4 {
                    let (x, y) = (Double(column) * 500, Double(row) * 500)
                    let mapping = try Placement.pixels(
                        Self.matrix, x: 5000 + x...5500 + x, y: 9000 + y...9500 + y, width: 500,
                        height: 500)
                    layers.append(
                        ImageLayer(
                            mapping: mapping,
                            info: RasterInfo(
                                width: 500, height: 500, pixelFormat: .rgb8, summary: "a test",
                                decoderBytes: 1 << 20)))
                }
            }
            let plan = try PyramidPlan(
                layers: layers,
                options: PyramidOptions(
                    zooms: 12...16, tileSize: 256, resampling: .area, overviewResampling: .area))
            return PyramidBuilder(
                .images { _ in preconditionFailure("nothing is built") }, plan: plan,
                resources: PyramidResources(jobs: 2, memory: 1 << 40, scratchDirectory: "/")
            ).residentBytes
        }
        let few = try bytes(rows: 4)
        let many = try bytes(rows: 20)
        #expect(Double(many) < 1.1 * Double(few))
    }
}

import Foundation
import Georeferencing
import Raster
import Rendering
import TestSupport
import Testing
import Tiling

/// Tiles do not show how they were made: the same pixels whatever the tile size, the units of work,
/// the jobs, the instruction set or the memory.
@Suite struct SeamTests {
    /// A way to place an image of 470 by 1130 pixels around a corner of tiles of zoom 16.
    enum Shape: CaseIterable {
        case upright, shrunk, flipped, flippedShrunk, turned, turnedShrunk, projective, geographic
        case projected, antimeridian

        static let (width, height) = (470, 1130)

        func mapping() throws -> ImageMapping {
            let (width, height) = (Self.width, Self.height)
            let matrix = TileMatrix(zoom: 16, tileSize: 256)
            let (x, y) = (256.0 * 30_000, 256.0 * 22_000)
            switch self {
            case .upright:
                return try Placement.pixels(
                    matrix, x: x - 133.3...x + 301.9, y: y - 370.2...y + 700.4, width: width,
                    height: height)
            case .shrunk:
                return try Placement.pixels(
                    matrix, x: x - 33.3...x + 101.9, y: y - 70.2...y + 255.4, width: width,
                    height: height)
            case .flipped, .flippedShrunk:
                // South up: the rows of the image run north.
                let scale = self == .flipped ? 0.93 : 0.2
                let corner = matrix.mercator(ofPixel: Point(x: x - 211.7 * scale, y: y + 646 * scale))
                let size = matrix.cellSize * scale
                return try ImageMapping(
                    Georeference(
                        crs: .webMercator,
                        pixelToCRS: .affine(
                            AffineTransform(
                                a: size, b: 0, c: corner.x, d: 0, e: size, f: corner.y))),
                    width: width, height: height)
            case .turned, .turnedShrunk:
                return try Placement.turned(
                    matrix, around: Point(x: x + 20.2, y: y - 10.6), degrees: 13,
                    scale: self == .turned ? 0.9 : 0.37, width: width, height: height)
            case .projective:
                return try projective(matrix, Point(x: x - 250.5, y: y - 400.3))
            case .geographic:
                return try Placement.degrees(
                    11.012, 47.2021, 11.0205, 47.2157, width: width, height: height)
            case .projected:
                let transform = AffineTransform(
                    a: 1.6, b: 0, c: 650_000.3, d: 0, e: -1.6, f: 5_250_000.7)
                return try ImageMapping(
                    Georeference(crs: CRS("EPSG:25832"), pixelToCRS: .affine(transform)),
                    width: width, height: height)
            case .antimeridian:
                return try Placement.degrees(
                    179.9973, -17.0305, -179.9961, -17.012, width: width, height: height)
            }
        }

        private func projective(_ matrix: TileMatrix, _ corner: Point) throws -> ImageMapping {
            let origin = matrix.mercator(ofPixel: corner)
            let size = matrix.cellSize * 0.9
            let transform = ProjectiveTransform(
                (size * 1.1, size * 0.1, 0), (size * -0.15, size * -1.05, 0), (2e-4, 1e-4, 1))
            return try ImageMapping(
                Georeference(
                    crs: .webMercator,
                    pixelToCRS: PixelTransform.projective(transform).followed(
                        by: .translation(x: origin.x, y: origin.y))),
                width: Self.width, height: Self.height)
        }
    }

    static let image = TestImage.noise(width: Shape.width, height: Shape.height)

    private static func build(_ shape: Shape, _ method: ResamplingMethod) throws -> TestBuild {
        TestBuild(
            try shape.mapping(), image, zooms: 12...16, resampling: method,
            overviews: method == .bilinear ? .lanczos : method)
    }

    /// Every shape with a kernel of each kind, and every kernel with a shape of each kind.
    static let cases: [(Shape, ResamplingMethod)] =
        Shape.allCases.map { ($0, .area) }
        + [
            (.shrunk, .lanczos), (.turnedShrunk, .lanczos), (.antimeridian, .lanczos),
            (.upright, .nearest), (.upright, .mode), (.upright, .cubic), (.geographic, .bilinear),
            (.turned, .nearest), (.turned, .mode), (.turned, .cubic), (.projective, .bilinear),
        ]

    @Test("tiles of 512 pixels are four of 256 of the next zoom", arguments: cases.some(1))
    func tileSizes(shape: Shape, method: ResamplingMethod) async throws {
        let small = try Self.build(shape, method)
        let large = small.with {
            $0.options.tileSize = 512
            $0.options.zooms = 11...15
        }
        let tiles = try await small.run()
        #expect(Set(tiles.tiles.keys.map(\.zoom)) == Set(12...16))
        let expected = tiles.stitched()
        let result = try await large.run()
        #expect(Set(result.tiles.keys) == Set(expected.tiles.keys))
        // Not the dictionaries as such, which would be printed.
        #expect(result.tiles.allSatisfy { expected.tiles[$0.key] == $0.value })
    }

    @Test("an image that shrinks, of which the last rows come first, gives the same tiles with several jobs")
    func stagesOfTiles() async throws {
        // A row of tiles is made in several stages, the last of which has its rows first.
        let build = try Self.build(.flippedShrunk, .area)
        let expected = try await build.run()
        let found = try await build.with { $0.resources.jobs = 3 }.run()
        #expect(found == expected)
    }

    @Test(
        "units of any width, jobs, kernels and memory give the same tiles", .long, arguments: cases)
    func resources(shape: Shape, method: ResamplingMethod) async throws {
        let build = try Self.build(shape, method)
        let expected = try await build.run()
        let scratch = try TemporaryDirectory()
        let others =
            [
                build.with { $0.resources.tilesPerUnit = 1 },
                build.with {
                    $0.resources.tilesPerUnit = 3
                    $0.resources.jobs = 4
                },
                build.with { $0.resources.tilesPerUnit = 1000 },
                build.with {
                    $0.resources.jobs = 3
                    $0.resources.memory = 1
                    $0.resources.scratchDirectory = scratch.url.path
                },
            ] + Kernels.all.dropLast().map { kernels in build.with { $0.kernels = kernels } }
        for (index, other) in others.enumerated() {
            let result = try await other.run()
            #expect(result.tiles.count == expected.tiles.count)
            let isSame = result.tiles.allSatisfy { expected.tiles[$0.key] == $0.value }
            #expect(isSame, "variation \(index)")
        }
        #expect(try scratch.files() == [], "scratch files have no names")
    }

    @Test("photographs of any format and position are the same with the portable kernels", .long)
    func photographs() async throws {
        let portable = try #require(Kernels.all.first)
        var random = SplitMix(seed: 5)
        let (width, height) = (733, 617)
        let colors = TestImage(width: width, height: height, .rgb8) { column, row in
            [
                UInt8(truncatingIfNeeded: column * 91 + row), UInt8(truncatingIfNeeded: row * 57),
                UInt8(column & 255),
            ]
        }
        for image in [colors, .noise(width: width, height: height), colors] {
            let (x, y) = (
                7_000_000 + Double.random(in: 0..<600, using: &random),
                5_000_000 + Double.random(in: 0..<600, using: &random)
            )
            let scale = Double.random(in: 0.7...1.4, using: &random)
            let mapping = try Placement.pixels(
                TileMatrix(zoom: 16, tileSize: 256), x: x...x + scale * Double(width),
                y: y...y + scale * Double(height), width: width, height: height)
            for method in [ResamplingMethod.cubic, .lanczos] {
                let build = TestBuild(mapping, image, zooms: 13...16, resampling: method)
                let result = try await build.with { $0.resources.jobs = 2 }.run()
                let expected = try await build.with { $0.kernels = portable }.run()
                #expect(result.tiles.count == expected.tiles.count)
                let isSame = result.tiles.allSatisfy { expected.tiles[$0.key] == $0.value }
                #expect(isSame, "\(x), \(y), \(scale), \(method)")
            }
        }
    }

    @Test(
        "a zoom's tiles do not depend on the zooms below it", arguments: [Shape.turned, .upright])
    func zooms(shape: Shape) async throws {
        let all = try await Self.build(shape, .area).run()
        let one = try await Self.build(shape, .area).with { $0.options.zooms = 16...16 }.run()
        #expect(one.tiles.allSatisfy { all.tiles[$0.key] == $0.value })
        #expect(one.tiles.count == all.tiles.keys.count { $0.zoom == 16 })
    }
}

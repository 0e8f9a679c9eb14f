import Foundation
import Georeferencing
import Raster
import Rendering
import TestSupport
import Testing
import Tiling

/// What colours and which alphas tiles may have.
@Suite struct ColorTests {
    private static let matrix = TileMatrix(zoom: 15, tileSize: 256)

    /// An image of 300 pixels' edge around a corner of tiles, upright or turned.
    private static func mapping(degrees: Double, scale: Double) throws -> ImageMapping {
        let center = Point(x: 256 * 17_000 + 20.3, y: 256 * 11_000 - 31.8)
        if degrees == 0 {
            let half = 150 * scale
            return try Placement.pixels(
                matrix, x: center.x - half...center.x + half, y: center.y - half...center.y + half,
                width: 300, height: 300)
        }
        return try Placement.turned(
            matrix, around: center, degrees: degrees, scale: scale, width: 300, height: 300)
    }

    private static func build(
        _ image: TestImage, _ method: ResamplingMethod, degrees: Double, scale: Double
    ) async throws -> BuiltTiles {
        try await TestBuild(
            mapping(degrees: degrees, scale: scale), image, zooms: 12...15, resampling: method
        ).run()
    }

    static let placements: [(degrees: Double, scale: Double)] = [
        (0, 1.37), (0, 0.61), (13, 1.37), (13, 0.61), (45, 0.3),
    ]

    @Test(
        "a flat opaque colour stays unchanged at inner tile edges, at every zoom", .long,
        arguments: ResamplingMethod.allCases, placements)
    func flat(method: ResamplingMethod, placement: (degrees: Double, scale: Double)) async throws {
        let color: [UInt8] = [201, 30, 93]
        let tiles = try await Self.build(
            .flat(color, width: 300, height: 300), method, degrees: placement.degrees,
            scale: placement.scale)
        let mapping = try Self.mapping(degrees: placement.degrees, scale: placement.scale)
        for zoom in 12...15 {
            let matrix = TileMatrix(zoom: zoom, tileSize: 256)
            let (x, y) = (256 * (17_000 >> (15 - zoom)), 256 * (11_000 >> (15 - zoom)))
            // A cross of pixels to both sides of the edges of tiles.
            var pixels: [(Int, Int)] = []
            for step in -200..<200 {
                for side in -1...0 { pixels += [(x + step, y + side), (x + side, y + step)] }
            }
            var points = pixels.map {
                matrix.mercator(ofPixel: Point(x: Double($0.0) + 0.5, y: Double($0.1) + 0.5))
            }
            mapping.imagePoints(ofMercator: &points)
            // Twice the widest kernel, and the halvings' reach, in source pixels.
            let margin = 14 / min(placement.scale, 1) * Double(1 << (15 - zoom))
            var inside = 0
            for (pixel, point) in zip(pixels, points)
            where min(point.x, point.y, 300 - point.x, 300 - point.y) > margin {
                #expect(tiles.pixel(zoom: zoom, x: pixel.0, y: pixel.1) == color + [255])
                inside += 1
            }
            if zoom == 15 { #expect(inside > 100) }
        }
    }

    @Test(
        "an opaque image keeps its colour even at its soft edges", .long,
        arguments: ResamplingMethod.allCases, placements)
    func softEdge(
        method: ResamplingMethod, placement: (degrees: Double, scale: Double)
    ) async throws {
        let color: [UInt8] = [201, 30, 93]
        let image = TestImage.flat(color, width: 300, height: 300)
        try await expectColor(color, image, method, placement)
    }

    @Test(
        "text on transparency has no fringe, whatever colour is under alpha 0", .long,
        arguments: ResamplingMethod.allCases, placements)
    func text(method: ResamplingMethod, placement: (degrees: Double, scale: Double)) async throws {
        let color: [UInt8] = [255, 255, 255]
        let image = TestImage(width: 300, height: 300, .rgba8) { x, y in
            let isInk = x % 23 < 3 || y % 17 < 2 || (x + y) % 31 == 0
            return isInk ? color + [255] : [UInt8(x & 255), 0, UInt8(y & 255), 0]
        }
        try await expectColor(color, image, method, placement)
    }

    /// Every pixel that is there has a colour, as far as its alpha lets tell.
    private func expectColor(
        _ color: [UInt8], _ image: TestImage, _ method: ResamplingMethod,
        _ placement: (degrees: Double, scale: Double)
    ) async throws {
        let tiles = try await Self.build(
            image, method, degrees: placement.degrees, scale: placement.scale)
        var worst = 0.0
        var partial = 0
        for bytes in tiles.tiles.values {
            for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] > 0 {
                let alpha = Double(bytes[pixel + 3])
                if alpha < 255 { partial += 1 }
                // Premultiplied, a colour is right to a few 64ths of a step.
                let tolerance = 0.5 + 3 * 255 / (64 * alpha)
                for channel in 0..<3 {
                    let error = abs(Double(bytes[pixel + channel]) - Double(color[channel]))
                    worst = max(worst, error / tolerance)
                }
            }
        }
        #expect(worst <= 1)
        if !method.copiesPixels { #expect(partial > 500, "there are soft edges") }
    }

    @Test(
        "nearest and mode create no new colours", .long, arguments: [ResamplingMethod.nearest, .mode],
        placements)
    func palette(
        method: ResamplingMethod, placement: (degrees: Double, scale: Double)
    ) async throws {
        let palette: [[UInt8]] = [
            [255, 255, 255, 255], [0, 0, 0, 255], [200, 30, 90, 255], [10, 20, 30, 128],
            [0, 0, 0, 0],
        ]
        let image = TestImage(width: 300, height: 300, .rgba8) { x, y in
            palette[(x / 5 + y / 7) % palette.count]
        }
        let tiles = try await Self.build(
            image, method, degrees: placement.degrees, scale: placement.scale)
        var seen = Set<[UInt8]>()
        for bytes in tiles.tiles.values {
            for pixel in stride(from: 0, to: bytes.count, by: 4) {
                seen.insert(Array(bytes[pixel..<pixel + 4]))
            }
        }
        #expect(seen == Set(palette))
    }

    @Test("the background fills everything outside the image, and tiles are opaque")
    func background() async throws {
        var build = TestBuild(
            try Self.mapping(degrees: 13, scale: 0.6),
            .flat([0, 0, 255], width: 300, height: 300), zooms: 13...15, resampling: .area)
        let transparent = try await build.run()
        build.options.background = .init(red: 255, green: 100, blue: 0)
        let tiles = try await build.run()
        #expect(Set(tiles.tiles.keys) == Set(transparent.tiles.keys))
        for (tile, bytes) in tiles.tiles {
            let under = try #require(transparent.tiles[tile])
            var worst = 0.0
            for pixel in stride(from: 0, to: bytes.count, by: 4) {
                let alpha = Double(under[pixel + 3]) / 255
                let expected = [255 * (1 - alpha), 100 * (1 - alpha), 255 * alpha, 255]
                for channel in 0..<4 {
                    worst = max(worst, abs(Double(bytes[pixel + channel]) - expected[channel]))
                }
            }
            // The alpha of the transparent tile is rounded to 8 bits, and so is the result.
            #expect(worst <= 1.01)
        }
    }

    @Test("an image around the world ends in the tiles in which it begins")
    func aroundTheWorld() async throws {
        // From 100 degrees east around to 95 degrees east: zooms 0 and 1 hold both ends in a tile.
        let image = TestImage.flat([9, 99, 199], width: 710, height: 240)
        let mapping = try Placement.degrees(100, -60, 95, 60, width: 710, height: 240)
        for jobs in [1, 3] {
            let tiles = try await TestBuild(mapping, image, zooms: 0...2, resampling: .area).with {
                $0.resources.jobs = jobs
                $0.resources.tilesPerUnit = 1
            }.run()
            for zoom in 0...2 {
                let edge = 256 << zoom
                for x in 0..<edge {
                    let longitude = (Double(x) + 0.5) / Double(edge) * 360 - 180
                    let isGap = longitude > 95 && longitude < 100
                    // A pixel may lie half on an edge.
                    if min(abs(longitude - 95), abs(longitude - 100)) < 360 / Double(edge) {
                        continue
                    }
                    let pixel = tiles.pixel(zoom: zoom, x: x, y: edge / 2)
                    #expect(pixel == (isGap ? [0, 0, 0, 0] : [9, 99, 199, 255]), "\(zoom), \(x)")
                }
            }
        }
    }

    @Test("a fully transparent tile is left out, or kept on demand")
    func empty() async throws {
        let image = TestImage(width: 300, height: 300, .rgba8) { x, _ in
            x < 20 ? [1, 2, 3, 255] : [1, 2, 3, 0]
        }
        var build = TestBuild(
            try Self.mapping(degrees: 0, scale: 3), image, zooms: 15...15, resampling: .area)
        let all = Set(try build.plan().tiles)
        let (skipped, summary) = try await build.runWithSummary()
        #expect(summary.emptyTiles > 0)
        #expect(skipped.tiles.count + summary.emptyTiles == all.count)
        build.options.writesEmptyTiles = true
        let kept = try await build.run()
        #expect(Set(kept.tiles.keys) == all)
        for (tile, bytes) in kept.tiles {
            #expect(bytes == skipped.tiles[tile] ?? [UInt8](repeating: 0, count: 256 * 256 * 4))
        }
    }

    @Test("tiles left by an interrupted run are not made again")
    func staged() async throws {
        let image = TestImage.flat([1, 2, 3], width: 300, height: 300)
        let build = TestBuild(
            try Self.mapping(degrees: 0, scale: 3), image, zooms: 13...15, resampling: .area)
        let all = try await build.run()
        let staged = Set(all.tiles.keys.filter { $0.column % 2 == 0 })
        let (rest, summary) = try await build.with { $0.staged = staged }.runWithSummary()
        #expect(Set(rest.tiles.keys) == Set(all.tiles.keys).subtracting(staged))
        #expect(rest.tiles.allSatisfy { all.tiles[$0.key] == $0.value })
        #expect(summary.tiles == all.tiles.count)
    }
}

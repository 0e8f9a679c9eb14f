import Georeferencing
import Raster
import Rendering
import TestSupport
import Testing
import Tiling

/// Images that lead once around the world: their right edge meets their left one.
@Suite struct WorldTests {
    private static let (width, height) = (900, 450)

    /// Places a whole world, in the separable and in the general shape.
    enum World: String, CaseIterable {
        case degrees, fromGreenwich, cellsOnMeridians, columnsTwice, runningWest
        case otherDatum, plateCarree, centredOnPacific, mercator

        func mapping() throws -> ImageMapping {
            switch self {
            case .degrees: try bounds("EPSG:4326", -180, -90, 180, 90)
            case .fromGreenwich: try bounds("EPSG:4326", 0, -90, 360, 90)
            // Pixels of 0.4 degrees, the first and the last centred on a pole.
            case .cellsOnMeridians: try bounds("EPSG:4326", -180.2, -90.2, 179.8, 89.8)
            // 902 columns of 360/900 degrees.
            case .columnsTwice: try bounds("EPSG:4326", -180.4, -90, 180.4, 90, columns: 902)
            case .runningWest:
                try mapping(
                    "EPSG:4326", AffineTransform(a: -0.4, b: 0, c: 180, d: 0, e: -0.4, f: 90))
            case .otherDatum: try bounds("EPSG:4269", -180, -90, 180, 90)
            // Half a turn of the sphere of EPSG:4087, as GDAL writes it: 180 degrees times its radius.
            case .plateCarree:
                try bounds(
                    "EPSG:4087", -20_037_508.34, -10_018_754.17, 20_037_508.34, 10_018_754.17)
            // The same of the Mercator around 150 degrees east, down to 85 degrees.
            case .centredOnPacific:
                try bounds("EPSG:3832", -20_037_508.34, -20_000_000, 20_037_508.34, 20_000_000)
            case .mercator:
                try bounds("EPSG:3857", -20_037_508.34, -25_000_000, 20_037_508.34, 25_000_000)
            }
        }

        var columns: Int { self == .columnsTwice ? 902 : WorldTests.width }

        private func bounds(
            _ crs: String, _ west: Double, _ south: Double, _ east: Double, _ north: Double,
            columns: Int = WorldTests.width
        ) throws -> ImageMapping {
            let box = BoundingBox(minX: west, minY: south, maxX: east, maxY: north)
            return try ImageMapping(
                .bounds(box, crs: CRS(crs), width: columns, height: WorldTests.height),
                width: columns, height: WorldTests.height)
        }

        private func mapping(_ crs: String, _ transform: AffineTransform) throws -> ImageMapping {
            try ImageMapping(
                Georeference(crs: CRS(crs), pixelToCRS: .affine(transform)),
                width: WorldTests.width, height: WorldTests.height)
        }
    }

    @Test("a world in one tile has all its columns", arguments: [ResamplingMethod.nearest, .mode, .cubic])
    func oneTile(method: ResamplingMethod) async throws {
        let image = TestImage(width: Self.width, height: Self.height, .gray8) { column, _ in
            [UInt8(column * 250 / Self.width)]
        }
        let tiles = try await TestBuild(
            try World.mercator.mapping(), image, zooms: 0...0, resampling: method
        ).run()
        for column in 4..<252 {
            let expected = (column * 2 + 1) * 250 / 512
            let found = Int(tiles.pixel(zoom: 0, x: column, y: 128)[0])
            #expect(abs(found - expected) <= 2, "column \(column): \(found), not \(expected)")
        }
    }

    @Test(
        "a world of one colour has that colour everywhere, even at the antimeridian",
        arguments: (World.allCases.map { ($0, ResamplingMethod.cubic) } + [
            (.degrees, .nearest), (.otherDatum, .lanczos), (.columnsTwice, .area),
        ]).some(1))
    func flat(world: World, method: ResamplingMethod) async throws {
        let color: [UInt8] = [30, 140, 220]
        let image = TestImage.flat(color, width: world.columns, height: Self.height)
        let tiles = try await TestBuild(
            try world.mapping(), image, zooms: 0...2, resampling: method
        ).run()
        let count = 1 + 4 + 16
        #expect(tiles.tiles.count == count)
        for zoom in 0...2 {
            let size = 256 << zoom
            // To the world's very edge, but for the one that ends before it.
            let edge = world == .centredOnPacific ? size / 4 : 0
            for row in edge..<size - edge {
                for column in 0..<size where column < 24 || column >= size - 24 || column % 61 == 0 {
                    let pixel = tiles.pixel(zoom: zoom, x: column, y: row)
                    guard pixel != color + [255] else { continue }
                    Issue.record("zoom \(zoom), column \(column), row \(row): \(pixel)")
                    return
                }
            }
        }
    }

    @Test(
        "tiles do not depend on the meridian at which the image begins", .long,
        arguments: [ResamplingMethod.cubic, .area, .nearest], ["EPSG:4326", "EPSG:4269"])
    func turned(method: ResamplingMethod, crs: String) async throws {
        let (width, height) = (Self.width, Self.height)
        func build(from west: Double) async throws -> BuiltTiles {
            // Each place looks the same; only where the columns begin differs.
            let first = Int((west * Double(width) / 360).rounded())
            let image = TestImage(width: width, height: height, .rgb8) { column, row in
                let place = (column + first + width) % width
                return [
                    UInt8(place * 37 % 251), UInt8((place / 5 + row / 3) % 2 * 255),
                    UInt8(row * 11 % 256),
                ]
            }
            let box = BoundingBox(minX: west, minY: -90, maxX: west + 360, maxY: 90)
            let mapping = try ImageMapping(
                .bounds(box, crs: CRS(crs), width: width, height: height), width: width,
                height: height)
            return try await TestBuild(mapping, image, zooms: 0...1, resampling: method).run()
        }
        let expected = try await build(from: -180)
        let result = try await build(from: -100)
        #expect(Set(result.tiles.keys) == Set(expected.tiles.keys))
        var different = 0
        for (tile, bytes) in expected.tiles {
            let other = result.tiles[tile] ?? []
            // Degrees that are rounded elsewhere may choose the next phase of a kernel.
            different += zip(bytes, other).count { abs(Int($0) - Int($1)) > 6 }
        }
        // Pixels whose centre lies between two columns may take either.
        #expect(different <= (method == .nearest ? 4 * 3 * 512 : 0))
    }

    @Test(
        "the world's bytes do not depend on units, jobs and kernels",
        arguments: [World.degrees, .columnsTwice, .otherDatum].some(1))
    func resources(world: World) async throws {
        let image = TestImage.noise(width: world.columns, height: Self.height)
        let build = TestBuild(try world.mapping(), image, zooms: 0...1, resampling: .cubic)
        let expected = try await build.run()
        let others =
            [
                build.with {
                    $0.resources.tilesPerUnit = 1
                    $0.resources.jobs = 4
                }
            ]
            + Kernels.all.dropLast().suffix(1).map { kernels in
                build.with { $0.kernels = kernels }
            }
        for other in others {
            let isSame = try await other.run() == expected
            #expect(isSame)
        }
    }

    @Test(
        "the cap around a pole has no seam at the antimeridian",
        arguments: [("EPSG:3995", 1), ("EPSG:3031", -1), ("EPSG:3413", 1)].some(1))
    func polarCap(crs: String, side: Int) async throws {
        let size = 600
        let mapping = try ImageMapping(
            Georeference(
                crs: CRS(crs),
                pixelToCRS: .affine(
                    AffineTransform(
                        a: 10_000, b: 0, c: -3_000_000, d: 0, e: -10_000, f: 3_000_000))),
            width: size, height: size)
        let image = TestImage.flat([200, 100, 50], width: size, height: size)
        let tiles = try await TestBuild(mapping, image, zooms: 0...3, resampling: .cubic).run()
        for zoom in 0...3 {
            // 66 degrees and more, which is within the square around the pole, to the world's edge.
            let edge = 256 << zoom
            for row in 0..<edge / 4 {
                for column in 0..<edge where column < 24 || column >= edge - 24 || column % 31 == 0 {
                    let y = side > 0 ? row : edge - 1 - row
                    let pixel = tiles.pixel(zoom: zoom, x: column, y: y)
                    guard pixel != [200, 100, 50, 255] else { continue }
                    Issue.record("zoom \(zoom), column \(column), row \(y): \(pixel)")
                    return
                }
            }
        }
    }

    @Test(
        "a world over another hides it everywhere, even at the antimeridian",
        arguments: [World.degrees, .otherDatum].some(1))
    func twoWorlds(world: World) async throws {
        let colors: [[UInt8]] = [[30, 140, 220], [200, 10, 90]]
        let layers = try colors.map {
            TestLayer(
                mapping: try world.mapping(), image: .flat($0, width: Self.width, height: Self.height))
        }
        let tiles = try await TestBuild(layers, zooms: 1...1, resampling: .cubic).run()
        #expect(tiles.tiles.count == 4)
        for row in stride(from: 0, to: 512, by: 7) {
            for column in 0..<512 where column < 24 || column >= 488 || column % 61 == 0 {
                let pixel = tiles.pixel(zoom: 1, x: column, y: row)
                #expect(pixel == colors[1] + [255], "column \(column), row \(row)")
            }
        }
    }
}

import Georeferencing
import Raster
import Rendering
import TestSupport
import Testing
import Tiling

/// Some of a pyramid's tiles, built alone: the same bytes, and no more of the images than they need.
@Suite struct WindowTests {
    /// Images, kernels and ways to lie of every kind, around a corner of tiles of zoom 16.
    enum Kind: CaseIterable {
        case upright, shrunk, nearest, geographic, antimeridian, turned, turnedMode, extraZooms
        case projective, projected, sheets, turnedSheets, emptyTiles, background, blocks, turnedBlocks
        case world, nearlyTheWorld

        private static let matrix = TileMatrix(zoom: 16, tileSize: 256)
        private static let corner = Point(x: 30_000 * 256, y: 22_000 * 256)
        private static let (width, height) = (200, 220)

        func build() throws -> TestBuild {
            switch self {
            case .upright: try Self.single(upright(1.17), .area)
            case .shrunk: try Self.single(upright(0.6), .lanczos)
            case .nearest: try Self.single(upright(0.9), .nearest)
            case .geographic: try Self.single(degrees(11.0012, 47.2021), .bilinear, .cubic)
            case .antimeridian: try Self.single(degrees(179.9973, -17.0305), .area, .lanczos)
            case .turned: try Self.single(turned(13, 0.9), .lanczos)
            case .turnedMode: try Self.single(turned(100, 0.7), .mode)
            case .extraZooms: try Self.single(turned(13, 0.45), .cubic)
            case .projective: try Self.single(projective(), .area)
            case .projected: try Self.single(projected(), .bilinear, .lanczos)
            case .sheets: try Self.sheets(degrees: 0, .lanczos)
            case .turnedSheets: try Self.sheets(degrees: 31, .cubic)
            case .emptyTiles:
                try Self.sheets(degrees: 45, .area).with { $0.options.writesEmptyTiles = true }
            case .background:
                try Self.sheets(degrees: 0, .bilinear).with {
                    $0.options.background = .white
                    $0.layers.removeLast()
                }
            case .blocks:
                try Self.single(upright(1.17), .cubic).with { $0.layers[0].blockSize = (64, 32) }
            case .turnedBlocks:
                try Self.single(turned(20, 1), .area, .lanczos).with {
                    $0.layers[0].blockSize = (48, 64)
                }
            case .world: try Self.world(-180, 180)
            case .nearlyTheWorld: try Self.world(-179.9, 179.8)
            }
        }

        /// - Parameter scale: pixels of zoom 16 per pixel of the image.
        private func upright(_ scale: Double) throws -> ImageMapping {
            let (x, y) = (Self.corner.x - 93.3 * scale, Self.corner.y - 120.2 * scale)
            return try Placement.pixels(
                Self.matrix, x: x...x + 200 * scale, y: y...y + 220 * scale, width: Self.width,
                height: Self.height)
        }

        private func turned(_ degrees: Double, _ scale: Double) throws -> ImageMapping {
            try Placement.turned(
                Self.matrix, around: Self.corner, degrees: degrees, scale: scale,
                width: Self.width, height: Self.height)
        }

        private func degrees(_ west: Double, _ south: Double) throws -> ImageMapping {
            let east = west + 0.0051 > 180 ? west + 0.0051 - 360 : west + 0.0051
            return try Placement.degrees(
                west, south, east, south + 0.0043, width: Self.width, height: Self.height)
        }

        private func projected() throws -> ImageMapping {
            let transform = AffineTransform(
                a: 1.6, b: 0, c: 650_000.3, d: 0, e: -1.6, f: 5_250_000.7)
            return try ImageMapping(
                Georeference(crs: CRS("EPSG:25832"), pixelToCRS: .affine(transform)),
                width: Self.width, height: Self.height)
        }

        private func projective() throws -> ImageMapping {
            let origin = Self.matrix.mercator(
                ofPixel: Point(x: Self.corner.x - 90.5, y: Self.corner.y - 150.3))
            let size = Self.matrix.cellSize * 0.9
            let transform = ProjectiveTransform(
                (size * 1.1, size * 0.1, 0), (size * -0.15, size * -1.05, 0), (8e-4, 5e-4, 1))
            return try ImageMapping(
                Georeference(
                    crs: .webMercator,
                    pixelToCRS: PixelTransform.projective(transform).followed(
                        by: .translation(x: origin.x, y: origin.y))),
                width: Self.width, height: Self.height)
        }

        private static func single(
            _ mapping: ImageMapping, _ method: ResamplingMethod,
            _ overviews: ResamplingMethod? = nil
        ) throws -> TestBuild {
            TestBuild(
                mapping, .noise(width: width, height: height), zooms: 14...16, resampling: method,
                overviews: overviews)
        }

        /// Three overlapping images with alpha. Their pixels are seven times as large as those of zoom
        /// 16, so that a kernel's zeros lie on pixels, and an edge of tiles lies within their reach.
        private static func sheets(
            degrees: Double, _ method: ResamplingMethod
        ) throws -> TestBuild {
            let layers = try (0..<3).map { index in
                var random = SplitMix(seed: UInt64(index + 1))
                let image = TestImage(width: 60, height: 30, .rgba8) { _, _ in
                    let alpha = [0, 255, 255, UInt8.random(in: 0...255, using: &random)]
                    return (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
                        + [alpha.randomElement(using: &random) ?? 0]
                }
                let mapping = try Placement.turned(
                    matrix,
                    around: Point(
                        x: corner.x + Double(210 - 12 + index % 2 * 256),
                        y: corner.y + Double(100 + index / 2 * 140)),
                    degrees: degrees, scale: 7, width: 60, height: 30)
                return TestLayer(mapping: mapping, image: image)
            }
            return TestBuild(layers, zooms: 14...16, resampling: method)
        }

        private static func world(_ west: Double, _ east: Double) throws -> TestBuild {
            TestBuild(
                try Placement.degrees(west, -80, east, 84, width: 500, height: 260),
                .noise(width: 500, height: 260), zooms: 0...2, resampling: .lanczos)
        }
    }

    /// Whether a tile is asked for, by the rule alone.
    private static func contains(_ window: TileWindow, _ tile: TileCoordinate) -> Bool {
        guard window.zooms.contains(tile.zoom) else { return false }
        let (above, edge) = (tile.zoom - window.limits.zoom, 1 << window.limits.zoom)
        let column = ((tile.column >> above) - window.limits.columns.lowerBound) & (edge - 1)
        return column < window.limits.columns.count
            && window.limits.rows.contains(tile.row >> above)
    }

    /// A tile and all tiles below it.
    private static func tree(under tile: TileCoordinate) -> TileWindow {
        TileWindow(TileRange(zoom: tile.zoom, column: tile.column, row: tile.row), downTo: 30)
    }

    /// A window around one of the tiles.
    private static func window(
        around tiles: [TileCoordinate], _ random: inout SplitMix
    ) throws -> TileWindow {
        let tile = try #require(tiles.randomElement(using: &random))
        switch Int.random(in: 0...3, using: &random) {
        case 0: return .tile(tile)
        case 1: return Self.tree(under: tile)
        default:
            func range(_ value: Int) -> ClosedRange<Int> {
                value - Int.random(in: 0...2, using: &random)...value
                    + Int.random(in: 0...2, using: &random)
            }
            let limits = TileRange(
                zoom: tile.zoom, columns: range(tile.column), rows: range(tile.row))
            return TileWindow(limits, downTo: tile.zoom + Int.random(in: 0...3, using: &random))
        }
    }

    /// The addresses of tiles that two builds do not share; their bytes would fill a page.
    static func differences(
        _ some: [TileCoordinate: [UInt8]], _ others: [TileCoordinate: [UInt8]]
    ) -> [TileCoordinate] {
        Set(some.keys).union(others.keys).filter { some[$0] != others[$0] }.sorted()
    }

    @Test(
        "tiles that are built alone are those of the whole pyramid", .long, arguments: Kind.allCases,
        [256, 512])
    func bytes(kind: Kind, tileSize: Int) async throws {
        var build = try kind.build()
        if tileSize == 512 {
            build.options.tileSize = 512
            let zooms = build.options.zooms
            build.options.zooms = max(0, zooms.lowerBound - 1)...zooms.upperBound - 1
        }
        var random = SplitMix(seed: UInt64(tileSize))
        let whole = try await build.run()
        let planned = try build.plan().tiles
        for _ in 0..<6 {
            let window = try Self.window(around: planned, &random)
            let part = try await build.with {
                $0.window = window
                $0.resources.jobs = Int.random(in: 1...3, using: &random)
                $0.resources.tilesPerUnit = Int.random(in: 1...2, using: &random)
            }.run()
            let expected = whole.tiles.filter { Self.contains(window, $0.key) }
            let differences = Self.differences(part.tiles, expected)
            #expect(differences == [], "\(window)")
            let confined = try build.plan().confined(to: window)
            let tiles = planned.filter { Self.contains(window, $0) }
            #expect(Set(confined?.tiles ?? []) == Set(tiles) && confined?.tileCount == tiles.count)
        }
    }

    @Test("bytes do not depend on how the work was divided", arguments: Kind.allCases.some(2))
    func cuts(kind: Kind) async throws {
        let build = try kind.build()
        let whole = try await build.run()
        var random = SplitMix(seed: 7)
        let zooms = build.options.zooms
        for cut in [zooms.lowerBound + 1, zooms.upperBound] {
            var union: [TileCoordinate: [UInt8]] = [:]
            for window in try Self.cut(build.plan(), atZoom: cut, &random) {
                let part = try await build.with { $0.window = window }.run()
                union.merge(part.tiles) { _, new in
                    Issue.record("two parts make the same tile")
                    return new
                }
            }
            let differences = Self.differences(union, whole.tiles)
            #expect(differences == [])
        }
    }

    /// A window per zoom above the cut, and rectangles at the cut with all that lies below.
    static func cut(
        _ plan: PyramidPlan, atZoom cut: Int, _ random: inout SplitMix
    ) throws -> [TileWindow] {
        var windows: [TileWindow] = []
        for level in plan.levels where level.isWritten && level.matrix.zoom <= cut {
            let columns = level.matrix.tiles(ofPixels: level.window.columns)
            let turn =
                columns
                .lowerBound..<min(
                    columns.upperBound, columns.lowerBound + level.matrix.tilesPerEdge)
            var parts = [PixelWindow(columns: turn, rows: level.tileRows)]
            if level.matrix.zoom == cut {
                parts = (0..<3).reduce(parts) { parts, _ in parts.flatMap { halves($0, &random) } }
            }
            windows += parts.map {
                TileWindow(
                    TileRange(
                        zoom: level.matrix.zoom, columns: ClosedRange($0.columns),
                        rows: ClosedRange($0.rows)),
                    downTo: level.matrix.zoom == cut ? 30 : nil)
            }
        }
        return windows
    }

    /// Two parts on either side of a random line, or the whole if it is one column or row.
    private static func halves(_ whole: PixelWindow, _ random: inout SplitMix) -> [PixelWindow] {
        func halves(_ range: Range<Int>) -> [Range<Int>] {
            if range.count < 2 { return [range] }
            let line = Int.random(in: range.dropFirst(), using: &random)
            return [range.lowerBound..<line, line..<range.upperBound]
        }
        if Bool.random(using: &random) {
            return halves(whole.columns).map { PixelWindow(columns: $0, rows: whole.rows) }
        }
        return halves(whole.rows).map { PixelWindow(columns: whole.columns, rows: $0) }
    }

    @Test("tiles that do not exist are not built")
    func none() throws {
        let plan = try Kind.turned.build().plan()
        let tile = try #require(plan.tiles.first { $0.zoom == 14 })
        let far = TileCoordinate(zoom: 14, column: tile.column + 100, row: tile.row)
        #expect(plan.confined(to: Self.tree(under: far)) == nil)
        #expect(plan.confined(to: .tile(TileCoordinate(zoom: 17, column: 60_000, row: 44_000))) == nil)
        #expect(plan.confined(to: .tile(TileCoordinate(zoom: 2, column: 1, row: 1))) == nil)
        #expect(plan.confined(to: Self.tree(under: TileCoordinate(zoom: 0, column: 0, row: 0))) != nil)
    }

    /// An image of 1024 by 2048 pixels, each of which is one of zoom 16.
    private static func aligned(
        _ log: ReadLog, blockSize: (width: Int, height: Int)? = nil, _ method: ResamplingMethod
    ) throws -> TestBuild {
        let matrix = TileMatrix(zoom: 16, tileSize: 256)
        let mapping = try Placement.pixels(
            matrix, x: 25_600...25_600 + 1024, y: 51_200...51_200 + 2048, width: 1024, height: 2048)
        let layer = TestLayer(
            mapping: mapping, image: .flat([9, 9, 9], width: 1024, height: 2048),
            blockSize: blockSize, log: log)
        return TestBuild([layer], zooms: 14...16, resampling: method)
    }

    @Test("a part has work for one job per square of 256 pixels, and one that decodes")
    func jobs() throws {
        let plan = try Self.aligned(ReadLog(), .area).plan()
        let tile = TileCoordinate(zoom: 16, column: 101, row: 203)
        #expect(plan.confined(to: .tile(tile))?.mostJobs == 2)
        let above = TileCoordinate(zoom: 15, column: 50, row: 101)
        #expect(plan.confined(to: .tile(above))?.mostJobs == 5)
    }

    @Test("an image that is read from the top is read down to the last row that tiles need", .long)
    func rows() async throws {
        for (zoom, row, end) in [(16, 202, 768), (15, 101, 1024 + 5), (14, 50, 1024 + 15)] {
            let log = ReadLog()
            var build = try Self.aligned(log, .lanczos)
            build.window = .tile(TileCoordinate(zoom: zoom, column: 100 >> (16 - zoom), row: row))
            let count = try await build.run().tiles.count
            #expect(count == 1)
            #expect(log.hull?.rows == 0..<end)
        }
    }

    @Test("if an image can be read by windows, only the rows and columns that tiles need are read")
    func windows() async throws {
        let log = ReadLog()
        var build = try Self.aligned(log, blockSize: (64, 64), .area)
        build.window = .tile(TileCoordinate(zoom: 16, column: 101, row: 203))
        let count = try await build.run().tiles.count
        #expect(count == 1)
        let read = try #require(log.hull)
        #expect(read.rows == 768..<1024)
        // Runs of weights are padded.
        #expect(read.columns.lowerBound == 256 && (512...516).contains(read.columns.upperBound))
    }

    @Test("only the blocks of a turned image around a tile are read", .long)
    func blocks() async throws {
        let (log, matrix) = (ReadLog(), TileMatrix(zoom: 16, tileSize: 256))
        let mapping = try Placement.turned(
            matrix, around: Point(x: 25_728, y: 51_328), degrees: 30, scale: 1, width: 2048,
            height: 2048)
        let layer = TestLayer(
            mapping: mapping, image: .flat([9, 9, 9], width: 2048, height: 2048),
            blockSize: (128, 128), log: log)
        var build = TestBuild([layer], zooms: 14...16, resampling: .bilinear)
        build.window = .tile(TileCoordinate(zoom: 16, column: 100, row: 200))
        let count = try await build.run().tiles.count
        #expect(count == 1)
        // The tile's corners lie 175 pixels from the image's middle, in blocks of 128.
        let read = try #require(log.hull)
        #expect(read.rows.lowerBound >= 768 && read.rows.upperBound <= 1280)
        #expect(read.columns.lowerBound >= 768 && read.columns.upperBound <= 1280)
    }

    @Test("images outside of the tiles are not opened")
    func layers() async throws {
        let logs = (0..<3).map { _ in ReadLog() }
        var build = try Kind.sheets.build()
        for (index, log) in logs.enumerated() { build.layers[index].log = log }
        build.window = .tile(TileCoordinate(zoom: 16, column: 30_002, row: 22_000))
        let count = try await build.run().tiles.count
        #expect(count == 1)
        #expect(logs[0].hull == nil && logs[1].hull != nil && logs[2].hull == nil)
    }
}

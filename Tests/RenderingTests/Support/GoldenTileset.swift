import Georeferencing
import Raster
import Rendering
import TestSupport
import Testing
import Tiling

/// A small tileset whose pixels are written down; see `GoldenPixelsTests`.
struct GoldenTileset: Sendable, CustomTestStringConvertible {
    /// What the table of digests calls it.
    let name: String
    /// Plans it again.
    let build: @Sendable () throws -> TestBuild
    var testDescription: String { name }

    private init(_ name: String, _ build: @escaping @Sendable () throws -> TestBuild) {
        self.name = name
        self.build = build
    }

    /// Every shape of a mapping with the kernels that have code of their own for it, and every
    /// kernel both upright and turned.
    static let all: [GoldenTileset] =
        ResamplingMethod.allCases.flatMap { method in
            [
                GoldenTileset("upright plan, \(method)") { try upright(method) },
                GoldenTileset("turned plan by four corners, \(method)") { try turned(method) },
            ]
        }
        + [ResamplingMethod.area, .cubic, .lanczos, .nearest].map { method in
            GoldenTileset("thin plate spline, \(method)") { try bent(method) }
        }
        + [ResamplingMethod.area, .lanczos].flatMap { method in
            [
                GoldenTileset("three sheets with alpha, \(method)") { try sheets(method) },
                GoldenTileset("gray noise in degrees, \(method)") { try degrees(method) },
            ]
        }
        + [
            GoldenTileset("tiles of 512 pixels, cubic") { try large(.cubic) },
            GoldenTileset("turned plan over a colour, other kernels below") {
                var build = try turned(.cubic)
                build.options.overviewResampling = .bilinear
                build.options.background = RGBColor(red: 250, green: 240, blue: 10)
                return build
            },
        ]

    private static let (width, height) = (200, 150)
    private static let plan = TestImage.goldenPlan(width: width, height: height)
    private static let noise = TestImage.noise(width: width, height: height)
    private static let sheets = (1...3).map {
        TestImage.goldenPlan(width: 100, height: 80, seed: $0)
    }
    private static let matrix = TileMatrix(zoom: 15, tileSize: 256)
    /// A corner of four tiles of the matrix.
    private static let corner = Point(x: 256 * 17_385, y: 256 * 11_465)

    private static func upright(_ method: ResamplingMethod) throws -> TestBuild {
        let mapping = try Placement.pixels(
            matrix, x: corner.x - 93.3...corner.x + 62.9, y: corner.y - 40.2...corner.y + 75.4,
            width: width, height: height)
        return TestBuild(
            mapping, plan, zooms: 13...15, resampling: method)
    }

    /// Seen in perspective, too, a little.
    private static func turned(
        _ method: ResamplingMethod, tileSize: Int = 256
    ) throws -> TestBuild {
        let georeference = try Georeference.corners(
            [
                Point(x: 11.0081, y: 47.2063), Point(x: 11.01265, y: 47.20536),
                Point(x: 11.01163, y: 47.20309), Point(x: 11.0071, y: 47.204),
            ], width: width, height: height)
        return TestBuild(
            try ImageMapping(georeference, width: width, height: height),
            plan, zooms: tileSize == 256 ? 13...15 : 12...14, tileSize: tileSize, resampling: method
        )
    }

    private static func large(_ method: ResamplingMethod) throws -> TestBuild {
        try turned(method, tileSize: 512)
    }

    private static func bent(_ method: ResamplingMethod) throws -> TestBuild {
        // Columns and rows of the image, then what its bends add to a similarity, in 1e-6 degrees.
        let points: [(x: Double, y: Double, east: Double, north: Double)] = [
            (4, 7, 7, -24), (100, 3, -37, 50), (197, 9, 10, 15), (8, 75, 72, -20),
            (101, 73, 21, 43), (190, 79, -58, -5), (3, 144, -13, 7), (98, 146, 38, -54),
            (195, 142, 3, 32),
        ]
        let fit = try ControlPointFit(
            points.map { point in
                ControlPoint(
                    pixel: Point(x: point.x, y: point.y),
                    lonLat: Point(
                        x: 11.0081 + point.x * 22.9e-6 - point.y * 6.8e-6 + point.east * 1e-6,
                        y: 47.2063 - point.x * 4.6e-6 - point.y * 15.5e-6 + point.north * 1e-6),
                    name: "a point")
            }, model: .tps, width: width, height: height)
        return TestBuild(
            try ImageMapping(fit.georeference, width: width, height: height),
            plan, zooms: 13...15, resampling: method)
    }

    /// Two that share an edge, and one that lies over both, turned otherwise; all are translucent in
    /// parts.
    private static func sheets(_ method: ResamplingMethod) throws -> TestBuild {
        func sheet(_ image: TestImage, degrees: Double, _ center: Point) throws -> TestLayer {
            TestLayer(
                mapping: try Placement.turned(
                    matrix, around: center, degrees: degrees, scale: 1.1, width: image.info.width,
                    height: image.info.height),
                image: image)
        }
        return TestBuild(
            [
                try sheet(sheets[0], degrees: 0, Point(x: corner.x - 55.2, y: corner.y + 10.3)),
                try sheet(sheets[1], degrees: 0, Point(x: corner.x + 54.8, y: corner.y + 10.3)),
                try sheet(sheets[2], degrees: 21, Point(x: corner.x + 3.1, y: corner.y - 8.7)),
            ], zooms: 13...15, resampling: method)
    }

    private static func degrees(_ method: ResamplingMethod) throws -> TestBuild {
        let mapping = try Placement.degrees(
            11.0031, 47.2021, 11.0137, 47.2087, width: width, height: height)
        return TestBuild(
            mapping, noise, zooms: 13...15, resampling: method)
    }
}

extension TestImage {
    /// Rooms in flat colours between dark walls, some hatched, some of glass, some of noise; around
    /// them nothing.
    ///
    /// Whole numbers only, so that it is the same everywhere.
    fileprivate static func goldenPlan(width: Int, height: Int, seed: Int = 0) -> TestImage {
        var random = SplitMix(seed: UInt64(seed))
        return TestImage(width: width, height: height, .rgba8) { column, row in
            // The outline is cut off at two corners.
            if column + row < 25 || (width - column) + (height - row) < 40 { return [0, 0, 0, 0] }
            if column % 47 < 3 || row % 36 < 2 || (2 * column + row) % 131 < 2 {
                return [40, 44, 52, 255]
            }
            let room = seed + column / 47 * 5 + row / 36 * 3
            let fill = [UInt8(250 - room * 9 % 120), UInt8(140 + room * 31 % 110), 170]
            switch room % 7 {
            case 1 where (column + 2 * row) % 9 == 0: return [90, 100, 60, 255]
            case 2: return fill + [UInt8(60 + column % 47 * 3)]
            case 4: return fill + [0]
            case 6:
                let bits = random.next()
                return [0, 8, 16].map { UInt8(truncatingIfNeeded: bits >> $0) } + [255]
            default: return fill + [255]
            }
        }
    }
}

extension BuiltTiles {
    /// The number of tiles, and a hash of their addresses and pixels, which is the same on every
    /// machine.
    var digest: String {
        var hash = StableHash()
        let order = tiles.sorted {
            let (a, b) = ($0.key, $1.key)
            return (a.zoom, a.row, a.column) < (b.zoom, b.row, b.column)
        }
        for (tile, bytes) in order {
            for number in [tile.zoom, tile.row, tile.column] { hash.combine(UInt64(number)) }
            hash.combine(bytes)
        }
        return "\(tiles.count) tiles, \(hash.hex)"
    }
}

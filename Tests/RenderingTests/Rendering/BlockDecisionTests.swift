import Raster
import TestSupport
import Testing
import Tiling

@testable import Georeferencing
@testable import Rendering

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What is decided for a block of pixels at once, against each of its pixels rendered alone.
///
/// A build fills parts of one colour, leaves out what is beyond the image, interpolates positions, and cuts rows
/// past which no edge leads. None of that may be seen.
@Suite struct BlockDecisionTests {
    /// What makes pixels transparent.
    enum Kind: CaseIterable { case mask, nodata, cutline, limb }

    /// The image's place.
    enum Place: CaseIterable { case upright, turned, disk }

    struct Scene: CustomTestStringConvertible {
        let (kind, place, method): (Kind, Place, ResamplingMethod)
        var testDescription: String { "\(kind), \(place), \(method)" }
    }

    /// A limb belongs to a disk, and a disk has one.
    static let scenes = Kind.allCases.flatMap { kind in
        (kind == .limb ? [.disk] : Place.allCases).flatMap { place in
            [ResamplingMethod.nearest, .cubic, .area].map {
                Scene(kind: kind, place: place, method: $0)
            }
        }
    }

    private static let (width, height) = (200, 180)
    private static let matrix = TileMatrix(zoom: 16, tileSize: 256)
    private static let corner = Point(x: 30_000 * 256, y: 22_000 * 256)

    /// Colours that change slowly beside a part of one colour; transparent parts are soft or end at whole blocks.
    private static func image(_ kind: Kind) -> TestImage {
        TestImage(width: width, height: height, .rgba8) { column, row in
            let isFlat = column >= 96 && row >= 80
            let color =
                isFlat
                ? [200, 120, 40] : [UInt8(60 + column / 2), UInt8(60 + row / 2), UInt8(90 + column / 4)]
            let distance = hypot(Double(column) - 100, Double(row) - 90)
            switch kind {
            case .mask: return color + [UInt8(max(0, min(255, (80 - distance) * 20)))]
            case .nodata: return column >= 128 && row >= 48 || distance < 17 ? [0, 0, 0, 0] : color + [255]
            case .cutline, .limb: return color + [255]
            }
        }
    }

    private static func mapping(_ place: Place) throws -> (mapping: ImageMapping, zoom: Int) {
        switch place {
        case .upright:
            let (x, y) = (corner.x - 111.3, corner.y - 90.2)
            let mapping = try Placement.pixels(
                matrix, x: x...x + 1.3137 * 200, y: y...y + 1.3137 * 180, width: width, height: height)
            return (mapping, 16)
        case .turned:
            let mapping = try Placement.turned(
                matrix, around: corner, degrees: 23, scale: 1.2, width: width, height: height)
            return (mapping, 16)
        case .disk:
            let transform = AffineTransform(
                a: 57_000, b: 0, c: -5_700_000, d: 0, e: -63_300, f: 5_700_000)
            let crs = try CRS("+proj=geos +h=35785831 +lon_0=0 +datum=WGS84")
            let mapping = try ImageMapping(
                Georeference(crs: crs, pixelToCRS: .affine(transform)), width: width, height: height)
            return (mapping, 1)
        }
    }

    private static func build(_ scene: Scene) throws -> TestBuild {
        let (mapping, zoom) = try mapping(scene.place)
        var build = TestBuild(mapping, image(scene.kind), zooms: zoom...zoom, resampling: scene.method)
        if scene.kind == .cutline {
            let corners = mapping.lonLatCorners()
            let isDisk = scene.place == .disk
            let middle = isDisk ? Point(x: 3, y: 4) : try #require(BoundingBox(around: corners)).center
            let size = isDisk ? 41.0 : (corners[1].x - corners[0].x) * 0.45
            let ring = [(0, -1), (1, 0.2), (0.1, 0.3), (0.2, 1), (-1, -0.1)].map {
                Point(x: middle.x + size * $0.0, y: middle.y + size * $0.1)
            }
            build.options.cutline = Cutline([[ring]])
        }
        return build
    }

    /// Pixels beside an edge of blocks of 64, and some others.
    private static func isLookedAt(_ pixel: PixelWindow) -> Bool {
        let (column, row) = (pixel.columns.lowerBound, pixel.rows.lowerBound)
        return (column + 2) % 64 < 4 || (row + 2) % 64 < 4 || (column + 3 * row) % 11 == 0
    }

    /// Renders pixels of the finest level by itself, from the image as it is.
    private static func pixelsAlone(_ build: TestBuild) throws -> LevelBand {
        let plan = try build.plan()
        let (level, target, layer) = (plan.levels[0], plan.target, plan.target.layers[0])
        let info = layer.info
        var pixels = try build.layers[0].image.plainBand()
        pixels.ground = layer.mapping.earth.map {
            GroundPixels(rings: $0.pixels, width: info.width, height: info.height)
        }
        let result = try LevelBand(window: level.window, capacity: level.window.height)
        let weights = target.weights(ofLayer: 0)
        if weights == nil { pixels.edges = (layer.mapping.columns, layer.mapping.rows) }
        let resampler = SeparableResampler(kernels: .best)
        let warper = Warper(
            method: target.method(ofLayer: 0), kernels: .best, footprints: FootprintTables(target.footprints))
        let grid = target.mappingGrid(ofLayer: 0)
        for part in grid.parts(of: level.window) {
            let near = grid.positions(of: part)
            for pixel in part.pixels where isLookedAt(pixel) {
                if let weights {
                    try resampler.render(pixel, from: pixels, weights: weights, into: result)
                    continue
                }
                let (column, row) = (pixel.columns.lowerBound, pixel.rows.lowerBound)
                let center = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
                var place = [level.grid.mercator(ofPixel: center)]
                layer.mapping.imagePoints(ofMercator: &place)
                // The limb cuts a pixel whose centre is in space; where it reads from is the grid's to say.
                if place[0].x.isNaN {
                    let index = (row - part.rows.lowerBound) * part.width + column - part.columns.lowerBound
                    place = [Point(x: near.columns[index], y: near.rows[index])]
                }
                let position = SourcePositions(
                    width: 1, height: 1, columns: [place[0].x], rows: [place[0].y], jacobian: near.jacobian)
                try warper.render(position, from: pixels) { _ in result.pixel(column: column, row: row) }
            }
        }
        let isHard = build.options.resampling.copiesPixels
        for mask in [layer.limb, level.cut?.mask] {
            if let mask { Cutter(mask: mask, isHard: isHard).cut(level.window, of: result) }
        }
        return result
    }

    /// How far two pixels of straight alpha are from each other in what a map shows of them, of 255.
    private static func difference(_ some: [UInt8], _ other: [UInt8]) -> Double {
        (0..<4).map { channel in
            func value(_ pixel: [UInt8]) -> Double {
                channel == 3 ? Double(pixel[3]) : Double(pixel[channel]) * Double(pixel[3]) / 255
            }
            return abs(value(some) - value(other))
        }.reduce(0, max)
    }

    @Test("a picture equals its pixels rendered and cut one by one", arguments: scenes.some(1))
    func pixels(scene: Scene) async throws {
        let build = try Self.build(scene)
        let tiles = try await build.run()
        let level = try build.plan().levels[0]
        let alone = try Self.pixelsAlone(build)
        let window = level.window
        var bytes = [UInt8](repeating: 0, count: 4 * window.width * window.height)
        bytes.withUnsafeMutableBufferPointer {
            _ = PackedWindow(window, bytes: $0).pack(window, of: alone, over: nil, with: .best)
        }
        // Positions on a disk err by up to a 32nd of a pixel, and alpha steps by 255. A kernel that copies pixels takes the
        // next one where a position is between two, and an area's corner there takes one in or not.
        let tolerance = scene.place == .disk ? 8.0 : 0
        let isRough = scene.place == .disk && scene.method == .area
        var (looked, seen, different) = (0, 0, [String]())
        for pixel in window.pixels where Self.isLookedAt(pixel) {
            let (column, row) = (pixel.columns.lowerBound, pixel.rows.lowerBound)
            // There is no tile where the footprint touches none.
            let columns = level.tileColumns(inRow: floorDivide(row, 256))
            guard columns.contains(where: { $0 ~= floorDivide(column, 256) }) else { continue }
            let built = tiles.pixel(zoom: level.zoom, x: column, y: row)
            let index =
                4 * ((row - window.rows.lowerBound) * window.width + column - window.columns.lowerBound)
            let expected = Array(bytes[index..<index + 4])
            looked += 1
            if built[3] > 0 { seen += 1 }
            if Self.difference(built, expected) > tolerance {
                different.append("\(column), \(row): \(built) and not \(expected)")
            }
        }
        #expect(seen > 1000 && looked > seen)
        let most = scene.method == .nearest ? looked / 250 : isRough ? 3 : 0
        #expect(different.count <= most, "\(different.prefix(5))")
    }
}

extension PixelWindow {
    /// Each of its pixels.
    fileprivate var pixels: some Sequence<PixelWindow> {
        rows.lazy.flatMap { row in
            columns.lazy.map { PixelWindow(columns: $0..<$0 + 1, rows: row..<row + 1) }
        }
    }
}

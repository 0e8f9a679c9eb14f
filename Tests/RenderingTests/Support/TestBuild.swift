import Georeferencing
import Raster
import Rendering
import Testing
import Tiling

/// The tiles of a build, as raw RGBA.
struct BuiltTiles: Equatable {
    var tileSize: Int
    var tiles: [TileCoordinate: [UInt8]]

    /// A pixel of a tile matrix; nothing if there is no tile.
    func pixel(zoom: Int, x: Int, y: Int) -> [UInt8] {
        let tile = TileCoordinate(
            zoom: zoom, column: floorDivide(x, tileSize), row: floorDivide(y, tileSize))
        guard let bytes = tiles[tile] else { return [0, 0, 0, 0] }
        let index =
            4 * ((y - tile.row * tileSize) * tileSize + x - floorDivide(x, tileSize) * tileSize)
        return Array(bytes[index..<index + 4])
    }

    /// Tiles of 256 pixels, four to one of 512 at the zoom above.
    func stitched() -> BuiltTiles {
        precondition(tileSize == 256)
        var result = BuiltTiles(tileSize: 512, tiles: [:])
        for (tile, bytes) in tiles where tile.zoom > 0 {
            let parent = TileCoordinate(
                zoom: tile.zoom - 1, column: tile.column >> 1, row: tile.row >> 1)
            let corner = (tile.row & 1) * 256 * 512 + (tile.column & 1) * 256
            for row in 0..<256 {
                let start = 4 * (corner + row * 512)
                result.tiles[parent, default: [UInt8](repeating: 0, count: 512 * 512 * 4)]
                    .replaceSubrange(
                        start..<start + 1024, with: bytes[row * 1024..<(row + 1) * 1024])
            }
        }
        return result
    }
}

struct MemorySink: TileSink {
    var staged: Set<TileCoordinate> = []
    var tiles: [TileCoordinate: [UInt8]] = [:]
    /// Pixels that are kept.
    var kept: [TileCoordinate: [UInt8]] = [:]

    mutating func keep(_ pixels: EncodedTile) {
        #expect(kept[pixels.coordinate] == nil, "pixels of \(pixels.coordinate) are kept twice")
        kept[pixels.coordinate] = pixels.bytes
    }

    mutating func write(_ tile: EncodedTile) {
        #expect(tiles[tile.coordinate] == nil, "\(tile.coordinate) is written twice")
        #expect(!staged.contains(tile.coordinate), "\(tile.coordinate) is there already")
        tiles[tile.coordinate] = tile.bytes
    }
}

/// Keeps pixels as they are, and holds tiles to what they say of themselves.
final class RawEncoder: TileEncoder {
    func encode(_ pixels: TilePixels) -> [UInt8] {
        let bytes = Array(pixels.bytes)
        #expect(bytes.count == pixels.size * pixels.size * 4)
        let alpha = bytes.withUnsafeBytes {
            $0.bindMemory(to: UInt32.self).reduce(.max) { $0 & UInt32(littleEndian: $1) } >> 24
        }
        #expect(pixels.isOpaque == (alpha == 255))
        return bytes
    }
}

/// An image that can be read in two ways.
struct TestLayer {
    var mapping: ImageMapping
    var image: TestImage
    /// Columns and rows of its blocks, if it has any.
    var blockSize: (width: Int, height: Int)?
    /// Where reads of the image are noted.
    var log: ReadLog?
}

/// What a build is made of; the rest has defaults.
struct TestBuild {
    var layers: [TestLayer]
    var options: PyramidOptions
    var resources = PyramidResources(jobs: 1, memory: 1 << 30, scratchDirectory: "/nonexistent")
    var kernels = Kernels.best
    var staged: Set<TileCoordinate> = []
    /// The tiles to build; nil for all.
    var window: TileWindow?

    init(
        _ mapping: ImageMapping, _ image: TestImage, zooms: ClosedRange<Int>, tileSize: Int = 256,
        resampling: ResamplingMethod, overviews: ResamplingMethod? = nil
    ) {
        self.init(
            [TestLayer(mapping: mapping, image: image)], zooms: zooms, tileSize: tileSize,
            resampling: resampling, overviews: overviews)
    }

    init(
        _ layers: [TestLayer], zooms: ClosedRange<Int>, tileSize: Int = 256,
        resampling: ResamplingMethod, overviews: ResamplingMethod? = nil
    ) {
        self.layers = layers
        options = PyramidOptions(
            zooms: zooms, tileSize: tileSize, resampling: resampling,
            overviewResampling: overviews ?? resampling)
    }

    /// The plan of all tiles.
    func plan() throws -> PyramidPlan {
        try PyramidPlan(
            layers: layers.map {
                ImageLayer(mapping: $0.mapping, info: $0.image.info, blockSize: $0.blockSize)
            },
            options: options)
    }

    /// The tiles; none if the plan has none of those that are asked for.
    func run() async throws -> BuiltTiles {
        if let window, try plan().confined(to: window) == nil {
            return BuiltTiles(tileSize: options.tileSize, tiles: [:])
        }
        return try await runWithSummary().tiles
    }

    func runWithSummary() async throws -> (tiles: BuiltTiles, summary: PyramidSummary) {
        var plan = try plan()
        if let window { plan = try #require(plan.confined(to: window)) }
        let builder = PyramidBuilder(pixels, plan: plan, resources: resources, kernels: kernels)
        var sink = MemorySink(staged: staged)
        var last = 0
        let summary = try await BuildSequence([builder]).build(
            to: &sink, makeEncoder: { RawEncoder() },
            progress: {
                #expect($0 >= last)
                last = $0
            })
        #expect(last == plan.tileCount)
        #expect(summary.tiles == sink.tiles.count + staged.count)
        #expect(summary.tiles + summary.emptyTiles == plan.tileCount)
        return (BuiltTiles(tileSize: options.tileSize, tiles: sink.tiles), summary)
    }

    /// The images' pixels.
    var pixels: PyramidPixels {
        .images { [images = layers.map { ($0.image, $0.blockSize, $0.log) }] layer in
            images[layer].0.source(blockSize: images[layer].1, log: images[layer].2)
        }
    }

    /// The same with something else.
    func with(_ change: (inout TestBuild) -> Void) -> TestBuild {
        var copy = self
        change(&copy)
        return copy
    }
}

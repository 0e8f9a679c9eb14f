import Georeferencing
import Raster
import Tiling

/// The memory of a build: the bytes of its bands, the bands that go to a scratch file, and the images that
/// are read block by block.
///
/// For an image that is `w` pixels wide, `W` at the finest zoom, a build keeps in memory:
/// - the image's rows that a stage needs, and the rows that are read meanwhile: about
///   `600 * scale * w * bytesPerPixel` for an upright image, up to all rows for a turned one; if there are
///   several images, those that are open at a time;
/// - per level of width `W / 2^i` below the finest: 512 rows and a halo, 8 bytes a pixel. Together this is
///   less than `0.55 * W * 1024 * 8`, and half as much again with tiles of 512 pixels;
/// - for an upright image, its weights: 16 bytes and 2 for each tap, for each column and row of the finest
///   zoom that it touches; and 5 bytes for each 256 pixels of the images' rows, which mark where they have
///   one colour;
/// - the decoders' own memory, and the memory of each job; see `JobMemory`.
///
/// The program's base memory is not counted. Memory is touched as a build proceeds, each band from end to
/// end; so the sum is the resident memory near the end of a build, to within some percent.
struct MemoryPlan: Sendable {
    /// How the images are read.
    let sources: SourceMemory
    /// The way that each layer's pixels are read into memory.
    let access: [LayerReader.Access]
    /// Bytes of each level's band.
    let levelBytes: [Int]
    /// Bytes that cannot go to a scratch file, including those of decoders and jobs.
    let fixedBytes: Int
    /// Whether the images' rows go to a scratch file.
    let spillsSource: Bool
    /// Whether each level's band goes to a scratch file.
    let spillsLevel: [Bool]

    /// Blocks get the memory divided by this number. The bands of the levels need most of it.
    private static let shareOfBlocks = 8

    /// Bytes of blocks that are enough for a view. In turned and tilted views, five times as much saves one
    /// tile decode in sixteen; more only costs page faults.
    private static func viewBlockBytes(_ width: Int) -> Int {
        max(1 << 23, width * 12_000)
    }

    /// Plans for reading by rows. If the rows do not fit into the memory, tiled images under a general
    /// mapping are read by blocks, as they may need any row at any time. Bands that still do not fit are
    /// spilled.
    ///
    init(
        plan: PyramidPlan, list: StageList, reads: [SourceMemory.Read], resources: PyramidResources
    ) {
        levelBytes = zip(plan.levels, list.capacities).map { level, capacity in
            capacity == 0 ? 0 : LevelBand.bytes(width: level.part.hull.width, capacity: capacity)
        }
        var blockBytes = resources.memory / Self.shareOfBlocks
        if plan.isView { blockBytes = min(blockBytes, Self.viewBlockBytes(plan.levels[0].window.width)) }
        // A part of a pyramid rarely needs whole rows.
        var sources = SourceMemory(
            plan: plan, list: list, reads: reads, jobs: resources.jobs,
            inBlocks: plan.isConfined ? blockBytes : nil)
        let jobBytes = resources.jobs * JobMemory.bytes(plan, resources) + Self.openTileBytes(plan)
        let levels = levelBytes.reduce(0, +)
        if jobBytes + sources.fixedBytes + sources.bytes + levels > resources.memory {
            sources = SourceMemory(
                plan: plan, list: list, reads: reads, jobs: resources.jobs,
                inBlocks: blockBytes)
        }
        self.sources = sources
        fixedBytes = jobBytes + sources.fixedBytes
        // Spill the images first: they are read in order or, if turned, written once.
        var needed = fixedBytes + sources.bytes + levels
        var spills = [Bool](repeating: false, count: levelBytes.count + 1)
        for (index, bytes) in ([sources.rowBytes] + levelBytes).enumerated()
        where needed > resources.memory {
            spills[index] = true
            needed -= bytes
        }
        spillsSource = spills[0]
        spillsLevel = Array(spills.dropFirst())
        access = sources.access(scratchDirectory: spills[0] ? resources.scratchDirectory : nil)
    }

    /// Bytes of a row of tiles that the finest level makes in several stages.
    private static func openTileBytes(_ plan: PyramidPlan) -> Int {
        let finest = plan.levels[0]
        guard finest.isWritten, plan.rowsPerStage < finest.tileSize else { return 0 }
        return finest.renderedTiles.count * finest.tileSize * finest.tileSize * 4
    }

    /// Bytes that stay in memory.
    var residentBytes: Int {
        let levels = zip(levelBytes, spillsLevel).reduce(0) { $0 + ($1.1 ? 0 : $1.0) }
        return fixedBytes + sources.bytes - (spillsSource ? sources.rowBytes : 0) + levels
    }

    /// Bytes of scratch files.
    var scratchBytes: Int {
        sources.bytes + levelBytes.reduce(0, +) + fixedBytes - residentBytes
    }
}

/// The memory of one job, without the bands that all jobs share.
enum JobMemory {
    /// Bytes of a thread: those that it touches of its stack, and those that malloc keeps for it between
    /// uses. malloc takes 64 KiB or more at a time, and does not fill all of them.
    private static let threadBytes = 64 << 10

    /// Bytes of all memory of a worker: adds up, for tiles of `s * s` pixels with `n` adjacent tiles in a unit:
    /// - the rows of a unit that are kept at a time, 8 bytes a pixel; no more than the level's own size is
    ///   counted, since no more is touched;
    /// - if there are several layers, the buffer of a layer before it is laid over others: half of such rows,
    ///   as they are touched only where layers meet;
    /// - the pixels of the unit's tiles, `4 * n * s * s`, and the memory of an encoder;
    /// - the files of the unit's tiles until they are written, half a byte a pixel: `n * s * s / 2`;
    /// - the memory of resamplers; see their `bytes`;
    /// - the patches of a bent mapping, half a kilobyte for each 1024 pixels square, of which 4096 are kept;
    /// - the thread.
    static func bytes(_ plan: PyramidPlan, _ resources: PyramidResources) -> Int {
        let size = plan.options.tileSize
        let tiles = plan.tilesPerUnit(resources)
        let all = plan.levels[0].part.hull
        let width = min(plan.columnsOfUnit(resources), all.width)
        let rows = min(plan.rowsOfUnit, all.height)
        var bytes = LevelBand.bytes(width: width, capacity: rows)
        if plan.layers.count > 1 { bytes += bytes / 2 }
        let tileRow = min(tiles * size, all.width + size) * size
        bytes += tileRow * 4 + tileRow / 2 + resources.encoderBytes
        return bytes + resamplerBytes(plan, width: width) + threadBytes
    }

    /// The maximum number of pixels of a zoom per pixel of a view, along an axis; finer images are averaged
    /// when they are read.
    private static let largestViewScale = 4.0

    private static func resamplerBytes(_ plan: PyramidPlan, width: Int) -> Int {
        let (target, finest) = (plan.target, plan.levels[0])
        let layers = plan.layers.indices.map { index in
            let method = target.method(ofLayer: index)
            let scale =
                plan.isView
                ? largestViewScale : finest.matrix.cellSize / plan.layers[index].mapping.mercatorCellSize
            return target.isSeparable(index)
                ? SeparableResampler.bytes(width: width, scale: scale, method: method)
                : Warper.bytes(edge: MappingGrid.cellSize, scale: scale, method: method)
                    + patchBytes(finest.part.hull)
        }
        // One resampler of each kind serves all layers.
        return (layers.max() ?? 0)
            + plan.levels.indices.dropFirst().reduce(0) {
                $0 + Reducer.bytes(width: width / 2, method: plan.reducing(toLevel: $1))
            }
    }

    private static func patchBytes(_ window: PixelWindow) -> Int {
        let edge = MappingPatches.largestSize
        let patches = (window.width / edge + 1) * (window.height / edge + 1)
        return min(patches, MappingPatches.keptPatches) * 512
    }
}

/// The resources of the machine that a build may use. The tiles' bytes do not depend on them.
package struct PyramidResources: Sendable {
    /// The number of units of work that run at once.
    package var jobs: Int
    /// Bytes of rows to keep in memory; the rest goes to a scratch file.
    package var memory: Int
    /// The folder of scratch files.
    package var scratchDirectory: String
    /// Bytes of an encoder; each job has one.
    package var encoderBytes: Int
    /// The number of adjacent tiles in a unit of work; nil for a number that suits the image.
    package var tilesPerUnit: Int?

    /// Makes a set of resources.
    package init(
        jobs: Int, memory: Int, scratchDirectory: String, encoderBytes: Int = 0,
        tilesPerUnit: Int? = nil
    ) {
        self.jobs = jobs
        self.memory = memory
        self.scratchDirectory = scratchDirectory
        self.encoderBytes = encoderBytes
        self.tilesPerUnit = tilesPerUnit
    }
}

import Georeferencing
import Raster
import Resampling
import Tiling

/// How many bytes the bands of a build take, which of them go to a scratch file, and which images are
/// read block by block.
///
/// In memory are, for an image `w` pixels wide at the finest zoom `W`:
/// - the image's rows that a stage needs, and those that come in meanwhile: about
///   `600 * scale * w * bytesPerPixel` for an upright image, up to all rows for a turned one; of
///   several images, those that are open at a time;
/// - per level of width `W / 2^i`: 512 rows and a halo, 8 bytes a pixel, or 6 in planes; together less than
///   `0.55 * W * 1024 * 8`, as the finest level has no ring, or twice as much if it has one; with tiles of 512 pixels
///   half as much again; less than half as much of levels whose tiles are gathered, see `GatheredTiles`; and 16 bytes for
///   each 32 x 32 pixels, if it is known which of them are of one colour;
/// - for each column and row of the finest zoom that an image touches the weights of an upright image, 16 bytes and 2 for
///   each tap; and 5 bytes for each 256 pixels of the images' rows, which say where they are of one colour;
/// - the decoders' own memory, and what each job has for itself; see `JobMemory`.
///
/// What the program takes anyway is not counted. Memory is touched as a build goes on, and a band from end to end; so the
/// sum is what is resident near the end of a build, to some percent.
struct MemoryPlan: Sendable {
    /// How the images are read.
    let sources: SourceMemory
    /// How each layer's pixels come into memory.
    let access: [LayerReader.Access]
    /// Bytes of each level's band.
    let levelBytes: [Int]
    /// Bytes that cannot go to a scratch file, those of decoders and jobs among them.
    let fixedBytes: Int
    /// Whether the images' rows go to a scratch file.
    let spillsSource: Bool
    /// Whether each level's band does.
    let spillsLevel: [Bool]

    /// Blocks take an eighth of the memory: the bands of the levels need the most of it.
    private static let shareOfBlocks = 8

    /// Bytes of blocks that suffice for a view: on turned and tilted ones, five times as many save one decoded
    /// tile in sixteen. More would only be memory that is touched for the first time.
    private static func viewBlockBytes(_ width: Int) -> Int {
        max(1 << 23, width * 12_000)
    }

    /// Plans for rows. If they do not fit into the memory, tiled images under a general mapping are
    /// read by blocks, as they may need any row at any time. What still does not fit is spilled.
    ///
    /// - Parameter planes: those of each level's ring.
    init(
        plan: PyramidPlan, list: StageList, reads: [SourceMemory.Read], planes: [OpaquePlanes?],
        resources: PyramidResources
    ) {
        levelBytes = plan.levels.indices.map { index in
            let (level, capacity) = (plan.levels[index], list.capacities[index])
            if plan.gathersTiles(ofLevel: index) {
                return level.isWritten
                    ? GatheredTiles.bytes(
                        level, keepsColors: plan.keepsColors,
                        unitsTiles: resources.jobs * plan.tilesPerUnit(resources)) : 0
            }
            let width = level.part.hull.width
            let colors =
                plan.keepsColors && capacity > 0 ? CellColors.bytes(width: width, capacity: capacity) : 0
            let pixels =
                planes[index].map { LevelBand.bytes(level.part.hull, capacity: capacity, planes: $0) }
                ?? LevelBand.bytes(width: width, capacity: capacity)
            return pixels + colors
        }
        var blockBytes = resources.memory / Self.shareOfBlocks
        if plan.isView { blockBytes = min(blockBytes, Self.viewBlockBytes(plan.levels[0].window.width)) }
        // A part of a pyramid rarely needs whole rows.
        var sources = SourceMemory(
            plan: plan, list: list, reads: reads, jobs: resources.jobs,
            inBlocks: plan.isConfined ? blockBytes : nil)
        let jobBytes = resources.jobs * JobMemory(plan, resources).bytes
        let levels = levelBytes.reduce(0, +)
        if jobBytes + sources.fixedBytes + sources.bytes + levels > resources.memory {
            sources = SourceMemory(
                plan: plan, list: list, reads: reads, jobs: resources.jobs,
                inBlocks: blockBytes)
        }
        self.sources = sources
        fixedBytes = jobBytes + sources.fixedBytes
        // The images first: they are read in order, or, turned ones, written once.
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
struct JobMemory {
    /// Bytes of all that a worker has.
    let bytes: Int

    /// Bytes that a thread touches of its stack, and that malloc keeps for it between the things that it lends: of the
    /// 64 KiB and more that are taken at a time, some are never full.
    private static let threadBytes = 64 << 10

    /// Adds up, for tiles of `s * s` pixels of which `n` are side by side in a unit:
    /// - the rows of a unit of the finest level that stay at a time, 8 bytes a pixel, or 6 of planes, if that keeps no
    ///   ring, and what a unit is halved to if tiles of other levels are gathered; no more of it than the level has is
    ///   touched;
    /// - what a layer is rendered into before it is laid over others, if there are several: half of such rows, as they are
    ///   touched only where they meet;
    /// - the pixels of the unit's tiles, `4 * n * s * s`, those of a tile of one colour, `4 * s * s`, if it is known which
    ///   tiles are, and what an encoder takes;
    /// - the files of the unit's tiles until they are written, half a byte a pixel: `n * s * s / 2`;
    /// - what resamplers keep; see their `bytes`;
    /// - the patches of a bent mapping, half a kilobyte for each 1024 pixels square, of which 4096 are kept;
    /// - the thread.
    init(_ plan: PyramidPlan, _ resources: PyramidResources) {
        let size = plan.options.tileSize
        let tiles = plan.tilesPerUnit(resources)
        let all = plan.levels[0].part.hull
        let width = min(plan.sizesOfUnits(resources).first?.columns ?? tiles * size, all.width)
        let rows = min(Self.rows(plan), all.height)
        var bytes = Self.unitBytes(plan, resources, rows: rows)
        if plan.layers.count > 1 {
            bytes += LevelBand.bytes(width: width, capacity: rows) / 2
        }
        let tileRow = min(tiles * size, all.width + size) * size
        bytes += tileRow * 4 + tileRow / 2 + resources.encoderBytes
        if plan.keepsColors { bytes += size * size * 4 }
        bytes += Self.resamplerBytes(plan, width: width) + Self.threadBytes
        self.bytes = bytes
    }

    /// Rows of the finest level that are rendered at a time.
    private static func rows(_ plan: PyramidPlan) -> Int {
        guard plan.haloOfUnits != nil else { return CellCoverage.cellSize }
        // The pixels of the only level may be kept: all of them, then.
        if plan.levels.count == 1 { return plan.rowsOfFinestStage }
        return plan.rowsKept(perTurn: plan.makesPlanes ? PyramidPlan.planesPerTurn : plan.rowsPerTurn)
    }

    private static func unitBytes(_ plan: PyramidPlan, _ resources: PyramidResources, rows: Int) -> Int {
        zip(plan.sizesOfUnits(resources), plan.levels).enumerated().reduce(0) { sum, pair in
            let (unit, level) = (pair.element.0, pair.element.1.part.hull)
            let height = pair.offset == 0 ? rows : min(unit.rows, level.height)
            let bytes = LevelBand.bytes(width: min(unit.columns, level.width), capacity: height)
            // Of planes there are no more than three.
            return sum + (pair.offset == 0 && plan.makesPlanes ? bytes * 3 / DeepPixel.channels : bytes)
        }
    }

    /// Pixels of a zoom to one of a view, along an axis, at most; images that are finer are averaged when they are read.
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
        // One of each kind serves all layers.
        return (layers.max() ?? 0)
            + plan.levels.indices.dropFirst().reduce(0) {
                $0
                    + Reducer.bytes(
                        width: width / 2, method: plan.reducing(toLevel: $1), takesPlanes: plan.makesPlanes)
            }
    }

    private static func patchBytes(_ window: PixelWindow) -> Int {
        let edge = MappingPatches.largestSize
        let patches = (window.width / edge + 1) * (window.height / edge + 1)
        return min(patches, MappingPatches.keptPatches) * 512
    }
}

/// What a build may use of the machine. The tiles' bytes do not depend on it.
package struct PyramidResources: Sendable {
    /// How many units of work run at once.
    package var jobs: Int
    /// Bytes of rows to keep in memory; what does not fit goes to a scratch file.
    package var memory: Int
    /// Where scratch files go.
    package var scratchDirectory: String
    /// Bytes that an encoder takes; each job has one.
    package var encoderBytes: Int
    /// Tiles side by side in a unit of work, or nil for a number that suits the image.
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

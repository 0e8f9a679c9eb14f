internal import Raster
internal import Resampling
internal import Tiling

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
    /// When each layer is open, and how far it is decoded.
    let schedules: [LayerSchedule]
    /// How each layer is read.
    let readings: [LayerProgress.Reading]
    /// How each layer's pixels come into memory.
    let access: [LayerReader.Access]
    /// Bytes of the images' rows and blocks, of those that are open at a time.
    let sourceBytes: Int
    /// Bytes of their rows among them.
    let rowBytes: Int
    /// Bytes of each level's band.
    let levelBytes: [Int]
    /// Bytes that decoders keep.
    let decoderBytes: Int
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
    /// - Parameters:
    ///   - reads: what is read of each image.
    ///   - planes: those of each level's ring.
    ///   - resources: the budget, and what jobs take.
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
        (schedules, readings, sourceBytes) = (sources.schedules, sources.readings, sources.bytes)
        decoderBytes = sources.decoderBytes
        fixedBytes = jobBytes + sources.fixedBytes
        // The images first: they are read in order, or, turned ones, written once.
        var needed = fixedBytes + sourceBytes + levels
        var spills = [Bool](repeating: false, count: levelBytes.count + 1)
        for (index, bytes) in ([sources.rowBytes] + levelBytes).enumerated()
        where needed > resources.memory {
            spills[index] = true
            needed -= bytes
        }
        rowBytes = sources.rowBytes
        spillsSource = spills[0]
        spillsLevel = Array(spills.dropFirst())
        access = sources.access(scratchDirectory: spills[0] ? resources.scratchDirectory : nil)
    }

    /// Bytes that stay in memory.
    var residentBytes: Int {
        let levels = zip(levelBytes, spillsLevel).reduce(0) { $0 + ($1.1 ? 0 : $1.0) }
        return fixedBytes + sourceBytes - (spillsSource ? rowBytes : 0) + levels
    }

    /// Bytes of scratch files.
    var scratchBytes: Int {
        sourceBytes + levelBytes.reduce(0, +) + fixedBytes - residentBytes
    }
}

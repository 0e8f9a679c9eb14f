internal import Raster
internal import Resampling
internal import Tiling

/// How many bytes the bands of a build take, and which of them go to a scratch file.
///
/// In memory are, for an image `w` pixels wide at the finest zoom `W`:
/// - the source's rows that a stage needs, and those that come in meanwhile: about
///   `600 * scale * w * bytesPerPixel` for an upright image, up to all rows for a turned one;
/// - per level of width `W / 2^i`: 512 rows and a halo, 8 bytes a pixel; together less than
///   `1.1 * W * 1024 * 8`, with tiles of 512 pixels half as much again;
/// - the decoder's own memory, and per job some scratch, of which a tile's pixels are the most.
struct MemoryPlan: Sendable {
    /// Bytes of the source's band.
    let sourceBytes: Int
    /// Bytes of each level's band.
    let levelBytes: [Int]
    /// Bytes that cannot go to a scratch file.
    let fixedBytes: Int
    /// Whether the source's band goes to a scratch file.
    let spillsSource: Bool
    /// Whether each level's band does.
    let spillsLevel: [Bool]

    /// The bytes of a job's own scratch: a tile's pixels in several forms, and the window of a cell.
    private static func jobBytes(tileSize: Int) -> Int { tileSize * tileSize * 24 + 4 << 20 }

    init(
        plan: PyramidPlan, info: RasterInfo, sourceCapacity: Int, capacities: [Int],
        resources: PyramidResources
    ) {
        sourceBytes = (info.width * info.pixelFormat.bytesPerPixel + 64) * sourceCapacity
        levelBytes = zip(plan.levels, capacities).map { level, capacity in
            LevelBand.bytes(width: level.window.width, capacity: capacity)
        }
        fixedBytes =
            info.decoderBytes + resources.jobs * Self.jobBytes(tileSize: plan.options.tileSize)
        // The source first: it is read in order, or, for a turned image, written once.
        var needed = fixedBytes + sourceBytes + levelBytes.reduce(0, +)
        var spills = [Bool](repeating: false, count: levelBytes.count + 1)
        for (index, bytes) in ([sourceBytes] + levelBytes).enumerated()
        where needed > resources.memory {
            spills[index] = true
            needed -= bytes
        }
        spillsSource = spills[0]
        spillsLevel = Array(spills.dropFirst())
    }

    /// Bytes that stay in memory.
    var residentBytes: Int {
        let levels = zip(levelBytes, spillsLevel).reduce(0) { $0 + ($1.1 ? 0 : $1.0) }
        return fixedBytes + (spillsSource ? 0 : sourceBytes) + levels
    }

    /// Bytes of scratch files.
    var scratchBytes: Int {
        sourceBytes + levelBytes.reduce(0, +) + fixedBytes - residentBytes
    }
}

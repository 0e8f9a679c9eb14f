internal import Georeferencing
internal import Raster
internal import Resampling
internal import Tiling

/// What one job takes for itself, beside the bands that all jobs share.
struct JobMemory {
    /// Bytes of all that a worker has.
    let bytes: Int

    /// Bytes that a thread touches of its stack, and that malloc keeps for it between the things that it lends: of the
    /// 64 KiB and more that are taken at a time, some are never full.
    private static let threadBytes = 128 << 10

    /// Adds up, for tiles of `s * s` pixels of which `n` are side by side in a unit:
    /// - a unit of the finest level, 8 bytes a pixel, if that keeps no ring; no more of it than the level has is touched,
    ///   and half of it if pixels are opaque: most units are then made in turns, which share some rows, or filled;
    /// - what a layer is rendered into before it is laid over others, if there are several: half of such a band, as it is
    ///   touched only where they meet;
    /// - the pixels of the unit's tiles, `4 * n * s * s`, of which only one tile's are touched if none are packed row by
    ///   row, and what an encoder takes;
    /// - the files of the unit's tiles until they are written, half a byte a pixel: `n * s * s / 2`;
    /// - what resamplers keep; see `ResamplerMemory`;
    /// - the patches of a bent mapping, half a kilobyte for each 1024 pixels square, of which 4096 are kept;
    /// - the thread.
    init(_ plan: PyramidPlan, _ resources: PyramidResources) {
        let size = plan.options.tileSize
        let tiles = plan.tilesPerUnit(resources)
        let (all, unit) = (plan.levels[0].part.hull, plan.sizeOfUnits(resources))
        let width = min(unit?.columns ?? tiles * size, all.width)
        let rows = min(unit?.rows ?? CellCoverage.cellSize, all.height)
        var bytes = unit == nil ? 0 : LevelBand.bytes(width: width, capacity: rows)
        if Self.isMadeInTurns(plan) { bytes /= 2 }
        if plan.layers.count > 1 {
            bytes += LevelBand.bytes(width: width, capacity: min(rows, CellCoverage.cellSize)) / 2
        }
        let tileRow = min(tiles * size, all.width + size) * size
        bytes += tileRow * 4 + tileRow / 2 + resources.encoderBytes
        bytes += Self.resamplerBytes(plan, width: width) + Self.threadBytes
        self.bytes = bytes
    }

    /// Whether most units of the finest level are made some rows at a time, or are mostly of one colour.
    private static func isMadeInTurns(_ plan: PyramidPlan) -> Bool {
        plan.layers.count == 1 && plan.levels.count > 1 && plan.levels[0].cut == nil
            && plan.target.isSeparable(0) && plan.layers[0].info.pixelFormat != .rgba8
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
                ? ResamplerMemory.separable(width: width, scale: scale, method: method)
                : ResamplerMemory.warper(edge: MappingGrid.cellSize, scale: scale, method: method)
                    + patchBytes(finest.part.hull)
        }
        // One of each kind serves all layers.
        return (layers.max() ?? 0)
            + plan.levels.indices.dropFirst().reduce(0) {
                $0 + ResamplerMemory.reducer(width: width / 2, method: plan.reducing(toLevel: $1))
            }
    }

    private static func patchBytes(_ window: PixelWindow) -> Int {
        let edge = MappingPatches.largestSize
        let patches = (window.width / edge + 1) * (window.height / edge + 1)
        return min(patches, MappingPatches.keptPatches) * 512
    }
}

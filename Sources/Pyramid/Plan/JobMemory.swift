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
    /// - what resamplers keep; see `ResamplerMemory`;
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
                ? ResamplerMemory.separable(width: width, scale: scale, method: method)
                : ResamplerMemory.warper(edge: MappingGrid.cellSize, scale: scale, method: method)
                    + patchBytes(finest.part.hull)
        }
        // One of each kind serves all layers.
        return (layers.max() ?? 0)
            + plan.levels.indices.dropFirst().reduce(0) {
                $0
                    + ResamplerMemory.reducer(
                        width: width / 2, method: plan.reducing(toLevel: $1), takesPlanes: plan.makesPlanes)
            }
    }

    private static func patchBytes(_ window: PixelWindow) -> Int {
        let edge = MappingPatches.largestSize
        let patches = (window.width / edge + 1) * (window.height / edge + 1)
        return min(patches, MappingPatches.keptPatches) * 512
    }
}

internal import Resampling
internal import Tiling

/// What one job needs to render: buffers, resamplers, and what finishes its pixels. Handed from one unit
/// of work to the next, it is used by one task at a time.
final class RenderWorker: @unchecked Sendable {
    // Unchecked, because the compiler cannot see that the builder gives a worker to one task at a
    // time.

    private let plan: PyramidPlan
    private let bands: [LevelBand]
    private let base: any FinestRenderer
    private let cutter: Cutter?
    private let reducers: [Reducer]
    private let output: any UnitOutput

    init(
        plan: PyramidPlan, bands: [LevelBand], base: any FinestRenderer, kernels: Kernels,
        output: any UnitOutput
    ) {
        self.plan = plan
        self.bands = bands
        self.base = base
        self.output = output
        // Kept pixels are cut already.
        cutter =
            plan.isOfKeptPixels
            ? nil
            : plan.levels[0].cut.map {
                Cutter(mask: $0.mask, isHard: plan.options.resampling.copiesPixels)
            }
        reducers = plan.levels.indices.map { level in
            Reducer(method: plan.reducing(toLevel: level), kernels: kernels)
        }
    }

    /// Renders a unit's pixels, and finishes what they complete.
    func run(_ unit: WorkUnit, of stage: Stage) throws -> [UnitTile] {
        for columns in plan.levels[stage.level].part.columns(within: unit.columns) {
            try render(stage.rows, columns, level: stage.level)
        }
        return try output.finish(unit, of: stage, in: bands[stage.level])
    }

    /// Renders rows of a level, a row of cells at a time.
    private func render(_ rows: Range<Int>, _ columns: Range<Int>, level index: Int) throws {
        let level = plan.levels[index]
        let size = CellCoverage.cellSize
        var top = rows.lowerBound
        while top < rows.upperBound {
            let bottom = min(rows.upperBound, (floorDivide(top, size) + 1) * size)
            let covered = level.covered(inRows: top..<bottom, of: columns)
            for gap in columns.gaps(between: covered) {
                bands[index].clear(PixelWindow(columns: gap, rows: top..<bottom))
            }
            for part in covered {
                let window = PixelWindow(columns: part, rows: top..<bottom)
                if index == 0 {
                    try base.render(window, into: bands[0])
                    cutter?.cut(window, of: bands[0])
                } else {
                    reducers[index].render(window, from: bands[index - 1], into: bands[index])
                }
            }
            top = bottom
        }
        bands[index].continueAround(PixelWindow(columns: columns, rows: rows))
    }
}

/// Puts pixels into the band of the finest level. One per worker.
protocol FinestRenderer: AnyObject {
    /// Renders pixels that something touches; the window lies in one row of cells.
    func render(_ window: PixelWindow, into band: LevelBand) throws
}

/// What becomes of a unit's pixels when they are rendered. One per worker.
protocol UnitOutput: AnyObject {
    /// Finishes what a unit has completed.
    ///
    /// - Parameters:
    ///   - unit: the part of the stage.
    ///   - stage: the stage.
    ///   - band: the pixels of its level.
    /// - Returns: the tiles, if there are any.
    func finish(_ unit: WorkUnit, of stage: Stage, in band: LevelBand) throws -> [UnitTile]
}

/// A part of a stage: some columns, whole tiles wide.
struct WorkUnit: Sendable {
    /// The stage's index in the list.
    var stage: Int
    /// The unit's place in the stage, from the west.
    var index: Int
    /// The columns, in pixels of the level.
    var columns: Range<Int>
}

/// What a unit made of a tile.
struct UnitTile: Sendable {
    /// The tile's address.
    var coordinate: TileCoordinate
    /// Its column before it was brought back into the world.
    var column: Int
    /// Its bytes, or why there are none.
    var content: Content
    /// Its deep pixels, packed, if they are kept.
    var pixels: [UInt8]?

    /// Bytes, or why there are none.
    enum Content: Sendable {
        /// A file's bytes.
        case encoded([UInt8])
        /// An interrupted run has left the tile already.
        case staged
        /// Wholly transparent, and not wanted.
        case empty
    }
}

import Platform
import Resampling
import Tiling

/// The equipment of one job for rendering: buffers, resamplers, and an output for finished pixels. Passed
/// from one unit of work to the next, it is used by one task at a time.
final class RenderWorker: @unchecked Sendable {
    // Unchecked, because the compiler cannot see that the builder gives a worker to one task at a
    // time.

    private let plan: PyramidPlan
    /// The band of each level; nil if the level keeps no rows.
    private let bands: [LevelBand?]
    /// The buffers in which units of the finest level are rendered and halved if that level keeps no rows.
    private let unit: UnitBands?
    private let halo: Int?
    /// The number of levels that units of the finest level fill, from the second one on, and the number of
    /// those whose tiles are gathered.
    private let (filled, gathered): (Int, Int)
    private let base: any FinestRenderer
    private let cutter: Cutter?
    private let reducers: [Reducer]
    private let output: any UnitOutput

    init(
        plan: PyramidPlan, bands: [LevelBand?], unit: UnitBands?, base: any FinestRenderer,
        kernels: Kernels, output: any UnitOutput
    ) {
        self.plan = plan
        self.bands = bands
        self.unit = unit
        halo = plan.haloOfUnits
        (filled, gathered) = (plan.levelsFilledByUnits, plan.levelsGathered)
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

    /// Renders a unit's pixels, and finishes the tiles that they complete.
    func run(_ unit: WorkUnit, of stage: Stage) throws -> [UnitTile] {
        if stage.level == 0, let halo { return try runAlone(unit, of: stage, halo: halo) }
        if plan.gathersTiles(ofLevel: stage.level) { return try output.finishGathered(unit, of: stage) }
        let band = band(stage.level)
        for columns in plan.levels[stage.level].part.columns(within: unit.columns) where !stage.rows.isEmpty {
            try render(PixelWindow(columns: columns, rows: stage.rows), level: stage.level, into: band)
        }
        return try output.finish(unit, of: stage, in: band)
    }

    /// Renders a unit of the finest level with its halo, finishes its tiles, and halves it.
    private func runAlone(_ work: WorkUnit, of stage: Stage, halo: Int) throws -> [UnitTile] {
        let window = plan.window(ofUnit: work.columns, rows: stage.rows, halo: halo)
        guard let tiles = output.tileRow(work, of: stage) else {
            let band = unitBands.begin(window, level: 0)
            try render(window, level: 0, into: band)
            return try output.finish(work, of: stage, in: band)
        }
        let halved = PixelWindow(columns: work.columns.halved, rows: stage.rows.halved)
        let second = filled > 0 ? beginHalving(to: 1, halved) : nil
        // The next row of the second level.
        var next = halved.rows.lowerBound
        try renderInTurns(window, isWhole: isWhole(window, work, stage, halo)) { turn, band in
            tiles.pack(turn.clamped(to: stage.rows), of: band)
            guard let second else { return }
            let isLast = turn.upperBound == window.rows.upperBound
            let end = max(next, isLast ? halved.rows.upperBound : floorDivide(turn.upperBound - halo, 2))
            halve(to: 1, PixelWindow(columns: halved.columns, rows: next..<end), from: band, into: second)
            next = end
        }
        if let second { halveOn(halved, of: second) }
        return try tiles.encode()
    }

    /// Whether a window has all pixels that halving a unit reads. It does not at an end of the level that is
    /// cut, or that cuts a pair of pixels.
    private func isWhole(_ window: PixelWindow, _ work: WorkUnit, _ stage: Stage, _ halo: Int) -> Bool {
        work.columns.paired.widened(by: halo) == window.columns
            && stage.rows.paired.widened(by: halo) == window.rows
    }

    /// Renders a unit of the finest level some rows at a time, so that `take` finds them in the L2 cache.
    /// Encoders would evict them.
    private func renderInTurns(
        _ window: PixelWindow, isWhole: Bool,
        _ take: (_ turn: Range<Int>, _ band: LevelBand) throws -> Void
    ) throws {
        if isWhole, let rows = planes(of: window) {
            for turn in window.rows.cut(every: PyramidPlan.planesPerTurn) {
                rows.render(turn)
                try take(turn, rows.band)
            }
            return
        }
        let band = unitBands.begin(window, keeping: plan.rowsKept(perTurn: plan.rowsPerTurn))
        for turn in window.rows.cut(every: plan.rowsPerTurn) {
            try render(PixelWindow(columns: window.columns, rows: turn), level: 0, into: band)
            try take(turn, band)
        }
    }

    /// Halves the second level's pixels that a unit of the finest level made, down to the last level that it
    /// fills.
    private func halveOn(_ window: PixelWindow, of second: LevelBand) {
        var (window, band) = (window, second)
        for level in 1..<filled {
            for part in parts(of: window, level: level) where level <= gathered {
                output.gather(part, ofLevel: level, from: band)
            }
            window = PixelWindow(columns: window.columns.halved, rows: window.rows.halved)
            let coarse = beginHalving(to: level + 1, window)
            halve(to: level + 1, window, from: band, into: coarse)
            band = coarse
        }
    }

    /// The band for the halved pixels of a unit: the level's ring, if it has one.
    private func beginHalving(to level: Int, _ window: PixelWindow) -> LevelBand {
        if level > gathered { return band(level) }
        return unitBands.begin(window.intersection(plan.levels[level].part.hull), level: level)
    }

    /// Halves a part of a unit of the finest level.
    private func halve(to level: Int, _ window: PixelWindow, from fine: LevelBand, into band: LevelBand) {
        for part in parts(of: window, level: level) { halve(part, level: level, from: fine, into: band) }
    }

    /// The parts of a window inside a level.
    private func parts(of window: PixelWindow, level: Int) -> [PixelWindow] {
        let part = plan.levels[level].part
        let rows = window.rows.clamped(to: part.rows)
        if rows.isEmpty { return [] }
        return part.columns(within: window.columns).map { PixelWindow(columns: $0, rows: rows) }
    }

    /// A window of the finest level as planes, if all pixels are opaque and are read only by halving and
    /// tiles.
    private func planes(of window: PixelWindow) -> UprightWindow? {
        guard plan.makesPlanes, reducers[1].takesPlanes, isCovered(window)
        else { return nil }
        let kept = plan.rowsKept(perTurn: PyramidPlan.planesPerTurn)
        return base.planes(of: window, into: unitBands.beginPlanes(window, keeping: kept))
    }

    private var unitBands: UnitBands { unit.unwrapped("a level without a ring has room for a unit") }

    /// Whether all parts of a window of the finest level are visible.
    private func isCovered(_ window: PixelWindow) -> Bool {
        window.rows.cut(every: CellCoverage.cellSize).allSatisfy {
            plan.levels[0].covered(inRows: $0, of: window.columns) == [window.columns]
        }
    }

    private func band(_ level: Int) -> LevelBand {
        bands[level].unwrapped("a level is rendered into its ring")
    }

    /// Renders a window of a level, a row of cells at a time.
    private func render(_ window: PixelWindow, level: Int, into band: LevelBand) throws {
        if level > 0 { return halve(window, level: level, from: self.band(level - 1), into: band) }
        for part in coveredParts(of: window, level: 0, in: band) {
            try base.render(part, into: band)
            cutter?.cut(part, of: band)
        }
        band.continueAround(window)
    }

    private func halve(
        _ window: PixelWindow, level: Int, from fine: LevelBand, into band: LevelBand
    ) {
        for part in coveredParts(of: window, level: level, in: band) {
            reducers[level].render(part, from: fine, into: band)
        }
        band.continueAround(window)
    }

    /// The visible parts of a window, each in one row of cells; all other parts are cleared.
    private func coveredParts(
        of window: PixelWindow, level index: Int, in band: LevelBand
    ) -> [PixelWindow] {
        let size = CellCoverage.cellSize
        return window.rows.cut(every: size).flatMap { rows in
            let covered = plan.levels[index].covered(inRows: rows, of: window.columns)
            for gap in window.columns.gaps(between: covered) {
                band.clear(PixelWindow(columns: gap, rows: rows))
            }
            return covered.map { PixelWindow(columns: $0, rows: rows) }
        }
    }
}

/// Puts pixels into the band of the finest level. One per worker.
protocol FinestRenderer: AnyObject {
    /// Renders pixels that a footprint touches; the window is in one row of cells.
    func render(_ window: PixelWindow, into band: LevelBand) throws

    /// Begins to render a window as planes, if all of it is opaque and planes are faster.
    ///
    /// - Returns: nil if nothing was begun.
    func planes(of window: PixelWindow, into band: LevelBand) -> UprightWindow?
}

extension FinestRenderer {
    func planes(of window: PixelWindow, into band: LevelBand) -> UprightWindow? { nil }
}

/// The destination of a unit's rendered pixels. One per worker.
protocol UnitOutput: AnyObject {
    /// Finishes the tiles that a unit has completed.
    ///
    /// - Parameter band: the pixels of its level.
    /// - Returns: the tiles, if there are any.
    func finish(_ unit: WorkUnit, of stage: Stage, in band: LevelBand) throws -> [UnitTile]

    /// Takes pixels of a level that keeps no ring.
    ///
    /// - Parameters:
    ///   - window: the pixels that a unit of the finest level has made.
    ///   - band: the pixels, which are only there during the call.
    func gather(_ window: PixelWindow, ofLevel level: Int, from band: LevelBand)

    /// Finishes the tiles of such a level that a unit completes.
    func finishGathered(_ unit: WorkUnit, of stage: Stage) throws -> [UnitTile]

    /// The tiles of a unit of the finest level. They are packed before its pixels are halved, and encoded
    /// afterwards.
    ///
    /// - Returns: nil if the pixels are needed for more than tiles.
    func tileRow(_ unit: WorkUnit, of stage: Stage) -> TileRow?
}

extension UnitOutput {
    func gather(_ window: PixelWindow, ofLevel level: Int, from band: LevelBand) {}

    func finishGathered(_ unit: WorkUnit, of stage: Stage) throws -> [UnitTile] { [] }

    func tileRow(_ unit: WorkUnit, of stage: Stage) -> TileRow? { nil }
}

/// A part of a stage: some columns, whole tiles wide.
struct WorkUnit: Sendable {
    /// The stage's index in the list.
    var stage: Int
    /// The unit's index in the stage, from the west.
    var index: Int
    /// The columns, in pixels of the level.
    var columns: Range<Int>
}

/// A tile that a unit made.
struct UnitTile: Sendable {
    /// The tile's address.
    var coordinate: TileCoordinate
    /// Its column before it was moved into the world.
    var column: Int
    /// Its bytes, or why it has none.
    var content: Content
    /// Its packed deep pixels, if they are kept.
    var pixels: [UInt8]?

    /// A tile's bytes, or why it has none.
    enum Content: Sendable {
        /// The bytes of the file.
        case encoded([UInt8])
        /// The tile is left from an interrupted run.
        case staged
        /// The tile is fully transparent, and such tiles are not written.
        case empty
    }
}

/// The buffers in which a unit of the finest level is rendered, and halved to levels that keep no rings. One
/// per worker.
final class UnitBands {
    private let bands: [LevelBand]
    /// The colours of the unit's cells in each level; empty if pixels change after they are rendered.
    private let colors: [CellColors]

    /// - Throws: `Failure` if there is not enough memory.
    init(_ plan: PyramidPlan, _ resources: PyramidResources) throws {
        let sizes = plan.sizesOfUnits(resources)
        bands = try zip(plan.levels, sizes).map { level, size in
            try LevelBand(
                window: PixelWindow(columns: 0..<size.columns, rows: 0..<size.rows),
                worldEdge: level.grid.columnsPerTurn, capacity: size.rows, scratchDirectory: nil)
        }
        colors =
            plan.keepsColors
            ? sizes.indices.map { CellColors(standForPixels: plan.colorsStandForPixels(ofLevel: $0)) } : []
    }

    /// A buffer for a unit's pixels of a level; the pixels of the unit before are lost.
    func begin(_ window: PixelWindow, level: Int) -> LevelBand {
        begin(window, level: level, band: bands[level].moved(to: window))
    }

    /// A buffer for a unit's pixels of the finest level that keeps only some rows.
    func begin(_ window: PixelWindow, keeping rows: Int) -> LevelBand {
        begin(window, level: 0, band: bands[0].moved(to: window, keeping: rows))
    }

    /// A buffer for planes, likewise.
    func beginPlanes(_ window: PixelWindow, keeping rows: Int) -> LevelBand {
        bands[0].moved(toPlanesOf: window, keeping: rows)
    }

    private func begin(_ window: PixelWindow, level: Int, band: LevelBand) -> LevelBand {
        if colors.isEmpty { return band }
        var band = band
        colors[level].begin(window, capacity: band.capacity)
        band.colors = colors[level]
        return band
    }
}

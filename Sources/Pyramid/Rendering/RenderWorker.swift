internal import Diagnostics
internal import Resampling
internal import Tiling

/// What one job needs to render: buffers, resamplers, and what finishes its pixels. Handed from one unit
/// of work to the next, it is used by one task at a time.
final class RenderWorker: @unchecked Sendable {
    // Unchecked, because the compiler cannot see that the builder gives a worker to one task at a
    // time.

    private let plan: PyramidPlan
    /// Of each level; nil if the finest keeps no rows.
    private let bands: [LevelBand?]
    /// Where a unit of the finest level is rendered in that case.
    private let unit: LevelBand?
    private let halo: Int?
    /// The levels that units of the finest level fill, from the second one on.
    private let filled: Int
    /// The colours of a unit's cells; nil if pixels change once they are rendered.
    private let colors: CellColors?
    private let base: any FinestRenderer
    private let cutter: Cutter?
    private let reducers: [Reducer]
    private let output: any UnitOutput

    init(
        plan: PyramidPlan, bands: [LevelBand?], unit: LevelBand?, base: any FinestRenderer,
        kernels: Kernels, output: any UnitOutput
    ) {
        self.plan = plan
        self.bands = bands
        self.unit = unit
        halo = plan.haloOfUnits
        filled = plan.levelsFilledByUnits
        self.base = base
        self.output = output
        // Kept pixels are cut already.
        cutter =
            plan.isOfKeptPixels
            ? nil
            : plan.levels[0].cut.map {
                Cutter(mask: $0.mask, isHard: plan.options.resampling.copiesPixels)
            }
        colors =
            plan.keepsColors ? CellColors(standForPixels: plan.colorsStandForPixels(ofLevel: 0)) : nil
        reducers = plan.levels.indices.map { level in
            Reducer(method: plan.reducing(toLevel: level), kernels: kernels)
        }
    }

    /// Renders a unit's pixels, and finishes what they complete.
    func run(_ unit: WorkUnit, of stage: Stage) throws -> [UnitTile] {
        if stage.level == 0, let halo { return try runAlone(unit, of: stage, halo: halo) }
        let band = band(stage.level)
        for columns in plan.levels[stage.level].part.columns(within: unit.columns) where !stage.rows.isEmpty {
            try render(PixelWindow(columns: columns, rows: stage.rows), level: stage.level, into: band)
        }
        return try output.finish(unit, of: stage, in: band)
    }

    /// Renders a unit of the finest level with what lies around it, finishes its tiles, and halves it.
    private func runAlone(_ work: WorkUnit, of stage: Stage, halo: Int) throws -> [UnitTile] {
        let window = plan.window(ofUnit: work.columns, rows: stage.rows, halo: halo)
        // Halving reads beyond an end of the level where it is cut, or where a pair of pixels is.
        let isWhole =
            work.columns.paired.widened(by: halo) == window.columns
            && stage.rows.paired.widened(by: halo) == window.rows
        if isWhole, let tiles = try runInTurns(work, of: stage, in: window) { return tiles }
        let band = try pixels(of: window)
        let tiles = try output.finish(work, of: stage, in: band)
        if filled > 0 { halve(to: 1, stage.rows.halved, work.columns.halved, from: band) }
        halveOn(work, of: stage)
        return tiles
    }

    /// Halves what a unit of the finest level made of the second one, as far as it fills others.
    private func halveOn(_ work: WorkUnit, of stage: Stage) {
        var (rows, columns) = (stage.rows.halved, work.columns.halved)
        for level in 1..<max(1, filled) {
            (rows, columns) = (rows.halved, columns.halved)
            halve(to: level + 1, rows, columns, from: band(level))
        }
    }

    /// Halves a part of a unit of the finest level.
    ///
    /// - Parameters:
    ///   - level: the coarser level.
    ///   - rows: of that level, as `columns`.
    private func halve(to level: Int, _ rows: Range<Int>, _ columns: Range<Int>, from fine: LevelBand) {
        let part = plan.levels[level].part
        let rows = rows.clamped(to: part.rows)
        for columns in part.columns(within: columns) where !rows.isEmpty {
            halve(PixelWindow(columns: columns, rows: rows), level: level, from: fine, into: band(level))
        }
    }

    /// Rows that are made in a turn: they and those that halving reads besides are less than 300 KB.
    private static let rowsPerTurn = 32

    /// Renders a unit of opaque pixels in turns: some rows are made, packed and halved while they are in the second
    /// cache.
    private func runInTurns(
        _ work: WorkUnit, of stage: Stage, in window: PixelWindow
    ) throws -> [UnitTile]? {
        guard let tiles = output.tileRow(work, of: stage), let halo, let rows = planes(of: window, halo: halo)
        else { return nil }
        // The next row of the second level.
        var next = stage.rows.halved.lowerBound
        for turn in window.rows.cut(every: Self.rowsPerTurn) {
            rows.render(turn)
            tiles.pack(turn.clamped(to: stage.rows), of: rows.band)
            let isLast = turn.upperBound == window.rows.upperBound
            let end = isLast ? stage.rows.halved.upperBound : floorDivide(turn.upperBound - halo, 2)
            if end > next { halve(to: 1, next..<end, work.columns.halved, from: rows.band) }
            next = max(next, end)
        }
        halveOn(work, of: stage)
        return try tiles.encode()
    }

    /// The pixels of a unit of the finest level, with what lies around it.
    private func pixels(of window: PixelWindow) throws -> LevelBand {
        var band = unitBand.moved(to: window)
        if let colors {
            colors.begin(window)
            band.colors = colors
        }
        try render(window, level: 0, into: band)
        return band
    }

    /// The same as planes, if all of them are opaque, and are read by nothing but halving and tiles.
    private func planes(of window: PixelWindow, halo: Int) -> UprightWindow? {
        guard plan.levels.count > 1, cutter == nil, reducers[1].takesPlanes, isCovered(window)
        else { return nil }
        // What a turn makes, and what the next row of the second level reads of the turns before.
        let kept = Self.rowsPerTurn + 2 * halo + 1
        return base.planes(of: window, into: unitBand.moved(to: window, keeping: kept))
    }

    private var unitBand: LevelBand { unit.certain("a level without a ring has room for a unit") }

    /// Whether something can be seen in all parts of a window of the finest level.
    private func isCovered(_ window: PixelWindow) -> Bool {
        window.rows.cut(every: CellCoverage.cellSize).allSatisfy {
            plan.levels[0].covered(inRows: $0, of: window.columns) == [window.columns]
        }
    }

    private func band(_ level: Int) -> LevelBand {
        bands[level].certain("a level is rendered into its ring")
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

    /// The parts of a window, each in one row of cells, in which something can be seen; all others are cleared.
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
    /// Renders pixels that something touches; the window lies in one row of cells.
    func render(_ window: PixelWindow, into band: LevelBand) throws

    /// Begins to render a window as planes, if all of it is opaque, and that is faster.
    ///
    /// - Returns: nil if nothing was begun.
    func planes(of window: PixelWindow, into band: LevelBand) -> UprightWindow?
}

extension FinestRenderer {
    func planes(of window: PixelWindow, into band: LevelBand) -> UprightWindow? { nil }
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

    /// Begins with the tiles of a unit of the finest level whose pixels do not stay until all of them are there.
    ///
    /// - Returns: nil if it needs all pixels at once.
    func tileRow(_ unit: WorkUnit, of stage: Stage) -> TileRow?
}

extension UnitOutput {
    func tileRow(_ unit: WorkUnit, of stage: Stage) -> TileRow? { nil }
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

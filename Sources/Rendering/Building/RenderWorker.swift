import Platform
import Tiling

/// The equipment of one job: buffers, resamplers and encoders. Passed from one unit of work to the next, it is
/// used by one task at a time.
final class RenderWorker: @unchecked Sendable {
    // Unchecked, because the compiler cannot see that the builder gives a worker to one task at a
    // time.

    private let plan: PyramidPlan
    /// The ring of each level; nil for the finest.
    private let rings: [LevelBand?]
    /// The buffer in which units of the finest level are rendered.
    private let buffer: LevelBand
    private let base: any FinestRenderer
    private let reducers: [Reducer]
    private let encoders: TileEncoders?

    /// - Parameters:
    ///   - buffer: room for the largest unit.
    ///   - encoders: nil for a view.
    init(
        plan: PyramidPlan, rings: [LevelBand?], buffer: LevelBand, base: any FinestRenderer, kernels: Kernels,
        encoders: TileEncoders?
    ) {
        (self.plan, self.rings, self.buffer, self.base) = (plan, rings, buffer, base)
        self.encoders = encoders
        reducers = plan.levels.indices.map { Reducer(method: plan.reducing(toLevel: $0), kernels: kernels) }
    }

    /// Makes the tiles that a unit's pixels complete, and halves the pixels into the ring of the next level.
    ///
    /// - Parameter output: the unit's own until its row of tiles is complete.
    func run(_ unit: WorkUnit, of stage: Stage, to output: any UnitOutput) throws -> [UnitTile] {
        if stage.level == 0 { return try renderFinest(unit, of: stage, to: output) }
        let (level, ring) = (plan.levels[stage.level], ring(stage.level))
        for piece in level.pieces(of: unit.columns) {
            halve(ring, to: stage.level + 1, PixelWindow(columns: piece.columns, rows: stage.rows).halved)
        }
        return try stage.tileRows.flatMap { row in
            try level.tileColumns(inRow: row, of: unit.columns).flatMap { column in
                let tile = level.matrix.window(ofTileIn: column, row)
                output.begin([column], row: row, of: level)
                for piece in level.pieces(of: tile.columns) {
                    output.add(piece.window(tile.rows.clamped(to: level.part.rows)), of: piece.of(ring))
                }
                return try output.finish(with: encoders)
            }
        }
    }

    /// Renders a unit of the finest level some rows at a time, so that packing and halving find them in the L2
    /// cache. Encoders would evict them, so tiles are encoded at the end.
    private func renderFinest(
        _ unit: WorkUnit, of stage: Stage, to output: any UnitOutput
    ) throws -> [UnitTile] {
        let level = plan.levels[0]
        let row = floorDivide(stage.rows.lowerBound, level.tileSize)
        if stage.rows.lowerBound == max(row * level.tileSize, level.part.rows.lowerBound) {
            output.begin(level.tileColumns(inRow: row, of: unit.columns), row: row, of: level)
        }
        for piece in level.pieces(of: unit.columns) {
            let band = begin(PixelWindow(columns: piece.columns, rows: stage.rows))
            let halved = PixelWindow(columns: piece.columns, rows: stage.rows).halved
            var next = halved.rows.lowerBound
            for turn in band.window.rows.cut(every: PyramidPlan.rowsPerTurn) {
                try render(turn, into: band)
                output.add(piece.window(turn.clamped(to: stage.rows)), of: piece.of(band))
                let isLast = turn.upperBound == band.window.rows.upperBound
                let end = isLast ? halved.rows.upperBound : floorDivide(turn.upperBound - plan.halo, 2)
                halve(band, to: 1, PixelWindow(columns: halved.columns, rows: next..<max(next, end)))
                next = max(next, end)
            }
        }
        return stage.endsTiles ? try output.finish(with: encoders) : []
    }

    /// The buffer for a unit with its halo. Beyond the rendered part all is transparent, unless that leads
    /// around the world.
    private func begin(_ unit: PixelWindow) -> LevelBand {
        let (level, isHalved) = (plan.levels[0], plan.levels.count > 1)
        func widened(_ range: Range<Int>) -> Range<Int> {
            isHalved ? range.paired.widened(by: plan.halo) : range
        }
        let columns = widened(unit.columns)
        let window = PixelWindow(
            columns: level.isTurn ? columns : columns.clamped(to: level.part.hull.columns),
            rows: widened(unit.rows).clamped(to: level.part.rows))
        return buffer.moved(to: window, keeping: plan.rowsOfUnit)
    }

    /// Renders rows of a unit of the finest level, a row of cells at a time.
    private func render(_ rows: Range<Int>, into band: LevelBand) throws {
        for piece in plan.levels[0].pieces(of: band.window.columns) {
            let band = piece.moved == 0 ? band : band.shifted(columns: piece.moved)
            let window = PixelWindow(columns: piece.columns, rows: rows)
            for part in coveredParts(of: window, level: 0, in: band) { try base.render(part, into: band) }
        }
    }

    /// Halves into a window of a level's ring, as far as there is such a level and it is part of it.
    private func halve(_ fine: LevelBand, to level: Int, _ window: PixelWindow) {
        if level == plan.levels.count { return }
        let (part, ring) = (plan.levels[level].part, ring(level))
        let rows = window.rows.clamped(to: part.rows)
        if rows.isEmpty { return }
        for columns in part.columns(within: window.columns) {
            let window = PixelWindow(columns: columns, rows: rows)
            for part in coveredParts(of: window, level: level, in: ring) {
                reducers[level].render(part, from: fine, into: ring)
            }
            ring.continueAround(window)
        }
    }

    private func ring(_ level: Int) -> LevelBand {
        rings[level].unwrapped("each level below the finest has a ring")
    }

    /// The visible parts of a window, each in one row of cells; all other parts are cleared.
    private func coveredParts(
        of window: PixelWindow, level index: Int, in band: LevelBand
    ) -> [PixelWindow] {
        window.rows.cut(every: CellCoverage.cellSize).flatMap { rows in
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
}

/// The destination of a unit's rendered pixels, until its row of tiles is complete.
protocol UnitOutput: AnyObject, Sendable {
    /// Begins tiles of a row of tiles, those that are to be written; pixels of earlier tiles are lost.
    func begin(_ columns: [Int], row: Int, of level: PyramidLevel)

    /// Takes pixels of these tiles, which are in the band only during the call.
    func add(_ part: PixelWindow, of band: LevelBand)

    /// Finishes the tiles.
    ///
    /// - Parameter encoders: nil for a view, which has no tiles.
    func finish(with encoders: TileEncoders?) throws -> [UnitTile]
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

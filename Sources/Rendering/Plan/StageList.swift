import Tiling

/// The stages of a plan in the order of their results. The order is fixed: it does not depend on timing or on
/// the number of jobs.
///
/// A stage of the finest level has the rows of a tile, at least those of a cell; if the image shrinks, a part of
/// them. A stage of a coarser level has the rows of a cell, and follows as soon as its ring has all rows that it
/// reads. Each stage ends tiles, and halves its rows into the ring of the next level.
///
/// A stage that would overwrite rows of a ring that the next level still needs waits for that level.
struct StageList: Sendable {
    /// The stages.
    private(set) var stages: [Stage] = []
    /// The number of rows that the ring of each level must hold; the finest has none.
    let capacities: [Int]

    private let levels: [PyramidLevel]
    private let finestRows: Int
    /// The rows of each level that the next one reads beyond its own.
    private let reaches: [Int]
    /// The row up to which each level has been listed.
    private var done: [Int]
    /// The first row of the latest stage of each level.
    private var previous: [Int]

    /// Lists the stages of a plan.
    ///
    /// - Parameter sources: the rows of images that some rows of the finest level need.
    init(plan: PyramidPlan, sources: (Range<Int>) -> [LayerRows]) {
        let (levels, finestRows) = (plan.levels, plan.rowsPerStage)
        let reaches = levels.indices.map(plan.reach(ofLevel:))
        (self.levels, self.finestRows, self.reaches) = (levels, finestRows, reaches)
        // Each ring has room for a row of tiles, for the rows that are made meanwhile (by two stages of the finest
        // level, or one of another), and for the reach before and after the tiles.
        capacities = levels.indices.map { index in
            if index == 0 { return 0 }
            let new = index == 1 ? max(CellCoverage.cellSize, finestRows) : CellCoverage.cellSize / 2
            let waiting = max(levels[index].tileSize, CellCoverage.cellSize)
            return min(levels[index].part.rows.count, waiting + new + 2 * reaches[index] + 2)
        }
        done = levels.map(\.part.rows.lowerBound)
        previous = done
        while !isFinished(0) {
            let rows = nextRows(0)
            append(level: 0, rows, sources(rows.widened(by: reaches[0]).clamped(to: levels[0].part.rows)))
        }
    }

    private func isFinished(_ level: Int) -> Bool { done[level] == levels[level].part.rows.upperBound }

    /// The rest of the stage that the level has reached.
    private func nextRows(_ level: Int) -> Range<Int> {
        let height = level == 0 ? finestRows : CellCoverage.cellSize
        let end = (floorDivide(done[level], height) + 1) * height
        return done[level]..<min(end, levels[level].part.rows.upperBound)
    }

    /// Whether there is such a level, and the stages so far fill its ring for its next stage.
    private func canFollow(_ level: Int) -> Bool {
        guard level < levels.count, !isFinished(level) else { return false }
        let needed = filling(level, for: nextRows(level))
        return done[needed.level] >= needed.rows
    }

    /// Appends a stage, and all stages of coarser levels that it makes possible.
    private mutating func append(level: Int, _ rows: Range<Int>, _ sources: [LayerRows]) {
        // At most two stages of a level run at once.
        var requirements = [Stage.Requirement(level: level, rows: previous[level])]
        if level > 0 { requirements.append(filling(level, for: rows)) }
        if let room = room(in: level + 1, for: rows.halved) { requirements.append(room) }
        let (size, end) = (levels[level].tileSize, levels[level].part.rows.upperBound)
        stages.append(
            Stage(
                level: level, rows: rows, tileRows: tileRows(level, completedBy: rows),
                endsTiles: level > 0 || rows.upperBound % size == 0 || rows.upperBound == end,
                requirements: requirements, sources: sources))
        previous[level] = rows.lowerBound
        done[level] = rows.upperBound
        while canFollow(level + 1) { append(level: level + 1, nextRows(level + 1), []) }
    }

    /// The progress of the finer level that fills the ring of a level with all rows that a stage reads.
    private func filling(_ level: Int, for rows: Range<Int>) -> Stage.Requirement {
        let last = min(rows.upperBound + reaches[level], levels[level].part.rows.upperBound)
        return .init(level: level - 1, rows: min(2 * last, levels[level - 1].part.rows.upperBound))
    }

    /// The progress of a level that makes room in its ring for rows; nil if there is room anyway.
    private func room(in level: Int, for rows: Range<Int>) -> Stage.Requirement? {
        guard level < levels.count else { return nil }
        let (part, size) = (levels[level].part.rows, levels[level].tileSize)
        // If only a part of a pyramid is built, the finer level may reach further.
        let oldest = min(rows.upperBound, part.upperBound) - capacities[level]
        guard oldest > part.lowerBound else { return nil }
        // After row r, a stage reads from r - reach on, and from the beginning of the tiles with row r.
        let tiles = (floorDivide(oldest - 1, size) + 1) * size
        return .init(level: level, rows: min(max(oldest + reaches[level], tiles), part.upperBound))
    }

    private func tileRows(_ level: Int, completedBy rows: Range<Int>) -> Range<Int> {
        let (size, tileRows) = (levels[level].tileSize, levels[level].tileRows)
        let first = floorDivide(rows.lowerBound, size)
        let isLast = rows.upperBound == levels[level].part.rows.upperBound
        let end = isLast ? tileRows.upperBound : floorDivide(rows.upperBound, size)
        return (first..<max(first, end)).clamped(to: tileRows)
    }
}

/// Some rows of one zoom, from which tiles and rows of the next zoom are made: the step in which a pyramid
/// advances.
struct Stage: Sendable {
    /// A condition for the start of a stage: the progress of a level.
    struct Requirement: Hashable, Sendable {
        /// The level's index, 0 the finest.
        var level: Int
        /// The row up to which (exclusive) its stages must be done.
        var rows: Int
    }

    /// The level's index in the plan, 0 the finest.
    var level: Int
    /// The rows, in pixels of the level. Those of the finest level are rendered, those of another are in its ring.
    var rows: Range<Int>
    /// The rows of tiles that are complete with this stage.
    var tileRows: Range<Int>
    /// Whether its units have all pixels of the tiles in which their last rows are. Those of the finest level
    /// keep tiles that are not complete; those of the other levels make tiles from rings.
    var endsTiles: Bool
    /// The levels' progress that the stage needs.
    var requirements: [Requirement]
    /// The rows of images that must be in memory; empty except at the finest level.
    var sources: [LayerRows]
}

/// Rows of one of the plan's images.
struct LayerRows: Hashable, Sendable {
    /// The layer's index in the plan.
    var layer: Int
    /// Its rows.
    var rows: Range<Int>
}

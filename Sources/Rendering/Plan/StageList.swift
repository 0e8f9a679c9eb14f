import Tiling

/// The stages of a plan in the order of their results. The order is fixed: it does not depend on timing or on
/// the number of jobs.
///
/// A stage of the finest level has as many rows as a tile, at least 256. Its units halve their own pixels into
/// the ring of the second level, whose own stages only finish tiles. A coarser level follows as soon as 64 of
/// its rows can be made, or fewer at the end.
///
/// A stage that would overwrite rows of a ring that the next level still needs waits for that level.
struct StageList: Sendable {
    /// The minimum number of rows in a stage of a coarser level, except at the end.
    static let rowsWorthAStage = CellCoverage.cellSize / 4

    /// The stages.
    private(set) var stages: [Stage] = []
    /// The number of rows that the ring of each level must hold; the finest has none.
    let capacities: [Int]

    private let levels: [PyramidLevel]
    private let finestRows: Int
    private let halo: Int
    /// The rows of each ring that the next level reads beyond its own.
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
        (self.levels, self.finestRows, halo) = (levels, finestRows, plan.halo)
        let reaches = levels.indices.map { index in
            let isRead = index > 0 && index + 1 < levels.count
            return isRead ? Reducer.reach(of: plan.reducing(toLevel: index + 1)) : 0
        }
        self.reaches = reaches
        // Each ring has room for an incomplete row of tiles, for two stages that fill it, and for the rows that the
        // next level has not read yet.
        capacities = levels.indices.map { index in
            if index == 0 { return 0 }
            let stages = index == 1 ? max(CellCoverage.cellSize, finestRows) : 2 * Self.rowsWorthAStage
            let waiting = max(levels[index].tileSize, CellCoverage.cellSize)
            return min(levels[index].part.rows.count, waiting + stages + 2 * reaches[index] + 2)
        }
        done = levels.map(\.part.rows.lowerBound)
        previous = done
        while !isFinished(0) {
            // One stage of the finest level, then all stages that it makes possible in coarser levels.
            append(level: 0, rows: nextRows(0), sources: sources)
            for level in levels.indices.dropFirst() {
                while let rows = nextReducedRows(level) {
                    append(level: level, rows: rows, sources: { _ in [] })
                }
            }
        }
    }

    private func isFinished(_ level: Int) -> Bool {
        done[level] == levels[level].part.rows.upperBound
    }

    /// The rest of the row of cells, or of its part, that the finest level has reached.
    private func nextRows(_ level: Int) -> Range<Int> {
        let row = done[level]
        let end = (floorDivide(row, finestRows) + 1) * finestRows
        return row..<min(end, levels[level].part.rows.upperBound)
    }

    /// The next rows of a coarser level that the finer level allows; nil if there are still too few.
    private func nextReducedRows(_ level: Int) -> Range<Int>? {
        if isFinished(level) { return nil }
        let end = levels[level].part.rows.upperBound
        let possible =
            isFinished(level - 1) ? end : floorDivide(done[level - 1] - reaches[level - 1], 2)
        let rows = possible - done[level]
        // Rows of the second level only wait for their tiles to be finished. The sooner that happens, the
        // sooner their ring has room.
        guard rows >= Self.rowsWorthAStage || (level == 1 || possible == end) && rows > 0 else { return nil }
        return done[level]..<min(possible, done[level] + Self.rowsWorthAStage)
    }

    private mutating func append(
        level: Int, rows: Range<Int>, sources: (Range<Int>) -> [LayerRows]
    ) {
        let tileRows = tileRows(level, completedBy: rows)
        if level == 1 { return appendTiles(tileRows, of: rows) }
        var requirements = [precedingRequirement(level, rows: rows, tileRows: tileRows)]
        if level == 0 {
            requirements += fillingRequirements(rows)
            let read = rows.widened(by: halo).clamped(to: levels[0].part.rows)
            return appendStage(0, rows, tileRows, requirements, sources(read))
        }
        requirements.append(renderedRequirement(level - 1, 2 * rows.upperBound + reaches[level - 1]))
        if let room = roomRequirement(level, end: rows.upperBound) { requirements.append(room) }
        appendStage(level, rows, tileRows, requirements, [])
    }

    /// Appends a stage that only finishes tiles of the second level, if there are any.
    ///
    /// - Parameter rows: the rows that units of the finest level have filled since the stage before.
    private mutating func appendTiles(_ tileRows: Range<Int>, of rows: Range<Int>) {
        if !tileRows.isEmpty {
            let end = min(tileRows.upperBound * levels[1].tileSize, levels[1].part.rows.upperBound)
            appendStage(1, end..<end, tileRows, [renderedRequirement(1, end)], [])
        }
        done[1] = rows.upperBound
    }

    /// The progress that makes rows of a level up to `end` available; rows of the second level are made by
    /// the finest one.
    private func renderedRequirement(_ level: Int, _ end: Int) -> Stage.Requirement {
        let (renderer, rows) = level == 1 ? (0, 2 * end) : (level, end)
        return .init(level: renderer, rows: min(rows, levels[renderer].part.rows.upperBound))
    }

    private mutating func appendStage(
        _ level: Int, _ rows: Range<Int>, _ tileRows: Range<Int>, _ requirements: [Stage.Requirement],
        _ sources: [LayerRows]
    ) {
        let (size, end) = (levels[level].tileSize, levels[level].part.rows.upperBound)
        stages.append(
            Stage(
                level: level, rows: rows, tileRows: tileRows,
                endsTiles: level > 0 || rows.upperBound % size == 0 || rows.upperBound == end,
                requirements: requirements, sources: sources))
        previous[level] = rows.lowerBound
        done[level] = rows.upperBound
    }

    /// The progress of the level itself that a stage needs.
    ///
    /// At most two stages of a level run at once: a ring has room for a row of tiles and a stage. A stage
    /// that completes tiles of an earlier stage waits for it.
    private func precedingRequirement(
        _ level: Int, rows: Range<Int>, tileRows: Range<Int>
    ) -> Stage.Requirement {
        let firstTileRow = tileRows.lowerBound * levels[level].tileSize
        let completesEarlierRows = !tileRows.isEmpty && firstTileRow < rows.lowerBound
        return .init(level: level, rows: completesEarlierRows ? rows.lowerBound : previous[level])
    }

    /// The progress of the next coarser level that makes room for rows up to `end`.
    private func roomRequirement(_ level: Int, end: Int) -> Stage.Requirement? {
        guard level + 1 < levels.count else { return nil }
        // The coarser level's next row c needs the rows from 2 c - reach on.
        let oldest = end - capacities[level]
        let coarse = levels[level + 1].part.rows
        guard oldest > levels[level].part.rows.lowerBound else { return nil }
        let row = floorDivide(oldest + reaches[level] + 1, 2)
        guard row > coarse.lowerBound else { return nil }
        return .init(level: level + 1, rows: min(row, coarse.upperBound))
    }

    /// The progress that makes room in the ring of the second level, which rows of the finest level fill:
    /// tiles must be finished, and the third level must no longer need the rows.
    private func fillingRequirements(_ rows: Range<Int>) -> [Stage.Requirement] {
        guard levels.count > 1 else { return [] }
        // If only a part of a pyramid is built, the finest level may reach further.
        let end = min(floorDivide(rows.upperBound + 1, 2), levels[1].part.rows.upperBound)
        return [finishedRequirement(1, end: end), roomRequirement(1, end: end)].compactMap { $0 }
    }

    /// The progress in finishing a level's tiles that makes room for rows up to `end`.
    private func finishedRequirement(_ level: Int, end: Int) -> Stage.Requirement? {
        let (part, tileRows, size) = (
            levels[level].part.rows, levels[level].tileRows, levels[level].tileSize
        )
        let oldest = end - capacities[level]
        let rowsOfTiles = min(floorDivide(oldest - 1, size) + 1, tileRows.upperBound)
        guard oldest > part.lowerBound, rowsOfTiles > tileRows.lowerBound else { return nil }
        return .init(level: level, rows: min(rowsOfTiles * size, part.upperBound))
    }

    private func tileRows(_ level: Int, completedBy rows: Range<Int>) -> Range<Int> {
        let (size, tileRows) = (levels[level].tileSize, levels[level].tileRows)
        let first = floorDivide(rows.lowerBound, size)
        let isLast = rows.upperBound == levels[level].part.rows.upperBound
        let end = isLast ? tileRows.upperBound : floorDivide(rows.upperBound, size)
        return (first..<max(first, end)).clamped(to: tileRows)
    }
}

/// A run of rows of one zoom that is rendered as a whole: the step in which a pyramid advances.
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
    /// The rows to render, in pixels of the level; empty, after the last row of the tiles, if they are
    /// rendered already.
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

import Resampling
import Tiling

/// The stages of a plan in the order of their results. The order is fixed: it does not depend on timing or on
/// the number of jobs.
///
/// If units of the finest level halve their own pixels, its stages have as many rows as a tile, at least 256.
/// Otherwise they have 256 rows, a row of cells; fewer if these need several times as many rows of an image.
/// A coarser level follows as soon as 128 of its rows can be made. Fewer rows are enough at the end, and for
/// the second level if units fill it.
///
/// Rows are kept in rings. A stage that would overwrite rows that the next level still needs waits for that
/// level. If units of the finest level halve their own pixels, that level has no ring: its stages fill the
/// rings of one or more coarser levels, and the stages of these levels only finish tiles.
struct StageList: Sendable {
    /// The minimum number of rows in a stage of a coarser level, except at the end.
    static let rowsWorthAStage = PyramidPlan.rowsPerStage / 2

    /// The stages.
    private(set) var stages: [Stage] = []
    /// The number of rows that the band of each level must hold.
    let capacities: [Int]

    private let levels: [PyramidLevel]
    private let finestRows: Int
    /// The pixels around a unit of the finest level that are rendered with it, so that it can halve its own
    /// pixels; nil if it does not.
    private let halo: Int?
    /// The number of levels that units of the finest level fill, from the second level on.
    private let filled: Int
    /// The number of these levels whose tiles are gathered.
    private let gathered: Int
    private let reaches: [Int]
    /// The row up to which each level has been listed.
    private var done: [Int]
    /// The first row of the latest stage of each level.
    private var previous: [Int]

    /// Lists the stages of a plan.
    ///
    /// - Parameter sources: the rows of images that some rows of the finest level need.
    init(plan: PyramidPlan, sources: (Range<Int>) -> [LayerRows]) {
        let levels = plan.levels
        self.levels = levels
        let (finestRows, halo, filled) = (plan.rowsOfFinestStage, plan.haloOfUnits, plan.levelsFilledByUnits)
        (self.finestRows, self.halo, self.filled) = (finestRows, halo, filled)
        gathered = plan.levelsGathered
        // The rows of level i that level i + 1 reads beyond its own.
        let reaches = levels.indices.map { index in
            if index < filled { return 0 }
            return index + 1 < levels.count ? Reducer.reach(of: plan.reducing(toLevel: index + 1)) : 0
        }
        self.reaches = reaches
        // Each ring has room for an incomplete row of tiles, one stage, and the rows that the next level has
        // not read yet. In a view, nothing waits, so four stages are enough: two running, two spare.
        let spare = plan.isView ? 4 * finestRows : Int.max
        capacities = levels.indices.map { index in
            if index == 0, halo != nil { return 0 }
            if !plan.keepsRing(ofLevel: index) { return GatheredTiles.capacity(levels[index]) }
            let stage = max(PyramidPlan.rowsPerStage, index == 1 && halo != nil ? finestRows : 0)
            let waiting = max(levels[index].tileSize, PyramidPlan.rowsPerStage)
            return min(levels[index].part.rows.count, spare, waiting + stage + 2 * reaches[index] + 2)
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
        // Rows of the second level that units have filled only wait for their tiles to be finished. The
        // sooner that happens, the sooner their ring has room.
        let isUrgent = level == 1 && filled > 0
        guard rows >= Self.rowsWorthAStage || (isUrgent || possible == end) && rows > 0 else { return nil }
        return done[level]..<min(possible, done[level] + Self.rowsWorthAStage)
    }

    private mutating func append(
        level: Int, rows: Range<Int>, sources: (Range<Int>) -> [LayerRows]
    ) {
        let tileRows = tileRows(level, completedBy: rows)
        if level > 0, level <= filled { return appendTiles(level, tileRows, of: rows) }
        var requirements = [precedingRequirement(level, rows: rows, tileRows: tileRows)]
        if level > 0 {
            requirements.append(renderedRequirement(level - 1, 2 * rows.upperBound + reaches[level - 1]))
        }
        if level == 0, let halo {
            requirements += fillingRequirements(rows)
            let all = levels[0].part.rows
            appendStage(0, rows, tileRows, requirements, sources(rows.widened(by: halo).clamped(to: all)))
            return
        }
        if let room = roomRequirement(level, end: rows.upperBound) { requirements.append(room) }
        appendStage(level, rows, tileRows, requirements, sources(rows))
    }

    /// Appends a stage that only finishes tiles, if there are any.
    ///
    /// - Parameter rows: the rows that units of the finest level have filled since the stage before.
    private mutating func appendTiles(_ level: Int, _ tileRows: Range<Int>, of rows: Range<Int>) {
        if !tileRows.isEmpty {
            let end = min(tileRows.upperBound * levels[level].tileSize, levels[level].part.rows.upperBound)
            appendStage(level, end..<end, tileRows, [renderedRequirement(level, end)], [])
        }
        done[level] = rows.upperBound
    }

    /// The progress of a level that makes rows up to `end` available.
    private func renderedRequirement(_ level: Int, _ end: Int) -> Stage.Requirement {
        let renderer = level <= filled ? 0 : level
        return .init(
            level: renderer, rows: min(end << (level - renderer), levels[renderer].part.rows.upperBound))
    }

    private mutating func appendStage(
        _ level: Int, _ rows: Range<Int>, _ tileRows: Range<Int>, _ requirements: [Stage.Requirement],
        _ sources: [LayerRows]
    ) {
        stages.append(
            Stage(
                level: level, rows: rows, tileRows: tileRows, requirements: requirements, sources: sources))
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

    /// The progress of coarser levels that makes room in the rings that rows of the finest level fill: their
    /// own tiles must be finished, and the level after them must no longer need the rows.
    private func fillingRequirements(_ rows: Range<Int>) -> [Stage.Requirement] {
        var requirements: [Stage.Requirement] = []
        var end = rows.upperBound
        for level in 1..<1 + filled {
            // If only a part of a pyramid is built, the finest level may reach further.
            end = min(floorDivide(end + 1, 2), levels[level].part.rows.upperBound)
            if let finished = finishedRequirement(level, end: end) { requirements.append(finished) }
        }
        if filled > 0, let room = roomRequirement(filled, end: end) { requirements.append(room) }
        return requirements
    }

    /// The progress in finishing a level's tiles that makes room for rows up to `end`.
    private func finishedRequirement(_ level: Int, end: Int) -> Stage.Requirement? {
        let (part, tileRows, size) = (
            levels[level].part.rows, levels[level].tileRows, levels[level].tileSize
        )
        // A row of gathered tiles replaces another one as a whole.
        let next = level <= gathered ? (floorDivide(end - 1, size) + 1) * size : end
        let oldest = next - capacities[level]
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

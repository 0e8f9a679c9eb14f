internal import Georeferencing
internal import Resampling
internal import Tiling

/// The stages of a plan in the order of their results, which is fixed: it does not depend on
/// timing or on the number of jobs.
///
/// The finest level advances by a row of cells, 256 pixels, at a time; by a part of it if so many rows
/// take several times as many rows of an image. A coarser one follows as soon as 128 of its rows can be made.
/// Rows live in rings; a stage that would overwrite rows which the next level still needs waits
/// for that level.
struct StageList: Sendable {
    /// Rows by which the finest level advances, at most.
    static let rowsPerStage = CellCoverage.cellSize

    /// Rows of a coarser level that are worth a stage, but at the end.
    static let rowsWorthAStage = rowsPerStage / 2

    /// The stages.
    private(set) var stages: [Stage] = []
    /// Rows that the band of each level must hold.
    let capacities: [Int]

    private let levels: [PyramidLevel]
    private let finestRows: Int
    private let reaches: [Int]
    /// The row up to which each level is rendered.
    private var done: [Int]
    /// The first row of the latest stage of each level.
    private var previous: [Int]

    /// Lists the stages of a plan.
    ///
    /// - Parameter sources: the rows of images that some rows of the finest level need.
    init(plan: PyramidPlan, sources: (Range<Int>) -> [LayerRows]) {
        let levels = plan.levels
        self.levels = levels
        finestRows = plan.rowsPerStage
        // How far level i + 1 reaches beyond its own rows into level i.
        reaches = levels.indices.map { index in
            index + 1 < levels.count ? Reducer.reach(of: plan.reducing(toLevel: index + 1)) : 0
        }
        // A row of tiles that waits for its end, a stage, and what the next level has not taken. In a view
        // nothing waits: two stages run at once, and two are room to spare.
        let spare = plan.isView ? 4 * finestRows : Int.max
        capacities = zip(levels, reaches).map { level, reach in
            let waiting = max(level.tileSize, Self.rowsPerStage)
            return min(level.part.rows.count, spare, waiting + Self.rowsPerStage + 2 * reach + 2)
        }
        done = levels.map(\.part.rows.lowerBound)
        previous = done
        while !isFinished(0) {
            // One stage of the finest level, then whatever it makes possible further up.
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

    /// The rest of the row of cells, or of its part, in which the finest level stands.
    private func nextRows(_ level: Int) -> Range<Int> {
        let row = done[level]
        let end = (floorDivide(row, finestRows) + 1) * finestRows
        return row..<min(end, levels[level].part.rows.upperBound)
    }

    /// The rows of a coarser level that the finer one allows, or nil if they are too few yet.
    private func nextReducedRows(_ level: Int) -> Range<Int>? {
        if isFinished(level) { return nil }
        let end = levels[level].part.rows.upperBound
        let possible =
            isFinished(level - 1) ? end : floorDivide(done[level - 1] - reaches[level - 1], 2)
        let rows = possible - done[level]
        guard rows >= Self.rowsWorthAStage || possible == end && rows > 0 else { return nil }
        return done[level]..<min(possible, done[level] + Self.rowsWorthAStage)
    }

    private mutating func append(
        level: Int, rows: Range<Int>, sources: (Range<Int>) -> [LayerRows]
    ) {
        let tileRows = tileRows(level, completedBy: rows)
        var requirements = [precedingRequirement(level, rows: rows, tileRows: tileRows)]
        if level > 0 {
            let fine = levels[level - 1].part.rows
            let needed = 2 * rows.upperBound + reaches[level - 1]
            requirements.append(.init(level: level - 1, rows: min(needed, fine.upperBound)))
        }
        if let room = roomRequirement(level, end: rows.upperBound) { requirements.append(room) }
        stages.append(
            Stage(
                level: level, rows: rows, tileRows: tileRows, requirements: requirements,
                sources: sources(rows)))
        previous[level] = rows.lowerBound
        done[level] = rows.upperBound
    }

    /// How far the level itself must have got.
    ///
    /// Two stages of a level may run at once, no more: a ring has room for a row of tiles and a
    /// stage. A stage that completes tiles which an earlier one began waits for that one.
    private func precedingRequirement(
        _ level: Int, rows: Range<Int>, tileRows: Range<Int>
    ) -> Stage.Requirement {
        let firstTileRow = tileRows.lowerBound * levels[level].tileSize
        let completesEarlierRows = !tileRows.isEmpty && firstTileRow < rows.lowerBound
        return .init(level: level, rows: completesEarlierRows ? rows.lowerBound : previous[level])
    }

    /// How far the next coarser level must have got so that rows up to `end` find room.
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

    private func tileRows(_ level: Int, completedBy rows: Range<Int>) -> Range<Int> {
        let (size, tileRows) = (levels[level].tileSize, levels[level].tileRows)
        let first = floorDivide(rows.lowerBound, size)
        let isLast = rows.upperBound == levels[level].part.rows.upperBound
        let end = isLast ? tileRows.upperBound : floorDivide(rows.upperBound, size)
        return (first..<max(first, end)).clamped(to: tileRows)
    }
}

extension PyramidPlan {
    /// Rows of the finest level in a stage.
    fileprivate var rowsPerStage: Int {
        isView ? Self.rowsPerBand : StageList.rowsPerStage / stagesPerCell
    }

    /// Stages of the finest level per row of cells: as many as make the rows of an image that one of
    /// them needs about as many as those of an image that does not shrink. A power of two; 8 at most,
    /// so that a stage stays worth its while.
    private var stagesPerCell: Int {
        let finest = layers.map(\.mapping.mercatorCellSize).reduce(.infinity, min)
        let scale = levels[0].matrix.cellSize / finest
        var stages = 1
        while stages < 8, scale >= Double(2 * stages) { stages *= 2 }
        return stages
    }
}

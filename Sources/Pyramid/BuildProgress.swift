internal import Tiling

/// Which stages of a list are under way or complete, and what may start next. A pure state: it
/// starts nothing itself.
struct BuildProgress {
    private let stages: [Stage]
    private let schedule: SourceSchedule
    private let sourceHeight: Int
    private let unitColumns: [[Range<Int>]]
    /// Per stage: units handed out, and units that have come back.
    private var started: [Int]
    private var finished: [Int]
    /// Per level: the row up to which it is rendered, and its stages that are not yet.
    private var done: [Int]
    private var open: [[Int]]
    private var firstUnstarted = 0
    private var firstOpen = 0
    private var decoded = 0
    private var isDecoding = false

    /// Stages beyond the first unstarted one that are looked at for one that can start.
    private static let lookahead = 32

    init(plan: PyramidPlan, list: StageList, schedule: SourceSchedule, tilesPerUnit: Int) {
        stages = list.stages
        self.schedule = schedule
        sourceHeight = plan.sourceHeight
        unitColumns = plan.levels.map { level in
            Self.columns(of: level, tilesPerUnit: tilesPerUnit)
        }
        started = stages.map { _ in 0 }
        finished = started
        done = plan.levels.map(\.window.rows.lowerBound)
        open = plan.levels.indices.map { level in
            // Reversed, so that the next is the last.
            list.stages.indices.filter { list.stages[$0].level == level }.reversed()
        }
    }

    /// Whether all pixels are rendered and all rows of the source have been read.
    var isComplete: Bool { firstOpen == stages.count && decoded == sourceHeight }

    /// How many units a stage has.
    func unitCount(ofStage stage: Int) -> Int { unitColumns[stages[stage].level].count }

    /// A run of source rows that can be decoded now; the caller reports when it is.
    mutating func startDecoding() -> Range<Int>? {
        guard !isDecoding, decoded < sourceHeight else { return nil }
        let limit = min(sourceHeight, schedule.limit(firstOpenStage: firstOpen))
        let end = min(decoded + SourceDecoder.rowsPerTask, limit)
        // A full run, or the last: short ones would make tasks dear.
        guard end == decoded + SourceDecoder.rowsPerTask || end == sourceHeight else { return nil }
        isDecoding = true
        return decoded..<end
    }

    /// Takes note that source rows are in memory.
    mutating func finishDecoding(_ rows: Range<Int>) {
        decoded = rows.upperBound
        isDecoding = false
    }

    /// A unit that can run now; the caller reports when it is done.
    mutating func startUnit() -> WorkUnit? {
        while firstUnstarted < stages.count,
            started[firstUnstarted] == unitCount(ofStage: firstUnstarted)
        {
            firstUnstarted += 1
        }
        let end = min(stages.count, firstUnstarted + Self.lookahead)
        guard
            let stage = (firstUnstarted..<end).first(where: {
                started[$0] < unitCount(ofStage: $0) && canRun($0)
            })
        else { return nil }
        defer { started[stage] += 1 }
        return WorkUnit(
            stage: stage, index: started[stage],
            columns: unitColumns[stages[stage].level][started[stage]])
    }

    /// Takes note that a unit is done.
    mutating func finish(_ unit: WorkUnit) {
        finished[unit.stage] += 1
        let level = stages[unit.stage].level
        while let next = open[level].last, finished[next] == unitCount(ofStage: next) {
            done[level] = stages[next].rows.upperBound
            open[level].removeLast()
        }
        while firstOpen < stages.count, finished[firstOpen] == unitCount(ofStage: firstOpen) {
            firstOpen += 1
        }
    }

    private func canRun(_ stage: Int) -> Bool {
        stages[stage].sourceRows.upperBound <= decoded
            && stages[stage].requirements.allSatisfy { done[$0.level] >= $0.rows }
    }

    /// A level's columns, cut at tiles' edges; in one piece where a tile has pixels at both ends.
    private static func columns(of level: PyramidLevel, tilesPerUnit: Int) -> [Range<Int>] {
        if level.isWrapped { return [level.window.columns] }
        let size = level.matrix.tileSize * tilesPerUnit
        let window = level.window.columns
        let first = floorDivide(window.lowerBound, size)
        let last = floorDivide(window.upperBound - 1, size)
        return (first...last).map { (($0 * size)..<($0 + 1) * size).clamped(to: window) }
    }
}

import Tiling

/// Which stages of a list are under way or complete, and what may start next. Plain state: it
/// starts nothing itself.
struct BuildProgress {
    private let stages: [Stage]
    private let schedules: [LayerSchedule]
    private var layers: [LayerProgress]
    /// Layers that may not be opened yet, the next one last; layers that are being read; layers that
    /// are read to their end, but still needed.
    private var closed: [Int]
    private var reading: [Int] = []
    private var complete: [Int] = []
    private let unitColumns: [[Range<Int>]]
    /// Per stage: units handed out, and units that have come back.
    private var started: [Int]
    private var finished: [Int]
    /// Per level: the row up to which it is rendered, and its stages that are not yet.
    private var done: [Int]
    private var open: [[Int]]
    /// Levels, from the finest on, whose pixels no stage needs any more.
    private var closedLevels = 0
    private var firstUnstarted = 0
    private var firstOpen = 0
    /// Stages beyond the first unstarted one that are looked at for one that can start.
    private static let lookahead = 32

    init(
        plan: PyramidPlan, list: StageList, schedules: [LayerSchedule],
        readings: [LayerProgress.Reading], tilesPerUnit: Int
    ) {
        stages = list.stages
        self.schedules = schedules
        layers = readings.map(LayerProgress.init)
        closed = schedules.indices.sorted { schedules[$0].opening > schedules[$1].opening }
        unitColumns = plan.levels.map { level in
            Self.columns(of: level, tilesPerUnit: tilesPerUnit)
        }
        started = stages.map { _ in 0 }
        finished = started
        done = plan.levels.map(\.part.rows.lowerBound)
        open = plan.levels.indices.map { level in
            // Reversed, so that the next is the last.
            list.stages.indices.filter { list.stages[$0].level == level }.reversed()
        }
    }

    /// Whether all pixels are rendered and all rows of images that are read have come in.
    var isComplete: Bool {
        firstOpen == stages.count && layers.allSatisfy(\.isComplete)
    }

    /// How many units a stage has.
    func unitCount(ofStage stage: Int) -> Int { unitColumns[stages[stage].level].count }

    /// Rows of an image that can be decoded now; the caller reports when they are. The first of an
    /// image open it.
    mutating func startDecoding() -> LayerRows? {
        while let layer = closed.last, schedules[layer].opening <= firstOpen {
            reading.append(layer)
            closed.removeLast()
        }
        guard let layer = mostUrgent(of: reading.filter(canStart)),
            let rows = layers[layer].start(limit: limit(of: layer))
        else { return nil }
        if layers[layer].isHandedOut {
            reading.removeAll { $0 == layer }
            complete.append(layer)
        }
        return LayerRows(layer: layer, rows: rows)
    }

    /// Notes that rows of an image are in memory.
    mutating func finishDecoding(_ rows: LayerRows) {
        layers[rows.layer].finish(rows.rows)
    }

    /// The layers that nothing needs any more; each is named once.
    mutating func closeLayers() -> [Int] {
        let closing = complete.filter {
            layers[$0].isComplete && schedules[$0].last < firstOpen
        }
        complete.removeAll { closing.contains($0) }
        return closing
    }

    /// The levels whose pixels nothing needs any more; each is named once, the finest first.
    mutating func closeLevels() -> Range<Int> {
        let first = closedLevels
        // A level is filled by its own stages or by those of the finest, and read by its own and by the next one's.
        while closedLevels < open.count, open[...min(closedLevels + 1, open.count - 1)].allSatisfy(\.isEmpty)
        {
            closedLevels += 1
        }
        return first..<closedLevels
    }

    private func limit(of layer: Int) -> Int {
        schedules[layer].limit(firstOpenStage: firstOpen)
    }

    private func canStart(_ layer: Int) -> Bool { layers[layer].canStart(limit: limit(of: layer)) }

    /// The layer whose rows some stage waits for first.
    private func mostUrgent(of candidates: [Int]) -> Int? {
        if candidates.count < 2 { return candidates.first }
        func next(_ layer: Int) -> Int {
            schedules[layer].nextStage(from: firstOpen, decoded: layers[layer].decoded)
                ?? stages.count
        }
        return candidates.min { (next($0), $0) < (next($1), $1) }
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

    /// Notes that a unit is done.
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
        stages[stage].sources.allSatisfy { layers[$0.layer].decoded >= $0.rows.upperBound }
            && stages[stage].requirements.allSatisfy { done[$0.level] >= $0.rows }
    }

    /// A level's columns, cut at tiles' edges; in one piece if a tile has pixels at both ends.
    ///
    /// The first tile and the last one are units by themselves: an edge of the image, which cuts through their pixels,
    /// makes these more work than those between.
    private static func columns(of level: PyramidLevel, tilesPerUnit: Int) -> [Range<Int>] {
        let hull = level.part.hull.columns
        if level.isWrapped { return [hull] }
        let tiles = level.matrix.tiles(ofPixels: hull)
        let inner = tiles.lowerBound + 1..<max(tiles.lowerBound + 1, tiles.upperBound - 1)
        let starts =
            [tiles.lowerBound] + stride(from: inner.lowerBound, to: inner.upperBound, by: tilesPerUnit)
            + [inner.upperBound]
        return zip(starts, starts.dropFirst() + [tiles.upperBound]).map { start, end in
            (start * level.tileSize..<end * level.tileSize).clamped(to: hull)
        }.filter { !level.part.columns(within: $0).isEmpty }
    }
}

/// How far a layer's image has come into memory. Plain state: it starts nothing itself.
struct LayerProgress {
    /// How an image is read.
    struct Reading: Hashable, Sendable {
        /// The rows that are read, the first one first; none of an image that nothing needs.
        var rows: Range<Int>
        /// Rows that a task decodes; all of them if opening the image is all there is to do.
        var rowsPerTask: Int
        /// Tasks that may decode it at a time.
        var tasksAtOnce: Int
    }

    private let reading: Reading
    /// Up to here all rows that are read have come in.
    private(set) var decoded: Int
    private var handedOut: Int
    private var running = 0
    /// Runs that came in before earlier ones: their ends by their beginnings.
    private var ahead: [Int: Int] = [:]

    init(_ reading: Reading) {
        self.reading = reading
        (decoded, handedOut) = (reading.rows.lowerBound, reading.rows.lowerBound)
    }

    /// Whether all rows have come in.
    var isComplete: Bool { decoded == reading.rows.upperBound }

    /// Whether there is nothing left to hand out.
    var isHandedOut: Bool { handedOut == reading.rows.upperBound }

    /// A task that can start now, if any; the caller reports when it is done.
    ///
    /// - Parameter limit: the row up to which rows may be decoded.
    mutating func start(limit: Int) -> Range<Int>? {
        guard let rows = next(limit: limit) else { return nil }
        handedOut = rows.upperBound
        running += 1
        return rows
    }

    /// Whether a task can start now.
    func canStart(limit: Int) -> Bool { next(limit: limit) != nil }

    private func next(limit: Int) -> Range<Int>? {
        guard running < reading.tasksAtOnce, !isHandedOut else { return nil }
        let end = min(handedOut + reading.rowsPerTask, reading.rows.upperBound)
        // A full run, or the last one: tasks for short runs would cost more than they do.
        return end <= limit ? handedOut..<end : nil
    }

    /// Notes that rows are in memory.
    mutating func finish(_ rows: Range<Int>) {
        running -= 1
        ahead[rows.lowerBound] = rows.upperBound
        while let end = ahead.removeValue(forKey: decoded) { decoded = end }
    }
}

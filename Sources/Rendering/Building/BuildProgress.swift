import Tiling

/// The stages that are running or complete, and those that may start next. It only holds state and starts
/// nothing itself.
struct BuildProgress {
    private let stages: [Stage]
    private let schedules: [LayerSchedule]
    private var layers: [LayerProgress]
    /// Layers that are not open yet, the next one last; then layers that are being read, and layers that are
    /// read to their end but still needed.
    private var closed: [Int]
    private var reading: [Int] = []
    private var complete: [Int] = []
    private let unitColumns: [[Range<Int>]]
    /// Per stage: the numbers of units that were started and that are finished.
    private var started: [Int]
    private var finished: [Int]
    /// Per level: the row up to which it is rendered, and the stages that are not complete.
    private var done: [Int]
    private var open: [[Int]]
    /// Per unit of the finest level: the row up to which it is rendered.
    private var rendered: [Int]
    private var firstUnstarted = 0
    private var firstOpen = 0
    /// How many stages after the first unstarted one are searched for a stage that can start.
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
        rendered = unitColumns[0].map { [first = done[0]] _ in first }
        open = plan.levels.indices.map { level in
            // Reversed, so that the next stage is the last element.
            list.stages.indices.filter { list.stages[$0].level == level }.reversed()
        }
    }

    /// Whether all pixels are rendered, and all rows of images that are to be read are decoded.
    var isComplete: Bool {
        firstOpen == stages.count && layers.allSatisfy(\.isComplete)
    }

    /// The number of units of a stage.
    func unitCount(ofStage stage: Int) -> Int { unitColumns[stages[stage].level].count }

    /// Rows of an image that can be decoded now; the caller reports when they are decoded. Decoding the first
    /// rows opens the image.
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

    /// The layers that are no longer needed; each is returned once.
    mutating func closeLayers() -> [Int] {
        let closing = complete.filter {
            layers[$0].isComplete && schedules[$0].last < firstOpen
        }
        complete.removeAll { closing.contains($0) }
        return closing
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
                started[$0] < unitCount(ofStage: $0) && canRun($0) && !mustWait($0)
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
        if level == 0 { rendered[unit.index] = stages[unit.stage].rows.upperBound }
        while let next = open[level].last, finished[next] == unitCount(ofStage: next) {
            done[level] = stages[next].rows.upperBound
            open[level].removeLast()
        }
        while firstOpen < stages.count, finished[firstOpen] == unitCount(ofStage: firstOpen) {
            firstOpen += 1
        }
    }

    /// Whether the next unit of a stage waits for that of the stage before, which may have the same tiles.
    private func mustWait(_ stage: Int) -> Bool {
        stages[stage].level == 0 && rendered[started[stage]] < stages[stage].rows.lowerBound
    }

    private func canRun(_ stage: Int) -> Bool {
        stages[stage].sources.allSatisfy { layers[$0.layer].decoded >= $0.rows.upperBound }
            && stages[stage].requirements.allSatisfy { done[$0.level] >= $0.rows }
    }

    /// A level's columns, cut at tiles' edges.
    ///
    /// The first and the last tile are units of their own: the edge of the image in their pixels makes them
    /// more work than the tiles between.
    private static func columns(of level: PyramidLevel, tilesPerUnit: Int) -> [Range<Int>] {
        let tiles = level.renderedTiles
        let inner = tiles.lowerBound + 1..<max(tiles.lowerBound + 1, tiles.upperBound - 1)
        let starts =
            [tiles.lowerBound] + stride(from: inner.lowerBound, to: inner.upperBound, by: tilesPerUnit)
            + [inner.upperBound]
        return zip(starts, starts.dropFirst() + [tiles.upperBound]).map { start, end in
            start * level.tileSize..<end * level.tileSize
        }.filter { !level.pieces(of: $0).isEmpty }
    }
}

/// The progress of reading a layer's image. It only holds state and starts nothing itself.
struct LayerProgress {
    /// How an image is read.
    struct Reading: Hashable, Sendable {
        /// The rows that are read, from the first to the last; empty for an image that is not needed.
        var rows: Range<Int>
        /// The number of rows that a task decodes; all rows if only opening the image takes time.
        var rowsPerTask: Int
        /// The number of tasks that may decode it at a time.
        var tasksAtOnce: Int
    }

    private let reading: Reading
    /// All rows to be read up to this one are decoded.
    private(set) var decoded: Int
    private var handedOut: Int
    private var running = 0
    /// The ends, by their beginnings, of runs that were decoded before earlier ones.
    private var ahead: [Int: Int] = [:]

    init(_ reading: Reading) {
        self.reading = reading
        (decoded, handedOut) = (reading.rows.lowerBound, reading.rows.lowerBound)
    }

    /// Whether all rows are decoded.
    var isComplete: Bool { decoded == reading.rows.upperBound }

    /// Whether all rows are handed out.
    var isHandedOut: Bool { handedOut == reading.rows.upperBound }

    /// The rows for a task that can start now, if any; the caller reports when they are decoded.
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
        // A full run, or the last one: shorter runs would not be worth a task.
        return end <= limit ? handedOut..<end : nil
    }

    /// Notes that rows are in memory.
    mutating func finish(_ rows: Range<Int>) {
        running -= 1
        ahead[rows.lowerBound] = rows.upperBound
        while let end = ahead.removeValue(forKey: decoded) { decoded = end }
    }
}

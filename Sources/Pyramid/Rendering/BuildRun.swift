internal import Tiling

/// A build under way: starts what can start, takes what comes back, writes in the fixed order.
struct BuildRun {
    private let stages: [Stage]
    private var progress: BuildProgress
    private let readers: [LayerReader]
    private var idle: [RenderWorker]
    private let jobs: Int
    private let permits: Permits?
    private var running = 0
    private var summary = PyramidSummary()
    /// Results that wait for earlier ones: by stage and unit.
    private var waiting: [Place: [UnitTile]] = [:]
    private var nextToWrite = Place(stage: 0, unit: 0)

    private struct Place: Hashable {
        var stage: Int
        var unit: Int
    }

    private enum Outcome: Sendable {
        case decoded(LayerRows)
        case rendered(WorkUnit, [UnitTile], RenderWorker)
    }

    init(
        stages: [Stage], progress: BuildProgress, readers: [LayerReader], workers: [RenderWorker],
        permits: Permits?
    ) {
        self.stages = stages
        self.progress = progress
        self.readers = readers
        idle = workers
        jobs = workers.count
        self.permits = permits
    }

    /// The units of work of all stages.
    var unitCount: Int { stages.indices.reduce(0) { $0 + progress.unitCount(ofStage: $1) } }

    mutating func run(
        to sink: inout some TileSink, progress report: (PyramidSummary) -> Void
    ) async throws -> PyramidSummary {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            while !progress.isComplete {
                start(in: &group)
                guard let outcome = try await group.next() else {
                    preconditionFailure("no stage of the pyramid can start")
                }
                running -= 1
                try Task.checkCancellation()
                switch outcome {
                case .decoded(let rows):
                    progress.finishDecoding(rows)
                case .rendered(let unit, let tiles, let worker):
                    progress.finish(unit)
                    idle.append(worker)
                    waiting[Place(stage: unit.stage, unit: unit.index)] = tiles
                    try write(to: &sink)
                    summary.units += 1
                    report(summary)
                }
                for layer in progress.closeLayers() { readers[layer].close() }
            }
        }
        return summary
    }

    /// Fills the free jobs; decoding first, because everything waits for it.
    private mutating func start(in group: inout ThrowingTaskGroup<Outcome, any Error>) {
        while running < jobs {
            if let rows = progress.startDecoding() {
                let reader = readers[rows.layer]
                add(to: &group) {
                    try reader.decode(rows.rows)
                    return .decoded(rows)
                }
            } else if let unit = progress.startUnit() {
                // There is a worker per job, and no more units than jobs run.
                let worker = idle.removeLast()
                let stage = stages[unit.stage]
                add(to: &group) { .rendered(unit, try worker.run(unit, of: stage), worker) }
            } else {
                return
            }
            running += 1
        }
    }

    private func add(
        to group: inout ThrowingTaskGroup<Outcome, any Error>,
        _ work: @escaping @Sendable () throws -> Outcome
    ) {
        let permits = permits
        group.addTask {
            guard let permits else { return try work() }
            return try await permits.with { try work() }
        }
    }

    /// Writes what is next in the fixed order, as far as it is there.
    private mutating func write(to sink: inout some TileSink) throws {
        while let tiles = waiting.removeValue(forKey: nextToWrite) {
            for tile in tiles {
                if case .encoded(let bytes) = tile.content {
                    try sink.write(EncodedTile(coordinate: tile.coordinate, bytes: bytes))
                }
                summary.count(tile)
            }
            nextToWrite.unit += 1
            if nextToWrite.unit == progress.unitCount(ofStage: nextToWrite.stage) {
                nextToWrite = Place(stage: nextToWrite.stage + 1, unit: 0)
            }
        }
    }
}

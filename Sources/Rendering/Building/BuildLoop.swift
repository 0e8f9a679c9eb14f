package import Platform
package import Raster
package import Tiling

/// Pyramid builds in sequence, whose tiles go to one sink.
///
/// Tiles are written in the order of the builds. But near its end, and always if it is small, a build has too
/// little work for all jobs. Then the next builds begin, if they fit into the memory of the largest build.
package struct BuildSequence: Sendable {
    /// The builds.
    package let builders: [PyramidBuilder]

    /// Makes a sequence.
    package init(_ builders: [PyramidBuilder]) { self.builders = builders }

    /// Bytes of rows and buffers that are kept in memory.
    package var residentBytes: Int { builders.map(\.residentBytes).reduce(0, max) }

    /// Bytes of scratch files that are needed because the memory budget is too small.
    package var scratchBytes: Int { builders.map(\.scratchBytes).reduce(0, max) }

    /// Builds the pyramids.
    ///
    /// - Parameters:
    ///   - semaphore: shares jobs with other builds; nil if there are none.
    ///   - progress: called now and then with the number of finished tiles, written or empty.
    /// - Throws: errors of images, encoders and the sink, and `CancellationError`.
    package func build(
        to sink: inout some TileSink, makeEncoder: () throws -> any TileEncoder,
        semaphore: FairSemaphore? = nil,
        progress: (_ tilesDone: Int) -> Void
    ) async throws -> PyramidSummary {
        let staged = sink.staged
        var loop = BuildLoop(builders, semaphore: semaphore)
        return try await loop.run(to: &sink) {
            try builders[$0].run(staged: staged, makeEncoder: makeEncoder)
        } progress: {
            progress($0.tiles + $0.emptyTiles)
        }
    }
}

/// Runs builds in sequence: starts work that can start, and passes outcomes to the builds.
///
/// While a build has no work for a free job, the next builds begin. Their tiles wait for those of the first.
struct BuildLoop {
    private struct Active {
        let index: Int
        var run: BuildRun
    }

    private struct Done: Sendable {
        let index: Int
        let outcome: BuildRun.Outcome
    }

    /// The maximum number of bytes of tiles that wait to be written in builds ahead of their turn: about a
    /// second's worth of tiles.
    private static let mostWaitingBytes = 4 << 20

    private let jobs: Int
    private let semaphore: FairSemaphore?
    private let jobServer: JobServer?
    /// The memory of each build.
    private let bytes: [Int]
    /// Builds that have begun and are not fully written, in order.
    private var active: [Active] = []
    private var begun = 0
    private var busy = 0
    private var summary = PyramidSummary()

    /// - Parameter semaphore: shares jobs with other builds; nil if there are none.
    init(_ builders: [PyramidBuilder], semaphore: FairSemaphore?) {
        jobs = builders.map(\.resources.jobs).reduce(1, max)
        bytes = builders.map(\.residentBytes)
        self.semaphore = semaphore
        jobServer = JobServer.current
    }

    /// Runs all builds: starts work while there are free jobs, the first builds' first, and writes what is ready.
    mutating func run(
        to sink: inout some TileSink, begin: (_ index: Int) throws -> BuildRun,
        progress report: (PyramidSummary) -> Void
    ) async throws -> PyramidSummary {
        try await withThrowingTaskGroup(of: Done.self) { group in
            while true {
                var place = 0
                while busy < jobs, try place < active.count || beginNext(begin), mayStart(place) {
                    guard let work = active[place].run.start() else {
                        place += 1
                        continue
                    }
                    add(work, of: active[place].index, to: &group)
                }
                // All work is running, so nothing is left.
                guard let done = try await group.next() else { break }
                busy -= 1
                try Task.checkCancellation()
                guard let place = active.firstIndex(where: { $0.index == done.index }) else {
                    preconditionFailure("a build ended before its jobs")
                }
                active[place].run.take(done.outcome)
                while !active.isEmpty {
                    try active[0].run.write(to: &sink)
                    guard active[0].run.isComplete else { break }
                    summary.add(active.removeFirst().run.summary)
                }
                report(active.reduce(into: summary) { $0.add($1.run.summary) })
            }
        }
        precondition(active.isEmpty && begun == bytes.count, "no stage of the pyramid can start")
        return summary
    }

    /// Begins the next build, if it fits into the memory.
    ///
    /// - Returns: whether there is another active build.
    private mutating func beginNext(_ begin: (Int) throws -> BuildRun) throws -> Bool {
        while begun < bytes.count, hasRoom(for: begun) {
            let run = try begin(begun)
            begun += 1
            if run.isComplete { continue }
            active.append(Active(index: begun - 1, run: run))
            return true
        }
        return false
    }

    /// Whether work of an active build may start: not if too many tiles wait for those of the first.
    private func mayStart(_ place: Int) -> Bool {
        place == 0 || active.dropFirst().reduce(0) { $0 + $1.run.waitingBytes } <= Self.mostWaitingBytes
    }

    /// Whether a build fits into the memory of the largest build, together with those that have begun.
    private func hasRoom(for index: Int) -> Bool {
        guard let most = bytes.max(), !active.isEmpty else { return true }
        return active.reduce(bytes[index]) { $0 + bytes[$1.index] } <= most
    }

    private mutating func add(
        _ work: @escaping BuildRun.Work, of index: Int, to group: inout ThrowingTaskGroup<Done, any Error>
    ) {
        busy += 1
        let (semaphore, jobServer) = (semaphore, jobServer)
        group.addTask {
            // A token is taken last, so that it never waits.
            try await semaphore.with {
                try await jobServer.with { Done(index: index, outcome: try work()) }
            }
        }
    }
}

/// A running build: it says what can start, takes results, and writes them in the fixed order. It starts
/// nothing itself.
struct BuildRun {
    /// Work that any task can do.
    typealias Work = @Sendable () throws -> Outcome

    /// The result of some work.
    enum Outcome: Sendable {
        case decoded(LayerRows)
        case rendered(WorkUnit, [UnitTile], RenderWorker, any UnitOutput)
    }

    /// The results written so far.
    private(set) var summary = PyramidSummary()
    /// Bytes of tiles that wait for earlier tiles to be written.
    private(set) var waitingBytes = 0

    private let stages: [Stage]
    private var progress: BuildProgress
    private let readers: [LayerReader]
    private var idle: [RenderWorker]
    private let makeOutput: () -> any UnitOutput
    /// The outputs of units of the finest level whose row of tiles is not complete, by the unit's index; and
    /// those that are free.
    private var outputs: [Int: any UnitOutput] = [:]
    private var freeOutputs: [any UnitOutput] = []
    /// Results that wait for earlier results, by stage and unit.
    private var waiting: [Place: [UnitTile]] = [:]
    private var nextToWrite = Place(stage: 0, unit: 0)

    private struct Place: Hashable {
        var stage: Int
        var unit: Int
    }

    /// - Parameter workers: one for each unit that may be rendered at a time.
    init(
        stages: [Stage], progress: BuildProgress, readers: [LayerReader], workers: [RenderWorker],
        makeOutput: @escaping () -> any UnitOutput
    ) {
        self.makeOutput = makeOutput
        self.stages = stages
        self.progress = progress
        self.readers = readers
        idle = workers
    }

    /// Whether nothing is left to start or to take.
    var isComplete: Bool { progress.isComplete }

    /// The units of work of all stages.
    var unitCount: Int { stages.indices.reduce(0) { $0 + progress.unitCount(ofStage: $1) } }

    /// The next work that can start, if any: decoding first, because everything waits for it. The caller runs
    /// it on a free job and returns the outcome.
    mutating func start() -> Work? {
        if let rows = progress.startDecoding() {
            let reader = readers[rows.layer]
            return {
                try reader.decode(rows.rows)
                return .decoded(rows)
            }
        }
        guard !idle.isEmpty, let unit = progress.startUnit() else { return nil }
        let worker = idle.removeLast()
        let stage = stages[unit.stage]
        let begun = stage.level == 0 ? outputs.removeValue(forKey: unit.index) : nil
        let output = begun ?? freeOutputs.popLast() ?? makeOutput()
        return { .rendered(unit, try worker.run(unit, of: stage, to: output), worker, output) }
    }

    /// Takes the outcome of a job.
    mutating func take(_ outcome: Outcome) {
        switch outcome {
        case .decoded(let rows):
            progress.finishDecoding(rows)
        case .rendered(let unit, let tiles, let worker, let output):
            progress.finish(unit)
            if stages[unit.stage].endsTiles {
                freeOutputs.append(output)
            } else {
                outputs[unit.index] = output
            }
            idle.append(worker)
            waiting[Place(stage: unit.stage, unit: unit.index)] = tiles
            waitingBytes += tiles.reduce(0) { $0 + $1.byteCount }
            summary.units += 1
        }
        for layer in progress.closeLayers() { readers[layer].close() }
    }

    /// Writes the available results in the fixed order.
    mutating func write(to sink: inout some TileSink) throws {
        while let tiles = waiting.removeValue(forKey: nextToWrite) {
            for tile in tiles {
                if case .encoded(let bytes) = tile.content {
                    try sink.write(EncodedTile(coordinate: tile.coordinate, bytes: bytes))
                }
                if let pixels = tile.pixels {
                    try sink.keep(EncodedTile(coordinate: tile.coordinate, bytes: pixels))
                }
                waitingBytes -= tile.byteCount
                summary.count(tile)
            }
            nextToWrite.unit += 1
            if nextToWrite.unit == progress.unitCount(ofStage: nextToWrite.stage) {
                nextToWrite = Place(stage: nextToWrite.stage + 1, unit: 0)
            }
        }
    }
}

extension UnitTile {
    /// Bytes of the file, and of packed pixels.
    fileprivate var byteCount: Int {
        let packed = pixels?.count ?? 0
        guard case .encoded(let bytes) = content else { return packed }
        return bytes.count + packed
    }
}

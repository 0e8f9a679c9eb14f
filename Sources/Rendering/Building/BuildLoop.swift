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
    }

    /// Runs all builds.
    mutating func run(
        to sink: inout some TileSink, begin: (_ index: Int) throws -> BuildRun,
        progress report: (PyramidSummary) -> Void
    ) async throws -> PyramidSummary {
        try await withThrowingTaskGroup(of: Done.self) { group in
            while true {
                try start(in: &group, begin)
                // All work is running, so nothing is left.
                guard let done = try await group.next() else { break }
                busy -= 1
                try Task.checkCancellation()
                guard let place = active.firstIndex(where: { $0.index == done.index }) else {
                    preconditionFailure("a build ended before its jobs")
                }
                active[place].run.take(done.outcome)
                try write(to: &sink)
                report(active.reduce(into: summary) { $0.add($1.run.summary) })
            }
        }
        precondition(active.isEmpty && begun == bytes.count, "no stage of the pyramid can start")
        return summary
    }

    /// Fills the free jobs with work, of the first builds first.
    private mutating func start(
        in group: inout ThrowingTaskGroup<Done, any Error>, _ begin: (Int) throws -> BuildRun
    ) throws {
        var place = 0
        while busy < jobs {
            if place == active.count {
                guard begun < bytes.count, hasRoom(for: begun) else { return }
                let run = try begin(begun)
                if !run.isComplete { active.append(Active(index: begun, run: run)) }
                begun += 1
                continue
            }
            if place > 0, active.dropFirst().reduce(0, { $0 + $1.run.waitingBytes }) > Self.mostWaitingBytes {
                return
            }
            if let work = active[place].run.start() {
                add(work, of: active[place].index, to: &group)
            } else {
                place += 1
            }
        }
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
        let semaphore = semaphore
        group.addTask {
            guard let semaphore else { return Done(index: index, outcome: try work()) }
            return try await semaphore.with { Done(index: index, outcome: try work()) }
        }
    }

    /// Writes the available tiles, and removes complete builds.
    private mutating func write(to sink: inout some TileSink) throws {
        while !active.isEmpty {
            try active[0].run.write(to: &sink)
            guard active[0].run.isComplete else { return }
            summary.add(active[0].run.summary)
            active.removeFirst()
        }
    }
}

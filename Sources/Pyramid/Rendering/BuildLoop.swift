package import Raster
package import Tiling

/// Builds of pyramids in a row, whose tiles go to one sink.
///
/// Tiles are written in the order of the builds. But near its end, and everywhere if it is small, a build has too
/// little to do for all jobs: then the next ones begin, if they have room in the memory that the largest takes.
package struct BuildSequence: Sendable {
    /// Opens the image of a layer; see `PyramidBuilder.build`.
    package typealias Open = @Sendable (_ layer: Int) throws -> any RasterSource

    /// A build that is to be done.
    package struct Build: Sendable {
        let builder: PyramidBuilder
        let open: Open
        /// Makes what packs the pixels of the coarsest level, if they are kept.
        let makePacker: (@Sendable () throws -> any KeptPixels.Packer)?

        /// Describes a build.
        ///
        /// - Parameter makePacker: makes what packs the pixels of the coarsest level for a job, if they are kept.
        package init(
            _ builder: PyramidBuilder,
            keepingPixels makePacker: (@Sendable () throws -> any KeptPixels.Packer)? = nil,
            open: @escaping Open
        ) {
            self.builder = builder
            self.open = open
            self.makePacker = makePacker
        }

        fileprivate func run(
            _ staged: Set<TileCoordinate>, _ makeEncoder: () throws -> any TileEncoder
        ) throws -> BuildRun {
            try builder.run(open, staged: staged, makeEncoder: makeEncoder, makePacker: makePacker)
        }
    }

    private let builds: [Build]

    /// Puts builds in a row.
    package init(_ builds: [Build]) { self.builds = builds }

    /// Builds the pyramids.
    ///
    /// - Parameters:
    ///   - semaphore: what they share jobs with others by; nil if they are alone.
    ///   - progress: called now and then with the number of tiles that are done, written or empty.
    /// - Throws: whatever an image, an encoder or the sink throws, and `CancellationError`.
    package func build(
        to sink: inout some TileSink, makeEncoder: () throws -> any TileEncoder,
        semaphore: FairSemaphore? = nil,
        progress: (_ tilesDone: Int) -> Void
    ) async throws -> PyramidSummary {
        let staged = sink.staged
        var loop = BuildLoop(builds.map(\.builder), semaphore: semaphore)
        return try await loop.run(to: &sink) {
            try builds[$0].run(staged, makeEncoder)
        } progress: {
            progress($0.tiles + $0.emptyTiles)
        }
    }
}

/// Does builds one after the other: starts what can start, and lets the builds take what comes back.
///
/// While a build has nothing to start for a free job, the next ones begin. Their tiles wait for those of the first.
struct BuildLoop {
    private struct Active {
        let index: Int
        var run: BuildRun
    }

    private struct Done: Sendable {
        let index: Int
        let outcome: BuildRun.Outcome
    }

    /// What builds that are ahead of their turn may have waiting to be written, in bytes: a second's worth of tiles,
    /// about.
    private static let mostWaitingBytes = 4 << 20

    private let jobs: Int
    private let semaphore: FairSemaphore?
    /// The memory that each build takes.
    private let bytes: [Int]
    /// Builds that have begun and are not written, in order.
    private var active: [Active] = []
    private var begun = 0
    private var busy = 0
    private var summary = PyramidSummary()

    /// - Parameter semaphore: what the builds share jobs with others by; nil if they are alone.
    init(_ builders: [PyramidBuilder], semaphore: FairSemaphore?) {
        jobs = builders.map(\.resources.jobs).reduce(1, max)
        bytes = builders.map(\.residentBytes)
        self.semaphore = semaphore
    }

    /// Does all builds.
    mutating func run(
        to sink: inout some TileSink, begin: (_ index: Int) throws -> BuildRun,
        progress report: (PyramidSummary) -> Void
    ) async throws -> PyramidSummary {
        try await withThrowingTaskGroup(of: Done.self) { group in
            while true {
                try start(in: &group, begin)
                // Whatever there is to do is under way, so nothing is left.
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

    /// Fills the free jobs, for the first builds first.
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

    /// Whether a build has room in the memory that the largest one takes, next to those that have begun.
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

    /// Writes what can be written, and leaves builds that are complete.
    private mutating func write(to sink: inout some TileSink) throws {
        while !active.isEmpty {
            try active[0].run.write(to: &sink)
            guard active[0].run.isComplete else { return }
            summary.add(active[0].run.summary)
            active.removeFirst()
        }
    }
}

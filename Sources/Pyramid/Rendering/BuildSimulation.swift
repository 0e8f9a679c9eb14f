internal import Platform
package import Raster
package import Tiling

/// What a build would take on more cores than this machine has.
///
/// All work is done, one piece after the other, and a clock of its own says when: each piece starts as soon as a core
/// is free and takes the processor time that it took here. The task that writes has a core to itself, as it mostly
/// waits. Caches, memory and disks are not simulated: no machine does better than this.
package struct BuildSimulation {
    /// Seconds from the first piece of work to the last tile that is written.
    package private(set) var wall = 0.0
    /// Seconds of decoding, of rendering and encoding, and of writing.
    package private(set) var decoding = 0.0
    package private(set) var rendering = 0.0
    package private(set) var writing = 0.0

    private struct Running {
        let end: Double
        let outcome: BuildRun.Outcome
    }

    /// Does a build.
    ///
    /// - Parameter builder: its jobs are the cores.
    /// - Throws: whatever an image, an encoder or the sink throws.
    package init(
        _ builder: PyramidBuilder, from open: @escaping BuildSequence.Open, to sink: inout some TileSink,
        makeEncoder: () throws -> any TileEncoder
    ) throws {
        var run = try builder.run(open, staged: sink.staged, makeEncoder: makeEncoder)
        var running: [Running] = []
        while true {
            while running.count < builder.resources.jobs, let work = run.start() {
                let (outcome, seconds) = try Self.measured { try work() }
                if case .decoded = outcome { decoding += seconds } else { rendering += seconds }
                running.append(Running(end: wall + seconds, outcome: outcome))
            }
            guard let next = running.indices.min(by: { running[$0].end < running[$1].end }) else { break }
            let done = running.remove(at: next)
            wall = max(wall, done.end)
            let ((), seconds) = try Self.measured {
                run.take(done.outcome)
                try run.write(to: &sink)
            }
            wall += seconds
            writing += seconds
        }
    }

    /// Processor seconds of this thread.
    private static func measured<Result>(_ body: () throws -> Result) rethrows -> (Result, Double) {
        let start = now()
        let result = try body()
        return (result, now() - start)
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

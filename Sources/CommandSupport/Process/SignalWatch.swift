import Platform
import Dispatch
import Synchronization

/// Runs work that SIGINT, SIGTERM and SIGHUP cancel, and SIGXCPU, which tells of a limit.
package enum SignalWatch {
    /// How long cancelled work may take to notice. Scripts that send a signal expect the end within
    /// a second; the output is safe against an end at any moment, so nothing is lost by force.
    private static let patience = DispatchTimeInterval.milliseconds(700)

    /// Runs the work to its end, or until a signal has cancelled it.
    ///
    /// If the work does not notice in time, as while it plans or publishes, the program ends.
    ///
    /// - Parameter advice: what the user does after a signal; nil for nothing.
    /// - Throws: `Interruption` after a signal, otherwise what the work throws.
    package static func run<Result: Sendable>(
        advice: String? = "run the same command again to finish",
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let caught = Mutex<Int32?>(nil)
        // On the main actor, so that the one who writes never waits for a thread of the workers.
        let task = Task { @MainActor in try await work() }
        let sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                caught.withLock { $0 = number }
                task.cancel()
                DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
                    ExitStatus.exit(ExitStatus.saying(error(after: number, advice)))
                }
            }
            source.resume()
            return source
        }
        defer { sources.forEach { $0.cancel() } }
        do {
            return try await task.value
        } catch is CancellationError {
            throw error(after: caught.withLock { $0 } ?? SIGINT, advice)
        }
    }

    /// The signals that end work. One that nohup(1) has switched off does not.
    private static var numbers: [Int32] {
        let isKept = signal(SIGHUP, SIG_IGN).map { unsafeBitCast($0, to: Int.self) } == 1
        return [SIGINT, SIGTERM, SIGXCPU] + (isKept ? [] : [SIGHUP])
    }

    private static func error(after number: Int32, _ advice: String?) -> any Error {
        guard number == SIGXCPU else { return Interruption(signal: number, advice: advice) }
        return Failure(
            .systemLimit, "stopped: the processor time that the system grants is used up",
            remedy: "raise 'ulimit -t', and run the same command again to finish")
    }
}

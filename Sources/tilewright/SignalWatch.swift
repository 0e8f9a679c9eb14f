import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs work that SIGINT and SIGTERM cancel.
enum SignalWatch {
    /// Runs the work to its end, or until a signal has cancelled it.
    ///
    /// - Throws: `Interruption` after a signal, otherwise what the work throws.
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let caught = Mutex<Int32?>(nil)
        // On the main actor, so that the one who writes never waits for a thread of the workers.
        let task = Task { @MainActor in try await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                caught.withLock { $0 = number }
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { sources.forEach { $0.cancel() } }
        do {
            return try await task.value
        } catch is CancellationError {
            throw Interruption(signal: caught.withLock { $0 } ?? SIGINT)
        }
    }
}

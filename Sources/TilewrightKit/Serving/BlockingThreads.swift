import Dispatch
import Platform
import Synchronization

/// A few threads for work that may block: a disk may not answer, and a document may take minutes to read.
///
/// Each served source has its own threads, so that a source that hangs does not stop the others. Threads
/// start when there is work, and end after a while without work.
package final class BlockingThreads: TaskExecutor {
    private struct State {
        /// The waiting jobs, the oldest first.
        var jobs: [UnownedJob] = []
        /// Running threads.
        var threads = 0
        /// Threads that wait for work.
        var idle = 0
    }

    /// The maximum number of threads: more than the tiles that are rendered at a time, so that endless
    /// drawings leave a thread for reading.
    private static let most = max(4, BuildResources().effectiveJobs + 2)
    /// Jobs that may wait before more are refused: as many as there are clients.
    private static let mostWaiting = 1024
    /// Seconds for which a thread waits for work.
    private static let patience = 5.0

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)

    package init() {}

    /// The result of some work; nil after a timeout. The work then continues, but its result is dropped.
    ///
    /// - Throws: the error of the work.
    func result<Value: Sendable>(
        within time: Duration, of work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        if isOverloaded { return nil }
        return try await withCheckedThrowingContinuation { continuation in
            let waiting = Waiting<Value?>(continuation)
            let alarm = Task {
                try? await Task.sleep(for: time)
                waiting.resume(with: .success(nil))
            }
            Task(executorPreference: self) {
                do { waiting.resume(with: .success(try await work())) } catch {
                    waiting.resume(with: .failure(error))
                }
                alarm.cancel()
            }
        }
    }

    /// The result of a call that waits for a disk; nil if the disk does not answer within a second.
    static func answer<Value: Sendable>(_ call: @escaping @Sendable () -> Value) -> Value? {
        let result = Mutex(Value?.none)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let value = call()
            result.withLock { $0 = value }
            done.signal()
        }
        return done.wait(timeout: .now() + 1) == .success ? result.withLock { $0 } : nil
    }

    /// Whether too many jobs wait, so that more should be refused.
    package var isOverloaded: Bool { state.withLock { $0.jobs.count > Self.mostWaiting } }

    /// Takes a part of a task; see `TaskExecutor`.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        enum Need { case thread, signal, nothing }
        let need = state.withLock { state -> Need in
            state.jobs.append(job)
            if state.idle > 0 {
                state.idle -= 1
                return .signal
            }
            guard state.threads < Self.most else { return .nothing }
            state.threads += 1
            return .thread
        }
        switch need {
        case .thread: start()
        case .signal: work.signal()
        case .nothing: break
        }
    }

    private func start() {
        if BlockingThread.start({ self.run() }) { return }
        // If the system grants no thread, a shared one is used.
        DispatchQueue.global().async { self.run() }
    }

    private func run() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// The next job; nil if the thread should end.
    private func next() -> UnownedJob? {
        while true {
            let job = state.withLock { state in
                if state.jobs.isEmpty {
                    state.idle += 1
                    return UnownedJob?.none
                }
                return state.jobs.removeFirst()
            }
            if let job { return job }
            if work.wait(timeout: .now() + Self.patience) == .success { continue }
            let ends = state.withLock { state in
                guard state.idle > 0 else { return false }
                state.idle -= 1
                state.threads -= 1
                return true
            }
            if ends { return nil }
            // The thread was woken just now.
            work.wait()
        }
    }
}

/// A continuation that the first result resumes.
private final class Waiting<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) { self.continuation = Mutex(continuation) }

    func resume(with result: Result<Value, any Error>) {
        let first = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        first?.resume(with: result)
    }
}

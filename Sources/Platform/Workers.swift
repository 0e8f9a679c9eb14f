import Dispatch
import Synchronization

/// Threads for work that waits for a network, more than there are cores.
package enum Workers {
    private struct State {
        var next = 0
        var running = 0
        var failure: (any Error)?
    }

    /// The time between two calls of `tick`.
    private static let interval = 0.05

    /// Calls `body` with each number below `count`, in several threads. After an error, no more calls begin.
    ///
    /// - Parameter tick: is called by the caller's thread at intervals, and may throw, too.
    /// - Throws: the first error, when all calls have ended; `CancellationError` if the task was cancelled.
    package static func run(
        _ count: Int, threads: Int, tick: () throws -> Void = {},
        _ body: @escaping @Sendable (Int) throws -> Void
    ) throws {
        let work = Work(count, body)
        var started = 0
        for _ in 0..<min(count, threads) where work.start() { started += 1 }
        // If the system grants no thread, this one works.
        if started == 0 { work.run() }
        while !work.isDone(within: interval) {
            do {
                try Task.checkCancellation()
                try tick()
            } catch { work.stop(error) }
        }
        try work.check()
        try Task.checkCancellation()
    }

    private final class Work: Sendable {
        private let count: Int
        private let body: @Sendable (Int) throws -> Void
        private let state = Mutex(State())
        private let ended = DispatchSemaphore(value: 0)

        init(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
            (self.count, self.body) = (count, body)
        }

        /// Starts a thread; false if the system grants none.
        func start() -> Bool {
            state.withLock { $0.running += 1 }
            let isStarted = BlockingThread.start {
                self.run()
                self.state.withLock { $0.running -= 1 }
                self.ended.signal()
            }
            if !isStarted { state.withLock { $0.running -= 1 } }
            return isStarted
        }

        func run() {
            while let number = next() {
                do { try body(number) } catch { return stop(error) }
            }
        }

        private func next() -> Int? {
            state.withLock { state in
                guard state.failure == nil, state.next < count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        func stop(_ error: any Error) {
            state.withLock { state in
                if state.failure == nil { state.failure = error }
            }
        }

        /// Waits for the end of all threads, for a time.
        func isDone(within seconds: Double) -> Bool {
            let deadline = DispatchTime.now() + seconds
            while state.withLock({ $0.running }) > 0 {
                if ended.wait(timeout: deadline) == .timedOut { return false }
            }
            return true
        }

        func check() throws { if let failure = state.withLock({ $0.failure }) { throw failure } }
    }
}

/// Threads of their own for work that blocks, such as waiting for another machine. The shared threads of
/// tasks are as many as there are cores, and are needed for work that computes.
package enum BlockingThread {
    private final class Body {
        let run: () -> Void

        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Starts a thread, which ends with its work; pthread_create(3).
    ///
    /// - Returns: whether the system granted one.
    package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        let own = Unmanaged.passRetained(Body(work))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let code = pthread_create(
            &thread, nil,
            { own in
                pthread_detach(pthread_self())
                if let own { Unmanaged<Body>.fromOpaque(own).takeRetainedValue().run() }
                return nil
            }, own.toOpaque())
        if code != 0 { own.release() }
        return code == 0
    }
}

import Dispatch
import Synchronization

/// The job server of a make that started this process: a pipe that contains a byte, a token, for each further
/// job that may run.
///
/// A process may always do one unit of work at a time. For each further unit it takes a token from the pipe,
/// and puts it back when the unit ends, so that all processes of make together do at most as many units as
/// `make -j` allows. Tokens also go back when the process ends early: see `HeldTokens`.
///
/// Work takes tokens from the job server of its task:
///
/// ```swift
/// let server = JobServer(makeFlags: ProcessInfo.processInfo.environment["MAKEFLAGS"] ?? "")
/// let summary = try await JobServer.$current.withValue(server) { try await build.run() }
/// ```
public final class JobServer: Sendable {
    /// The job server that the task's work takes tokens from, if any. A process has one at most.
    @TaskLocal public static var current: JobServer?

    private struct Waiting {
        let number: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        /// Whether no unit uses the job that every process has without a token.
        var isOwnFree = true
        /// The tokens of all other units.
        var held: [HeldTokens.Place] = []
        /// Units that wait, the oldest first.
        var waiting: [Waiting] = []
        var lastNumber = 0
        /// Whether the source says when the pipe has a token: only while units wait.
        var isWatching = false
    }

    private let pipe: TokenPipe
    /// Says that the pipe has a token. Any thread may use it.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let state = Mutex(State())

    /// Opens the job server that the variable `MAKEFLAGS` names.
    ///
    /// - Returns: nil if it names none, or none that this process can use: a recipe gets the pipe only if make
    ///   takes it for another make, because its line begins with `+` or contains `$(MAKE)`.
    public init?(makeFlags: String) {
        guard let pipe = TokenPipe.named(in: makeFlags) else { return nil }
        HeldTokens.prepare()
        self.pipe = pipe
        source = pipe.reading.withNumber { number in
            DispatchSource.makeReadSource(
                fileDescriptor: number, queue: DispatchQueue(label: "job server"))
        }
        source.setEventHandler { [weak self] in self?.takeForNext() }
        // The file stays open as long as the source needs it.
        source.setCancelHandler { withExtendedLifetime(pipe) {} }
    }

    deinit {
        // A source that is released must not be suspended.
        if !state.withLock({ $0.isWatching }) { source.resume() }
        source.cancel()
    }

    /// Calls `body` when a job is free. `body` must not wait for another one.
    ///
    /// - Throws: what `body` throws; `CancellationError` if the task is cancelled before it begins.
    package func with<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await acquire()
        defer { release() }
        return try await body()
    }

    /// Calls `body` with the number of tokens that could be taken without waiting.
    ///
    /// - Parameter most: the maximum number.
    package func withTokens<Result>(
        atMost most: Int, _ body: (_ count: Int) throws -> Result
    ) rethrows -> Result {
        var places: [HeldTokens.Place] = []
        while places.count < most, let place = pipe.take() { places.append(place) }
        defer { places.forEach(HeldTokens.giveBack) }
        return try body(places.count)
    }

    private func acquire() async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The task may have been cancelled before it waits.
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if take(&state) { return .success(()) }
                    state.waiting.append(Waiting(number: number, continuation: continuation))
                    watch(&state)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let left = state.withLock { state in
                let left = state.waiting.firstIndex { $0.number == number }
                defer { watch(&state) }
                return left.map { state.waiting.remove(at: $0) }
            }
            left?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Takes a job at once, if one is free and no unit waits for it.
    private func take(_ state: inout State) -> Bool {
        guard state.waiting.isEmpty else { return false }
        if state.isOwnFree {
            state.isOwnFree = false
            return true
        }
        guard let place = pipe.take() else { return false }
        state.held.append(place)
        return true
    }

    /// Ends a unit. A token goes back first, since others may wait for it: all units are alike, and one that
    /// still runs goes on with the job that needs none.
    private func release() {
        let next: Waiting? = state.withLock { state in
            if let place = state.held.popLast() {
                HeldTokens.giveBack(place)
                return nil
            }
            guard !state.waiting.isEmpty else {
                state.isOwnFree = true
                return nil
            }
            defer { watch(&state) }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume()
    }

    /// Takes a token for the unit that has waited longest; often another process was faster.
    private func takeForNext() {
        let next: Waiting? = state.withLock { state in
            guard !state.waiting.isEmpty, let place = pipe.take() else { return nil }
            state.held.append(place)
            defer { watch(&state) }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume()
    }

    private func watch(_ state: inout State) {
        guard state.isWatching == state.waiting.isEmpty else { return }
        state.isWatching.toggle()
        if state.isWatching { source.resume() } else { source.suspend() }
    }
}

extension JobServer? {
    /// Calls `body` when a job is free; at once without a job server.
    package func with<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        if let self { try await self.with(body) } else { try await body() }
    }

    /// Calls `body` with 0, 1 and so on: on all cores without a job server, otherwise on this thread and, for
    /// each token that is free now, on another one.
    package func concurrentPerform(iterations: Int, _ body: @Sendable (Int) -> Void) {
        guard let self else { return DispatchQueue.concurrentPerform(iterations: iterations, execute: body) }
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        self.withTokens(atMost: min(iterations, cores) - 1) { tokens in
            let next = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: tokens + 1) { _ in
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    if index >= iterations { return }
                    body(index)
                }
            }
        }
    }
}

import Synchronization

/// Shares a limited amount of something between builds that run at the same time, such as units of work or
/// bytes of memory. Requests are granted in their order.
package final class FairSemaphore: Sendable {
    fileprivate struct Waiting {
        let number: Int
        let amount: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    fileprivate struct State {
        var free: Int
        var waiting: [Waiting] = []
        var lastNumber = 0
    }

    private let total: Int
    private let state: Mutex<State>

    /// Makes a semaphore with a number of permits.
    package init(_ total: Int) {
        self.total = max(1, total)
        state = Mutex(State(free: self.total))
    }

    /// Calls `body` when there are enough permits for it.
    ///
    /// - Parameter amount: the number of permits that it takes; all if there are fewer.
    /// - Throws: what `body` throws; `CancellationError` if the task is cancelled before it begins.
    package func with<Result: Sendable>(
        _ amount: Int = 1, _ body: () async throws -> Result
    ) async throws -> Result {
        let amount = min(max(amount, 0), total)
        try await acquire(amount)
        defer { release(amount) }
        return try await body()
    }

    private func acquire(_ amount: Int) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiting = Waiting(number: number, amount: amount, continuation: continuation)
                switch state.withLock({ $0.take(waiting) }) {
                case .taken: continuation.resume()
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .waits: break
                }
            }
        } onCancel: {
            let (left, next) = state.withLock { ($0.leave(number), $0.next()) }
            left?.continuation.resume(throwing: CancellationError())
            next.forEach { $0.continuation.resume() }
        }
    }

    private func release(_ amount: Int) {
        let next = state.withLock { state in
            state.free += amount
            return state.next()
        }
        next.forEach { $0.continuation.resume() }
    }
}

extension FairSemaphore.State {
    fileprivate enum Outcome { case taken, waits, cancelled }

    /// Takes permits, or a place in the queue. Large requests keep their place: small ones do not overtake
    /// them.
    fileprivate mutating func take(_ request: FairSemaphore.Waiting) -> Outcome {
        // The task may have been cancelled before it waits.
        if Task.isCancelled { return .cancelled }
        if !waiting.isEmpty || free < request.amount {
            waiting.append(request)
            return .waits
        }
        free -= request.amount
        return .taken
    }

    /// Removes a request from the queue.
    fileprivate mutating func leave(_ number: Int) -> FairSemaphore.Waiting? {
        waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0) }
    }

    /// Grants permits to the requests that have waited longest.
    fileprivate mutating func next() -> [FairSemaphore.Waiting] {
        var next: [FairSemaphore.Waiting] = []
        while let first = waiting.first, first.amount <= free {
            free -= first.amount
            next.append(waiting.removeFirst())
        }
        return next
    }
}

extension FairSemaphore? {
    /// Calls `body` when there are enough permits for it; at once without a semaphore.
    package func with<Result: Sendable>(
        _ amount: Int = 1, _ body: () async throws -> Result
    ) async throws -> Result {
        if let self { try await self.with(amount, body) } else { try await body() }
    }
}

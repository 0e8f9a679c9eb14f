internal import Synchronization

/// Lets builds that run side by side use so much of something at a time, in the order in which they ask: units
/// of work, or bytes of memory.
package final class Permits: Sendable {
    private struct Waiting {
        let amount: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var free: Int
        var waiting: [Waiting] = []
    }

    private let total: Int
    private let state: Mutex<State>

    /// Makes so many permits.
    package init(_ total: Int) {
        self.total = max(1, total)
        state = Mutex(State(free: self.total))
    }

    /// Does something when there are permits for it.
    ///
    /// - Parameter amount: the permits that it takes; who wants more than there are takes all of them.
    package func with<Result: Sendable>(
        _ amount: Int = 1, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let amount = min(max(amount, 0), total)
        await acquire(amount)
        defer { release(amount) }
        return try await body()
    }

    private func acquire(_ amount: Int) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                // Who wants much is not overtaken by those who want little.
                if !state.waiting.isEmpty || state.free < amount {
                    state.waiting.append(Waiting(amount: amount, continuation: continuation))
                    return false
                }
                state.free -= amount
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Hands the permits to those who have waited longest.
    private func release(_ amount: Int) {
        let next = state.withLock { state in
            state.free += amount
            var next: [Waiting] = []
            while let first = state.waiting.first, first.amount <= state.free {
                state.free -= first.amount
                next.append(state.waiting.removeFirst())
            }
            return next
        }
        next.forEach { $0.continuation.resume() }
    }
}

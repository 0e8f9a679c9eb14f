internal import Synchronization

/// Lets so many units of work run at a time, of all builds that share it; in the order in which they ask.
package final class JobPermits: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Makes so many permits.
    package init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

    /// Runs a unit of work when there is a permit for it.
    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) async rethrows -> Result {
        await acquire()
        defer { release() }
        return try body()
    }

    private func acquire() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Hands the permit to who has waited longest.
    private func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}

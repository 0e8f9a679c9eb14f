import Synchronization

/// Tells people what went wrong, each thing once in a while: a map asks for many tiles of a file that is gone.
final class FaultLog: Sendable {
    private struct State {
        var last = ""
        var time = ContinuousClock.now
    }

    private static let pause = Duration.seconds(10)

    private let state = Mutex(State())
    private let say: @Sendable (String) -> Void

    init(say: @escaping @Sendable (String) -> Void) { self.say = say }

    /// Tells it, unless that was just told.
    func note(_ line: String) {
        let now = ContinuousClock.now
        let isNew = state.withLock { state in
            if state.last == line, now - state.time < Self.pause { return false }
            state = State(last: line, time: now)
            return true
        }
        if isNew { say(line) }
    }
}

import NIOCore
import Synchronization

/// The connections that are open: so many and no more, and all of them are told when the server ends.
final class ConnectionTable: Sendable {
    private struct State {
        var open: [ObjectIdentifier: any Channel] = [:]
        var isEnding = false
    }

    private let state = Mutex(State())
    private let ending = Atomic(false)

    /// Whether answers are the last ones of their connections.
    var isEnding: Bool { ending.load(ordering: .relaxed) }

    /// Takes a connection in.
    ///
    /// - Returns: false if there are too many, or the server ends.
    func add(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard !state.isEnding, state.open.count < ServerLimits.connections else { return false }
            state.open[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// Forgets a connection that is closed.
    func remove(_ channel: any Channel) {
        state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Lets connections end with the answer that they are at, and those without one at once.
    func end() {
        ending.store(true, ordering: .relaxed)
        state.withLock { $0.isEnding = true }
        tell(.finish)
    }

    /// Refuses what is not ready yet.
    func giveUp() { tell(.giveUp) }

    private func tell(_ event: ServerEnds) {
        for channel in state.withLock({ Array($0.open.values) }) {
            channel.pipeline.fireUserInboundEventTriggered(event)
        }
    }

    /// Ends what is still open.
    func closeAll() {
        for channel in state.withLock({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    /// Whether nothing is open any more.
    var isEmpty: Bool { state.withLock { $0.open.isEmpty } }
}

/// What connections are told when the server ends.
enum ServerEnds: Sendable {
    /// They end with the answer that is on its way.
    case finish
    /// Answers that are not ready are refused.
    case giveUp
}

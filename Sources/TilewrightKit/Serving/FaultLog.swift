import Platform
import Synchronization

/// Tells people what goes wrong while a server runs: each thing once in a while, and not too many. Whoever asks
/// for tiles of a damaged archive would else fill a disk with what is said of them.
final class FaultLog: Sendable {
    private struct State {
        var begin = ContinuousClock.now
        var lines: Set<String> = []
    }

    /// How long a thing is not told again.
    private static let pause = Duration.seconds(10)
    /// How many things are told in that time.
    private static let most = 10

    private let state = Mutex(State())
    private let say: TileCatalogue.Report

    init(say: @escaping TileCatalogue.Report) { self.say = say }

    /// Tells what went wrong, unless that was told just now, or too much else.
    func note(_ error: any Error) {
        let line = (error as? Failure)?.message ?? "the server is at fault: \(error)"
        let now = ContinuousClock.now
        let told = state.withLock { state -> String? in
            if now - state.begin > Self.pause { state = State(begin: now) }
            guard state.lines.count <= Self.most, state.lines.insert(line).inserted else { return nil }
            return state.lines.count <= Self.most
                ? line : "there is more, of which nothing is said for a while"
        }
        if let told { say(told) }
    }
}

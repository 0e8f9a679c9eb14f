import Synchronization

/// What answers, once it is known: the port on which a server listens is known first, and answers depend on it.
final class ResponderBox: Sendable {
    private let responder = Mutex<Responder?>(nil)

    /// What answers; nil if nobody does yet.
    var value: Responder? { responder.withLock { $0 } }

    /// Says what answers.
    func set(_ value: Responder) { responder.withLock { $0 = value } }
}

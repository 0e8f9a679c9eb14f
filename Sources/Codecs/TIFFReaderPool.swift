import Synchronization

/// Readers of one directory, as many as tasks read it at the same time.
final class TIFFReaderPool: Sendable {
    private struct State {
        /// What all others are made of; used under the lock only.
        let original: TIFFReader
        var idle: [TIFFReader]
    }

    private let state: Mutex<State>

    /// Makes a pool of readers like this one, which nobody else uses from now on.
    init(_ original: TIFFReader) {
        state = Mutex(State(original: original, idle: []))
    }

    /// Lends a reader to whoever needs one; what its last block holds is kept for the next.
    func withReader<Result>(_ body: (TIFFReader) throws -> Result) throws -> Result {
        let reader = try state.withLock { state in
            try state.idle.popLast() ?? TIFFReader(duplicating: state.original)
        }
        defer { state.withLock { $0.idle.append(reader) } }
        return try body(reader)
    }
}

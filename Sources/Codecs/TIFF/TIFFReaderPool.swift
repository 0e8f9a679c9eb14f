import CCodec
import Dispatch
import Synchronization

/// Readers of one directory, as many as tasks read it at the same time, and as the blocks that they
/// keep allow.
final class TIFFReaderPool: Sendable {
    private struct State {
        /// What all others are made of; used under the lock only.
        let original: TIFFReader
        var idle: [TIFFReader]
    }

    private let state: Mutex<State>
    private let free: DispatchSemaphore

    /// Makes a pool of readers like this one, which nobody else uses from now on.
    init(_ original: TIFFReader) {
        state = Mutex(State(original: original, idle: []))
        free = DispatchSemaphore(value: Self.mostReaders(of: original.header))
    }

    /// Of all blocks together that readers keep, unless one alone is larger: a file chooses the size
    /// of its blocks, and must not have as many of the largest as there are cores.
    private static let mostBytes = 256 << 20

    /// How many readers there are at most.
    static func mostReaders(of header: cc_tiff_header) -> Int {
        max(1, mostBytes / max(1, header.readerBytes))
    }

    /// Lends a reader to whoever needs one; what its last block holds is kept for the next.
    func withReader<Result>(_ body: (TIFFReader) throws -> Result) throws -> Result {
        free.wait()
        defer { free.signal() }
        let reader = try state.withLock { state in
            try state.idle.popLast() ?? TIFFReader(duplicating: state.original)
        }
        defer { state.withLock { $0.idle.append(reader) } }
        return try body(reader)
    }
}

extension cc_tiff_header {
    /// Memory of a reader: a decoded block, and the bytes that it is made of. A strip that is read row
    /// by row is never decoded whole.
    var readerBytes: Int {
        Int(stored_bytes) * (is_planar ? Int(samples) : 1) + (is_sequential ? 0 : Int(block_bytes))
    }
}

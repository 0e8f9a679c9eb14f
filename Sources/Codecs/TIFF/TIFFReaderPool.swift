import CCodec
import Dispatch
import Synchronization

/// Readers of one directory, one for each task that reads at the same time, within a limit of memory.
final class TIFFReaderPool: Sendable {
    private struct State {
        /// The reader that all others are duplicates of; used under the lock only.
        let original: TIFFReader
        var idle: [TIFFReader]
    }

    private let state: Mutex<State>
    private let free: DispatchSemaphore

    /// Makes a pool of duplicates of a reader, and takes that reader over.
    init(_ original: TIFFReader) {
        state = Mutex(State(original: original, idle: []))
        free = DispatchSemaphore(value: Self.mostReaders(of: original.header))
    }

    /// The most bytes that all readers' blocks take, unless one reader alone takes more. The file
    /// chooses the size of its blocks, so cores times that size would have no limit.
    private static let mostBytes = 256 << 20

    /// The most readers of a directory.
    static func mostReaders(of header: cc_tiff_header) -> Int {
        max(1, mostBytes / max(1, header.readerBytes))
    }

    /// Lends a reader to `body`, and waits until one is free. Readers keep their last decoded block.
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
    /// Memory of a reader in bytes: a block, compressed and decoded. A strip that is read row by row is
    /// never decoded whole.
    var readerBytes: Int {
        Int(stored_bytes) * (is_planar ? Int(samples) : 1) + (is_sequential ? 0 : Int(block_bytes))
    }
}

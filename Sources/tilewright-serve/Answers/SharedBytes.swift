import Synchronization

/// Bytes that are mostly what they were the last time: clients that ask for the same share them in memory.
final class SharedBytes: Sendable {
    private let last = Mutex<[UInt8]>([])

    /// The same bytes, from the last time if they were the same then.
    func same(as bytes: [UInt8]) -> [UInt8] {
        last.withLock { last in
            if last != bytes { last = bytes }
            return last
        }
    }
}

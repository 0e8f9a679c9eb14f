import Synchronization

/// Memory for blocks of a few sizes, which is used again: the system clears fresh memory, which takes as
/// long as unpacking a block's pixels. Caches may share a pool.
package final class BlockPool: Sendable {
    private struct State {
        var memory: [MappedMemory] = []
        /// By their size.
        var free: [Int: [Slot]] = [:]
    }

    /// Room for a block.
    struct Slot: @unchecked Sendable {
        // Unchecked: it belongs to one block at a time.
        let start: UnsafeMutableRawPointer
        /// The bytes that it has room for.
        let byteCount: Int
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Bytes that are taken from the system at a time.
    private static let bytesAtOnce = 4 << 20

    /// Makes an empty pool.
    ///
    /// - Parameter limit: bytes that are in use together for long.
    package init(limit: Int) { self.limit = limit }

    /// Room for a block of at least one byte; its bytes are whatever was there.
    func take(_ byteCount: Int) throws -> Slot {
        // Whole cache lines.
        let size = (byteCount + 63) / 64 * 64
        return try state.withLock { state in
            if let slot = state.free[size]?.popLast() { return slot }
            let count = max(1, min(Self.bytesAtOnce, limit / 4) / size)
            let memory = try MappedMemory(count * size)
            state.memory.append(memory)
            state.free[size, default: []] += (1..<count).map {
                Slot(start: memory.start + $0 * size, byteCount: size)
            }
            return Slot(start: memory.start, byteCount: size)
        }
    }

    /// Takes a room back that nobody uses any more.
    func give(_ slot: Slot) { state.withLock { $0.free[slot.byteCount, default: []].append(slot) } }
}

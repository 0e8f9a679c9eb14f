import Synchronization
package import Tiling

/// A cache of the most recently used blocks of an image. Blocks are decoded on demand. Safe to share.
///
/// Two tasks that miss the same block at the same time both decode it: that costs less than waiting.
package final class BlockCache: Sendable {
    /// Blocks with shorter edges are joined: small blocks cost more to find than to decode.
    package static let shortestEdge = 128

    private struct Entry {
        var block: PixelBlock
        var lastUse: Int
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var bytes = 0
        var uses = 0
    }

    private let reader: any WindowReader
    private let format: PixelFormat
    private let image: PixelWindow
    private let blockWidth: Int
    private let blockHeight: Int
    private let limit: Int
    private let pool: BlockPool
    private let blockBytes: Int
    private let state = Mutex(State())

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - limit: bytes of pixels to keep; the last block is kept whatever its size.
    ///   - pool: the memory for blocks; nil for the cache's own pool.
    package init(
        _ reader: any WindowReader, info: RasterInfo, limit: Int, pool: BlockPool? = nil
    ) {
        self.reader = reader
        self.limit = limit
        format = info.pixelFormat
        image = info.window
        let size = Self.blockSize(reader.blockSize)
        (blockWidth, blockHeight) = (size.width, size.height)
        blockBytes = max(1, size.width * size.height * info.pixelFormat.bytesPerPixel)
        self.pool = pool ?? BlockPool(limit: limit)
    }

    /// The size of the cache's blocks in pixels, if the image is decoded in blocks of `piece` pixels.
    package static func blockSize(
        _ piece: (width: Int, height: Int), shortestEdge: Int = shortestEdge
    ) -> (width: Int, height: Int) {
        func multiplied(_ edge: Int) -> Int { edge * ((shortestEdge + edge - 1) / edge) }
        return (multiplied(max(1, piece.width)), multiplied(max(1, piece.height)))
    }

    /// The block that holds a pixel of the image.
    package func block(column: Int, row: Int) throws -> PixelBlock {
        let (x, y) = (column / blockWidth, row / blockHeight)
        let key = y * (image.width / blockWidth + 1) + x
        if let block = state.withLock({ Self.find(key, in: &$0) }) { return block }
        let block = try PixelBlock(
            window(x, y), of: blockBytes, from: reader, format: format, pool: pool)
        state.withLock { keep(block, key, in: &$0) }
        return block
    }

    /// Calls `body` with the part of a window in each block.
    package func forEachBlock(of window: PixelWindow, _ body: (PixelWindow) throws -> Void) rethrows {
        for y in window.rows.lowerBound / blockHeight...(window.rows.upperBound - 1) / blockHeight {
            for x in window.columns.lowerBound / blockWidth...(window.columns.upperBound - 1) / blockWidth {
                try body(self.window(x, y).intersection(window))
            }
        }
    }

    /// The pixels of a block.
    private func window(_ x: Int, _ y: Int) -> PixelWindow {
        PixelWindow(
            columns: x * blockWidth..<(x + 1) * blockWidth, rows: y * blockHeight..<(y + 1) * blockHeight
        ).intersection(image)
    }

    private static func find(_ key: Int, in state: inout State) -> PixelBlock? {
        guard let block = state.entries[key]?.block else { return nil }
        state.uses += 1
        state.entries[key]?.lastUse = state.uses
        return block
    }

    private func keep(_ block: PixelBlock, _ key: Int, in state: inout State) {
        state.uses += 1
        let old = state.entries.updateValue(Entry(block: block, lastUse: state.uses), forKey: key)
        state.bytes += block.byteCount - (old?.block.byteCount ?? 0)
        while state.bytes > limit, state.entries.count > 1,
            let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            state.entries[oldest.key] = nil
            state.bytes -= oldest.value.block.byteCount
        }
    }
}

/// A decoded piece of an image.
package final class PixelBlock: @unchecked Sendable {
    // Unchecked: its bytes are written before it is shared, and only read from then on.

    /// The columns and rows of the block.
    package let window: PixelWindow

    private let slot: BlockPool.Slot
    private let pool: BlockPool
    /// The format of its pixels, which may take fewer bytes than the image's.
    package let format: PixelFormat

    /// Decodes a window.
    ///
    /// - Parameters:
    ///   - byteCount: the bytes of a whole block, of which the window may be a part.
    ///   - pool: the pool that provides its memory and gets it back.
    init(
        _ window: PixelWindow, of byteCount: Int, from reader: some WindowReader, format: PixelFormat,
        pool: BlockPool
    ) throws {
        self.window = window
        self.pool = pool
        slot = try pool.take(byteCount)
        self.format = try reader.read(window, of: format, into: slot.start)
    }

    deinit { pool.give(slot) }

    /// Its memory in bytes.
    var byteCount: Int { slot.byteCount }

    /// The address of a pixel of the window; the next pixels of its row follow.
    package func pixel(column: Int, row: Int) -> UnsafeRawPointer {
        let index =
            (row - window.rows.lowerBound) * window.width + column - window.columns.lowerBound
        return UnsafeRawPointer(slot.start) + index * format.bytesPerPixel
    }
}

/// Memory for blocks of a few sizes, which is reused: the system clears new memory, which takes as long as
/// unpacking a block's pixels. Caches may share a pool.
package final class BlockPool: Sendable {
    private struct State {
        var memory: [MappedMemory] = []
        /// Free slots, by their size.
        var free: [Int: [Slot]] = [:]
    }

    /// Room for a block.
    struct Slot: @unchecked Sendable {
        // Unchecked: it belongs to one block at a time.
        let start: UnsafeMutableRawPointer
        /// Its size in bytes.
        let byteCount: Int
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Bytes that are allocated from the system at a time.
    private static let bytesAtOnce = 4 << 20

    /// Makes an empty pool.
    ///
    /// - Parameter limit: bytes that are usually in use together.
    package init(limit: Int) { self.limit = limit }

    /// A slot for a block of at least one byte; its content is undefined.
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

    /// Returns a slot that is no longer used.
    func give(_ slot: Slot) { state.withLock { $0.free[slot.byteCount, default: []].append(slot) } }
}

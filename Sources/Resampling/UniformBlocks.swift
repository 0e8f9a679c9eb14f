import CKernels
import Raster
import Synchronization
import Tiling

/// The single-coloured blocks of the rows in memory.
///
/// Most of a plan is such blocks: walls, floors, surroundings. A kernel that reads only one colour yields
/// that colour and need not run.
///
/// Rows of an image with many such blocks can be kept compact: only the other blocks are stored, one after
/// the other, so that most of the image stays in the caches. A reader gathers the rows that it needs; see
/// `cr_block_ring`.
///
/// Blocks are anchored to the first column in memory and to the first row of the image. Rows of blocks are in
/// a ring, like the rows of pixels.
final class UniformBlocks: @unchecked Sendable {
    // Unchecked: only the task that decodes rows uses their blocks until all of the rows are decoded.

    /// Columns of a block.
    static let columns = Int(CR_BLOCK_COLUMNS)
    /// Rows of a block.
    static let rows = Int(CR_BLOCK_ROWS)

    /// In an image with few such blocks, only one of this many rows of blocks is examined.
    private static let sample = 8

    private let width: Int
    private let blocksPerRow: Int
    private let rowsOfBlocks: Int
    /// Whether each row of blocks is kept compact.
    private let compact: UnsafeMutableBufferPointer<UInt8>
    private let flags: UnsafeMutableBufferPointer<UInt8>
    /// The first pixel of each block. If a compact row stores the block, the number of stored blocks before
    /// it instead. Both are in one array, so that asking for colours does not access a page of memory for
    /// each row of blocks of the image.
    private let pixels: UnsafeMutableBufferPointer<UInt32>
    /// The numbers of examined and of single-coloured blocks.
    private let surveyed = Atomic(0)
    private let found = Atomic(0)

    /// Whether there are enough single-coloured blocks for asking to pay off. In a plan most blocks are, in a
    /// photograph almost none.
    var areMany: Bool {
        found.load(ordering: .relaxed) * 8 >= surveyed.load(ordering: .relaxed)
    }

    /// Whether there are enough single-coloured blocks to keep rows of blocks compact: half of them.
    private var areMost: Bool {
        let surveyed = surveyed.load(ordering: .relaxed)
        return surveyed > 0 && found.load(ordering: .relaxed) * 2 >= surveyed
    }

    /// Rows that are decoded but not yet compact.
    private var incoming = Scratch<UInt8>()

    /// Starts without known blocks.
    ///
    /// - Parameter capacity: the number of rows that are in memory at a time.
    init(width: Int, capacity: Int) {
        // Columns at the end that do not fill a block are never examined.
        self.width = width
        blocksPerRow = width / Self.columns
        rowsOfBlocks = Self.rowsOfBlocks(capacity: capacity)
        compact = .allocate(capacity: rowsOfBlocks)
        compact.initialize(repeating: 0)
        flags = .allocate(capacity: blocksPerRow * rowsOfBlocks)
        flags.initialize(repeating: 0)
        pixels = .allocate(capacity: flags.count)
        pixels.initialize(repeating: 0)
    }

    deinit {
        compact.deallocate()
        flags.deallocate()
        pixels.deallocate()
    }

    /// A block may be partly before the first row in memory, and another partly after the last.
    private static func rowsOfBlocks(capacity: Int) -> Int { capacity / rows + 2 }

    /// The memory in bytes.
    static func bytes(width: Int, capacity: Int) -> Int {
        let blocks = width / columns * (MemoryLayout<UInt8>.size + MemoryLayout<UInt32>.size)
        return (blocks + MemoryLayout<UInt8>.size) * rowsOfBlocks(capacity: capacity)
    }

    /// The index of the first block of a row of blocks.
    private func place(ofRow row: Int) -> Int { row % rowsOfBlocks * blocksPerRow }

    /// Examines the blocks that begin in some rows; only blocks that are entirely in them can be found to
    /// have one colour.
    ///
    /// Several tasks may examine consecutive runs of rows at the same time.
    func survey(_ rows: Range<Int>, of band: RowBand, format: PixelFormat) {
        let first = (rows.lowerBound + Self.rows - 1) / Self.rows
        let end = (rows.upperBound + Self.rows - 1) / Self.rows
        for index in first..<max(first, end) {
            let block = index * Self.rows..<(index + 1) * Self.rows
            let blocks = place(ofRow: index)..<place(ofRow: index) + blocksPerRow
            let flags = UnsafeMutableBufferPointer(rebasing: flags[blocks])
            let pixels = UnsafeMutableBufferPointer(rebasing: pixels[blocks])
            compact[index % rowsOfBlocks] = 0
            // Blocks across the seam of the ring are left out.
            guard areMany || index % Self.sample == 0, block.upperBound <= rows.upperBound,
                let flag = flags.baseAddress, let pixel = pixels.baseAddress,
                block.lowerBound % band.capacity + Self.rows <= band.capacity
            else {
                flags.update(repeating: 0)
                continue
            }
            cr_find_uniform(
                band.row(block.lowerBound).assumingMemoryBound(to: UInt8.self), band.stride,
                format.bytesPerPixel, Self.rows, flag, pixel, blocksPerRow)
            count(flags)
        }
    }

    private func count(_ flags: UnsafeMutableBufferPointer<UInt8>) {
        surveyed.add(flags.count, ordering: .relaxed)
        found.add(flags.reduce(0) { $0 + Int($1) }, ordering: .relaxed)
    }

    /// The buffer for a row of blocks that is to be kept compact; nil if it is not.
    ///
    /// Only one task at a time may ask for the buffer and keep its content.
    func room(for rows: Range<Int>, of band: RowBand) -> UnsafeMutablePointer<UInt8>? {
        guard areMost, rows.lowerBound % Self.rows == 0, rows.count == Self.rows,
            band.capacity % Self.rows == 0
        else { return nil }
        return incoming.room(Self.rows * band.stride)
    }

    /// Whether a row of pixels is kept compact.
    func isCompact(_ row: Int) -> Bool { compact[row / Self.rows % rowsOfBlocks] != 0 }

    /// Keeps a row of blocks that is in the buffer.
    func keepCompact(_ rows: Range<Int>, of band: RowBand, format: PixelFormat) {
        let index = rows.lowerBound / Self.rows
        let place = place(ofRow: index)
        let flags = UnsafeMutableBufferPointer(rebasing: flags[place..<place + blocksPerRow])
        guard let flag = flags.baseAddress, let pixel = pixels.baseAddress else { return }
        let bytes = incoming.room(Self.rows * band.stride)
        cr_find_uniform(
            bytes, band.stride, format.bytesPerPixel, Self.rows, flag, pixel + place, blocksPerRow)
        cr_keep_mixed(
            bytes, band.stride, format.bytesPerPixel, flag, pixel + place, blocksPerRow,
            width % Self.columns, band.row(rows.lowerBound).assumingMemoryBound(to: UInt8.self))
        compact[index % rowsOfBlocks] = 1
        count(flags)
    }

    /// The blocks in the format of the core.
    var core: cr_block_ring {
        cr_block_ring(
            compact: compact.baseAddress, uniform: flags.baseAddress, pixels: pixels.baseAddress,
            per_row: Int32(blocksPerRow), rows: Int32(rowsOfBlocks))
    }

    /// The pixel that all pixels of a part are equal to, its bytes in the order of memory; nil if they are
    /// not known to be equal.
    ///
    /// - Parameter part: a part of the rows in memory, not empty; its columns count from the first column in
    ///   memory.
    func pixel(of part: PixelWindow) -> UInt32? {
        let columns = part.columns.lowerBound / Self.columns...(part.columns.upperBound - 1) / Self.columns
        let rows = part.rows.lowerBound / Self.rows...(part.rows.upperBound - 1) / Self.rows
        guard columns.upperBound < blocksPerRow else { return nil }
        let first = pixels[place(ofRow: rows.lowerBound) + columns.lowerBound]
        for row in rows {
            let place = place(ofRow: row)
            for block in place + columns.lowerBound...place + columns.upperBound
            where flags[block] == 0 || pixels[block] != first { return nil }
        }
        return first
    }
}

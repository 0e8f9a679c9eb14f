import CKernels
import Raster
import Synchronization
import Tiling

/// Which blocks of the rows in memory are of one colour.
///
/// A plan is mostly that: walls, floors, its surroundings. A kernel that reads one colour gives that colour,
/// and need not run.
///
/// Rows of an image with many such blocks can be kept compact: the other blocks, one behind the other, so
/// that most of the image never leaves the caches. A reader gathers the rows that it needs; see
/// `cr_block_ring`.
///
/// Blocks are anchored to the first column in memory and to the image's first row. They follow each other in a ring, as
/// the rows do.
final class UniformBlocks: @unchecked Sendable {
    // Unchecked: only the task that decodes rows uses their blocks until all of the rows are there.

    /// Columns of a block.
    static let columns = Int(CR_BLOCK_COLUMNS)
    /// Rows of a block.
    static let rows = Int(CR_BLOCK_ROWS)

    /// Of an image that has few such blocks, only those of every so many rows of blocks are looked at.
    private static let sample = 8

    private let width: Int
    private let blocksPerRow: Int
    private let rowsOfBlocks: Int
    /// Whether each row of blocks is kept compact.
    private let compact: UnsafeMutableBufferPointer<UInt8>
    private let flags: UnsafeMutableBufferPointer<UInt8>
    /// The first pixel of each; of those that a compact row keeps, how many are before it. Together, so that
    /// asking for colours does not look up a page of memory for each row of blocks of the image.
    private let pixels: UnsafeMutableBufferPointer<UInt32>
    /// Blocks that were looked at, and those of one colour among them.
    private let surveyed = Atomic(0)
    private let found = Atomic(0)

    /// Whether so many blocks are of one colour that asking pays off: of a plan most are, of a photograph
    /// next to none.
    var areMany: Bool {
        found.load(ordering: .relaxed) * 8 >= surveyed.load(ordering: .relaxed)
    }

    /// Whether so many blocks are of one colour that rows of them are kept compact: half.
    private var areMost: Bool {
        let surveyed = surveyed.load(ordering: .relaxed)
        return surveyed > 0 && found.load(ordering: .relaxed) * 2 >= surveyed
    }

    /// Rows that come into memory before they are kept compact.
    private var incoming = Scratch<UInt8>()

    /// Knows of no block.
    ///
    /// - Parameter capacity: rows that are in memory at a time.
    init(width: Int, capacity: Int) {
        // Columns at the end that do not fill a block are never looked at.
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

    /// A block may be partly before the first row in memory, and partly behind the last.
    private static func rowsOfBlocks(capacity: Int) -> Int { capacity / rows + 2 }

    /// Bytes that are taken.
    static func bytes(width: Int, capacity: Int) -> Int {
        let blocks = width / columns * (MemoryLayout<UInt8>.size + MemoryLayout<UInt32>.size)
        return (blocks + MemoryLayout<UInt8>.size) * rowsOfBlocks(capacity: capacity)
    }

    /// The first block of a row of blocks.
    private func place(ofRow row: Int) -> Int { row % rowsOfBlocks * blocksPerRow }

    /// Looks at the blocks that begin in some rows; only those that are wholly in them can be of one colour.
    ///
    /// Runs of rows that follow each other may be looked at by several tasks at a time.
    func survey(_ rows: Range<Int>, of band: RowBand, format: PixelFormat) {
        let first = (rows.lowerBound + Self.rows - 1) / Self.rows
        let end = (rows.upperBound + Self.rows - 1) / Self.rows
        for index in first..<max(first, end) {
            let block = index * Self.rows..<(index + 1) * Self.rows
            let blocks = place(ofRow: index)..<place(ofRow: index) + blocksPerRow
            let flags = UnsafeMutableBufferPointer(rebasing: flags[blocks])
            let pixels = UnsafeMutableBufferPointer(rebasing: pixels[blocks])
            compact[index % rowsOfBlocks] = 0
            // Not across the seam of the ring.
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

    /// Where a row of blocks is to be put that is kept compact; nil if it is not.
    ///
    /// One task at a time may ask, and keep what it has put there.
    func room(for rows: Range<Int>, of band: RowBand) -> UnsafeMutablePointer<UInt8>? {
        guard areMost, rows.lowerBound % Self.rows == 0, rows.count == Self.rows,
            band.capacity % Self.rows == 0
        else { return nil }
        return incoming.room(Self.rows * band.stride)
    }

    /// Whether a row of pixels is kept compact.
    func isCompact(_ row: Int) -> Bool { compact[row / Self.rows % rowsOfBlocks] != 0 }

    /// Keeps a row of blocks that was put into the room for it.
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

    /// The blocks as the core reads them.
    var core: cr_block_ring {
        cr_block_ring(
            compact: compact.baseAddress, uniform: flags.baseAddress, pixels: pixels.baseAddress,
            per_row: Int32(blocksPerRow), rows: Int32(rowsOfBlocks))
    }

    /// The pixel that all pixels of a part are, its bytes in the order of memory; nil if they are not known to be the
    /// same.
    ///
    /// - Parameter part: of rows that are in memory, and of columns that count from the first in memory; not empty.
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

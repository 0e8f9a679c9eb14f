internal import CKernels
internal import Raster
internal import Synchronization
internal import Tiling

/// Which blocks of the rows in memory are of one colour.
///
/// A plan is mostly that: walls, floors, what lies around it. Wherever a kernel reads one colour alone, it gives that
/// colour, and need not run.
///
/// Blocks are anchored to the first column in memory and to the image's first row. They follow each other in a ring, as
/// the rows do.
final class UniformBlocks: @unchecked Sendable {
    // Unchecked: who decodes rows is the only one that knows of their blocks until all of the rows are there.

    /// Columns of a block.
    static let columns = Int(CR_UNIFORM_COLUMNS)
    /// Rows of a block.
    static let rows = 16

    /// Of an image that has few such blocks, only those of every so many rows of blocks are looked at.
    private static let sample = 8

    private let blocksPerRow: Int
    private let rowsOfBlocks: Int
    private let flags: UnsafeMutableBufferPointer<UInt8>
    /// The first pixel of each. Together, so that whoever asks for colours does not look up a page of memory for each row
    /// of blocks of the image.
    private let pixels: UnsafeMutableBufferPointer<UInt32>
    /// Blocks that were looked at, and those of one colour among them.
    private let surveyed = Atomic(0)
    private let found = Atomic(0)

    /// Whether so many blocks are of one colour that it is worth while to ask: of a plan most are, of a photograph next
    /// to none.
    var areMany: Bool {
        found.load(ordering: .relaxed) * 8 >= surveyed.load(ordering: .relaxed)
    }

    /// Knows of no block.
    ///
    /// - Parameters:
    ///   - width: columns in memory.
    ///   - capacity: rows that are in memory at a time.
    init(width: Int, capacity: Int) {
        // Columns at the end that do not fill a block are never looked at.
        blocksPerRow = width / Self.columns
        rowsOfBlocks = Self.rowsOfBlocks(capacity: capacity)
        flags = .allocate(capacity: blocksPerRow * rowsOfBlocks)
        flags.initialize(repeating: 0)
        pixels = .allocate(capacity: flags.count)
        pixels.initialize(repeating: 0)
    }

    deinit {
        flags.deallocate()
        pixels.deallocate()
    }

    /// A block may lie partly before the first row in memory, and partly behind the last.
    private static func rowsOfBlocks(capacity: Int) -> Int { capacity / rows + 2 }

    /// Bytes that are taken.
    static func bytes(width: Int, capacity: Int) -> Int {
        width / columns * rowsOfBlocks(capacity: capacity)
            * (MemoryLayout<UInt8>.size + MemoryLayout<UInt32>.size)
    }

    /// The first block of a row of blocks.
    private func place(ofRow row: Int) -> Int { row % rowsOfBlocks * blocksPerRow }

    /// Looks at the blocks that begin in some rows; only those that lie in them wholly can be of one colour.
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
            surveyed.add(blocksPerRow, ordering: .relaxed)
            found.add(flags.reduce(0) { $0 + Int($1) }, ordering: .relaxed)
        }
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

import CKernels
package import Raster
import Synchronization
import Tiling

/// The decoded rows of an image in memory, in a ring.
///
/// Most of a plan is blocks of one colour: walls, floors, surroundings. A kernel that reads only one colour
/// yields that colour and need not run. In an image with many such blocks, only the others are stored, so that
/// most of the image stays in the caches; readers get plain rows.
///
/// Blocks are anchored to the first column in memory and to the first row of the image.
package final class SourceRows: @unchecked Sendable {
    // Unchecked: only the task that decodes rows uses them until all of the rows are decoded.

    /// Columns of a block.
    static let blockColumns = Int(CR_BLOCK_COLUMNS)
    /// Rows of a block.
    static let blockRows = Int(CR_BLOCK_ROWS)

    /// In an image with few blocks of one colour, only one of this many rows of blocks is examined.
    private static let sample = 8

    private let columns: Range<Int>
    private let format: PixelFormat
    private let band: RowBand
    private let tables: Tables
    /// The rows in the format of the core.
    private let core: UnsafeMutablePointer<cr_source_rows>
    /// The numbers of examined blocks, and of those that have one colour.
    private let surveyed = Atomic(0)
    private let found = Atomic(0)
    /// A row of blocks that is not stored yet; images that are read row by row have one task.
    private var incoming = Scratch<UInt8>()

    /// The properties of blocks, in rings.
    private struct Tables {
        let blocksPerRow: Int
        let rowsOfBlocks: Int
        let compact: UnsafeMutablePointer<UInt8>
        let uniform: UnsafeMutablePointer<UInt8>
        let pixels: UnsafeMutablePointer<UInt32>

        init(columns: Int, capacity: Int) {
            blocksPerRow = columns / blockColumns
            rowsOfBlocks = Self.rowsOfBlocks(capacity)
            let count = blocksPerRow * rowsOfBlocks
            (compact, uniform, pixels) = (
                .allocate(capacity: rowsOfBlocks), .allocate(capacity: count), .allocate(capacity: count)
            )
            compact.initialize(repeating: 0, count: rowsOfBlocks)
            uniform.initialize(repeating: 0, count: count)
            pixels.initialize(repeating: 0, count: count)
        }

        /// A block may be partly before the first row in memory, and another partly after the last.
        static func rowsOfBlocks(_ capacity: Int) -> Int { capacity / blockRows + 2 }

        func deallocate() {
            compact.deallocate()
            uniform.deallocate()
            pixels.deallocate()
        }
    }

    /// Allocates rows.
    ///
    /// - Parameters:
    ///   - columns: the columns of the image that are kept.
    ///   - capacity: the number of rows that are in memory at a time; see `capacity(forRows:)`.
    ///   - height: rows of the image.
    /// - Throws: `Failure` if there is not enough memory or disk space.
    package init(
        columns: Range<Int>, format: PixelFormat, capacity: Int, height: Int, scratchDirectory: String? = nil
    ) throws {
        (self.columns, self.format) = (columns, format)
        band = try RowBand(
            rowBytes: columns.count * format.bytesPerPixel, marginBytes: 0, capacity: capacity,
            scratchDirectory: scratchDirectory)
        tables = Tables(columns: columns.count, capacity: band.capacity)
        core = .allocate(capacity: 1)
        core.initialize(
            to: cr_source_rows(
                rows: cr_row_ring(first: band.row(0), stride: band.stride, capacity: Int32(band.capacity)),
                compact: tables.compact, uniform: tables.uniform, pixels: tables.pixels,
                blocks_per_row: Int32(tables.blocksPerRow), rows_of_blocks: Int32(tables.rowsOfBlocks),
                first_column: Int32(columns.lowerBound), columns: Int32(columns.count), height: Int32(height),
                bytes_per_pixel: Int32(format.bytesPerPixel)))
    }

    deinit {
        tables.deallocate()
        core.deallocate()
    }

    /// The capacity for `rows` rows needed at a time. More are kept: a new block may begin up to a block's
    /// height before the last needed row, and the block that it replaces may end that far after the first.
    package static func capacity(forRows rows: Int) -> Int {
        (rows + 2 * (blockRows - 1)) / blockRows * blockRows
    }

    /// Bytes of memory besides the rows, for a number of columns.
    package static func tableBytes(columns: Int, capacity: Int, rowBytes: Int) -> Int {
        let blocks = columns / blockColumns * (MemoryLayout<UInt8>.size + MemoryLayout<UInt32>.size)
        return (blocks + MemoryLayout<UInt8>.size) * Tables.rowsOfBlocks(capacity) + blockRows * rowBytes
    }

    /// Whether enough blocks have one colour for asking to pay off. In a plan most have, in a photograph
    /// almost none.
    var knowsColors: Bool { share(atLeast: 8) }

    /// Whether one of `count` blocks, or more, has one colour.
    private func share(atLeast count: Int) -> Bool {
        found.load(ordering: .relaxed) * count >= surveyed.load(ordering: .relaxed)
    }

    /// Reads the next rows of an image into memory.
    package func read(_ rows: Range<Int>, from source: any RasterSource) throws {
        // Rows are surveyed while they are in a cache.
        for part in rows.cut(every: Self.blockRows) {
            if surveyed.load(ordering: .relaxed) > 0, share(atLeast: 2), part.count == Self.blockRows,
                band.capacity % Self.blockRows == 0
            {
                let bytes = incoming.room(Self.blockRows * band.stride)
                try source.readRows(part.count, into: bytes, stride: band.stride)
                cr_survey_blocks(core, Int32(part.lowerBound), bytes, band.stride)
                cr_keep_compact(core, Int32(part.lowerBound), bytes, band.stride)
                count(ofRow: part.lowerBound)
            } else {
                try band.forEachRun(of: part) { rows, first in
                    try source.readRows(rows.count, into: first, stride: band.stride)
                }
                survey(part)
            }
        }
    }

    /// Reads rows of an image into memory. Several tasks may read different rows.
    package func read(_ rows: Range<Int>, from windows: any WindowReader) throws {
        try band.forEachRun(of: rows) { rows, first in
            try windows.read(PixelWindow(columns: columns, rows: rows), into: first, stride: band.stride)
        }
        survey(rows)
    }

    /// Examines the blocks that begin in some rows. Blocks that are not entirely in them, or are across the
    /// seam of the ring, count as mixed.
    private func survey(_ rows: Range<Int>) {
        let size = Self.blockRows
        for first in stride(from: (rows.lowerBound + size - 1) / size * size, to: rows.upperBound, by: size) {
            if knowsColors || first / size % Self.sample == 0, first + size <= rows.upperBound,
                first % band.capacity + size <= band.capacity
            {
                cr_survey_blocks(
                    core, Int32(first), band.row(first).assumingMemoryBound(to: UInt8.self), band.stride)
                count(ofRow: first)
            } else {
                (tables.uniform + place(ofRow: first)).update(repeating: 0, count: tables.blocksPerRow)
                tables.compact[first / size % tables.rowsOfBlocks] = 0
            }
        }
    }

    private func count(ofRow row: Int) {
        let uniform = UnsafeBufferPointer(
            start: tables.uniform + place(ofRow: row), count: tables.blocksPerRow)
        surveyed.add(uniform.count, ordering: .relaxed)
        found.add(uniform.reduce(0) { $0 + Int($1) }, ordering: .relaxed)
    }

    /// The index of the first block of the row of blocks with a row.
    private func place(ofRow row: Int) -> Int {
        row / Self.blockRows % tables.rowsOfBlocks * tables.blocksPerRow
    }

    /// The pixel that all pixels of a part are equal to, its bytes in the order of memory; nil if they are not
    /// known to be equal.
    ///
    /// - Parameter part: a part of the rows in memory, not empty.
    func pixel(of part: PixelWindow) -> UInt32? {
        let columns = part.columns.moved(by: -columns.lowerBound).cells(of: Self.blockColumns)
        guard columns.upperBound <= tables.blocksPerRow else { return nil }
        let rows = part.rows.cells(of: Self.blockRows)
        let first = tables.pixels[place(ofRow: part.rows.lowerBound) + columns.lowerBound]
        for row in rows {
            let place = place(ofRow: row * Self.blockRows)
            for block in place + columns.lowerBound..<place + columns.upperBound
            where tables.uniform[block] == 0 || tables.pixels[block] != first { return nil }
        }
        return first
    }

    /// The rows in the format of the core; `width` is the image's.
    func source(width: Int) -> cr_source { cr_source(rows: core, width: Int32(width)) }

    /// Calls `body` with each row of a window that is in memory: with the address that the pixel in column 0
    /// would have.
    func forEachRow(of window: PixelWindow, _ body: (_ row: Int, _ pixels: UnsafeRawPointer) -> Void) {
        let columns = cr_span(
            first: Int32(window.columns.lowerBound), end: Int32(window.columns.upperBound))
        let size = cr_plain_bytes(columns, core.pointee.bytes_per_pixel)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { bytes in
            var plain = cr_plain_rows(bytes: bytes.baseAddress, columns: columns, row: -1)
            for row in window.rows {
                body(row, cr_source_row(core, Int32(row), &plain))
            }
        }
    }
}

extension RowBand {
    /// Calls `body` with runs of rows that are adjacent in memory, and the address of the first one.
    fileprivate func forEachRun(
        of rows: Range<Int>, _ body: (_ rows: Range<Int>, _ first: UnsafeMutableRawPointer) throws -> Void
    ) rethrows {
        for run in rows.cut(every: capacity) { try body(run, row(run.lowerBound)) }
    }
}

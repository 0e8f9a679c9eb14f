/// A band of rows of an image in memory: a ring in which row `y` lies at `y % capacity`.
///
/// Rows come in at the bottom and go out at the top, so an image of any height passes through a
/// band of bounded size. Each row has a margin of zeros on both sides, which is never written.
/// The memory is zero at the start and costs nothing until it is touched.
///
/// The band does no bookkeeping: the caller decides which tasks read and write which rows.
package final class RowBand: @unchecked Sendable {
    // Unchecked: the compiler cannot see that tasks touch different rows or columns at the same
    // time; the schedule that starts them guarantees it.

    /// The number of rows that the band holds.
    package let capacity: Int
    /// Bytes from one row to the next.
    package let stride: Int

    /// All rows.
    package let memory: MappedMemory
    private let margin: Int

    /// Allocates a band.
    ///
    /// - Parameters:
    ///   - rowBytes: bytes of a row's pixels.
    ///   - marginBytes: the least number of zero bytes on each side of a row.
    ///   - capacity: rows to hold.
    ///   - scratchDirectory: the folder of a scratch file for the band, if it is beyond the memory
    ///     budget. The file's space is reserved at once. It has no name, so that nothing is left behind.
    /// - Throws: `Failure` if there is not enough memory or disk space.
    package init(
        rowBytes: Int, marginBytes: Int, capacity: Int, scratchDirectory: String? = nil
    ) throws {
        // 64 bytes are a cache line, and the widest vector.
        margin = (marginBytes + 63) / 64 * 64
        stride = (rowBytes + 63) / 64 * 64 + 2 * margin
        self.capacity = max(capacity, 1)
        memory = try MappedMemory(stride * self.capacity, scratchDirectory: scratchDirectory)
    }

    /// The same memory as a ring of fewer rows.
    package init(_ band: RowBand, capacity: Int) {
        precondition((1...band.capacity).contains(capacity), "a band does not grow")
        self.capacity = capacity
        (stride, memory, margin) = (band.stride, band.memory, band.margin)
    }

    /// The first byte of a row's pixels.
    package func row(_ y: Int) -> UnsafeMutableRawPointer {
        memory.start + (y % capacity * stride + margin)
    }
}

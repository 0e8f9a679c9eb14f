internal import Diagnostics
import Files

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

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

    private let mapping: UnsafeMutableRawPointer
    private let length: Int
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
        length = stride * self.capacity
        if let scratchDirectory {
            mapping = try Self.mapScratchFile(in: scratchDirectory, length: length)
        } else {
            mapping = try Self.mapMemory(length: length)
        }
    }

    deinit {
        munmap(mapping, length)
    }

    /// The first byte of a row's pixels.
    package func row(_ y: Int) -> UnsafeMutableRawPointer {
        mapping + (y % capacity * stride + margin)
    }

    /// Checks that the system would grant `length` bytes of memory now.
    ///
    /// - Throws: `.systemLimit` if it would not.
    package static func checkMemory(_ length: Int) throws {
        guard let pointer = anonymous(length) else {
            let reason = SystemError(code: errno).text
            throw Failure(
                .systemLimit,
                "cannot have \((length + (1 << 20) - 1) >> 20) MiB of memory: \(reason)",
                remedy: "allow it more (ulimit -v), or give it fewer --jobs and a lower --zoom")
        }
        munmap(pointer, length)
    }

    private static func anonymous(_ length: Int) -> UnsafeMutableRawPointer? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let pointer = mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0)
        return pointer == MAP_FAILED ? nil : pointer
    }

    private static func mapMemory(length: Int) throws -> UnsafeMutableRawPointer {
        guard let pointer = anonymous(length) else {
            let reason = SystemError(code: errno).text
            throw Failure(
                .systemLimit, "cannot allocate \(length) bytes for rows: \(reason)",
                remedy: "try a smaller --memory, which moves rows to a scratch file")
        }
        #if !canImport(Darwin)
            // A band is touched from end to end: pages of 2 MB avoid nine in ten of a build's page
            // faults. This is only a hint, so its result is ignored.
            madvise(pointer, length, MADV_HUGEPAGE)
        #endif
        return pointer
    }

    private static func mapScratchFile(
        in directory: String, length: Int
    ) throws -> UnsafeMutableRawPointer {
        do throws(SystemError) { return try ScratchFile(in: directory).map(length: length) } catch {
            throw Failure(
                Failure.Kind(ofWriting: error.code),
                "cannot make a scratch file of \(length) bytes in '\(directory)': \(error.text)",
                remedy:
                    "free space there, name another place with --tmpdir, or allow more --memory")
        }
    }
}

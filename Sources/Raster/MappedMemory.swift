import Platform

/// Memory for many pixels, straight from the system. It is zero at the start and costs nothing until it is
/// touched.
///
/// It does not ask for large pages. They save page faults, 1 to 2 % of a build, if memory is free and known
/// to the system. But a virtual machine often returns free memory to its host, starting with the largest
/// pieces. Getting such a piece again takes ten times as long as clearing it: a tenth of a build or more.
package final class MappedMemory: @unchecked Sendable {
    // Unchecked: the callers that share it decide which tasks read and write which bytes.

    /// The first byte.
    package let start: UnsafeMutableRawPointer
    /// The number of bytes.
    package let length: Int

    /// Takes memory.
    ///
    /// - Parameters:
    ///   - length: bytes, at least 1.
    ///   - scratchDirectory: the folder of a scratch file in its place, if it is beyond the memory budget.
    ///     The file's space is reserved at once. It has no name, so that nothing is left behind.
    /// - Throws: `Failure` if there is not enough memory or disk space.
    package init(_ length: Int, scratchDirectory: String? = nil) throws {
        self.length = length
        if let scratchDirectory {
            do throws(SystemError) {
                start = try FileDescriptor(scratchFileIn: scratchDirectory).map(length: length)
            } catch {
                throw Failure(
                    Failure.Kind(ofWriting: error.code),
                    "cannot make a scratch file of \(length) bytes in '\(scratchDirectory)': \(error.text)",
                    remedy: "free space there, name another place with --tmpdir, or allow more --memory")
            }
        } else {
            start = try Self.anonymous(
                length, "cannot allocate \(length) bytes for rows",
                remedy: "try a smaller --memory, which moves rows to a scratch file")
        }
    }

    deinit { munmap(start, length) }

    /// Checks that the system would grant `length` bytes of memory now.
    ///
    /// - Throws: `.systemLimit` if it would not.
    package static func checkMemory(_ length: Int) throws {
        let pointer = try anonymous(
            length, "cannot allocate \((length + (1 << 20) - 1) >> 20) MiB of memory",
            remedy: "allow more memory (ulimit -v), or use fewer --jobs and a lower --zoom")
        munmap(pointer, length)
    }

    private static func anonymous(
        _ length: Int, _ attempt: @autoclosure () -> String, remedy: String
    ) throws -> UnsafeMutableRawPointer {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let pointer = mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0), pointer != MAP_FAILED
        else {
            let reason = SystemError(code: errno).text
            throw Failure(.systemLimit, "\(attempt()): \(reason)", remedy: remedy)
        }
        return pointer
    }
}

/// A band of rows of an image in memory: a ring in which row `y` is at `y % capacity`.
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
    ///   - marginBytes: the least number of zero bytes on each side of a row.
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

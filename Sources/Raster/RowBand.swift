internal import Diagnostics

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
    ///   - scratchDirectory: the folder of a scratch file for the band, if memory does not suffice. The
    ///     file's space is reserved at once. It has no name, so that nothing is left behind.
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
            throw Failure(
                .systemLimit,
                "cannot have \((length + (1 << 20) - 1) >> 20) MiB of memory: \(systemText(errno))",
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
            throw Failure(
                .systemLimit, "cannot allocate \(length) bytes for rows: \(systemText(errno))",
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
        var path = Array("\(directory)/.tilewright-scratch-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw scratchFailure(directory, length, errno) }
        defer { close(descriptor) }
        unlink(path)
        let status = allocate(descriptor, length)
        guard status == 0 else { throw scratchFailure(directory, length, status) }
        guard let pointer = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            pointer != MAP_FAILED
        else { throw scratchFailure(directory, length, errno) }
        return pointer
    }

    /// Reserves a file's space now, so that a full disk is an error here and not a signal later.
    private static func allocate(_ descriptor: Int32, _ length: Int) -> Int32 {
        #if canImport(Darwin)
            return ftruncate(descriptor, off_t(length)) == 0 ? 0 : errno
        #else
            return posix_fallocate(descriptor, 0, off_t(length))
        #endif
    }

    private static func scratchFailure(_ directory: String, _ length: Int, _ code: Int32) -> Failure {
        Failure(
            Failure.Kind(ofWriting: code),
            "cannot make a scratch file of \(length) bytes in '\(directory)': "
                + systemText(code),
            remedy: "free space there, name another place with --tmpdir, or allow more --memory")
    }

    /// The system's words for an error, which stand in the middle of a line.
    private static func systemText(_ code: Int32) -> String {
        let text = String(cString: strerror(code))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

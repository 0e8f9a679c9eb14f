internal import Platform

/// Memory for many pixels, straight from the system. It is zero at the start and costs nothing until it is
/// touched.
///
/// It does not ask for large pages. They save page faults, 1 to 2 % of a build where memory is free and known to
/// the system. But a virtual machine often gives free memory back to its host, from the largest pieces down, and
/// getting such a piece again takes ten times as long as clearing it: a tenth of a build and more.
package final class MappedMemory: @unchecked Sendable {
    // Unchecked: who shares it decides which tasks read and write which bytes.

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
            start = try Self.mapScratchFile(in: scratchDirectory, length: length)
        } else {
            start = try Self.mapMemory(length: length)
        }
    }

    deinit {
        munmap(start, length)
    }

    /// Has the system get and clear pages now.
    ///
    /// - Parameter bytes: what nobody has written yet, and nobody writes meanwhile.
    package func touch(_ bytes: Range<Int>) {
        for offset in stride(from: bytes.lowerBound, to: bytes.upperBound, by: Self.smallestPage) {
            start.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
        }
    }

    /// Gives back what was touched. Nobody reads or writes any of it any more.
    package func discard() {
        // It is advice: what is not taken stays until the end.
        _ = madvise(start, length, MADV_DONTNEED)
    }

    /// Bytes of a page of memory, at least.
    private static let smallestPage = 4096

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
        return pointer
    }

    private static func mapScratchFile(
        in directory: String, length: Int
    ) throws -> UnsafeMutableRawPointer {
        do throws(SystemError) { return try FileDescriptor(scratchFileIn: directory).map(length: length) } catch {
            throw Failure(
                Failure.Kind(ofWriting: error.code),
                "cannot make a scratch file of \(length) bytes in '\(directory)': \(error.text)",
                remedy:
                    "free space there, name another place with --tmpdir, or allow more --memory")
        }
    }
}

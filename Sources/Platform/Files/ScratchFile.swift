#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file without a name, for what does not fit in memory: it is gone when it is closed, and nothing is
/// left behind when the program is killed; mkstemp(3).
package struct ScratchFile: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Makes an empty file in a directory.
    package init(in directory: String) throws(SystemError) {
        var path = Array("\(directory)/.tilewright-scratch-XXXXXX".utf8CString)
        file = FileDescriptor(owning: try systemCall { mkstemp(&path) })
        unlink(path)
        file.withNumber { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
    }

    /// Adds bytes at the end; write(2).
    package func write(_ bytes: [UInt8]) throws(SystemError) { try file.write(bytes) }

    /// Fills the buffer from a place in the file, as pread(2); less is read only at the end.
    ///
    /// - Returns: the number of bytes read.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemError) -> Int {
        try file.read(into: buffer, at: offset)
    }

    /// Bytes of a place in the file; fewer only at the end.
    package func readBytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try file.readBytes(at: offset, count: count)
    }

    /// Takes room on the disk for some bytes and maps them into memory, where they are zero; whoever
    /// asked unmaps them, before or after the file is closed. The room is taken first, so that a full
    /// disk is an error here and not a signal later; posix_fallocate(3), mmap(2).
    package func map(length: Int) throws(SystemError) -> UnsafeMutableRawPointer {
        try file.map(length: length)
    }
}

extension FileDescriptor {
    /// Takes room on the disk for some bytes of a file that is open for reading and writing, and maps them into
    /// memory; whoever asked unmaps them.
    func map(length: Int) throws(SystemError) -> UnsafeMutableRawPointer {
        try allocate(length)
        let mapping = withNumber { mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, $0, 0) }
        guard let mapping, mapping != MAP_FAILED else { throw SystemError(code: errno) }
        return mapping
    }

    private func allocate(_ length: Int) throws(SystemError) {
        #if canImport(Darwin)
            try truncate(to: length)
        #else
            // The error is the result here, and not in errno.
            let code = withNumber { posix_fallocate($0, 0, off_t(length)) }
            if code != 0 { throw SystemError(code: code) }
        #endif
    }
}

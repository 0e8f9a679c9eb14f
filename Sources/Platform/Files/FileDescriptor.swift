/// An open file: open(2) to close(2), with one owner.
package struct FileDescriptor: ~Copyable, Sendable {
    private let number: Int32

    /// Opens a path; a relative one is looked up from `directory`, or from where the process is.
    ///
    /// - Parameter permissions: of a file that is created, less the umask.
    package init(
        opening path: String, flags: Int32, from directory: borrowing FileDescriptor,
        permissions: UInt32 = 0o666
    ) throws(SystemError) {
        let base = directory.number
        number = try systemCall { openat(base, path, flags | O_CLOEXEC, mode_t(permissions)) }
    }

    /// Opens a path, looked up from where the process is.
    package init(opening path: String, flags: Int32) throws(SystemError) {
        number = try systemCall { openat(AT_FDCWD, path, flags | O_CLOEXEC, 0o666) }
    }

    /// Opens a regular file to read it. Anything else is not even opened: a pipe would wait for its other
    /// end, and a device may act on it.
    ///
    /// - Throws: `SystemError.notRegular` if it is not one.
    package init(reading path: String) throws(SystemError) {
        var found = stat()
        try systemCall { stat(path, &found) }
        if FileStatus(found).kind != .file { throw .notRegular }
        self = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK).ifRegular()
    }

    /// Itself, if it is a regular file: another file may have replaced one that was looked at.
    consuming func ifRegular() throws(SystemError) -> FileDescriptor {
        if try status().kind != .file { throw .notRegular }
        return self
    }

    /// Opens an open file once more: both go on from the same place in the file; fcntl(2).
    package init(duplicating other: Int32) throws(SystemError) {
        number = try systemCall { fcntl(other, F_DUPFD_CLOEXEC, 0) }
    }

    /// Takes over a number that a system call gave.
    package init(owning number: Int32) { self.number = number }

    deinit { _ = close(number) }

    /// Lends the number to a system call.
    package func withNumber<Result: ~Copyable, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(number)
    }

    /// What kind of file it is, and its size, as fstat(2) says.
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        try systemCall { fstat(number, &status) }
        return FileStatus(status)
    }

    /// Fills the buffer from where the file stands, as read(2); less is read only at the end.
    ///
    /// - Returns: the number of bytes read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try readOnce(into: rest)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads the bytes that are there, as read(2), which waits for the first one; 0 at the end.
    ///
    /// - Returns: the number of bytes read.
    package func readOnce(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try systemCall { Platform.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Fills the buffer from a place in the file, as pread(2); less is read only at the end.
    ///
    /// - Returns: the number of bytes read.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try systemCall {
                pread(number, rest.baseAddress, rest.count, off_t(offset + filled))
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// The bytes from a place in the file on; fewer only at its end.
    package func readBytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in try read(into: buffer, at: offset) }
        }.get()
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Writes all that is left of the file to another one.
    func copy(to other: borrowing FileDescriptor) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer)
            if count == 0 { return }
            try other.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Gives the file the mode and the owner of another one, as far as the system allows: fchown(2), fchmod(2).
    func takeOver(_ old: FileStatus) {
        // The owner first: a change of it takes bits of the mode away. Only root may give a file to somebody else;
        // the group may be one of the user's.
        if fchown(number, old.owner.user, old.owner.group) != 0 {
            _ = fchown(number, uid_t.max, old.owner.group)
        }
        _ = fchmod(number, mode_t(old.permissions))
    }

    /// What is left of a file or a pipe, up to its end; a little more than `most` bytes if it has more.
    func readToEnd(stoppingBeyond most: Int) throws(SystemError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count <= most {
            let count = try read(into: buffer)
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// All that is left of the file.
    package func readAll() throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: try status().size)
        let count = try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in try read(into: buffer) }
        }.get()
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Writes all bytes, as write(2).
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in try write(buffer) }
        }.get()
    }

    /// Writes all bytes, as write(2).
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            written += try systemCall { Platform.write(number, rest.baseAddress, rest.count) }
        }
    }

    /// Writes all bytes to a place in the file, as pwrite(2).
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            written += try systemCall {
                pwrite(number, rest.baseAddress, rest.count, off_t(offset + written))
            }
        }
    }

    /// Cuts the file, or lets it grow by zeros, as ftruncate(2).
    package func truncate(to size: Int) throws(SystemError) {
        try systemCall { ftruncate(number, off_t(size)) }
    }
}

// Scratch files, and what is known of the room that files take.
extension FileDescriptor {
    /// Makes a file without a name, for what does not fit in memory: it is gone when it is closed, and
    /// nothing is left behind when the program is killed; mkstemp(3).
    ///
    /// - Parameter body: is told the path that the file has at first, and decides what becomes of it.
    package init(
        scratchFileIn directory: String, named body: (_ path: String) -> Void = { unlink($0) }
    ) throws(SystemError) {
        var path = Array("\(directory)/.tilewright-scratch-XXXXXX".utf8CString)
        number = try systemCall { mkstemp(&path) }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        body(String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Takes room on the disk for some bytes of a file that is open for reading and writing, and maps them
    /// into memory, where those of a new file are zero; mmap(2). The caller unmaps them, before or after the
    /// file is closed. The room is taken first, so that a full disk is an error here and not a signal later.
    package func map(length: Int) throws(SystemError) -> UnsafeMutableRawPointer {
        try reserve(length)
        let mapping = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0)
        guard let mapping, mapping != MAP_FAILED else { throw SystemError(code: errno) }
        return mapping
    }

    /// Parts between holes that are looked at. Copies that leave out zeros have some thousands.
    private static let mostParts = 100_000

    /// Bytes of a file that were written: without its holes, which take no room on the disk, and can make a
    /// file of any length of a few bytes. All of them if the file system knows no holes; lseek(2), which
    /// moves the place where the next read begins.
    ///
    /// - Parameter size: the length of the file.
    package func storedSize(of size: Int) -> Int {
        var (stored, start) = (0, 0)
        for _ in 0..<Self.mostParts {
            let data = Int(lseek(number, off_t(start), Seek.data))
            if data < 0 { return start == 0 && errno != ENXIO ? size : stored }
            let hole = Int(lseek(number, off_t(data), Seek.hole))
            if hole < 0 { return size }
            stored += hole - data
            start = hole
        }
        return stored
    }
}

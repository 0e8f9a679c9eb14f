/// An open file: open(2) to close(2), with one owner.
package struct FileDescriptor: ~Copyable, Sendable {
    private let number: Int32
    /// The file whose copy this is; nil for a file of this machine.
    private let far: (any FarFile)?

    /// Opens a path; a relative path is looked up from `directory`.
    ///
    /// - Parameter permissions: the mode of a file that is created, before the umask is applied.
    package init(
        opening path: String, flags: Int32, from directory: borrowing FileDescriptor,
        permissions: UInt32 = 0o666
    ) throws(SystemError) {
        let base = directory.number
        let number = try systemCall { openat(base, path, flags | O_CLOEXEC, mode_t(permissions)) }
        self.init(owning: number)
    }

    /// Opens a path; a relative path is looked up from the working directory. Of an address, it opens the
    /// copy; what is read is fetched first.
    package init(opening path: String, flags: Int32) throws(SystemError) {
        let far = try flags & (O_WRONLY | O_RDWR) == 0 ? FarFiles.open(path) : nil
        let path = far?.copy ?? path
        let number = try systemCall { openat(AT_FDCWD, path, flags | O_CLOEXEC, 0o666) }
        (self.number, self.far) = (number, far)
    }

    /// Opens a regular file to read it. Anything else is not even opened: opening a pipe would wait for its
    /// other end, and opening a device may have effects.
    ///
    /// - Throws: `SystemError.notRegular` if it is not a regular file.
    package init(reading path: String) throws(SystemError) {
        if !FarFiles.isAddress(path) {
            var found = stat()
            try systemCall { stat(path, &found) }
            if FileStatus(found).kind != .file { throw .notRegular }
        }
        self = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK).ifRegular()
    }

    /// This descriptor, if it is a regular file: the file may have been replaced after its status was read.
    consuming func ifRegular() throws(SystemError) -> FileDescriptor {
        if try status().kind != .file { throw .notRegular }
        return self
    }

    /// Duplicates a descriptor; both share the position in the file; fcntl(2).
    package init(duplicating other: Int32) throws(SystemError) {
        self.init(owning: try systemCall { fcntl(other, F_DUPFD_CLOEXEC, 0) })
    }

    /// Takes ownership of a number that a system call returned.
    package init(owning number: Int32) {
        (self.number, far) = (number, nil)
    }

    deinit { _ = close(number) }

    /// Calls `body` with the number.
    package func withNumber<Result: ~Copyable, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(number)
    }

    private func fetch(_ range: Range<Int>, inPiecesOf piece: Int = 1) throws(SystemError) {
        do throws(Failure) { try far?.fetch([range], inPiecesOf: piece) } catch {
            throw SystemError(code: EIO, cause: error)
        }
    }

    /// The status of the file; fstat(2).
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        try systemCall { fstat(number, &status) }
        return FileStatus(status)
    }

    /// Fills the buffer from the current position in the file; reads less only at the end; read(2).
    ///
    /// - Returns: the number of bytes read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try Self.fill(buffer) { rest, _ throws(SystemError) in try readOnce(into: rest) }
    }

    /// Calls `read` with the rest of the buffer and the number of bytes before it, until there are no more.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer,
        _ read: (UnsafeMutableRawBufferPointer, Int) throws(SystemError) -> Int
    ) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try read(UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), filled)
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Reads the bytes that are available; waits for the first byte; returns 0 at the end; read(2).
    ///
    /// - Returns: the number of bytes read.
    package func readOnce(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        if far != nil {
            let place = Int(try systemCall { lseek(number, 0, SEEK_CUR) })
            try fetch(place..<place + buffer.count, inPiecesOf: Self.pieceOfFarFile)
        }
        return try readAvailable(into: buffer)
    }

    /// The bytes of a file on another machine that are fetched at a time if it is read from its start.
    private static let pieceOfFarFile = 1 << 20

    private func readAvailable(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try systemCall { Platform.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Fills the buffer from an offset in the file; reads less only at the end; pread(2).
    ///
    /// - Returns: the number of bytes read.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemError) -> Int {
        try fetch(offset..<offset + buffer.count)
        return try Self.fill(buffer) { rest, filled throws(SystemError) in
            try systemCall { pread(number, rest.baseAddress, rest.count, off_t(offset + filled)) }
        }
    }

    /// Bytes from an offset in the file; fewer only at its end.
    package func readBytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try Self.bytes(count) { buffer throws(SystemError) in try read(into: buffer, at: offset) }
    }

    /// The first bytes of a file or a pipe that was just opened; fewer only at its end.
    package func readHead(_ count: Int) throws(SystemError) -> [UInt8] {
        try fetch(0..<count)
        return try Self.bytes(count) { buffer throws(SystemError) in
            try Self.fill(buffer) { rest, _ throws(SystemError) in try readAvailable(into: rest) }
        }
    }

    /// The bytes with which `fill` fills a buffer.
    private static func bytes(
        _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
    ) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in try fill(buffer) }
        }.get()
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Copies the rest of the file to another file.
    func copy(to other: borrowing FileDescriptor) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer)
            if count == 0 { return }
            try other.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Gives the file the mode and the owner of another file, as far as the system allows: fchown(2),
    /// fchmod(2).
    func takeOver(_ old: FileStatus) {
        // The owner comes first, since changing it clears bits of the mode. Only root may give a file to
        // another user, but users may give it to one of their groups.
        if fchown(number, old.owner.user, old.owner.group) != 0 {
            _ = fchown(number, uid_t.max, old.owner.group)
        }
        _ = fchmod(number, mode_t(old.permissions))
    }

    /// The rest of a file or a pipe. Stops soon after `most` bytes.
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

    /// The rest of the file.
    package func readAll() throws(SystemError) -> [UInt8] {
        try Self.bytes(status().size) { buffer throws(SystemError) in try read(into: buffer) }
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

    /// Writes all bytes at an offset in the file; pwrite(2).
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            written += try systemCall {
                pwrite(number, rest.baseAddress, rest.count, off_t(offset + written))
            }
        }
    }

    /// Cuts the file, or extends it with zeros; ftruncate(2).
    package func truncate(to size: Int) throws(SystemError) {
        try systemCall { ftruncate(number, off_t(size)) }
    }
}

// Scratch files, and the disk space that files take.
extension FileDescriptor {
    /// Makes a file without a name, for data that does not fit in memory. It vanishes when it is closed, even
    /// if the program is killed; mkstemp(3).
    ///
    /// - Parameter body: receives the path that the file has at first, and removes it or keeps it.
    package init(
        scratchFileIn directory: String, named body: (_ path: String) -> Void = { unlink($0) }
    ) throws(SystemError) {
        var path = Array("\(directory)/.tilewright-scratch-XXXXXX".utf8CString)
        let number = try systemCall { mkstemp(&path) }
        self.init(owning: number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        body(String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// Reserves disk space for the first `length` bytes of a file that is open for reading and writing, and
    /// maps them into memory; new bytes are zero; mmap(2). The caller unmaps them, before or after the file
    /// is closed. Since the space is reserved first, a full disk is an error here, and not a signal later.
    package func map(length: Int) throws(SystemError) -> UnsafeMutableRawPointer {
        try reserve(length)
        let mapping = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0)
        guard let mapping, mapping != MAP_FAILED else { throw SystemError(code: errno) }
        return mapping
    }

    /// The maximum number of parts between holes that are counted. Sparse copies have some thousands.
    private static let mostParts = 100_000

    /// The size of a file without its holes, which take no disk space: with them, a few bytes can make a file
    /// of any length. If the file system does not support holes, this is the whole size. It moves the
    /// position in the file; lseek(2).
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

extension [UInt8] {
    /// Appends the bytes of a number, the lowest first.
    @inlinable
    package mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

import CStorage
import Platform

/// The lock of one connection on a database, as SQLite's own file system takes it: programs that use SQLite
/// wait for each other (section 3 of "File Locking And Concurrency In SQLite Version 3").
///
/// On Linux, the lock belongs to the open file. Elsewhere it belongs to the process, and ends when the
/// process closes any descriptor of the file; fcntl(2).
struct SQLiteLock {
    /// Whether a lock lasts as long as its file is open, even if the process closes another descriptor of it.
    static var belongsToFile: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    /// `SQLITE_LOCK_NONE` to `SQLITE_LOCK_EXCLUSIVE`.
    private(set) var level = SQLITE_LOCK_NONE

    /// The bytes that are locked, far beyond the end of most files: `PENDING_BYTE` and those after it.
    private static let pending: Range<Int> = 0x4000_0000..<0x4000_0001
    private static let reserved: Range<Int> = 0x4000_0001..<0x4000_0002
    private static let shared: Range<Int> = 0x4000_0002..<0x4000_0200

    #if os(Linux)
        // fcntl.h of Linux; the C library shows them only to C programs that ask for extensions.
        private static let (getLock, setLock): (Int32, Int32) = (36, 37)
    #else
        private static let (getLock, setLock) = (F_GETLK, F_SETLK)
    #endif

    /// Raises the lock: `xLock`.
    ///
    /// - Returns: `SQLITE_OK`, or `SQLITE_BUSY` if another connection is in the way.
    mutating func raise(to wanted: Int32, of file: borrowing FileDescriptor) -> Int32 {
        if level >= wanted { return SQLITE_OK }
        do throws(SystemError) {
            switch wanted {
            case SQLITE_LOCK_SHARED: try share(file)
            case SQLITE_LOCK_RESERVED: try Self.lock(Self.reserved, F_WRLCK, of: file)
            default:
                // New readers are kept out while the present ones finish.
                try Self.lock(Self.pending, F_WRLCK, of: file)
                level = SQLITE_LOCK_PENDING
                try Self.lock(Self.shared, F_WRLCK, of: file)
            }
        } catch {
            let isBusy = [EAGAIN, EACCES, EINTR].contains(error.code)
            // A file system without locks can still be read.
            guard !isBusy, wanted == SQLITE_LOCK_SHARED else { return isBusy ? SQLITE_BUSY : SQLITE_IOERR }
        }
        level = wanted
        return SQLITE_OK
    }

    private func share(_ file: borrowing FileDescriptor) throws(SystemError) {
        try Self.lock(Self.pending, F_RDLCK, of: file)
        let shared = Result { () throws(SystemError) in try Self.lock(Self.shared, F_RDLCK, of: file) }
        try? Self.lock(Self.pending, F_UNLCK, of: file)
        try shared.get()
    }

    /// Lowers the lock to `SQLITE_LOCK_SHARED` or `SQLITE_LOCK_NONE`: `xUnlock`.
    mutating func lower(to wanted: Int32, of file: borrowing FileDescriptor) {
        if level <= wanted { return }
        if wanted == SQLITE_LOCK_SHARED { try? Self.lock(Self.shared, F_RDLCK, of: file) }
        let rest =
            Self.pending
            .lowerBound..<(wanted == SQLITE_LOCK_SHARED ? Self.shared.lowerBound : Self.shared.upperBound)
        try? Self.lock(rest, F_UNLCK, of: file)
        level = wanted
    }

    /// Whether this connection or another one is about to write: `xCheckReservedLock`.
    func isReserved(_ file: borrowing FileDescriptor) -> Bool {
        if level >= SQLITE_LOCK_RESERVED { return true }
        var found = Self.request(Self.reserved, F_WRLCK)
        return file.withNumber { fcntl($0, Self.getLock, &found) } == 0
            && Int32(found.l_type) != Int32(F_UNLCK)
    }

    private static func lock(
        _ bytes: Range<Int>, _ kind: some BinaryInteger, of file: borrowing FileDescriptor
    ) throws(SystemError) {
        var wanted = request(bytes, kind)
        try systemCall { file.withNumber { fcntl($0, setLock, &wanted) } }
    }

    private static func request(_ bytes: Range<Int>, _ kind: some BinaryInteger) -> flock {
        var request = flock()
        request.l_type = Int16(kind)
        request.l_whence = Int16(SEEK_SET)
        (request.l_start, request.l_len) = (off_t(bytes.lowerBound), off_t(bytes.count))
        return request
    }
}

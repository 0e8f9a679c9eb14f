import CSQLite
import Platform

/// The file system that SQLite calls, `sqlite3_vfs`: it reads and writes files that are already open, and
/// finds none by name.
///
/// So SQLite cannot be led to another file that got the name meanwhile. Nor does it find a planted journal,
/// which could change the file, or name another one to remove. Nothing is locked, and no page is mapped into
/// memory. Files for what a query sorts have no names; SQLite's own file system makes them.
enum SQLiteFiles {
    /// What `sqlite3_open_v2` knows it by.
    static let name = "open-files"

    /// Lends the name by which an open file can be opened once more, as long as this runs.
    static func withName(of file: borrowing FileDescriptor, _ body: (String) -> Int32) -> Int32 {
        guard isRegistered else { return SQLITE_ERROR }
        return file.withNumber { body(String($0)) }
    }

    /// `sqlite3_file`, with what follows it in the memory that SQLite sets aside for it.
    private struct OpenFile: ~Copyable {
        var base: sqlite3_file
        let file: FileDescriptor
    }

    // Unsafe, since the compiler cannot see it: neither is changed after it was made.
    private nonisolated(unsafe) static let system = sqlite3_vfs_find("unix-none")
    private nonisolated(unsafe) static let methods = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: Self.makeMethods())
        return UnsafePointer(methods)
    }()

    private static let isRegistered: Bool = {
        guard let system else { return false }
        let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // Clocks, random numbers and the system's last error stay.
        files.initialize(to: system.pointee)
        files.pointee.pNext = nil
        files.pointee.zName = UnsafePointer(strdup(name))
        files.pointee.szOsFile = max(system.pointee.szOsFile, Int32(MemoryLayout<OpenFile>.size))
        files.pointee.xOpen = { _, name, file, flags, outFlags in
            SQLiteFiles.open(name, file, flags, outFlags)
        }
        files.pointee.xFullPathname = { _, name, size, full in
            guard let name, let full, strlen(name) < Int(size) else { return SQLITE_CANTOPEN }
            strcpy(full, name)
            return SQLITE_OK
        }
        // No journal and no log is found.
        files.pointee.xAccess = { _, _, _, isThere in
            isThere?.pointee = 0
            return SQLITE_OK
        }
        files.pointee.xDelete = { _, _, _ in SQLITE_IOERR }
        return sqlite3_vfs_register(files, 0) == SQLITE_OK
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ memory: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let memory else { return SQLITE_CANTOPEN }
        guard let name else {
            return system?.pointee.xOpen(system, nil, memory, flags, outFlags) ?? SQLITE_CANTOPEN
        }
        // SQLite closes nothing that has no methods.
        memory.pointee.pMethods = nil
        guard flags & SQLITE_OPEN_MAIN_DB != 0, let number = Int32(String(cString: name)),
            let file = try? FileDescriptor(duplicating: number)
        else { return SQLITE_CANTOPEN }
        UnsafeMutableRawPointer(memory).initializeMemory(
            as: OpenFile.self, to: OpenFile(base: sqlite3_file(pMethods: methods), file: file))
        outFlags?.pointee = flags
        return SQLITE_OK
    }

    private static func opened(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<OpenFile>
    {
        guard let file else { preconditionFailure("SQLite asks for what is open") }
        return UnsafeMutableRawPointer(file).assumingMemoryBound(to: OpenFile.self)
    }

    /// `SQLITE_OK`, or a code for what the system said.
    private static func code(_ body: () throws(SystemError) -> Void) -> Int32 {
        do throws(SystemError) {
            try body()
            return SQLITE_OK
        } catch {
            return error.code == ENOSPC ? SQLITE_FULL : SQLITE_IOERR
        }
    }
}

extension SQLiteFiles {
    /// `SQLITE_IOERR_SHORT_READ`, a macro that is not imported.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    private static func makeMethods() -> sqlite3_io_methods {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { file in
            SQLiteFiles.opened(file).deinitialize(count: 1)
            return SQLITE_OK
        }
        methods.xRead = { file, bytes, count, offset in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
            guard let filled = try? SQLiteFiles.opened(file).pointee.file.read(into: buffer, at: Int(offset))
            else {
                return SQLITE_IOERR
            }
            if filled == buffer.count { return SQLITE_OK }
            // SQLite wants zeros for what is beyond the end.
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).initializeMemory(
                as: UInt8.self, repeating: 0)
            return SQLiteFiles.shortRead
        }
        methods.xWrite = { file, bytes, count, offset in
            let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
            return SQLiteFiles.code { () throws(SystemError) in
                try SQLiteFiles.opened(file).pointee.file.write(buffer, at: Int(offset))
            }
        }
        methods.xTruncate = { file, size in
            SQLiteFiles.code { () throws(SystemError) in
                try SQLiteFiles.opened(file).pointee.file.truncate(to: Int(size))
            }
        }
        methods.xSync = { file, _ in
            SQLiteFiles.code { () throws(SystemError) in try SQLiteFiles.opened(file).pointee.file.flush() }
        }
        methods.xFileSize = { file, size in
            SQLiteFiles.code { () throws(SystemError) in
                size?.pointee = sqlite3_int64(try SQLiteFiles.opened(file).pointee.file.status().size)
            }
        }
        methods.xLock = { _, _ in SQLITE_OK }
        methods.xUnlock = { _, _ in SQLITE_OK }
        methods.xCheckReservedLock = { _, isLocked in
            isLocked?.pointee = 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4096 }
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        return methods
    }
}

/// What the first 100 bytes of an SQLite database say of the file (its file format, section 1.3).
struct SQLiteHeader: Hashable, Sendable {
    /// The bytes that it takes.
    static let size = 100

    private static let magic = Array("SQLite format 3\0".utf8)

    /// Bytes of a page.
    var pageSize: Int
    /// Pages of the file.
    var pageCount: Int
    /// Transactions that ever changed the file.
    var changes: Int
    /// The number of changes for which `pageCount` holds; old versions of SQLite leave it behind.
    var countedChanges: Int
    /// Which program's file it is.
    var applicationID: Int

    /// Makes a header.
    init(pageSize: Int, pageCount: Int, changes: Int, applicationID: Int) {
        (self.pageSize, self.pageCount, self.changes) = (pageSize, pageCount, changes)
        countedChanges = changes
        self.applicationID = applicationID
    }

    /// Reads the front of a file.
    ///
    /// - Returns: nil if it is not a database, or too short.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        func number(_ offset: Int, bytes count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(
            pageSize: number(16, bytes: 2), pageCount: number(28, bytes: 4),
            changes: number(24, bytes: 4), applicationID: number(68, bytes: 4))
        countedChanges = number(92, bytes: 4)
    }
}

import CStorage
import Platform

/// The file system that SQLite calls, `sqlite3_vfs`: it only reads and writes files that are already open,
/// and never opens a file by name.
///
/// So SQLite cannot be led to another file that got the name meanwhile. Nor does it find a planted journal,
/// which could change the file, or make SQLite remove another file. Files are not locked, and pages are not
/// mapped into memory. SQLite's own file system makes the files without names for sorting.
enum SQLiteFiles {
    /// Its name for `sqlite3_open_v2`.
    static let name = "open-files"

    /// Calls `body` with a name by which SQLite can open the open file; the name is valid until this returns.
    static func withName(of file: borrowing FileDescriptor, _ body: (String) -> Int32) -> Int32 {
        guard isRegistered else { return SQLITE_ERROR }
        return file.withNumber { body(String($0)) }
    }

    /// `sqlite3_file`, with our own data after it, in the memory that SQLite allocates.
    private struct OpenFile: ~Copyable {
        var base: sqlite3_file
        let file: FileDescriptor
    }

    // `unsafe`, since the compiler cannot prove that `system` and `methods` never change.
    private nonisolated(unsafe) static let system = sqlite3_vfs_find("unix-none")
    private nonisolated(unsafe) static let methods = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: Self.makeMethods())
        return UnsafePointer(methods)
    }()

    private static let isRegistered: Bool = {
        guard let system else { return false }
        let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        // The functions for time, random numbers and the system's last error are kept.
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
        // Journals and logs are reported as missing.
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
        // SQLite does not close a file without methods.
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

    /// `SQLITE_OK`, or the code for a system error.
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
            // SQLite requires zeros beyond the end of the file.
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

/// The header of an SQLite database, its first 100 bytes (section 1.3 of the file format).
struct SQLiteHeader: Hashable, Sendable {
    /// Its size in bytes.
    static let size = 100

    private static let magic = Array("SQLite format 3\0".utf8)

    /// Bytes of a page.
    var pageSize: Int
    /// Pages of the file.
    var pageCount: Int
    /// The number of transactions that have changed the file.
    var changes: Int
    /// The number of changes when `pageCount` was set; old versions of SQLite do not update it.
    var countedChanges: Int
    /// The ID of the program that uses the file.
    var applicationID: Int
}

extension SQLiteHeader {
    /// Reads the first bytes of a file.
    ///
    /// - Returns: nil if it is not a database, or too short.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        func number(_ offset: Int, bytes count: Int) -> Int {
            bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        self.init(
            pageSize: number(16, bytes: 2), pageCount: number(28, bytes: 4),
            changes: number(24, bytes: 4), countedChanges: number(92, bytes: 4),
            applicationID: number(68, bytes: 4))
    }
}

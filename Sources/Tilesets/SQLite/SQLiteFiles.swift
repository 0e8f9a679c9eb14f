import CStorage
import Platform
import Synchronization

/// The file system that SQLite calls, `sqlite3_vfs`: it only reads and writes files that are already open, and
/// the journal next to a database whose place is known. It never opens another file by name.
///
/// So SQLite cannot be led to another file that got the name meanwhile, and a planted journal cannot make it
/// remove another file. Pages are not mapped into memory. SQLite's own file system makes the files without
/// names for sorting.
enum SQLiteFiles {
    /// Its name for `sqlite3_open_v2`.
    static let name = "open-files"

    /// A database that SQLite may open, until this is released.
    final class Registration: Sendable {
        /// The name by which SQLite opens it.
        let name: String
        fileprivate let number: Int

        /// - Parameter place: the folder and the name of a file that other programs may use at the same time: it
        ///   is locked, and has a journal. Nil for a file that no other program uses.
        init(_ file: borrowing FileDescriptor, place: SQLitePlace?) throws(SystemError) {
            let copy = try file.withNumber { number throws(SystemError) in
                try FileDescriptor(duplicating: number)
            }
            let entry = Entry(file: copy, place: place)
            number = SQLiteFiles.registered.withLock { entries in
                entries.last += 1
                entries.byNumber[entries.last] = entry
                return entries.last
            }
            name = "\(number)"
        }

        deinit { SQLiteFiles.registered.withLock { _ = $0.byNumber.removeValue(forKey: number) } }
    }

    private final class Entry: Sendable {
        let file: FileDescriptor
        let place: SQLitePlace?

        init(file: consuming FileDescriptor, place: SQLitePlace?) {
            self.file = file
            self.place = place
        }
    }

    private struct Entries {
        var byNumber: [Int: Entry] = [:]
        var last = 0
    }

    private static let registered = Mutex(Entries())

    /// The registered database of a name, and what follows the number in the name, such as `-journal`.
    private static func entry(_ name: UnsafePointer<CChar>?) -> (entry: Entry, suffix: String)? {
        guard let name else { return nil }
        let text = String(cString: name)
        let digits = text.prefix { $0.isNumber }
        guard let number = Int(digits) else { return nil }
        return registered.withLock { $0.byNumber[number] }.map { ($0, String(text[digits.endIndex...])) }
    }

    /// The place of the database whose journal has a name.
    private static func place(ofJournal name: UnsafePointer<CChar>?) -> SQLitePlace? {
        guard let (entry, suffix) = entry(name), suffix == SQLitePlace.journalEnding else { return nil }
        return entry.place
    }

    /// `sqlite3_file`, with our own data after it, in the memory that SQLite allocates.
    private struct OpenFile: ~Copyable {
        var base: sqlite3_file
        let file: FileDescriptor
        /// The lock of a database that others may use; nil for other databases and for journals.
        var lock: SQLiteLock?
        /// The folder whose entry of a new journal must be on the disk, too.
        var directory: Directory?
    }

    // `unsafe`, since the compiler cannot prove that `system` and `methods` never change.
    private nonisolated(unsafe) static let system = sqlite3_vfs_find("unix-none")
    private nonisolated(unsafe) static let methods = {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: Self.makeMethods())
        return UnsafePointer(methods)
    }()

    /// Whether SQLite knows this file system; it is registered at the first call.
    static let isRegistered: Bool = {
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
        // Logs are reported as missing, and so are journals of a file whose place is unknown.
        files.pointee.xAccess = { _, name, _, isThere in
            isThere?.pointee =
                SQLiteFiles.place(ofJournal: name).map { $0.directory.holdsBytes($0.journal) } == true ? 1 : 0
            return SQLITE_OK
        }
        files.pointee.xDelete = { _, name, mustFlush in
            guard let place = SQLiteFiles.place(ofJournal: name) else { return SQLITE_IOERR }
            do {
                try place.directory.removeFile(place.journal)
                if mustFlush != 0 { try place.directory.flushEntries() }
                return SQLITE_OK
            } catch { return SQLITE_IOERR }
        }
        return sqlite3_vfs_register(files, 0) == SQLITE_OK
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ memory: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let memory else { return SQLITE_CANTOPEN }
        guard name != nil else {
            return system?.pointee.xOpen(system, nil, memory, flags, outFlags) ?? SQLITE_CANTOPEN
        }
        // SQLite does not close a file without methods.
        memory.pointee.pMethods = nil
        let base = sqlite3_file(pMethods: methods)
        let opened: OpenFile
        do throws(SystemError) {
            if flags & SQLITE_OPEN_MAIN_DB != 0, let entry = entry(name)?.entry {
                let file = try entry.file.withNumber { number throws(SystemError) in
                    try FileDescriptor(duplicating: number)
                }
                opened = OpenFile(
                    base: base, file: file, lock: entry.place == nil ? nil : SQLiteLock(), directory: nil)
            } else if flags & SQLITE_OPEN_MAIN_JOURNAL != 0, let place = place(ofJournal: name) {
                let access = flags & SQLITE_OPEN_READWRITE == 0 ? O_RDONLY : O_RDWR
                let creation = flags & SQLITE_OPEN_CREATE == 0 ? 0 : O_CREAT
                // Who may read the database may undo what a killed program left.
                let mode = (try? place.directory.status(of: place.name))?.permissions
                let file = try place.directory.openRegular(
                    place.journal, access | creation, permissions: mode ?? 0o600)
                opened = OpenFile(base: base, file: file, lock: nil, directory: place.directory)
            } else {
                return SQLITE_CANTOPEN
            }
        } catch { return SQLITE_CANTOPEN }
        UnsafeMutableRawPointer(memory).initializeMemory(as: OpenFile.self, to: opened)
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
            let code = SQLiteFiles.code { () throws(SystemError) in
                try SQLiteFiles.opened(file).pointee.file.flush()
            }
            guard code == SQLITE_OK, let directory = SQLiteFiles.opened(file).pointee.directory else {
                return code
            }
            return (try? directory.flushEntries()) == nil ? SQLITE_IOERR : SQLITE_OK
        }
        methods.xFileSize = { file, size in
            SQLiteFiles.code { () throws(SystemError) in
                size?.pointee = sqlite3_int64(try SQLiteFiles.opened(file).pointee.file.status().size)
            }
        }
        methods.xLock = { file, level in
            let opened = SQLiteFiles.opened(file)
            return opened.pointee.lock?.raise(to: level, of: opened.pointee.file) ?? SQLITE_OK
        }
        methods.xUnlock = { file, level in
            let opened = SQLiteFiles.opened(file)
            opened.pointee.lock?.lower(to: level, of: opened.pointee.file)
            return SQLITE_OK
        }
        methods.xCheckReservedLock = { file, isLocked in
            let opened = SQLiteFiles.opened(file)
            isLocked?.pointee = opened.pointee.lock?.isReserved(opened.pointee.file) == true ? 1 : 0
            return SQLITE_OK
        }
        methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        methods.xSectorSize = { _ in 4096 }
        methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
        return methods
    }
}

/// The place of a database that several programs may use.
struct SQLitePlace: Sendable {
    /// What SQLite appends to the name of a database for its journal.
    static let journalEnding = "-journal"

    /// The folder of the file.
    let directory: Directory
    /// The name of the file in it.
    let name: String

    /// The name of its journal: what a transaction that has not ended has changed, as it was before.
    var journal: String { name + Self.journalEnding }

    /// Finds the place of a path.
    ///
    /// - Returns: nil if the folder does not exist.
    init?(_ path: String) throws {
        let (parent, name) = path.splitPath
        guard let directory = try Directory.open(parent) else { return nil }
        self.init(directory: directory, name: name)
    }

    /// Whether a transaction has not ended, or left what it changed.
    var hasJournal: Bool {
        // A journal that begins with a zero has no effect any more.
        let front = (try? directory.head(of: journal, count: 1)).flatMap { $0 } ?? []
        return front.contains { $0 != 0 }
    }

    /// Names a file in a folder.
    init(directory: Directory, name: String) { (self.directory, self.name) = (directory, name) }
}

extension Directory {
    /// Whether a regular file exists and is not empty.
    fileprivate func holdsBytes(_ name: String) -> Bool {
        (try? status(of: name)).flatMap { $0 }.map { $0.kind == .file && $0.size > 0 } ?? false
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
    /// Pages that are not used.
    var freePageCount: Int
    /// The number of transactions that have changed the file.
    var changes: Int
    /// The number of changes when `pageCount` was set; old versions of SQLite do not update it.
    var countedChanges: Int
    /// The ID of the program that uses the file.
    var applicationID: Int
    /// A number for the program that uses the file.
    var userVersion: Int
    /// Whether changes go to a log first: then reading needs the log, unless the file does not change.
    var hasLog: Bool
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
            freePageCount: number(36, bytes: 4),
            changes: number(24, bytes: 4), countedChanges: number(92, bytes: 4),
            applicationID: number(68, bytes: 4), userVersion: number(60, bytes: 4), hasLog: bytes[19] == 2)
    }
}

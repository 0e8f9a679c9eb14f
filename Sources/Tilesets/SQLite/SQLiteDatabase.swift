import CSQLite

/// An open SQLite database: `sqlite3_open_v2` to `sqlite3_close_v2`, with one owner.
///
/// SQLite's own locks are left out: a file is written under a lock of ours, or is not written.
// Unchecked: whoever owns the handle uses it in one task at a time, as its documentation asks.
struct SQLiteDatabase: ~Copyable, @unchecked Sendable {
    /// What a database is opened for.
    enum Access {
        /// Writing a file that is there.
        case write
        /// Reading a file that nobody writes: without locks, and without files beside it.
        case readUnchanging
    }

    private let handle: OpaquePointer
    /// Steps of the virtual machine that statements may still take, in `stepsPerCheck`.
    private let checksLeft: UnsafeMutablePointer<Int>
    private var checks = Int.max

    /// Opens a file.
    init(path: String, for access: Access) throws(SQLiteError) {
        let flags: Int32
        let name: String
        switch access {
        case .write: (name, flags) = (Self.plainName(path), SQLITE_OPEN_READWRITE)
        case .readUnchanging:
            name = Self.uri(path) + "?immutable=1"
            flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            name, &opened, flags | SQLITE_OPEN_NOMUTEX, "unix-none")
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(of: opened, running: "")
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        checksLeft = .allocate(capacity: 1)
        checksLeft.initialize(to: checks)
    }

    deinit {
        sqlite3_close_v2(handle)
        checksLeft.deallocate()
    }

    /// A path that SQLite does not take for one of its own words: an empty one, `:memory:`, `file:`.
    private static func plainName(_ path: String) -> String {
        path.hasPrefix("/") ? path : "./" + path
    }

    /// A path as `file:` URI (RFC 3986), all but letters, digits and slashes escaped.
    private static func uri(_ path: String) -> String {
        var uri = path.hasPrefix("/") ? "file://" : "file:./"
        for byte in path.utf8 {
            switch UnicodeScalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "-", "_":
                uri.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16)
                uri += (digits.utf8.count == 1 ? "%0" : "%") + digits
            }
        }
        return uri
    }

    /// Lets a statement that is run again take as long as it may at first.
    func allowSteps() { checksLeft.pointee = checks }

    /// Compiles a statement: `sqlite3_prepare_v2`.
    func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        allowSteps()
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement
        else { throw SQLiteError(of: handle, running: sql) }
        return SQLiteStatement(statement)
    }

    /// Runs statements that give no rows, or whose rows do not matter: `sqlite3_exec`.
    func execute(_ sql: String) throws(SQLiteError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteError(of: handle, running: sql)
        }
    }
}

// What keeps a file of unknown origin from doing harm.
extension SQLiteDatabase {
    /// How often statements are looked after, in steps of the virtual machine.
    private static let stepsPerCheck = 1 << 20
    /// Steps per byte of the file. The shortest rows of tiles have some 10 bytes, and our queries
    /// take some 20 to 60 steps for each, with sorting and the index that SQLite makes for a join.
    private static let stepsPerByte = 64
    /// The largest value that is taken in: more than an RGBA image of 4096 pixels squared.
    private static let longestValue = 64 << 20
    /// More text than any schema has.
    private static let longestSQL = 1 << 20
    /// The functions that our queries call, and views of tiles might.
    private static let functions: Set<String> = [
        "min", "max", "count", "length", "typeof", "coalesce", "ifnull", "abs", "substr",
    ]

    /// Bounds what the file's own texts can make SQLite do: no functions but a few, no recursion, no
    /// other files, no value of more than 64 MiB, and no more time than the file's size explains.
    ///
    /// - Parameter size: bytes of the file.
    mutating func distrust(size: Int) throws(SQLiteError) {
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(Self.longestValue))
        sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, Int32(Self.longestSQL))
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        try execute(
            """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
            PRAGMA query_only = ON
            """)
        checks = 4 + size / (Self.stepsPerCheck / Self.stepsPerByte)
        checksLeft.pointee = checks
        sqlite3_progress_handler(
            handle, Int32(Self.stepsPerCheck),
            { context in
                guard let left = context?.assumingMemoryBound(to: Int.self) else { return 1 }
                left.pointee -= 1
                return left.pointee < 0 ? 1 : 0
            }, checksLeft)
        sqlite3_set_authorizer(
            handle, { _, action, _, detail, _, _ in Self.verdict(action, detail) }, nil)
    }

    private static func verdict(_ action: Int32, _ detail: UnsafePointer<CChar>?) -> Int32 {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_PRAGMA, SQLITE_TRANSACTION: SQLITE_OK
        case SQLITE_FUNCTION:
            detail.map { functions.contains(String(cString: $0).lowercased()) } == true
                ? SQLITE_OK : SQLITE_DENY
        default: SQLITE_DENY
        }
    }
}

import CSQLite
import Platform

/// An open SQLite database: `sqlite3_open_v2` to `sqlite3_close_v2`, with one owner.
///
/// SQLite gets an open file, and no name: see `SQLiteFiles`.
// Unchecked: whoever owns the handle uses it in one task at a time, as its documentation asks.
struct SQLiteDatabase: ~Copyable, @unchecked Sendable {
    /// What a database is opened for.
    enum Access {
        /// Writing, without a journal.
        case write
        /// Reading a file that does not change meanwhile. Its log is not looked for.
        case readUnchanging
    }

    private let handle: OpaquePointer
    /// What statements may cost; nil for all that they do.
    private var meter: SQLiteMeter?

    /// Opens a database in a file, which may be closed afterwards.
    init(_ file: borrowing FileDescriptor, for access: Access) throws(SQLiteError) {
        let (query, flags) =
            switch access {
            case .write: ("", SQLITE_OPEN_READWRITE)
            case .readUnchanging: ("?immutable=1", SQLITE_OPEN_READONLY)
            }
        var opened: OpaquePointer?
        let code = SQLiteFiles.withName(of: file) { name in
            sqlite3_open_v2(
                "file:\(name)\(query)", &opened, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                SQLiteFiles.name)
        }
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(of: opened, running: "")
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
    }

    deinit { sqlite3_close_v2(handle) }

    /// Lets the next statements cost so much, whatever those before have cost.
    func refillMeter(_ allowance: SQLiteMeter.Allowance) { meter?.refill(allowance) }

    /// Compiles a statement: `sqlite3_prepare_v2`.
    func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement
        else { throw SQLiteError(of: handle, running: sql) }
        return SQLiteStatement(statement, meter: meter)
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
    /// Limits of what a file's own texts can ask for: many times what writers of tiles do.
    private static let limits: [(limit: Int32, value: Int)] = [
        (SQLITE_LIMIT_SQL_LENGTH, 1 << 16),
        (SQLITE_LIMIT_COLUMN, 200), (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 10),
        (SQLITE_LIMIT_ATTACHED, 0),
    ]
    /// The functions that our queries call, and views of tiles might.
    private static let functions: Set<String> = [
        "min", "max", "count", "length", "typeof", "coalesce", "ifnull", "abs", "substr",
    ]

    /// Bounds what the file's own texts can make SQLite do: no functions but a few, no recursion, no virtual
    /// tables, no views of views, no generated columns, no other files, no value that is larger than a tile or the
    /// file, and no more work than the file's size explains.
    ///
    /// - Parameter size: bytes of the file.
    mutating func distrust(size: Int) throws(SQLiteError) {
        for (limit, value) in Self.limits { sqlite3_limit(handle, limit, Int32(value)) }
        // Statements of our own are values, too.
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(max(1 << 16, min(size, ReadingBudget.largestTile))))
        try execute(
            """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
            PRAGMA query_only = ON
            """)
        let meter = SQLiteMeter(ReadingBudget.work(size: size))
        self.meter = meter
        // The database lives as long as its statements, and the meter as long as both.
        sqlite3_progress_handler(
            handle, Int32(SQLiteMeter.stepsPerCall),
            { context in
                guard let context else { return 1 }
                let meter = Unmanaged<SQLiteMeter>.fromOpaque(context).takeUnretainedValue()
                meter.count()
                return meter.isRunning ? 0 : 1
            }, Unmanaged.passUnretained(meter).toOpaque())
        sqlite3_set_authorizer(
            handle, { _, action, _, detail, _, _ in Self.verdict(action, detail) }, nil)
        try SQLiteSchema(of: self).check(in: self)
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

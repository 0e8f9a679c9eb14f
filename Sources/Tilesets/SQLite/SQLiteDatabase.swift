import CStorage
import Platform

/// An open SQLite database: `sqlite3_open_v2` to `sqlite3_close_v2`, with one owner.
///
/// SQLite receives an open file, not a name: see `SQLiteFiles`.
// Unchecked: the owner uses the handle in only one task at a time, as its documentation requires.
struct SQLiteDatabase: ~Copyable, @unchecked Sendable {
    /// The ways to open a database.
    enum Access {
        /// Writing a file that no other program uses, without a journal.
        case write
        /// Reading a file that does not change meanwhile. SQLite does not look for its log.
        case readUnchanging
        /// Reading a file that others may change: they wait for each other.
        case readShared(SQLitePlace)
        /// Changing a file that others may read: they see it as it was, until the transaction ends.
        case update(SQLitePlace)
    }

    private let handle: OpaquePointer
    private let registration: SQLiteFiles.Registration
    /// The limits of statements; nil for no limits.
    private var meter: SQLiteMeter?

    /// How long a connection waits for others: longer than they take to end a transaction.
    private static let patience: Int32 = 10_000

    /// Opens a database in an open file, which may be closed afterwards.
    init(_ file: borrowing FileDescriptor, for access: Access) throws(SQLiteError) {
        let (query, flags, place): (String, Int32, SQLitePlace?) =
            switch access {
            case .write: ("", SQLITE_OPEN_READWRITE, nil)
            case .readUnchanging: ("?immutable=1", SQLITE_OPEN_READONLY, nil)
            case .readShared(let place): ("", SQLITE_OPEN_READONLY, place)
            case .update(let place): ("", SQLITE_OPEN_READWRITE, place)
            }
        let registration: SQLiteFiles.Registration
        do { registration = try SQLiteFiles.Registration(file, place: place) } catch {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: error.text, systemCode: error.code)
        }
        var opened: OpaquePointer?
        let code =
            SQLiteFiles.isRegistered
            ? sqlite3_open_v2(
                "file:\(registration.name)\(query)", &opened, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                SQLiteFiles.name) : SQLITE_ERROR
        guard code == SQLITE_OK, let opened else {
            let error = SQLiteError(of: opened, running: "")
            sqlite3_close_v2(opened)
            throw error
        }
        sqlite3_busy_timeout(opened, Self.patience)
        (handle, self.registration) = (opened, registration)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Resets the limits for the next statements, whatever earlier statements have used.
    func refillMeter(_ allowance: SQLiteMeter.Allowance) { meter?.refill(allowance) }

    /// Compiles a statement: `sqlite3_prepare_v2`.
    func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement
        else { throw SQLiteError(of: handle, running: sql) }
        return SQLiteStatement(statement, meter: meter)
    }

    /// Runs statements without results, or whose results do not matter: `sqlite3_exec`.
    func execute(_ sql: String) throws(SQLiteError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteError(of: handle, running: sql)
        }
    }
}

// Protection against files of unknown origin.
extension SQLiteDatabase {
    /// Limits for the SQL in a file's schema: many times what writers of tiles need.
    private static let limits: [(limit: Int32, value: Int)] = [
        (SQLITE_LIMIT_SQL_LENGTH, 1 << 16),
        (SQLITE_LIMIT_COLUMN, 200), (SQLITE_LIMIT_EXPR_DEPTH, 100), (SQLITE_LIMIT_COMPOUND_SELECT, 10),
        (SQLITE_LIMIT_ATTACHED, 0),
    ]
    /// The functions that our queries call, and that views of tiles may call.
    private static let functions: Set<String> = [
        "min", "max", "count", "length", "typeof", "coalesce", "ifnull", "abs", "substr",
    ]

    /// Limits what the SQL in a file's schema can make SQLite do: only a few functions, no recursion, no
    /// virtual tables, no views of views, no generated columns, no other files, no value that is larger than
    /// a tile or the file, and no more work than the file's size explains.
    ///
    /// - Parameter size: the size of the file in bytes.
    mutating func distrust(size: Int) throws(SQLiteError) {
        for (limit, value) in Self.limits { sqlite3_limit(handle, limit, Int32(value)) }
        // The limit also applies to our own statements.
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(max(1 << 16, min(size, ReadingBudget.largestTile))))
        try execute(
            """
            PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
            PRAGMA query_only = ON
            """)
        let meter = SQLiteMeter(ReadingBudget.work(size: size))
        self.meter = meter
        // The database outlives its statements, and the meter outlives both.
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

/// The error of a failed SQLite call.
struct SQLiteError: Error, Hashable {
    /// The result code without its extension, such as `SQLITE_FULL`.
    var code: Int32
    /// SQLite's message, in English: `sqlite3_errmsg`.
    var message: String
    /// The statement that was running, or empty.
    var sql = ""
    /// The system's error, as errno(3), or 0.
    var systemCode: Int32 = 0
}

extension SQLiteError {
    /// Reads the last error of a connection, which may be nil if there was not enough memory for it.
    init(of connection: OpaquePointer?, running sql: String) {
        self.init(
            code: sqlite3_errcode(connection) & 0xff, message: String(cString: sqlite3_errmsg(connection)),
            sql: sql, systemCode: sqlite3_system_errno(connection))
    }

    /// Makes the error of an undamaged database with wrong content.
    ///
    /// - Parameter reason: what is wrong, as a clause.
    init(_ reason: String) { self.init(code: SQLITE_MISMATCH, message: reason) }

    /// Makes the error of a database that exceeds its limits.
    init(_ excess: ReadingExcess) { self.init(code: SQLITE_INTERRUPT, message: excess.reason) }

    /// Whether a row with the same key already exists.
    var isDuplicate: Bool { code == SQLITE_CONSTRAINT }

    /// The failure to report: `cannot read 'plan.mbtiles': no such table: tiles, in 'SELECT ...'`.
    ///
    /// - Parameters:
    ///   - attempt: what was tried and on which file, such as `read 'plan.mbtiles'`.
    ///   - other: the kind of failure if neither the system nor the memory is the cause.
    func failure(_ attempt: String, otherwise other: Failure.Kind) -> Failure {
        let text = "cannot \(attempt): \(reason)"
        switch code {
        case SQLITE_FULL:
            return Failure(
                .inputOutput, text, remedy: "free some space and run the same command again")
        case SQLITE_BUSY:
            return Failure(.busy, text, remedy: "run the same command again when that has ended")
        case SQLITE_IOERR: return Failure(.inputOutput, text)
        case SQLITE_NOMEM: return Failure(.systemLimit, text)
        case SQLITE_CANTOPEN where Failure.Kind(ofReading: systemCode) == .systemLimit:
            return Failure(.systemLimit, text)
        default: return Failure(other, text)
        }
    }

    /// Runs SQL; its errors become those of writing a file.
    static func ofWriting<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as SQLiteError {
            throw error.failure("write '\(path)'", otherwise: .inputOutput)
        }
    }

    /// Why it failed, as a clause.
    var reason: String {
        switch code {
        case SQLITE_FULL: "no space left on device"
        case SQLITE_IOERR where systemCode != 0: SystemError(code: systemCode).text
        case SQLITE_BUSY: "another program is using it"
        case SQLITE_NOTADB: "it is not an SQLite database"
        case SQLITE_CORRUPT: "the database is damaged"
        case SQLITE_INTERRUPT: ReadingExcess.size.reason
        case SQLITE_ERROR, SQLITE_AUTH: sql.isEmpty ? message : "\(message), in '\(sql)'"
        default: message
        }
    }
}

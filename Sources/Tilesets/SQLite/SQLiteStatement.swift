import CStorage

/// A compiled statement and its current row: `sqlite3_stmt`, with one owner.
///
/// Parameters are counted from 1 and columns from 0, as in SQLite.
// Unchecked for the same reason as `SQLiteDatabase`.
struct SQLiteStatement: ~Copyable, @unchecked Sendable {
    private let handle: OpaquePointer
    /// Its limits; nil for no limits.
    private let meter: SQLiteMeter?

    /// Takes ownership of the result of `sqlite3_prepare_v2`.
    init(_ handle: OpaquePointer, meter: SQLiteMeter? = nil) { (self.handle, self.meter) = (handle, meter) }

    deinit { sqlite3_finalize(handle) }

    /// Binds an integer to a parameter: `sqlite3_bind_int64`.
    func bind(_ value: Int, at parameter: Int) {
        let code = sqlite3_bind_int64(handle, Int32(parameter), Int64(value))
        // Otherwise, the parameter does not exist, or the statement is running.
        precondition(code == SQLITE_OK)
    }

    /// Binds a text to a parameter; it is copied: `sqlite3_bind_text64`.
    func bind(_ text: String, at parameter: Int) throws(SQLiteError) {
        // SQLITE_TRANSIENT is a C cast, which Swift does not import.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let count = UInt64(text.utf8.count)
        let code = text.withCString {
            sqlite3_bind_text64(
                handle, Int32(parameter), $0, count, transient, UInt8(SQLITE_UTF8))
        }
        try check(code)
    }

    /// Binds NULL to a parameter: `sqlite3_bind_null`.
    func bindNull(at parameter: Int) { sqlite3_bind_null(handle, Int32(parameter)) }

    /// Runs a statement without results, and resets it. The bytes for the parameter are not copied.
    func run(binding bytes: [UInt8], at parameter: Int) throws(SQLiteError) {
        let code = bytes.withUnsafeBytes { buffer in
            // An empty buffer has no address, and a null pointer would be NULL.
            let bound =
                buffer.isEmpty
                ? sqlite3_bind_zeroblob(handle, Int32(parameter), 0)
                : sqlite3_bind_blob64(
                    handle, Int32(parameter), buffer.baseAddress, UInt64(buffer.count), nil)
            return bound == SQLITE_OK ? sqlite3_step(handle) : bound
        }
        try check(code)
        sqlite3_reset(handle)
        bindNull(at: parameter)
    }

    /// Runs a statement without results, and resets it.
    func run() throws(SQLiteError) {
        try check(sqlite3_step(handle))
        sqlite3_reset(handle)
    }

    /// Goes to the next row: `sqlite3_step`.
    ///
    /// - Returns: whether there is one.
    func step() throws(SQLiteError) -> Bool {
        meter?.begin()
        let code = sqlite3_step(handle)
        try check(code)
        meter?.end()
        if meter?.isRunning == false { throw SQLiteError(ReadingExcess.size) }
        return code == SQLITE_ROW
    }

    /// Runs a statement whose result is one number.
    func number() throws(SQLiteError) -> Int {
        _ = try step()
        return Int(sqlite3_column_int64(handle, 0))
    }

    /// Resets a statement, so that it can run again with other parameters: `sqlite3_reset`.
    func reset() { sqlite3_reset(handle) }

    private func check(_ code: Int32) throws(SQLiteError) {
        if code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE { return }
        let sql = String(cString: sqlite3_sql(handle))
        let error = SQLiteError(of: sqlite3_db_handle(handle), running: sql)
        sqlite3_reset(handle)
        throw error
    }
}

// The current row.
extension SQLiteStatement {
    /// The integer in a column, or nil if the value has another type.
    func integer(_ column: Int) -> Int? {
        guard sqlite3_column_type(handle, Int32(column)) == SQLITE_INTEGER else { return nil }
        return Int(sqlite3_column_int64(handle, Int32(column)))
    }

    /// The type of a value that is not an integer, for messages; nil if it is an integer.
    func otherKind(_ column: Int) -> String? {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: nil
        case SQLITE_FLOAT: "a number with decimals"
        case SQLITE_TEXT: "text"
        case SQLITE_BLOB: "bytes"
        default: "NULL"
        }
    }

    /// The value of a column as text, or nil for NULL; invalid UTF-8 is repaired.
    func text(_ column: Int) -> String? {
        guard let text = sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// The value of a column for messages.
    func printed(_ column: Int) -> String { text(column) ?? "NULL" }

    /// The value of a column for messages, shortened if it is long.
    func excerpt(_ column: Int) -> String {
        guard byteCount(column) > Self.longestExcerpt else { return printed(column) }
        let start = sqlite3_column_blob(handle, Int32(column))
        let front = UnsafeRawBufferPointer(start: start, count: Self.longestExcerpt)
        return String(decoding: front, as: UTF8.self) + "..."
    }

    /// Enough bytes to identify a key or a number.
    private static let longestExcerpt = 80

    /// The number of bytes of a text or a blob in a column; 8 for other values.
    func byteCount(_ column: Int) -> Int {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_TEXT, SQLITE_BLOB: Int(sqlite3_column_bytes(handle, Int32(column)))
        default: MemoryLayout<Int64>.size
        }
    }

    /// A copy of the bytes in a column, or nil for NULL.
    func bytes(_ column: Int) -> [UInt8]? {
        if sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL { return nil }
        let start = sqlite3_column_blob(handle, Int32(column))
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}

import CSQLite
import Platform

/// What SQLite said when a call failed.
struct SQLiteError: Error, Hashable {
    /// The result code without its extension, such as `SQLITE_FULL`.
    var code: Int32
    /// SQLite's words for it, in English: `sqlite3_errmsg`.
    var message: String
    /// What was being run; empty if no statement was.
    var sql: String
    /// What the system had said before, as errno(3), or 0.
    var systemCode: Int32

    /// Asks a connection, which may be nil if there is no memory for one, for its last error.
    init(of connection: OpaquePointer?, running sql: String) {
        code = sqlite3_errcode(connection) & 0xff
        message = String(cString: sqlite3_errmsg(connection))
        self.sql = sql
        systemCode = sqlite3_system_errno(connection)
    }

    /// Makes the error of a database that is sound, but does not hold what it should.
    ///
    /// - Parameter reason: what is wrong, as a clause.
    init(_ reason: String) {
        code = SQLITE_MISMATCH
        message = reason
        sql = ""
        systemCode = 0
    }

    /// Makes the error of a database that asks for more than it may.
    init(_ excess: ReadingExcess) {
        self.init(excess.reason)
        code = SQLITE_INTERRUPT
    }

    /// Whether a row of the same key was there.
    var isDuplicate: Bool { code == SQLITE_CONSTRAINT }

    /// The failure to report: `cannot read 'plan.mbtiles': no such table: tiles, in 'SELECT ...'`.
    ///
    /// - Parameters:
    ///   - attempt: what was tried and on which file, as `read 'plan.mbtiles'`.
    ///   - other: whose fault it is if neither the system nor the memory is to blame.
    func failure(_ attempt: String, otherwise other: Failure.Kind) -> Failure {
        let text = "cannot \(attempt): \(reason)"
        switch code {
        case SQLITE_FULL:
            return Failure(
                .inputOutput, text, remedy: "free some space and run the same command again")
        case SQLITE_IOERR: return Failure(.inputOutput, text)
        case SQLITE_NOMEM: return Failure(.systemLimit, text)
        default: return Failure(other, text)
        }
    }

    /// Why it failed, as a clause.
    var reason: String {
        switch code {
        case SQLITE_FULL: "no space left on device"
        case SQLITE_IOERR where systemCode != 0: SystemError(code: systemCode).text
        case SQLITE_NOTADB: "it is not an SQLite database"
        case SQLITE_CORRUPT: "the database is damaged"
        case SQLITE_INTERRUPT: ReadingExcess.size.reason
        case SQLITE_ERROR, SQLITE_AUTH: sql.isEmpty ? message : "\(message), in '\(sql)'"
        default: message
        }
    }
}

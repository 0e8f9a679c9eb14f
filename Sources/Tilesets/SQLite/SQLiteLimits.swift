import Platform

/// The tables and views of a database of unknown origin.
struct SQLiteSchema {
    /// A table or a view.
    private struct Item {
        let name: String
        /// The words of its SQL, in lower case.
        let words: [String]
    }

    private var tables: [Item] = []
    private var views: [Item] = []
    /// Tables without pages.
    private var virtualTables: [Item] = []

    /// Reads the SQL of the schema, without running it.
    init(of database: borrowing SQLiteDatabase) throws(SQLiteError) {
        let query = try database.prepare(
            "SELECT type, name, sql, coalesce(rootpage, 0) FROM sqlite_master WHERE type IN ('table', 'view')"
        )
        while try query.step() {
            let words = query.printed(2).lowercased().split { !Self.isPartOfName($0) }
            let item = Item(name: query.printed(1), words: words.map(String.init))
            if query.text(0) == "view" {
                views.append(item)
            } else if query.integer(3) == 0 {
                virtualTables.append(item)
            } else {
                tables.append(item)
            }
        }
    }

    /// Whether an ordinary table with this name exists.
    func hasTable(_ name: String) -> Bool { tables.contains { $0.name.lowercased() == name } }

    /// Whether a view with this name exists.
    func hasView(_ name: String) -> Bool { views.contains { $0.name.lowercased() == name } }

    /// Refuses SQL that takes long before the first row, and that writers of tiles do not use. SQLite expands
    /// views of views, and columns computed from others, so that thirty short ones make an endless query.
    ///
    /// - Throws: if the schema has such SQL, or virtual tables, whose code trusts their contents.
    func check(in database: borrowing SQLiteDatabase) throws(SQLiteError) {
        if let table = virtualTables.first {
            throw SQLiteError("it has virtual tables, such as '\(table.name)'")
        }
        let names = Set(views.map { $0.name.lowercased() })
        for view in views {
            let inner = view.words.first { $0 != view.name.lowercased() && names.contains($0) }
            if let inner { throw SQLiteError("its view '\(view.name)' uses the view '\(inner)'") }
            if view.words.contains("with") { throw SQLiteError("its view '\(view.name)' contains WITH") }
            // Another view could write such a name in another form, which the check above would miss.
            if !view.name.allSatisfy(Self.isPartOfName) {
                throw SQLiteError("its view '\(view.name)' has special characters in its name")
            }
        }
        for table in tables where table.words.contains("as") {
            let name = table.name.replacing("\"", with: "\"\"")
            let columns = try database.prepare("PRAGMA table_xinfo(\"\(name)\")")
            // The last column is 0 for ordinary columns; others are generated.
            while try columns.step() {
                if columns.integer(6) == 0 { continue }
                throw SQLiteError("its table '\(table.name)' has generated columns")
            }
        }
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character == "_" || character == "$"
            || character.isASCII && (character.isLetter || character.isNumber)
    }
}

/// The remaining budget of statements on a file of unknown origin. SQLite checks it while a statement runs.
///
/// It counts the steps of SQLite's virtual machine, whose number is the same in each run. Since a single step
/// can copy or compare megabytes, it also counts CPU time, except the time between two rows.
final class SQLiteMeter {
    /// A budget.
    struct Allowance: Hashable, Sendable {
        /// Steps of the virtual machine.
        var steps: Int
        /// CPU time, in addition to that of the steps.
        var nanoseconds: Int
    }

    /// The steps between two checks: few enough even if each copies megabytes.
    static let stepsPerCall = 64
    /// The time allowed for each step, ten times that of most steps.
    private static let nanosecondsPerStep = 100

    private var left: Allowance
    private var start = 0

    /// Starts with the whole budget.
    init(_ allowance: Allowance) { left = allowance }

    /// Starts again with a new budget.
    func refill(_ allowance: Allowance) { left = allowance }

    /// Whether some of the budget is left.
    var isRunning: Bool { left.steps >= 0 && left.nanoseconds >= 0 }

    /// A statement starts or continues.
    func begin() { start = Self.time }

    /// Counts steps of a running statement.
    func count() {
        left.steps -= Self.stepsPerCall
        left.nanoseconds += Self.stepsPerCall * Self.nanosecondsPerStep
        end()
    }

    /// A statement ends or returns a row.
    func end() {
        let now = Self.time
        left.nanoseconds -= now - start
        start = now
    }

    /// The CPU time of this thread, in nanoseconds.
    static var time: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

import Platform

/// The tables and views of a database of unknown origin.
struct SQLiteSchema {
    /// A table or a view.
    private struct Item {
        let name: String
        /// The words of the text that made it, in lower case.
        let words: [String]
    }

    private var tables: [Item] = []
    private var views: [Item] = []
    /// Tables that have no pages.
    private var virtualTables: [Item] = []

    /// Reads the texts of the schema; runs none of them.
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

    /// Whether there is a table of a name that holds its rows itself.
    func hasTable(_ name: String) -> Bool { tables.contains { $0.name.lowercased() == name } }

    /// Whether there is a view of a name.
    func hasView(_ name: String) -> Bool { views.contains { $0.name.lowercased() == name } }

    /// Refuses what takes time before a row is read, and is not what writers of tiles make: SQLite writes out views
    /// of views and columns of columns, so that thirty short ones can become a query without end.
    ///
    /// - Throws: if there are such, or virtual tables, whose code trusts their contents.
    func check(in database: borrowing SQLiteDatabase) throws(SQLiteError) {
        if let table = virtualTables.first {
            throw SQLiteError("it has virtual tables, such as '\(table.name)'")
        }
        let names = Set(views.map { $0.name.lowercased() })
        for view in views {
            let inner = view.words.first { $0 != view.name.lowercased() && names.contains($0) }
            if let inner { throw SQLiteError("its view '\(view.name)' uses the view '\(inner)'") }
            if view.words.contains("with") { throw SQLiteError("its view '\(view.name)' contains WITH") }
            // Such a name could have another form where it is used.
            if !view.name.allSatisfy(Self.isPartOfName) {
                throw SQLiteError("its view '\(view.name)' has special characters in its name")
            }
        }
        for table in tables where table.words.contains("as") {
            let name = table.name.replacing("\"", with: "\"\"")
            let columns = try database.prepare("PRAGMA table_xinfo(\"\(name)\")")
            // The last column tells ordinary ones, 0, from those that are computed.
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

/// What statements over a file of unknown origin may still cost. SQLite asks it while it runs one.
///
/// Steps of its virtual machine are counted, whose number is the same in each run. One of them can copy or compare
/// values of megabytes: the processor's time counts, too, but not what happens between two rows.
final class SQLiteMeter {
    /// What is allowed.
    struct Allowance: Hashable, Sendable {
        /// Steps of the virtual machine.
        var steps: Int
        /// Time of the processor, besides that of the steps.
        var nanoseconds: Int
    }

    /// How often SQLite asks, in steps: few of those that copy megabytes.
    static let stepsPerCall = 64
    /// The time of a step, which is ten times what most take.
    private static let nanosecondsPerStep = 100

    private var left: Allowance
    private var start = 0

    /// Starts with all of it.
    init(_ allowance: Allowance) { left = allowance }

    /// Starts again.
    func refill(_ allowance: Allowance) { left = allowance }

    /// Whether anything is left.
    var isRunning: Bool { left.steps >= 0 && left.nanoseconds >= 0 }

    /// A statement begins, or goes on.
    func begin() { start = Self.time }

    /// Counts steps of a statement that goes on.
    func count() {
        left.steps -= Self.stepsPerCall
        left.nanoseconds += Self.stepsPerCall * Self.nanosecondsPerStep
        end()
    }

    /// A statement ends, or lends a row.
    func end() {
        let now = Self.time
        left.nanoseconds -= now - start
        start = now
    }

    /// The time that this thread had of the processor, in nanoseconds.
    static var time: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

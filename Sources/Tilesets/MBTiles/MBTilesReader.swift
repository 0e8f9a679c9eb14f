import CStorage
import Platform
import Synchronization
package import Tiling

/// A finished tileset in an SQLite database, MBTiles 1.0 to 1.3, made by any program.
///
/// The file is only read, and no other file is made next to it; but what a killed run of tilewright has left
/// in it is undone first. Nothing in it can run code, or take more
/// memory or time than a `ReadingBudget` allows.
package final class MBTilesReader: TilesetReader {
    /// The path that the user gave.
    package let path: String
    /// The bytes of the file.
    let size: Int
    private let budget: ReadingBudget
    /// How tile rows are counted; nil for what the file states.
    let scheme: TileScheme?
    /// The bytes of the file that are not holes.
    let storedSize: Int
    /// Open databases for reading single tiles, as many as were read at the same time: opening a database
    /// takes as long as reading a hundred tiles.
    private let idle = Mutex<[TileQuery]>([])

    /// Opens a file without reading its tables.
    ///
    /// - Parameter scheme: how tile rows are counted; nil for what the file states.
    /// - Throws: `.missingInput` if it cannot be opened, `.badInput` if it is not a file, or has unfinished
    ///   changes.
    package init(_ path: String, scheme: TileScheme? = nil, budget: ReadingBudget = ReadingBudget()) throws {
        (self.path, self.scheme, self.budget) = (path, scheme, budget)
        let file = try FileDescriptor.archive(path)
        size = try file.sizeOfArchive(path)
        storedSize = file.storedSize(of: size)
        // A run that is changing the file has its lock, and its changes are not there yet. Where nothing can be
        // undone, reading fails, with a reason.
        try? Self.undoKilledRun(path)
        try Self.checkFinished(path, endings: ["-wal"])
    }

    /// Whether tilewright made a file, even if its end is missing.
    ///
    /// - Throws: `.systemLimit`.
    static func isOurs(_ path: String) throws -> Bool {
        guard let file = try Failure.unlessLimited({ try MBTilesReader(path) }) else { return false }
        return try Failure.unlessLimited { try file.claims().isOurs } ?? file.isCutOff
    }

    /// Refuses a database with unfinished changes: they are in files next to it, which are not read.
    ///
    /// - Parameter attempt: what was tried, such as `read`.
    /// - Throws: a failure of this kind.
    static func checkFinished(
        _ path: String, to attempt: String = "read", as kind: Failure.Kind = .badInput,
        endings: [String] = ["-wal", SQLitePlace.journalEnding]
    ) throws {
        for ending in endings where Self.holdsBytes(path + ending) {
            throw unfinished(path, to: attempt, as: kind, ending)
        }
    }

    private static func unfinished(
        _ path: String, to attempt: String, as kind: Failure.Kind, _ ending: String
    ) -> Failure {
        Failure(
            kind,
            "cannot \(attempt) '\(path)': a program that changed it has not finished, and left "
                + "'\(path)\(ending)'",
            remedy: "wait for it to finish, or run sqlite3 \(ShellWord.quoted(path)) vacuum")
    }

    /// Whether a file exists and does not begin with a zero. A journal that begins with a zero has no effect.
    private static func holdsBytes(_ path: String) -> Bool {
        guard let file = try? FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK) else {
            return false
        }
        return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
            (try? file.read(into: buffer)) == 1 && buffer[0] != 0
        }
    }

    package func statement() throws -> TilesetStatement { .rows(try rows()) }

    /// The metadata, in its order.
    func rows() throws -> [MetadataRow] {
        try values().map { MetadataRow($0.name, $0.value ?? "") }
    }

    /// The metadata, in its order; in a patch, NULL stands for a row that is removed.
    func values() throws -> [(name: String, value: String?)] {
        try reading { database throws(SQLiteError) in
            let query = try database.prepare("SELECT name, value FROM metadata")
            var rows: [(name: String, value: String?)] = []
            var bytes = 0
            while try query.step() {
                let row = (name: query.text(0) ?? "", value: query.text(1))
                bytes += row.name.utf8.count + (row.value?.utf8.count ?? 0) + MemoryLayout<MetadataRow>.size
                if bytes > ReadingBudget.largestMetadata {
                    throw SQLiteError("its metadata is larger than 16 MiB")
                }
                rows.append(row)
            }
            return rows
        }
    }

    /// How tile rows are counted.
    package var storedScheme: TileScheme {
        get throws { try reading { try MBTilesLayout(of: $0, scheme: scheme).scheme } }
    }

    package func limits() throws -> [TileRange] {
        try reading { database throws(SQLiteError) in
            let layout = try MBTilesLayout(of: database, scheme: scheme)
            return try MBTilesLimits(of: layout, in: database).all()
        }
    }

    package func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        try forEachTile(ifSound: false, body)
    }

    package func tile(at coordinate: TileCoordinate) throws -> [UInt8]? {
        try reading {
            let query = try idle.withLock { $0.popLast() } ?? TileQuery(open(), scheme)
            let bytes = try query.tile(at: coordinate, ReadingBudget.lookup(size: storedSize))
            idle.withLock { $0.append(query) }
            return bytes
        }
    }

    /// Calls `body` with each tile.
    ///
    /// - Parameter skipsOthers: whether to skip tiles without a valid address or bytes, which are errors
    ///   otherwise.
    func forEachTile(ifSound skipsOthers: Bool, _ body: (EncodedTile) throws -> Void) throws {
        try reading { database in
            let layout = try MBTilesLayout(of: database, scheme: scheme)
            let query = try database.prepare(layout.tilesQuery)
            var cost = newCost
            while try query.step() {
                let tile =
                    try skipsOthers
                    ? query.existingAddress(in: layout.scheme) : query.address(in: layout.scheme)
                let bytes = try skipsOthers ? query.bytes(3) : query.tileData(in: layout.scheme)
                try cost.addRow(bytes: bytes?.count ?? 0)
                guard let tile, let bytes else { continue }
                try body(EncodedTile(coordinate: tile, bytes: bytes))
            }
        }
    }

    /// The cost at the start of a pass over the tiles.
    var newCost: ReadingCost { ReadingCost(budget, size: storedSize) }

    /// Runs `body` with the open database. Errors of SQLite become `.badInput`.
    func reading<Result>(
        _ body: (borrowing SQLiteDatabase) throws -> Result
    ) throws -> Result {
        try reading { try body(try open()) }
    }

    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as SystemError {
            throw InputFile.unreadable(path, error)
        } catch let error as SQLiteError {
            // SQLite may not undo an unfinished change in a file that is only read.
            if error.code == SQLITE_READONLY {
                throw Self.unfinished(path, to: "read", as: .badInput, SQLitePlace.journalEnding)
            }
            throw error.failure("read '\(path)'", otherwise: .badInput)
        } catch let excess as ReadingExcess {
            throw excess.failure(reading: path)
        }
    }

    private func open() throws -> SQLiteDatabase {
        let file = try FileDescriptor(reading: path)
        let header = try SQLiteHeader(decoding: file.readBytes(at: 0, count: SQLiteHeader.size))
        // With its log, a database cannot be read without writing to it.
        let place = header?.hasLog == true ? nil : try? SQLitePlace(WholeFile.followingLink(path))
        var database = try SQLiteDatabase(file, for: place.map { .readShared($0) } ?? .readUnchanging)
        try database.distrust(size: storedSize)
        return database
    }
}

/// An open database with the query of one tile, used by one task at a time.
private final class TileQuery: Sendable {
    private let database: SQLiteDatabase
    private let statement: SQLiteStatement
    private let scheme: TileScheme

    init(_ database: consuming SQLiteDatabase, _ scheme: TileScheme?) throws(SQLiteError) {
        let layout = try MBTilesLayout(of: database, scheme: scheme)
        self.scheme = layout.scheme
        statement = try database.prepare(
            layout.tilesQuery
                + " WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
        self.database = database
    }

    func tile(
        at coordinate: TileCoordinate, _ allowance: SQLiteMeter.Allowance
    ) throws(SQLiteError) -> [UInt8]? {
        database.refillMeter(allowance)
        statement.bind(coordinate.zoom, at: 1)
        statement.bind(coordinate.column, at: 2)
        statement.bind(coordinate.row(in: scheme), at: 3)
        defer { statement.reset() }
        return try statement.step() ? statement.tileData(in: scheme) : nil
    }
}

import CStorage
import Platform
import Synchronization
import Tiling

/// Writes a tileset as an SQLite database, MBTiles 1.3.
///
/// Identical tiles are stored once. The bytes of new contents are kept in a `TileSpool` until all tiles are
/// known. If the file exists and little has changed, `finish` changes it in one transaction: others read it as
/// it was until the end. Otherwise a new file takes its place. There, addresses are in the order of their key,
/// so the file only grows at its end, and nothing is sorted or indexed on the disk. The disk needs space for
/// the scratch file, the new file and the file that it replaces.
///
/// The same tiles in the same order yield the same new file, but only with the same version of SQLite, which
/// writes its version into the header and decides the layout of pages.
///
/// Takes 2 MiB of memory for pages, up to 64 MiB while a file is changed, and about 60 bytes for each unique
/// tile, for a moment half as much again when its tables grow. Another run cannot continue an unfinished run.
package final class MBTilesWriter {
    /// Endings of files that SQLite leaves next to a database that was not closed, and applies to any
    /// database of that name.
    package static let companionEndings = [SQLitePlace.journalEnding, "-wal", "-shm"]

    let transaction: ArchiveTransaction<MBTilesReader>
    // There is only one owner. The lock costs nothing, and proves this to the compiler.
    private let spool: Mutex<TileSpool>
    /// The header of the existing file before its tiles were read.
    private let header: SQLiteHeader?

    /// Locks OUTPUT, and reads the tiles of the earlier archive.
    ///
    /// - Parameter scratchDirectory: the directory of the scratch file.
    /// - Throws: `.outputRefused` if OUTPUT is not ours or cannot be made, `.busy` if another run writes it.
    ///   Nothing new is left then.
    package init(_ options: TilesetOptions, scratchDirectory: String) throws {
        // Without a database, leftover journals have no effect.
        if access(options.path, F_OK) == 0 {
            try MBTilesReader.undoKilledRun(options.path)
            if !options.force {
                try MBTilesReader.checkFinished(options.path, to: "write", as: .outputRefused)
            }
        }
        transaction = try ArchiveTransaction(options)
        header = transaction.earlier.flatMap { try? $0.reader.header() }
        spool = Mutex(try transaction.spool(in: scratchDirectory))
    }
}

extension MBTilesWriter: ArchiveWriter {
    func withSpool<Result: Sendable>(_ body: (inout TileSpool) throws -> Result) rethrows -> Result {
        try spool.withLock { try body(&$0) }
    }

    /// Changes the existing file, if that is less work than a new one.
    ///
    /// - Throws: `.inputOutput` if the disk is full, `.busy` if another program is writing the file.
    func prepare(_ documents: TilesetDocuments, mayUpdate: Bool) throws -> PreparedArchive {
        let rows = documents.rows(origin: transaction.options.origin)
        return try spool.withLock { spool in
            try SQLiteError.ofWriting(path) {
                if mayUpdate, let header, let earlier = transaction.earlier,
                    spool.isSmallChange(of: earlier.reader, header),
                    let update = try MBTilesUpdate(of: transaction.file.place, asRead: header)
                {
                    do {
                        let bytes = try update.write(MBTilesChanges(spool.ledger), rows, from: spool)
                        return PreparedArchive(bytes: bytes) {
                            try SQLiteError.ofWriting(self.path) { try update.commit() }
                        }
                    } catch let error as SQLiteError where error.code == SQLITE_CORRUPT {
                        // Its tiles are sound, but not the lists of its pages.
                    }
                }
                return PreparedArchive(bytes: try writeFile(rows, from: spool))
            }
        }
    }

    private func writeFile(_ rows: [MetadataRow], from spool: borrowing TileSpool) throws -> Int {
        let tables = try MBTilesTables(in: transaction.file.temporary())
        let ledger = spool.ledger
        let isUsed = ledger.usedContents
        var ids = [Int](repeating: 0, count: isUsed.count)
        var next = 0
        func insert(_ bytes: [UInt8], _ content: Int) throws {
            try Task.checkCancellation()
            ids[content] = next
            try tables.insert(bytes, as: next)
            next += 1
        }
        var earlier = 0
        if ledger.earlierContents > 0 {
            try transaction.earlier?.reader.forEachContent { id, bytes in
                guard earlier < ledger.earlierContents, Int(ledger.contents[earlier].offset) == id else {
                    return
                }
                if isUsed[earlier] { try insert(bytes, earlier) }
                earlier += 1
            }
            if earlier < ledger.earlierContents { throw DamagedArchive() }
        }
        for content in ids.indices[earlier...] where isUsed[content] {
            try insert(spool.bytes(of: ledger.contents[content]), content)
        }
        for address in ledger.addresses.inKeyOrder {
            try tables.insert(address.tile.coordinate, number: ids[Int(address.content)])
        }
        return try tables.finish(rows)
    }

    private var path: String { transaction.options.path }
}

extension TileSpool {
    /// The share of the earlier file up to which contents are added, and up to which they are removed, or pages
    /// unused. Beyond, a new file is smaller and as fast, since a change writes each page twice.
    private static var mostOfFile: Int { 4 }
    /// More contents than any file can hold.
    private static var largestID: UInt64 { 1 << 40 }

    /// Whether tilewright made the earlier file, and few contents are new.
    fileprivate func isSmallChange(of reader: MBTilesReader, _ header: SQLiteHeader) -> Bool {
        guard !ledger.earlier.isEmpty, header.isOfTilewright(fileSize: reader.size) else { return false }
        let earlier = zip(ledger.contents, ledger.usedContents).prefix(ledger.earlierContents)
        let removed = earlier.reduce(0) { $0 + ($1.1 ? 0 : Int($1.0.length)) }
        return earlier.allSatisfy { $0.0.offset < Self.largestID }
            && max(Int(ledger.size), removed) * Self.mostOfFile <= reader.size
            && header.freePageCount * Self.mostOfFile <= header.pageCount
    }
}

extension [TileLedger.Address] {
    /// Sorted tiles in the order of the table's key: rows are counted from the south.
    fileprivate var inKeyOrder: some Sequence<TileLedger.Address> {
        sequence(state: self[...]) { rest -> ArraySlice<TileLedger.Address>? in
            guard let first = rest.first?.tile.coordinate else { return nil }
            let column = rest.prefix {
                let tile = $0.tile.coordinate
                return tile.zoom == first.zoom && tile.column == first.column
            }
            rest = rest.dropFirst(column.count)
            return column
        }.lazy.flatMap { $0.reversed() }
    }
}

/// The tables of an MBTiles file that is being written, in one transaction.
///
/// ```
/// metadata(name, value)
/// tiles_shallow(zoom_level, tile_column, tile_row, tile_data_id)   a row per tile
/// tiles_data(tile_data_id, tile_data)                              a row per different tile
/// tiles(zoom_level, tile_column, tile_row, tile_data)              a view of both
/// ```
///
/// The two tables have planetiler's names, which Martin knows. A table that is clustered by its key is its
/// own index, and half as large as a table with a separate index.
final class MBTilesTables: Sendable {
    /// The ID by which file(1) recognises MBTiles: `MPBX`.
    static let applicationID = 0x4d50_4258
    /// With pages of 1, 2, 4, 16 and 64 KiB, a file of plan tiles, 7.5 kB on average, is larger than its
    /// tiles by 3, 5, 9, 27 and 13 %, and reading a tile takes 12, 7.5, 7, 5 and 5 microseconds. A file
    /// of photograph tiles, 20 kB on average, is larger by half as much.
    static let pageSize = 2048

    /// The settings of a new file. All that affect its bytes are set, so that they do not depend on how SQLite
    /// was compiled. Unused space is zeros. Without a journal, a transaction cannot be rolled back, but the file
    /// has no name yet.
    static func settings(pageSize: Int) -> String {
        """
        PRAGMA page_size = \(pageSize);
        PRAGMA encoding = 'UTF-8';
        PRAGMA auto_vacuum = NONE;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -2048;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA application_id = \(applicationID);
        """
    }
    private static let schema = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles_shallow (
            zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
            tile_data_id INTEGER NOT NULL, PRIMARY KEY (zoom_level, tile_column, tile_row)
        ) WITHOUT ROWID;
        CREATE TABLE tiles_data (tile_data_id INTEGER PRIMARY KEY, tile_data BLOB NOT NULL);
        CREATE VIEW tiles AS
            SELECT zoom_level, tile_column, tile_row, tile_data
            FROM tiles_shallow JOIN tiles_data USING (tile_data_id);
        """
    /// Whether a database has these tables and nothing else.
    static func isSchema(of database: borrowing SQLiteDatabase) throws(SQLiteError) -> Bool {
        let query = try database.prepare("SELECT sql FROM sqlite_master")
        var found: Set<String> = []
        while try query.step() { found.insert(query.printed(0)) }
        let statements = schema.split(separator: ";").map { String($0.drop(while: \.isWhitespace)) }
        return found == Set(statements.filter { !$0.isEmpty })
    }

    /// The tiles and the numbers of their contents, in the order of the key.
    static let addressesQuery =
        "SELECT zoom_level, tile_column, tile_row, tile_data_id FROM tiles_shallow"
    /// The contents, in the order of their numbers.
    static let contentsQuery =
        "SELECT tile_data_id, tile_data FROM tiles_data ORDER BY tile_data_id"

    private let database: SQLiteDatabase
    private let dataInsertion: SQLiteStatement
    private let addressInsertion: SQLiteStatement

    /// Makes the tables in an empty file.
    init(in file: TemporaryFile) throws(SQLiteError) {
        database = try SQLiteDatabase(file.file, for: .write)
        try database.execute(Self.settings(pageSize: Self.pageSize))
        try database.execute("BEGIN EXCLUSIVE")
        try database.execute(Self.schema)
        dataInsertion = try database.prepare("INSERT INTO tiles_data VALUES (?, ?)")
        addressInsertion = try database.prepare("INSERT INTO tiles_shallow VALUES (?, ?, ?, ?)")
    }

    /// Stores the bytes of tiles under a number; fastest if the numbers ascend.
    func insert(_ bytes: [UInt8], as number: Int) throws(SQLiteError) {
        dataInsertion.bind(number, at: 1)
        try dataInsertion.run(binding: bytes, at: 2)
    }

    /// Stores the address of a tile with the number of its bytes; fastest in the order of zoom, column, row
    /// from the south.
    func insert(_ tile: TileCoordinate, number: Int) throws(SQLiteError) {
        addressInsertion.bind(tile, at: 1)
        addressInsertion.bind(number, at: 4)
        try addressInsertion.run()
    }

    /// Stores the metadata, and completes the file.
    ///
    /// - Returns: its size in bytes.
    func finish(_ rows: [MetadataRow]) throws(SQLiteError) -> Int {
        try database.insert(rows)
        try database.execute("COMMIT")
        return try database.prepare("PRAGMA page_count").number() * Self.pageSize
    }
}

extension SQLiteDatabase {
    /// Adds rows to the table of metadata.
    borrowing func insert(_ rows: [MetadataRow]) throws(SQLiteError) {
        let insertion = try prepare("INSERT INTO metadata VALUES (?, ?)")
        for row in rows {
            try insertion.bind(row.name, at: 1)
            try insertion.bind(row.value, at: 2)
            try insertion.run()
        }
    }
}

extension SQLiteStatement {
    /// Binds the zoom, the column and the row from the south of a tile to three parameters.
    borrowing func bind(_ tile: TileCoordinate, at parameter: Int) {
        bind(tile.zoom, at: parameter)
        bind(tile.column, at: parameter + 1)
        bind(tile.row(in: .tms), at: parameter + 2)
    }
}

extension SQLiteHeader {
    /// Whether tilewright made a file of a given size, and was the last to change it. In a new file, setting
    /// the application's ID was the first change, everything else the second; a file that was changed in place
    /// says the number of the change.
    func isOfTilewright(fileSize: Int) -> Bool {
        fileSize == pageCount * pageSize && pageSize == MBTilesTables.pageSize
            && applicationID == MBTilesTables.applicationID && changes == max(2, userVersion)
            && countedChanges == changes
    }
}

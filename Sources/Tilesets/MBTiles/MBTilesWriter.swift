import Platform
import Synchronization
package import Tiling

/// Writes a tileset as an SQLite database, MBTiles 1.3.
///
/// Identical tiles are stored once. The bytes of tiles are written as they come, and the addresses at the
/// end, in the order of their key: so the file only grows at its end, and nothing is sorted or indexed on the
/// disk. The speed does not depend on the size, and the disk needs space for the new file and the file that
/// it replaces.
///
/// The same tiles in the same order yield the same bytes, but only with the same version of SQLite, which
/// writes its version into the header and decides the layout of pages.
///
/// Takes 2 MiB of memory for pages, and about 60 bytes for each unique tile, for a moment half as much again
/// when its tables grow. Another run cannot continue an unfinished run.
package final class MBTilesWriter {
    /// Endings of files that SQLite leaves next to a database that was not closed, and applies to any
    /// database of that name.
    package static let companionEndings = ["-journal", "-wal", "-shm"]

    let transaction: ArchiveTransaction<MBTilesReader>
    private let tables: MBTilesTables
    // There is only one owner. The lock costs nothing, and proves this to the compiler.
    private let ledger = Mutex(TileLedger())

    /// Locks OUTPUT, and makes the file under a temporary name.
    ///
    /// - Throws: `.outputRefused` if OUTPUT is not ours or cannot be made, `.busy` if another run writes it.
    ///   Nothing new is left then.
    package init(_ options: TilesetOptions) throws {
        // Without a database, leftover journals have no effect.
        if !options.force, access(options.path, F_OK) == 0 {
            try MBTilesReader.checkFinished(options.path, to: "write", as: .outputRefused)
        }
        transaction = try ArchiveTransaction(options)
        do { tables = try MBTilesTables(in: transaction.file.temporary()) } catch {
            transaction.file.discard()
            throw (error as? SQLiteError)?.failure("write '\(options.path)'", otherwise: .inputOutput)
                ?? error
        }
    }
}

extension MBTilesWriter: ArchiveWriter {
    func withLedger<Result: Sendable>(_ body: (inout TileLedger) throws -> Result) rethrows -> Result {
        try ledger.withLock { try body(&$0) }
    }

    /// Adds a tile, and stores its bytes if they are new.
    package func write(_ tile: EncodedTile) throws {
        guard let number = ledger.withLock({ $0.add(tile) }) else { return }
        try writing { () throws(SQLiteError) in try tables.insert(tile.bytes, as: number) }
    }

    /// Copies the tiles in the order in which they were added to the earlier archive.
    func copyTiles(from reader: MBTilesReader) throws {
        try reader.forEachContent { number, bytes in
            try Task.checkCancellation()
            let entered = ledger.withLock { $0.add(content: bytes) }
            guard entered == (UInt32(exactly: number), true) else { throw DamagedArchive() }
            try writing { () throws(SQLiteError) in try tables.insert(bytes, as: number) }
        }
        try reader.forEachAddress { tile, number in
            try ledger.withLock { ledger in
                guard ledger.contents.indices.contains(number) else { throw DamagedArchive() }
                ledger.add(tile, content: UInt32(number))
            }
        }
    }

    /// Writes the addresses and the metadata.
    ///
    /// - Throws: `.badInput` if two tiles have the same address, `.inputOutput` if the disk is full.
    func writeRest(_ documents: TilesetDocuments) throws -> Int {
        let addresses = ledger.withLock { ledger in
            ledger.sort()
            return ledger.addresses
        }
        try insert(addresses)
        return try writing { () throws(SQLiteError) in
            try tables.finish(documents.rows(origin: transaction.options.origin))
        }
    }

    private func insert(_ addresses: [TileLedger.Address]) throws {
        var rest = addresses[...]
        while let first = rest.first?.tile.coordinate {
            let column = rest.prefix {
                let tile = $0.tile.coordinate
                return tile.zoom == first.zoom && tile.column == first.column
            }
            rest = rest.dropFirst(column.count)
            // The key is in the order from south to north.
            for address in column.reversed() {
                let tile = address.tile.coordinate
                let isNew = try writing { () throws(SQLiteError) in
                    try tables.insert(tile, number: Int(address.content))
                }
                if !isNew {
                    throw Failure(.badInput, "cannot write '\(path)': there are two tiles \(tile)")
                }
            }
        }
    }

    private func writing<Result>(_ body: () throws(SQLiteError) -> Result) throws -> Result {
        do throws(SQLiteError) { return try body() } catch {
            throw error.failure("write '\(path)'", otherwise: .inputOutput)
        }
    }

    private var path: String { transaction.options.path }
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
    private static let applicationID = 0x4d50_4258
    /// With pages of 1, 2, 4, 16 and 64 KiB, a file of plan tiles, 7.5 kB on average, is larger than its
    /// tiles by 3, 5, 9, 27 and 13 %, and reading a tile takes 12, 7.5, 7, 5 and 5 microseconds. A file
    /// of photograph tiles, 20 kB on average, is larger by half as much.
    static let pageSize = 2048

    // All settings that affect the file's bytes are set, so that they do not depend on how SQLite was
    // compiled. Unused space is zeros. Without a journal, a transaction cannot be rolled back, but the file
    // has no name yet.
    private static let settings = """
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
        try database.execute(Self.settings)
        try database.execute("BEGIN EXCLUSIVE")
        try database.execute(Self.schema)
        dataInsertion = try database.prepare("INSERT INTO tiles_data VALUES (?, ?)")
        addressInsertion = try database.prepare("INSERT INTO tiles_shallow VALUES (?, ?, ?, ?)")
    }

    /// The header of a finished file of a given size that has not been changed since: setting the
    /// application's ID was the first change, everything else the second.
    static func header(fileSize: Int) -> SQLiteHeader? {
        guard fileSize % pageSize == 0 else { return nil }
        return SQLiteHeader(
            pageSize: pageSize, pageCount: fileSize / pageSize, changes: 2, countedChanges: 2,
            applicationID: applicationID)
    }

    /// Stores the bytes of tiles under a number; fastest if the numbers ascend.
    func insert(_ bytes: [UInt8], as number: Int) throws(SQLiteError) {
        dataInsertion.bind(number, at: 1)
        try dataInsertion.run(binding: bytes, at: 2)
    }

    /// Stores the address of a tile with the number of its bytes; fastest in the order of zoom, column, row
    /// from the south.
    ///
    /// - Returns: false if the address already exists.
    func insert(_ tile: TileCoordinate, number: Int) throws(SQLiteError) -> Bool {
        addressInsertion.bind(tile.zoom, at: 1)
        addressInsertion.bind(tile.column, at: 2)
        addressInsertion.bind(tile.row(in: .tms), at: 3)
        addressInsertion.bind(number, at: 4)
        do throws(SQLiteError) { try addressInsertion.run() } catch {
            if error.isDuplicate { return false }
            throw error
        }
        return true
    }

    /// Stores the metadata, and completes the file.
    ///
    /// - Returns: its size in bytes.
    func finish(_ rows: [MetadataRow]) throws(SQLiteError) -> Int {
        let insertion = try database.prepare("INSERT INTO metadata VALUES (?, ?)")
        for row in rows {
            try insertion.bind(row.name, at: 1)
            try insertion.bind(row.value, at: 2)
            try insertion.run()
        }
        try database.execute("COMMIT")
        return try database.prepare("PRAGMA page_count").number() * Self.pageSize
    }
}

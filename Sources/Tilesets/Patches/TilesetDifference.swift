import Platform
import Tiling

/// The difference between two tilesets, which becomes a patch.
package struct TilesetDifference: Sendable {
    /// A tileset and its metadata, as rows of MBTiles.
    package typealias Side = (reader: any TilesetReader, rows: [MetadataRow])

    private let (old, new): (Side, Side)
    private let (olds, news): (TileRegister, TileRegister)

    /// Compares two tilesets. Reads all their tiles once.
    ///
    /// - Throws: `.badInput` if a tileset is damaged, `.usage` if it has too many tiles, `CancellationError` if
    ///   the task was cancelled.
    package init(from old: Side, to new: Side, budget: ReadingBudget) throws {
        (self.old, self.new) = (old, new)
        olds = try TileRegister(of: old.reader, budget: budget)
        news = try TileRegister(of: new.reader, budget: budget)
    }

    /// The number of tiles that `write` reads.
    package var tileCount: Int { max(olds.count, news.count) }

    /// Writes the patch. Reads all tiles once more, one at a time.
    ///
    /// - Parameters:
    ///   - force: whether to replace a file that is not a patch of tilewright.
    ///   - progress: receives the number of tiles that are done.
    /// - Returns: what the patch changes, and the size of its file.
    /// - Throws: `.outputRefused` if the file cannot be made or replaced, `.busy` if another run writes it,
    ///   `.inputOutput` if reading or writing fails. Nothing new is left then.
    package func write(
        to path: String, force: Bool, fsync: Bool, progress: (Int) -> Void = { _ in }
    ) throws -> TilesetSummary {
        let file = try ArchiveFile(path, force: force, isOurs: PatchTables.isPatch)
        do {
            var summary = try SQLiteError.ofWriting(path) {
                let tables = try PatchTables(in: file.temporary())
                var summary = try insertTiles(into: tables, progress)
                summary.bytes = try tables.finish(changedRows)
                return summary
            }
            summary.unchanged = olds.count - summary.changed.count - summary.removed.count
            try file.commit(fsync: fsync, removing: MBTilesWriter.companionEndings)
            return summary
        } catch {
            file.discard()
            throw error
        }
    }

    private func insertTiles(into tables: PatchTables, _ progress: (Int) -> Void) throws -> TilesetSummary {
        var (before, after, own) = (AggregateHash(), AggregateHash(), AggregateHash())
        var (summary, done) = (TilesetSummary(), 0)
        try olds.forEachPair(with: news) { pair in
            try Task.checkCancellation()
            let tile = pair.tile
            let oldBytes = pair.isOld ? try old.reader.existingTile(tile) : nil
            let newBytes = pair.isSame ? oldBytes : pair.isNew ? try new.reader.existingTile(tile) : nil
            if let oldBytes { before.add(tile, oldBytes) }
            if let newBytes { after.add(tile, newBytes) }
            if !pair.isSame {
                own.add(tile, newBytes)
                try tables.insert(tile, newBytes)
            }
            switch (pair.isOld, pair.isNew) {
            case (true, false): summary.removed.append(tile.description)
            case (false, _): summary.added.append(tile)
            default: if !pair.isSame { summary.changed.append(tile) }
            }
            done += 1
            progress(min(done, tileCount))
        }
        try tables.insert([
            (TilePatch.beforeRow, before.text), (TilePatch.afterRow, after.text),
            (TilePatch.hashRow, own.text),
        ])
        return summary
    }

    /// The rows of the metadata that differ.
    private var changedRows: [(name: String, value: String?)] {
        func values(_ rows: [MetadataRow]) -> [String: String] {
            Dictionary(rows.map { ($0.name, $0.value) }) { _, last in last }
                .filter { !TilePatch.hashRows.contains($0.key) }
        }
        let (before, after) = (values(old.rows), values(new.rows))
        return Set(before.keys).union(after.keys).sorted().filter {
            before[$0].map { Array($0.utf8) } != after[$0].map { Array($0.utf8) }
        }.map {
            ($0, after[$0])
        }
    }
}

/// The tables of a patch that is being written, in one transaction.
private final class PatchTables: Sendable {
    /// A number in the header by which tilewright recognises its patches: `twpt`. A row of the metadata would
    /// be copied into the tileset.
    private static let mark = 0x7477_7074
    /// The smallest page that SQLite has: a patch is sent, and seldom read, so few unused bytes count.
    private static let pageSize = 512
    private static let schema = """
        CREATE TABLE metadata (name TEXT NOT NULL PRIMARY KEY, value TEXT);
        CREATE TABLE tiles (
            zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
            tile_data BLOB, PRIMARY KEY (zoom_level, tile_column, tile_row)
        );
        """

    private let database: SQLiteDatabase
    private let tileInsertion: SQLiteStatement
    private let rowInsertion: SQLiteStatement

    init(in file: TemporaryFile) throws(SQLiteError) {
        database = try SQLiteDatabase(file.file, for: .write)
        try database.execute(MBTilesTables.settings(pageSize: Self.pageSize))
        try database.execute("PRAGMA user_version = \(Self.mark)")
        try database.execute("BEGIN EXCLUSIVE")
        try database.execute(Self.schema)
        tileInsertion = try database.prepare("INSERT INTO tiles VALUES (?, ?, ?, ?)")
        rowInsertion = try database.prepare("INSERT INTO metadata VALUES (?, ?)")
    }

    /// Whether tilewright made a patch.
    static func isPatch(_ path: String) throws -> Bool {
        let file = try? FileDescriptor(reading: path)
        let header = (try? file?.readBytes(at: 0, count: SQLiteHeader.size)).flatMap { $0 }
            .flatMap(SQLiteHeader.init)
        return header?.applicationID == MBTilesTables.applicationID && header?.userVersion == mark
    }

    /// Adds a tile.
    ///
    /// - Parameter bytes: nil if it is removed.
    func insert(_ tile: TileCoordinate, _ bytes: [UInt8]?) throws(SQLiteError) {
        tileInsertion.bind(tile, at: 1)
        if let bytes { try tileInsertion.run(binding: bytes, at: 4) } else { try tileInsertion.run() }
    }

    /// Adds rows of the metadata; nil if a row is removed.
    func insert(_ rows: [(name: String, value: String?)]) throws(SQLiteError) {
        for row in rows {
            try rowInsertion.bind(row.name, at: 1)
            if let value = row.value {
                try rowInsertion.bind(value, at: 2)
            } else {
                rowInsertion.bindNull(at: 2)
            }
            try rowInsertion.run()
        }
    }

    /// Adds the last rows, and completes the file.
    ///
    /// - Returns: its size in bytes.
    func finish(_ rows: [(name: String, value: String?)]) throws(SQLiteError) -> Int {
        try insert(rows)
        try database.execute("COMMIT")
        return try database.prepare("PRAGMA page_count").number() * Self.pageSize
    }
}

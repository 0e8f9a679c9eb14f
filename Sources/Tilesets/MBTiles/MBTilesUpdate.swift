import CStorage
import Platform
import Tiling

/// What an existing MBTiles file must change to hold the tiles of a new archive.
struct MBTilesChanges {
    /// The tables' number of each content, by its number in the ledger; nil if no tile has it.
    private(set) var ids: [Int?]
    /// New contents that take the place of one that no tile has any more, in the order of their IDs.
    private(set) var replaced: [UInt32] = []
    /// Further new contents, in the order of their IDs.
    private(set) var inserted: [UInt32] = []
    /// IDs of contents that no tile has any more, ascending.
    private(set) var deleted: [Int] = []
    /// Tiles whose content has another ID than before, and new tiles.
    private(set) var placed: [TileLedger.Address] = []
    /// Tiles that are gone.
    private(set) var removed: [TileCoordinate] = []

    /// Compares the earlier and the new tiles, which must be sorted.
    ///
    /// If a content replaces another in all tiles that had it, it takes its ID, so that the table of
    /// addresses, which has many tiles on a page, need not change.
    init(_ ledger: TileLedger) {
        let isUsed = ledger.usedContents
        let earlier = ledger.contents[..<ledger.earlierContents].map { Int($0.offset) }
        ids = isUsed.indices.map { $0 < earlier.count && isUsed[$0] ? earlier[$0] : nil }
        var free = Set(earlier.indices.filter { !isUsed[$0] }.map(UInt32.init))
        ledger.forEachPair { old, new in
            guard let old, let new, ids[Int(new.content)] == nil, free.remove(old.content) != nil else {
                return
            }
            ids[Int(new.content)] = earlier[Int(old.content)]
            replaced.append(new.content)
        }
        var next = (earlier.max() ?? -1) + 1
        for content in isUsed.indices[earlier.count...] where isUsed[content] && ids[content] == nil {
            ids[content] = next
            next += 1
            inserted.append(UInt32(content))
        }
        let all = ids
        replaced.sort { (all[Int($0)] ?? 0) < (all[Int($1)] ?? 0) }
        deleted = free.map { earlier[Int($0)] }.sorted()
        ledger.forEachPair { old, new in
            guard let new else { return removed += old.map { [$0.tile.coordinate] } ?? [] }
            if old.map({ earlier[Int($0.content)] }) != all[Int(new.content)] { placed.append(new) }
        }
    }
}

/// A transaction that changes an MBTiles file that tilewright made. Until it is committed, other programs read
/// the file as it was; if it is not committed, nothing has changed.
///
/// SQLite writes a page as it was into the journal before it changes it, and the next program that opens the
/// database undoes what a killed one has left.
final class MBTilesUpdate: Sendable {
    // Everything is on the disk when a transaction ends, since the file is changed where it is. Up to 64 MiB of
    // pages wait in memory until then. With more, others can no longer read meanwhile.
    private static let settings = """
        PRAGMA journal_mode = DELETE;
        PRAGMA synchronous = FULL;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -65536;
        """

    private let database: SQLiteDatabase
    private let place: SQLitePlace
    private let status: FileStatus

    /// Begins the transaction.
    ///
    /// - Parameter header: the header of the file when its tiles were read.
    /// - Returns: nil if the file cannot be changed in place, such as in a file system without locks.
    /// - Throws: `DamagedArchive` if it has changed since; an `SQLiteError`, also if others use the file for
    ///   too long.
    init?(of place: SQLitePlace, asRead header: SQLiteHeader) throws {
        guard SQLiteLock.belongsToFile, let file = try? place.directory.openRegular(place.name, O_RDWR) else {
            return nil
        }
        var found = stat()
        // Another name of the file may be a backup.
        guard file.withNumber({ fstat($0, &found) }) == 0, found.st_nlink == 1 else { return nil }
        (self.place, status) = (place, FileStatus(found))
        do throws(SQLiteError) {
            database = try SQLiteDatabase(file, for: .update(place))
            try database.execute(Self.settings)
            try database.execute("BEGIN IMMEDIATE")
            // Whatever else is in there, such as a trigger, would run.
            if try !MBTilesTables.isSchema(of: database) { return nil }
        } catch {
            if error.code == SQLITE_BUSY { throw error }
            return nil
        }
        let bytes = try? file.readBytes(at: 0, count: SQLiteHeader.size)
        guard bytes.flatMap(SQLiteHeader.init) == header else { throw DamagedArchive() }
        try database.execute("PRAGMA user_version = \(header.changes + 1)")
    }

    /// Makes the changes.
    ///
    /// - Returns: the size that the file will have, in bytes.
    func write(
        _ changes: MBTilesChanges, _ rows: [MetadataRow], from spool: borrowing TileSpool
    ) throws -> Int {
        func put(_ contents: [UInt32], _ sql: String) throws {
            let statement = try database.prepare(sql)
            for content in contents {
                try Task.checkCancellation()
                statement.bind(changes.ids[Int(content)] ?? 0, at: 1)
                let bytes = try spool.bytes(of: spool.ledger.contents[Int(content)])
                try statement.run(binding: bytes, at: 2)
            }
        }
        // Insertions come first: they take pages that were free before, whose content SQLite need not write
        // down, as it must for pages that become free in the same transaction.
        try put(changes.inserted, "INSERT INTO tiles_data VALUES (?1, ?2)")
        try put(changes.replaced, "UPDATE tiles_data SET tile_data = ?2 WHERE tile_data_id = ?1")
        try move(changes)
        let deletion = try database.prepare("DELETE FROM tiles_data WHERE tile_data_id = ?")
        for id in changes.deleted {
            deletion.bind(id, at: 1)
            try deletion.run()
        }
        try database.execute("DELETE FROM metadata")
        try database.insert(rows)
        return try database.prepare("PRAGMA page_count").number() * MBTilesTables.pageSize
    }

    private func move(_ changes: MBTilesChanges) throws(SQLiteError) {
        let placing = try database.prepare("INSERT OR REPLACE INTO tiles_shallow VALUES (?, ?, ?, ?)")
        for address in changes.placed {
            placing.bind(address.tile.coordinate, at: 1)
            placing.bind(changes.ids[Int(address.content)] ?? 0, at: 4)
            try placing.run()
        }
        let removal = try database.prepare(
            "DELETE FROM tiles_shallow WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?")
        for tile in changes.removed {
            removal.bind(tile, at: 1)
            try removal.run()
        }
    }

    /// Ends the transaction: waits until no other program reads the file, and changes it.
    ///
    /// - Returns: false if others read it for too long, or another file has its name. Nothing has changed then.
    func commit() throws(SQLiteError) -> Bool {
        let named = (try? place.directory.status(of: place.name)).flatMap { $0 }
        guard named?.isSameFile(as: status) == true else {
            try database.execute("ROLLBACK")
            return false
        }
        do throws(SQLiteError) { try database.execute("COMMIT") } catch {
            guard error.code == SQLITE_BUSY else { throw error }
            try database.execute("ROLLBACK")
            return false
        }
        return true
    }
}

extension MBTilesReader {
    /// Undoes what a killed run of tilewright has left in a file that it was changing. The lock file that it
    /// left, too, says that it was one of ours.
    ///
    /// - Throws: `.busy` if another run is writing the file.
    static func undoKilledRun(_ path: String) throws {
        guard let place = try SQLitePlace(WholeFile.followingLink(path)), place.hasJournal else { return }
        let lockName = ArchiveFile.lockName(place.name)
        guard try place.directory.status(of: lockName)?.kind == .file,
            let lock = try FileLock.acquire(lockName, in: place.directory, for: "'\(path)'")
        else { return }
        defer { lock.release() }
        do {
            let file = try place.directory.openRegular(place.name, O_RDWR)
            _ = try SQLiteDatabase(file, for: .update(place)).prepare("SELECT count(*) FROM sqlite_master")
                .number()
        } catch { return }
        if !place.hasJournal { try place.directory.removeFile(lockName) }
    }
}

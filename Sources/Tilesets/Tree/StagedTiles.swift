import Platform
import Synchronization
import Tiling

/// Finished tiles that have not been published, and the journal that lists them, in the tileset's part of the
/// state:
///
/// ```
/// staging/journal      the job, and the record of each tile
/// staging/z/x/y        the tiles, rows counted from the north
/// ```
///
/// A tile's record is appended to the journal before the tile's file is written. The next run counts those
/// tiles whose files have the recorded hash, so that a run can be killed at any time. All tiles belong to one
/// job; those of another job are removed, never published.
struct StagedTiles: Sendable {
    private static let name = "staging"
    private static let journalName = "journal"

    /// The tiles that an earlier run of the job finished.
    let earlier: [TileRecord]

    private let directory: Directory
    /// Appends a record to the journal. That file is new: nothing received is written into.
    private let note: @Sendable (TileRecord) throws -> Void
    private var directories: TileDirectories

    /// Opens the staging of a job, and reads each tile of an earlier run once. Removes a staging of another
    /// job, of another version or of another user.
    init(in home: Directory, job: ContentHash) throws {
        // The format's version, and the job.
        let head = Array("tilewright journal 1 \(job.hex)\n".utf8)
        if let found = try Self.open(in: home),
            let owner = try found.status(of: ".")?.owner.user,
            try found.status(of: Self.journalName)?.owner.user == owner,
            let bytes = try found.readFile(Self.journalName, most: TileRecord.largestList),
            bytes.starts(with: head)
        {
            directory = found
            let records = TileRecord.read(bytes.dropFirst(head.count))
            earlier = try Self.intact(records, in: found, of: owner)
        } else {
            try home.removeTree(Self.name)
            guard let new = try home.makeSubdirectory(Self.name) else { throw Self.wasRemoved(home) }
            directory = new
            earlier = []
        }
        directories = TileDirectories(root: directory)
        // Written whole before it gets its name: a run that is killed meanwhile loses no tile.
        let temporary = "partial"
        let journal = try directory.writeFile(temporary, head + TileRecord.bytes(of: earlier))
        let attempt = "write '\(directory.path(of: Self.journalName))'"
        note = { record in try trying(attempt, journal.write(TileRecord.bytes(of: [record]))) }
        if try !directory.moveFile(temporary, to: directory, as: Self.journalName) {
            throw Self.wasRemoved(directory)
        }
    }

    /// The existing directory, if it has the owner that new files of this process get.
    private static func open(in home: Directory) throws -> Directory? {
        guard try home.status(of: name)?.kind == .directory, let directory = try home.subdirectory(name),
            // Reads the status of the open directory, since its name may lead to another directory by now.
            let found = try directory.status(of: ".")
        else { return nil }
        if found.isOurs { return directory }
        // A network disk may report another owner for all files of this user.
        let probe = "probe"
        try home.writeFile(probe, [])
        defer { _ = try? home.removeFile(probe) }
        return try home.status(of: probe)?.owner.user == found.owner.user ? directory : nil
    }

    /// The records whose files have their content and belong to a user. The last record of a tile counts.
    private static func intact(
        _ records: [TileRecord], in directory: Directory, of owner: UInt32
    ) throws -> [TileRecord] {
        let last = Dictionary(records.map { ($0.coordinate, $0) }) { _, last in last }
        var directories = TileDirectories(root: directory)
        return try TileRecords(Array(last.values)).sorted.filter { record in
            let path = record.coordinate.description
            guard let status = try directories.status(of: path), status.kind == .file,
                status.owner.user == owner
            else { return false }
            return try directories.compare(record, at: path) == .same
        }
    }

    private static func wasRemoved(_ directory: Directory) -> Failure {
        Failure(.inputOutput, "cannot stage tiles in '\(directory.path)': it was removed")
    }

    /// Removes all that is staged.
    static func remove(from home: Directory) throws { try home.removeTree(name) }

    /// Writes a tile.
    mutating func write(_ tile: EncodedTile) throws -> TileRecord {
        let record = TileRecord(tile.coordinate, size: tile.bytes.count, hash: ContentHash(of: tile.bytes))
        try note(record)
        guard let (column, name) = try directories.find(tile.coordinate.description, create: true) else {
            throw Self.wasRemoved(directory)
        }
        try column.writeFile(name, tile.bytes)
        return record
    }

    /// Returns when tiles are on the disk.
    func flush(_ records: [TileRecord]) throws {
        try directory.flushSystem()
        var directories = TileDirectories(root: directory)
        for record in records {
            if let (column, name) = try directories.find(record.coordinate.description) {
                try column.flushFile(name)
            }
        }
    }
}

// Moving tiles to their places.
extension StagedTiles {
    /// More threads are not faster: many tiles are moved into the same directory, which the system locks for
    /// each move.
    private static let mostThreads = 4
    /// The minimum number of tiles for a thread: moving them takes at least a tenth of a millisecond.
    private static let tilesPerThread = 64

    /// Moves tiles to their places, in several threads.
    ///
    /// - Parameters:
    ///   - root: OUTPUT.
    ///   - most: the maximum number of threads.
    /// - Throws: the first failure; the same thread moves no more tiles after it.
    func move(
        _ records: [TileRecord], to root: Directory, as names: TileNames, threads most: Int
    ) throws {
        let threads = min(most, Self.mostThreads, records.count / Self.tilesPerThread + 1)
        let result = Mutex<Result<Void, any Error>>(.success(()))
        JobServer.current.concurrentPerform(iterations: threads) { thread in
            let part = records.count * thread / threads..<records.count * (thread + 1) / threads
            do {
                var places = TileDirectories(root: root)
                var staged = TileDirectories(root: directory)
                for record in records[part] {
                    try move(record, &staged, to: names.path(of: record.coordinate), &places)
                }
            } catch {
                result.withLock { result in result = result.flatMap { .failure(error) } }
            }
        }
        try result.withLock { $0 }.get()
    }

    /// Moves a tile. Retries if a run of another floor removed an empty directory after we made it and before
    /// we moved a tile there.
    private func move(
        _ tile: TileRecord, _ staged: inout TileDirectories, to path: String, _ places: inout TileDirectories
    ) throws {
        let root = places.root
        for _ in 0..<CreatedDirectories.patience {
            if let (place, name) = try places.find(path, create: true),
                try move(tile, &staged, to: place, as: name)
            {
                return
            }
            places = TileDirectories(root: root)
        }
        throw Failure(
            .inputOutput, "cannot write '\(root.path(of: path))': its staged file is gone",
            remedy: "run the same command again")
    }

    /// Moves a tile, with the mode and the owner of the file that it replaces. Gives it the time of the move:
    /// otherwise, a program that copies only files newer than its last copy would miss a tile that was staged
    /// before that copy.
    ///
    /// - Returns: false if the staged tile is missing, or the directory was removed meanwhile.
    private func move(
        _ tile: TileRecord, _ staged: inout TileDirectories, to place: Directory, as newName: String
    ) throws -> Bool {
        guard let (column, name) = try staged.find(tile.coordinate.description) else { return false }
        try column.touchFile(name)
        if let old = try place.status(of: newName), old.kind == .file,
            try column.status(of: name)?.hasSameAccess(as: old) == false
        {
            // Another member of the group could have put a link to a private file in the tile's place, and
            // everybody could then read that file.
            guard let file = try trying("read '\(column.path(of: name))'", column.openFile(name)),
                try trying("read '\(column.path(of: name))'", ContentHash(readingFrom: file)) == tile.hash
            else { return false }
            try place.giveAccess(of: newName, to: file)
        }
        return try column.moveFile(name, to: place, as: newName)
    }
}

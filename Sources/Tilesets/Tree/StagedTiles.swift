import Platform
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
    /// The most bytes of a journal, at 32 for each tile: eight times the default of `--max-tiles`.
    private static let largestJournal = 1 << 30

    /// The tiles that an earlier run of the job finished.
    let earlier: [TileRecord]

    private let directory: Directory
    private let journal: Journal
    private var directories: TileDirectories

    /// The open journal. Its file is new: nothing received is written into.
    private final class Journal: Sendable {
        static let name = "journal"
        let file: FileDescriptor

        init(_ bytes: [UInt8], in directory: Directory) throws {
            // Written whole before it gets its name: a run that is killed meanwhile loses no tile.
            let temporary = "partial"
            file = try directory.writeFile(temporary, bytes)
            if try !directory.moveFile(temporary, to: directory, as: Self.name) {
                throw StagedTiles.wasRemoved(directory)
            }
        }

        /// The first line: the format's version, and the job.
        static func head(of job: ContentHash) -> [UInt8] { Array("tilewright journal 1 \(job.hex)\n".utf8) }
    }

    /// Opens the staging of a job, and reads each tile of an earlier run once. Removes a staging of another
    /// job, of another version or of another user.
    init(in home: Directory, job: ContentHash) throws {
        let head = Journal.head(of: job)
        if let found = try Self.open(in: home),
            let owner = try found.status(of: ".")?.owner.user,
            try found.status(of: Journal.name)?.owner.user == owner,
            let bytes = try found.readFile(Journal.name, most: Self.largestJournal), bytes.starts(with: head)
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
        journal = try Journal(head + TileRecord.bytes(of: earlier), in: directory)
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
            let path = path(of: record.coordinate)
            guard let status = try directories.status(of: path), status.kind == .file,
                status.owner.user == owner
            else { return false }
            return try directories.compare(record, at: path) == .same
        }
    }

    private static func path(of tile: TileCoordinate) -> String { "\(tile.zoom)/\(tile.column)/\(tile.row)" }

    private static func wasRemoved(_ directory: Directory) -> Failure {
        Failure(.inputOutput, "cannot stage tiles in '\(directory.path)': it was removed")
    }

    /// Removes all that is staged.
    static func remove(from home: Directory) throws { try home.removeTree(name) }

    /// Writes a tile.
    mutating func write(_ tile: EncodedTile) throws -> TileRecord {
        let record = TileRecord(tile.coordinate, size: tile.bytes.count, hash: ContentHash(of: tile.bytes))
        try trying(
            "write '\(directory.path(of: Journal.name))'", journal.file.write(TileRecord.bytes(of: [record])))
        let (parent, name) = TileDirectories.split(Self.path(of: tile.coordinate))
        guard let column = try directories.open(parent, create: true) else {
            throw Self.wasRemoved(directory)
        }
        try column.writeFile(name, tile.bytes)
        return record
    }

    /// The directories of staged tiles, for `move`.
    func opened() -> TileDirectories { TileDirectories(root: directory) }

    /// Moves a tile to its place, with the mode and the owner of the file that it replaces. Gives it the time
    /// of the move: otherwise, a program that copies only files newer than its last copy would miss a tile
    /// that was staged before that copy.
    ///
    /// - Parameter staged: the result of `opened`.
    /// - Returns: false if the staged tile is missing, or the directory was removed meanwhile.
    func move(
        _ tile: TileRecord, in staged: inout TileDirectories, to place: Directory, as newName: String
    ) throws -> Bool {
        let (parent, name) = TileDirectories.split(Self.path(of: tile.coordinate))
        guard let column = try staged.open(parent) else { return false }
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

    /// Returns when tiles are on the disk.
    func flush(_ records: [TileRecord]) throws {
        try directory.flushSystem()
        var directories = opened()
        for tile in records.lazy.map(\.coordinate) {
            let (parent, name) = TileDirectories.split(Self.path(of: tile))
            try directories.open(parent)?.flushFile(name)
        }
    }
}

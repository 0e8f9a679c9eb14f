import Platform
import Tiling

/// Finished tiles that have not been published, in files `z/x/y` in the tileset's part of the state.
///
/// If each column of tiles will have its own directory, the files already have their final names, so that the
/// directory can be published as a whole.
///
/// A tile is written under its own name, after its record is written to the file `latest`: writing it under a
/// temporary name would take a quarter more time. A run that is killed leaves at most this tile unfinished,
/// and the next run removes it. All tiles belong to one job; those of another job are removed, never
/// published.
struct Staging: Sendable {
    private static let name = "staging"
    private static let jobName = "job"

    private let directory: Directory
    private let latest: LatestTile
    /// The text after the row in the names of tiles; nil if columns do not have their own directories.
    private let rowSuffix: String?
    private var directories: TileDirectories

    /// Opens the staging of a job. Removes a staging of another job or of another user.
    ///
    /// - Parameter names: the names of the tiles.
    init(in home: Directory, job: ContentHash, names: TileNames) throws {
        let jobText = Array(job.hex.utf8)
        var earlier = try Self.open(in: home)
        if try earlier?.readFile(Self.jobName, most: 1 << 20) != jobText {
            try home.removeTree(Self.name)
            _ = try home.makeSubdirectory(Self.name)
            earlier = try Self.open(in: home)
        }
        guard let directory = earlier else {
            throw Failure(.inputOutput, "cannot stage tiles in '\(home.path)': it was removed")
        }
        try directory.writeFile(Self.jobName, jobText)
        self.directory = directory
        directories = TileDirectories(root: directory)
        latest = try LatestTile(in: directory)
        rowSuffix = names.rowSuffix
        try removeUnfinished()
    }

    /// The existing directory, if it has the owner that new files of this process get.
    private static func open(in home: Directory) throws -> Directory? {
        guard try home.status(of: name)?.kind == .directory, let directory = try home.subdirectory(name),
            try isOurs(directory, in: home)
        else { return nil }
        return directory
    }

    private static func isOurs(_ directory: Directory, in home: Directory) throws -> Bool {
        // Reads the status of the open directory, since its name may lead to another directory by now.
        guard let found = try directory.status(of: ".") else { return false }
        if found.isOurs { return true }
        // A network disk may report another owner for all files of this user.
        let probe = "probe"
        try home.writeFile(probe, [])
        defer { _ = try? home.removeFile(probe) }
        return try home.status(of: probe)?.owner.user == found.owner.user
    }

    /// Removes the last tile of a killed run, unless it is complete.
    private mutating func removeUnfinished() throws {
        guard let tile = latest.earlier, tile.isValid,
            let column = try directories.open(column(of: tile.coordinate))
        else { return }
        let name = name(ofRow: tile.coordinate.row)
        guard try column.status(of: name)?.kind == .file, try column.hash(ofFile: name) != tile.hash
        else { return }
        try column.removeFile(name)
    }

    /// Removes all that is staged.
    static func remove(from home: Directory) throws { try home.removeTree(name) }

    /// Writes a tile: writes its record, then its file.
    mutating func write(_ tile: EncodedTile) throws -> TileRecord {
        let record = TileRecord(tile.coordinate, size: tile.bytes.count, hash: ContentHash(of: tile.bytes))
        try latest.note(record)
        guard let column = try directories.open(column(of: tile.coordinate), create: true) else {
            throw Failure(.inputOutput, "cannot write to '\(directory.path)': it was removed")
        }
        try column.writeFile(name(ofRow: tile.coordinate.row), tile.bytes)
        return record
    }

    private func column(of tile: TileCoordinate) -> Substring { "\(tile.zoom)/\(tile.column)" }

    private func name(ofRow row: Int) -> String { "\(row)\(rowSuffix ?? "")" }

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
        guard let column = try staged.open(column(of: tile.coordinate)) else { return false }
        let name = name(ofRow: tile.coordinate.row)
        try column.touchFile(name)
        if let old = try place.status(of: newName), old.kind == .file,
            try column.status(of: name)?.hasSameAccess(as: old) == false,
            try !Self.giveAccess(of: newName, in: place, to: name, in: column, hash: tile.hash)
        {
            return false
        }
        return try column.moveFile(name, to: place, as: newName)
    }

    /// - Returns: false if the file is not the one that was written: another member of the group could have
    ///   put a link to a private file in its place, and everybody could then read that file.
    private static func giveAccess(
        of newName: String, in place: Directory, to name: String, in column: Directory, hash: ContentHash
    ) throws -> Bool {
        let file: FileDescriptor
        do throws(SystemError) {
            guard let opened = try column.openFile(name), try ContentHash(readingFrom: opened) == hash else {
                return false
            }
            file = opened
        } catch {
            throw error.failure("read '\(column.path(of: name))'")
        }
        try place.giveAccess(of: newName, to: file)
        return true
    }

    /// Moves the directory of a column to a name that does not exist yet, with the time of the move.
    ///
    /// - Parameters:
    ///   - tiles: all tiles of the column.
    ///   - staged: the result of `opened`.
    /// - Returns: false if the name exists, the directory has other files, or columns do not have their own
    ///   directories. Nothing was moved then.
    func moveColumn(
        _ tiles: some Collection<TileRecord>, in staged: inout TileDirectories, to place: Directory,
        as name: String
    ) throws -> Bool {
        guard rowSuffix != nil, let first = tiles.first?.coordinate,
            let column = try staged.open(column(of: first)),
            try Set(column.names()) == Set(tiles.map { self.name(ofRow: $0.coordinate.row) }),
            let zoom = try staged.open("\(first.zoom)")
        else { return false }
        for tile in tiles { try column.touchFile(self.name(ofRow: tile.coordinate.row)) }
        return try zoom.moveDirectory(String(first.column), to: place, as: name)
    }

    /// Returns when tiles are on the disk.
    func flush(_ records: [TileRecord]) throws {
        try directory.flushSystem()
        var directories = opened()
        for tile in records.lazy.map(\.coordinate) {
            try directories.open(column(of: tile))?.flushFile(name(ofRow: tile.row))
        }
    }

    /// The tiles that an earlier run of the job finished; each is read once. Tiles of another user do not
    /// count.
    func records() throws -> [TileRecord] {
        var records: [TileRecord] = []
        let owner = try directory.status(of: Self.jobName)?.owner.user
        for zoom in try directory.names() {
            guard let columns = try Self.numbered(zoom, in: directory) else { continue }
            for column in try columns.names() {
                guard let rows = try Self.numbered(column, in: columns) else { continue }
                records += try rows.names().compactMap { row in
                    try record(zoom: zoom, column: column, row: row, in: rows, of: owner)
                }
            }
        }
        return records
    }

    private static func numbered(_ name: String, in parent: Directory) throws -> Directory? {
        number(name) == nil ? nil : try parent.subdirectory(name)
    }

    /// Parses the number in a name; nil for files that are not tiles.
    private static func number(_ name: String) -> Int? {
        Int(name).flatMap { $0 >= 0 && String($0) == name ? $0 : nil }
    }

    private func record(
        zoom: String, column: String, row name: String, in directory: Directory, of owner: UInt32?
    ) throws -> TileRecord? {
        let suffix = rowSuffix ?? ""
        guard name.hasSuffix(suffix), let z = Self.number(zoom), let x = Self.number(column),
            let y = Self.number(String(name.dropLast(suffix.count))), z <= 30, x < 1 << z, y < 1 << z,
            // Empty files do not count: a power failure can leave a name without its bytes.
            let status = try directory.status(of: name), status.kind == .file, status.size > 0,
            status.owner.user == owner
        else { return nil }
        return TileRecord(
            TileCoordinate(zoom: z, column: x, row: y), size: status.size,
            hash: try directory.hash(ofFile: name))
    }
}

/// The file `latest`: the record of the tile that is being written, or was written last.
final class LatestTile: Sendable {
    private static let name = "latest"

    private let directory: Directory
    private let file: FileDescriptor
    /// The last record of an earlier run; nil if there is none.
    let earlier: TileRecord?

    /// Reads the file, and begins a new one.
    init(in directory: Directory) throws {
        self.directory = directory
        let size = MemoryLayout<TileRecord>.size
        earlier = try directory.readFile(Self.name, most: 1 << 20)?.withUnsafeBytes {
            $0.count == size ? $0.loadUnaligned(as: TileRecord.self) : nil
        }
        file = try trying("write '\(directory.path(of: Self.name))'", directory.makeFile(Self.name))
    }

    /// Writes the record of a tile that is about to be written.
    func note(_ tile: TileRecord) throws {
        do throws(SystemError) {
            try withUnsafeBytes(of: tile) { bytes in
                Result { () throws(SystemError) in try file.write(bytes, at: 0) }
            }.get()
        } catch {
            throw error.failure("write '\(directory.path(of: Self.name))'")
        }
    }
}

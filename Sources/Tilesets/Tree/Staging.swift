import Diagnostics
import Files
import Tiling

/// Finished tiles that wait for their publication, in files `z/x/y` beside the tileset's state.
///
/// If each column of tiles will have a directory of its own, files have the names that they will have there: the
/// directory can be published as it is.
///
/// A tile is written under its own name, after a note that says which one it is: to write it under another one first
/// takes a quarter more. A run that is killed leaves at most that tile unfinished, and the next one removes it. The tiles
/// belong to one job; another job's are removed, never published.
struct Staging: Sendable {
    private static let name = "staging"
    private static let jobName = "job"

    private let directory: Directory
    private let latest: LatestTile
    /// What the tileset's names have behind the row; nil if columns have no directories of their own.
    private let rowSuffix: String?

    /// Opens the staging of a job, and removes another job's.
    ///
    /// - Parameter names: how the tiles will be named.
    init(in home: Directory, job: ContentHash, names: TileNames) throws {
        let jobText = Array(job.hex.utf8)
        if try home.subdirectory(Self.name)?.readFile(Self.jobName) != jobText {
            try home.removeTree(Self.name)
        }
        guard let directory = try home.makeSubdirectory(Self.name) else {
            throw Failure(.inputOutput, "cannot stage tiles in '\(home.path)': it was removed")
        }
        try directory.writeFile(Self.jobName, jobText)
        self.directory = directory
        latest = try LatestTile(in: directory)
        rowSuffix = names.rowSuffix
        try removeUnfinished()
    }

    /// Removes what a run that was killed left of its last tile, unless that is whole.
    private func removeUnfinished() throws {
        guard let tile = latest.earlier, tile.isValid else { return }
        let path = path(of: tile.coordinate)
        guard try directory.status(of: path)?.kind == .file, try directory.hash(ofFile: path) != tile.hash
        else { return }
        try directory.removeFile(path)
    }

    /// Removes all that is staged.
    static func remove(from home: Directory) throws { try home.removeTree(name) }

    /// Takes a tile: notes it, opens its file, writes and closes it.
    func write(_ tile: EncodedTile) throws -> TileRecord {
        let record = TileRecord(tile.coordinate, size: tile.bytes.count, hash: ContentHash(of: tile.bytes))
        try latest.note(record)
        let path = path(of: tile.coordinate)
        if try !directory.writeFile(at: path, tile.bytes) {
            try makeDirectory(for: tile.coordinate)
            guard try directory.writeFile(at: path, tile.bytes) else {
                throw Failure(
                    .inputOutput, "cannot write '\(directory.path(of: path))': it was removed")
            }
        }
        return record
    }

    private func path(of tile: TileCoordinate) -> String {
        "\(tile.zoom)/\(tile.column)/\(name(ofRow: tile.row))"
    }

    private func name(ofRow row: Int) -> String { "\(row)\(rowSuffix ?? "")" }

    private func makeDirectory(for tile: TileCoordinate) throws {
        let zoom = try directory.makeSubdirectory(String(tile.zoom))
        _ = try zoom?.makeSubdirectory(String(tile.column))
    }

    /// Moves a tile to its place, and gives it the time of the move: whoever copies what is newer than the
    /// last copy would pass over one that was staged before it.
    ///
    /// - Returns: false if the place's directory was removed meanwhile.
    func move(_ tile: TileCoordinate, to place: Directory, as name: String) throws -> Bool {
        let path = path(of: tile)
        try directory.touchFile(path)
        return try directory.moveFile(path, to: place, as: name)
    }

    /// Moves the directory of a column to a place where nothing is yet, likewise.
    ///
    /// - Parameter tiles: all tiles of the column.
    /// - Returns: false if something has the name, other files lie in the directory, or columns have none; nothing
    ///   was moved then.
    func moveColumn(_ tiles: some Collection<TileRecord>, to place: Directory, as name: String) throws -> Bool
    {
        guard rowSuffix != nil, let first = tiles.first?.coordinate,
            let column = try directory.subdirectory(String(first.zoom))?.subdirectory(String(first.column)),
            try Set(column.names()) == Set(tiles.map { self.name(ofRow: $0.coordinate.row) })
        else { return false }
        for tile in tiles { try column.touchFile(self.name(ofRow: tile.coordinate.row)) }
        return try directory.moveDirectory("\(first.zoom)/\(first.column)", to: place, as: name)
    }

    /// Returns when tiles are on the disk.
    func flush(_ records: [TileRecord]) throws {
        try directory.flushSystem()
        for record in records { try directory.flushFile(path(of: record.coordinate)) }
    }

    /// The tiles that an earlier run of the job finished; each is read once.
    func records() throws -> [TileRecord] {
        var records: [TileRecord] = []
        for zoom in try directory.names() {
            guard let columns = try Self.numbered(zoom, in: directory) else { continue }
            for column in try columns.names() {
                guard let rows = try Self.numbered(column, in: columns) else { continue }
                records += try rows.names().compactMap { row in
                    try record(zoom: zoom, column: column, row: row, in: rows)
                }
            }
        }
        return records
    }

    private static func numbered(_ name: String, in parent: Directory) throws -> Directory? {
        number(name) == nil ? nil : try parent.subdirectory(name)
    }

    /// Reads a number that `path(of:)` wrote, without what stands behind it; everything else in the directory is left alone.
    private static func number(_ name: String) -> Int? {
        Int(name).flatMap { $0 >= 0 && String($0) == name ? $0 : nil }
    }

    private func record(
        zoom: String, column: String, row name: String, in directory: Directory
    ) throws -> TileRecord? {
        let suffix = rowSuffix ?? ""
        guard name.hasSuffix(suffix), let z = Self.number(zoom), let x = Self.number(column),
            let y = Self.number(String(name.dropLast(suffix.count))), z <= 30, x < 1 << z, y < 1 << z,
            // A power failure can leave a name without its bytes: hence no empty files.
            let status = try directory.status(of: name), status.kind == .file, status.size > 0
        else { return nil }
        return TileRecord(
            TileCoordinate(zoom: z, column: x, row: y), size: status.size,
            hash: try directory.hash(ofFile: name))
    }
}

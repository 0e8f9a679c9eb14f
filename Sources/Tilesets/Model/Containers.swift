import CStorage
package import Platform
public import Tiling

/// Tiles that are read one after another: those of a finished tileset, a part of them, or others in their place.
package protocol TileCollection: Sendable {
    /// The path that the user gave.
    var path: String { get }

    /// The job and images of the tiles, as far as known.
    var origin: TilesetOrigin { get }

    /// The name of a tile in messages: `tile 7/3/1`.
    func place(of tile: TileCoordinate) -> String

    /// Calls `body` once with each tile, in the container's order; only one tile is in memory at a time.
    ///
    /// - Throws: `.badInput` if the container is damaged, and whatever `body` throws.
    func forEachTile(_ body: (EncodedTile) throws -> Void) throws
}

/// A finished tileset, in any kind of container.
package protocol TilesetReader: TileCollection {
    /// The document that describes the tileset.
    ///
    /// - Throws: `.badInput` if that is missing or damaged.
    func statement() throws -> TilesetStatement

    /// All documents that describe the tileset; the first is that of `statement`.
    func statements() throws -> [TilesetStatement]

    /// The tiles that exist, per zoom from the lowest. A zoom has two entries if the tiles cross the
    /// antimeridian.
    func limits() throws -> [TileRange]

    /// Counts all tiles, their bytes, and equal tiles, of any file type, without decoding them.
    ///
    /// - Throws: `.badInput` if the container is damaged, `.inputOutput` if reading fails.
    func survey() throws -> TilesetSurvey

    /// The document that describes the tileset, for tiles of any type.
    ///
    /// - Throws: `.badInput` if that is missing or damaged.
    func anyStatement() throws -> TilesetStatement

    /// When the tileset last changed, according to the file system, in seconds since 1970; nil if unknown.
    var changed: Int? { get }

    /// The bytes of a tile; nil if there is no such tile. Reads no other tile.
    ///
    /// - Throws: `.badInput` if what leads to the tile is damaged, `.inputOutput` if reading fails.
    func tile(at coordinate: TileCoordinate) throws -> [UInt8]?

    /// Checks the container, but not the content of its tiles: damaged directories, wrong counts, missing or
    /// duplicate tiles. Calls `body` once with each tile that can be read.
    ///
    /// - Throws: only if it cannot continue, such as when a disk fails; and the errors of `body`.
    func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws
}

extension TilesetReader {
    package func statements() throws -> [TilesetStatement] { [try statement()] }

    package func anyStatement() throws -> TilesetStatement { try statement() }

    package func place(of tile: TileCoordinate) -> String { "tile \(tile)" }

    /// The first tile of the container, or nil if it is empty.
    package func firstTile() throws -> EncodedTile? {
        var first: EncodedTile?
        do {
            try forEachTile { tile in
                first = tile
                throw Enough()
            }
        } catch is Enough {}
        return first
    }
}

/// Ends a loop over tiles before the last one.
private struct Enough: Error {}

/// The options of a tileset that is made, in any kind of container.
package struct TilesetOptions: Sendable {
    /// OUTPUT: a directory or file that is ours or does not exist yet, or an empty directory.
    package var path: String
    /// Whether to write into a directory that is not ours, and replace files that are not ours.
    package var force: Bool
    /// The job and images of the tiles: a later run of the same job recognises them, and a run with other
    /// images does not replace them. The images are empty if unknown.
    package var origin: TilesetOrigin
    /// Whether to replace a tileset that was made from other images.
    package var replacesOthers = false
    /// Whether to reuse the tiles of the existing archive, if it is intact and of the same job. A tree always
    /// reuses them.
    package var reusesTiles = true
    /// Whether everything must be on the disk when `finish` returns.
    package var fsync: Bool
    /// The limits for reading the existing archive.
    package var budget = ReadingBudget()

    /// Makes options.
    package init(
        path: String, force: Bool = false, origin: TilesetOrigin = TilesetOrigin(), fsync: Bool = false
    ) {
        (self.path, self.force, self.origin, self.fsync) = (path, force, origin, fsync)
    }
}

/// A tileset that is being made, in any kind of container.
///
/// The last call is `finish` if all tiles are written, `suspend` if the run was stopped, or `discard` if the
/// run cannot succeed.
package protocol TilesetWriter: TileSink, Sendable {
    /// Whether an earlier run of the same job made all tiles, and they still exist: then no tile need be
    /// written before `finish`.
    var isComplete: Bool { get }

    /// The contents of the tileset if it were finished now. Sorts the records of all tiles.
    var contents: TilesetContents { get }

    /// The addresses of all tiles, by zoom, column, row.
    var tiles: [TileCoordinate] { get }

    /// Publishes the tiles, then the documents; the last call to a tileset.
    ///
    /// - Parameter announce: receives the changes since the last run, before they are recorded as announced.
    ///   If it fails, or the run fails after it, the next run announces them again.
    /// - Throws: `DamagedArchive` if the tileset is complete, but its tiles are not those that it claims.
    consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary

    /// Stops, and keeps what the next run of the same job can reuse.
    consuming func suspend() throws

    /// Gives up a run that cannot succeed: the old files are unchanged, and nothing new is left.
    consuming func discard() throws
}

extension TilesetWriter {
    /// Publishes the tiles and documents; the last call to a tileset.
    package consuming func finish(_ documents: TilesetDocuments) throws -> TilesetSummary {
        try finish(documents) { _ in }
    }
}

/// A problem of a finished tileset.
public struct TilesetFault: Hashable, Sendable {
    /// The tile, file or part of the container: `tile 7/3/1`, `tilejson.json`.
    public var place: String
    /// The problem, as a clause: `is missing`.
    public var problem: String
    /// The tile that is missing or cannot be read.
    public var tile: TileCoordinate?

    /// Much longer than our own clauses, to leave room for quoted text.
    private static let longest = 400

    /// Makes a fault. If the clause quotes several lines, they are joined.
    public init(_ place: String, _ problem: String, tile: TileCoordinate? = nil) {
        self.place = place
        self.problem = problem.excerpt(Self.longest)
        self.tile = tile
    }
}

extension TilesetFault: CustomStringConvertible {
    /// The fault on one line.
    public var description: String { "\(place): \(problem)" }
}

/// The changes of a tileset since the last run; tiles are sorted by zoom, column, row.
public struct TilesetSummary: Hashable, Sendable {
    /// New tiles.
    public var added: [TileCoordinate] = []
    /// Tiles with different content.
    public var changed: [TileCoordinate] = []
    /// The addresses of removed tiles: as the earlier run named them, or as `z/x/y` in an archive.
    public var removed: [String] = []
    /// The number of unchanged tiles.
    public var unchanged = 0
    /// Unchanged tiles whose URL has changed, since the tileset has another base URL; `unchanged` counts
    /// them, too.
    public var moved: [TileCoordinate] = []
    /// The changes of the files next to the tiles of a tree.
    public var documents = Documents()
    /// The bytes of all tiles of a tree, or of the file of an archive.
    public var bytes = 0

    /// The number of new and changed tiles.
    public var written: Int { added.count + changed.count }

    /// Whether all tiles are unchanged.
    public var isEmpty: Bool { written == 0 && removed.isEmpty }

    /// The files next to the tiles of a tree, by name.
    public struct Documents: Hashable, Sendable {
        /// New files.
        public var added: [String] = []
        /// Files with different content, or with another URL.
        public var changed: [String] = []
        /// Removed files of an earlier run.
        public var removed: [String] = []
    }
}

/// The libraries that store and compare tilesets.
package enum TilesetLibraries {
    /// All of them, with their versions.
    package static var versions: [LibraryVersion] {
        // 801 is 0.8.1.
        let xxHash = XXH_versionNumber()
        return [
            LibraryVersion("SQLite", String(cString: sqlite3_libversion())),
            LibraryVersion("xxHash", "\(xxHash / 10_000).\(xxHash / 100 % 100).\(xxHash % 100)"),
        ]
    }
}

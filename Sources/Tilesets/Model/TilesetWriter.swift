public import Tiling

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

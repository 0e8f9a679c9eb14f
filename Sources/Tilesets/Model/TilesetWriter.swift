public import Tiling

/// A tileset that is being made, of whatever container.
///
/// It ends in one of three ways: `finish` when all tiles are written, `suspend` when something stopped
/// the run, `discard` when the run cannot succeed.
package protocol TilesetWriter: TileSink, Sendable {
    /// Whether an earlier run of the same job made all of it, and it is still there: then nothing need
    /// be written before `finish`.
    var isComplete: Bool { get }

    /// What the tileset would hold if it were finished now. Sorts the records of all tiles.
    var contents: TilesetContents { get }

    /// The addresses of all tiles, by zoom, column, row.
    var tiles: [TileCoordinate] { get }

    /// Puts tiles and documents in their place, documents last; the last call to a tileset.
    ///
    /// - Parameter announce: takes what differs from what the last run left, before that is forgotten:
    ///   if that fails, or the run after it, the next run announces the same again.
    /// - Throws: `DamagedArchive` if the tileset is complete, and its tiles are not what it said.
    consuming func finish(
        _ documents: TilesetDocuments, announcing announce: (TilesetSummary) throws -> Void
    ) throws -> TilesetSummary

    /// Stops, and keeps what the next run of the same job can go on from.
    consuming func suspend() throws

    /// Gives up a run that cannot succeed: what was there before is as it was, and nothing else is.
    consuming func discard() throws
}

extension TilesetWriter {
    /// Puts tiles and documents in their place; the last call to a tileset.
    package consuming func finish(_ documents: TilesetDocuments) throws -> TilesetSummary {
        try finish(documents) { _ in }
    }
}

/// What a run changed in a tileset, compared with what the last one left; tiles by zoom, column, row.
public struct TilesetSummary: Hashable, Sendable {
    /// Tiles that were not there before.
    public var added: [TileCoordinate] = []
    /// Tiles that held something else before.
    public var changed: [TileCoordinate] = []
    /// The addresses of an earlier run's tiles that are no longer there, as that run named them, and as
    /// `z/x/y` in an archive.
    public var removed: [String] = []
    /// The number of tiles that are what they were.
    public var unchanged = 0
    /// Tiles that are what they were and have another address, since the tileset is to be found elsewhere on
    /// the web; `unchanged` counts them.
    public var moved: [TileCoordinate] = []
    /// What is new, changed and gone of the files beside the tiles of a tree.
    public var documents = Documents()
    /// Bytes of all tiles of the tileset, or of the file of an archive.
    public var bytes = 0

    /// The number of tiles that were put in their place.
    public var written: Int { added.count + changed.count }

    /// Whether all tiles are what they were.
    public var isEmpty: Bool { written == 0 && removed.isEmpty }

    /// The files beside the tiles of a tree, by their names.
    public struct Documents: Hashable, Sendable {
        /// Files that were not there before.
        public var added: [String] = []
        /// Files that held something else before, or have another address now.
        public var changed: [String] = []
        /// Files of an earlier run that are no longer there.
        public var removed: [String] = []
    }
}

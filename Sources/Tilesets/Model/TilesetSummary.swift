public import Tiling

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

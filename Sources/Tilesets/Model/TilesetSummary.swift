package import Tiling

/// What a run changed in a tileset, compared with what the last one left; tiles by zoom, column, row.
package struct TilesetSummary: Hashable, Sendable {
    /// Tiles that were not there before.
    package var added: [TileCoordinate] = []
    /// Tiles that held something else before.
    package var changed: [TileCoordinate] = []
    /// The addresses of an earlier run's tiles that are no longer there, as that run named them, and as
    /// `z/x/y` in an archive.
    package var removed: [String] = []
    /// The number of tiles that are what they were.
    package var unchanged = 0
    /// Bytes of all tiles of the tileset, or of the file of an archive.
    package var bytes = 0

    /// The number of tiles that were put in their place.
    package var written: Int { added.count + changed.count }

    /// Whether all tiles are what they were.
    package var isEmpty: Bool { written == 0 && removed.isEmpty }
}

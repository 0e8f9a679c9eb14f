package import Tiling

/// What a run changed in a tileset; tiles by zoom, column, row. An archive is written whole, so that
/// all its tiles count as added.
package struct TilesetSummary: Hashable, Sendable {
    /// Tiles that were not there before.
    package var added: [TileCoordinate] = []
    /// Tiles whose file held something else before.
    package var changed: [TileCoordinate] = []
    /// The addresses of an earlier run's tiles that are no longer there, as that run named them.
    package var removed: [String] = []
    /// The number of tiles whose files were right and not touched.
    package var unchanged = 0
    /// Bytes of all tiles of the tileset, or of the file of an archive.
    package var bytes = 0

    /// The number of tiles that were put in their place.
    package var written: Int { added.count + changed.count }
}

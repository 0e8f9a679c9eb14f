import Tiling

/// What is other in a new archive than in the one before: a third of the memory of a `TilesetSummary`.
struct ArchiveChanges: Sendable {
    /// Tiles that were not there before, sorted.
    var added: [PackedCoordinate] = []
    /// Tiles that held something else, sorted.
    var changed: [PackedCoordinate] = []
    /// Tiles that are gone, sorted.
    var removed: [PackedCoordinate] = []
    /// The number of tiles that are what they were.
    var unchanged = 0

    /// Whether all tiles are what they were.
    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }

    /// The same for whoever asked for the archive.
    ///
    /// - Parameter bytes: those of its file.
    func summary(bytes: Int) -> TilesetSummary {
        TilesetSummary(
            added: added.map(\.coordinate), changed: changed.map(\.coordinate),
            removed: removed.map(\.coordinate.description), unchanged: unchanged, bytes: bytes)
    }
}

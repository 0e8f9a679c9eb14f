package import Tilesets
package import Tiling

/// What a run changed, a line for each tile: `added`, `changed` or `removed`, a blank, and the address
/// of the tile, for those who have to clear caches.
package struct ChangeList: Sendable {
    /// The tileset.
    package var metadata: TilesetMetadata
    /// Tiles that are new.
    package var added: [TileCoordinate]
    /// Tiles that are others than before.
    package var changed: [TileCoordinate]
    /// The paths of tiles that are gone, below the tileset.
    package var removed: [String]

    /// Makes a list.
    package init(
        _ metadata: TilesetMetadata, added: [TileCoordinate], changed: [TileCoordinate],
        removed: [String]
    ) {
        self.metadata = metadata
        self.added = added
        self.changed = changed
        self.removed = removed
    }

    /// The file; empty where nothing changed. Addresses are those of the TileJSON: relative to it, or
    /// absolute where it is known where the tileset will be.
    package var bytes: [UInt8] {
        var text = ""
        for tile in added {
            text += "added \(metadata.absolute(metadata.relativeAddress(of: tile)))\n"
        }
        for tile in changed {
            text += "changed \(metadata.absolute(metadata.relativeAddress(of: tile)))\n"
        }
        for path in removed {
            text += "removed \(metadata.absolute(TilesetMetadata.escaped(path)))\n"
        }
        return Array(text.utf8)
    }
}

package import Tilesets
package import Tiling

/// A list of what a run changed, for those who have to clear caches. Each line is `added`, `changed` or
/// `removed`, a space, and the address of a tile.
package struct ChangeList: Sendable {
    /// The tileset.
    package var metadata: TilesetMetadata
    /// Tiles that are new.
    package var added: [TileCoordinate]
    /// Tiles that differ from before.
    package var changed: [TileCoordinate]
    /// The paths of tiles that are gone, relative to the tileset.
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

    /// The file in UTF-8; empty if nothing changed. Addresses are like the TileJSON's: absolute if the
    /// tileset's URL is known, else relative to the TileJSON.
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

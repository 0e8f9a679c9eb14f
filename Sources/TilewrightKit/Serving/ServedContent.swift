import Tilesets
import Tiling

/// The tiles of a name, as they are now.
struct ServedContent: Sendable {
    /// Where tiles come from.
    enum Tiles: Sendable {
        /// From a finished tileset.
        case stored(StoredTileset)
        /// From images, one by one.
        case rendered(RenderedTiles)
    }

    /// What all of it was made of.
    let watch: FileWatch
    /// Where the tiles come from.
    let tiles: Tiles
    /// What the tileset says of itself; its template is that of files in a folder.
    let metadata: TilesetMetadata
    /// The PMTiles archive that holds the tiles, if one does.
    let archive: String?

    /// Describes a finished tileset.
    init(_ tileset: StoredTileset, watch: FileWatch) {
        self.watch = watch
        tiles = .stored(tileset)
        metadata = tileset.metadata.asServed
        archive = TilesetContainer(existing: tileset.path) == .pmtiles ? tileset.path : nil
    }

    /// Describes images.
    init(_ rendered: RenderedTiles, metadata: TilesetMetadata, watch: FileWatch) {
        self.watch = watch
        tiles = .rendered(rendered)
        self.metadata = metadata.asServed
        archive = nil
    }
}

extension TilesetMetadata {
    /// The same, named as a server names tiles: rows count from the north.
    fileprivate var asServed: TilesetMetadata {
        var metadata = self
        metadata.template = "{z}/{x}/{y}.\(format.fileExtension)"
        metadata.scheme = .xyz
        metadata.baseURL = nil
        return metadata
    }
}

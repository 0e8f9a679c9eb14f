import Publishing
import Synchronization
public import Tilesets
public import Tiling

/// A tileset under the name by which a server knows it. What its files are is looked at at each request: a
/// tileset that was built anew, or an image that was changed, shows its new tiles.
public final class ServedTileset: Sendable {
    /// A tile, and what all tiles of its tileset have in common.
    public struct Tile: Sendable {
        /// The bytes of an image file; nil if there is no such tile.
        public let bytes: [UInt8]?
        /// What the names of tiles end in.
        public let fileExtension: String
        /// Pixels along a tile's edge.
        public let size: Int

        fileprivate init(_ bytes: [UInt8]?, of metadata: TilesetMetadata) {
            self.bytes = bytes
            (fileExtension, size) = (metadata.format.fileExtension, metadata.tileSize)
        }
    }

    /// What becomes of a request for a tile.
    public enum Outcome: Sendable {
        /// It is there, or known not to be.
        case ready(Tile)
        /// It has to be rendered, or the files have to be opened anew.
        case later(@Sendable () async throws -> Tile)
    }

    /// The names before the numbers in addresses, with slashes between them.
    public let name: String
    /// What somebody called it; nil if it has the name that it says itself.
    let label: String?
    /// What a floor switch says of it, if it is a floor.
    let floor: ServedFloor?

    private let source: any TileSource
    private let content = Mutex<ServedContent?>(nil)

    /// Names a tileset. Opens nothing yet.
    init(
        _ name: String, label: String? = nil, floor: ServedFloor? = nil, source: any TileSource
    ) {
        (self.name, self.label, self.floor, self.source) = (name, label, floor, source)
    }

    /// Where tiles come from, for people.
    public var origin: String { source.title }

    /// What the tileset is now; opens it anew if its files changed.
    ///
    /// - Throws: a `Failure` if it cannot be read.
    func current() throws -> ServedContent {
        if let content = content.withLock({ $0 }), content.watch.isCurrent { return content }
        return try reopened()
    }

    /// What it says of itself now; addresses are relative to its name.
    ///
    /// - Throws: a `Failure` if it cannot be read.
    public func metadata() throws -> TilesetMetadata { try current().metadata }

    /// The PMTiles archive that holds the tiles, if one does.
    public func archive() throws -> String? { try current().archive }

    /// The TileJSON of the tileset.
    ///
    /// - Parameter base: the address of the server, without a slash at its end.
    public func tileJSON(below base: String) throws -> [UInt8] {
        var metadata = try metadata()
        metadata.baseURL = base + "/" + TilesetMetadata.escaped(name)
        return TileJSON(metadata).file.bytes
    }

    /// A tile.
    ///
    /// - Throws: a `Failure` if it cannot be read.
    public func tile(at coordinate: TileCoordinate) throws -> Outcome {
        guard let content = content.withLock({ $0 }), content.watch.isCurrent else {
            return .later { [self] in try await tile(at: coordinate, of: reopened()) }
        }
        if case .stored(let tileset) = content.tiles {
            return .ready(Tile(try tileset.tile(at: coordinate), of: content.metadata))
        }
        return .later { [self] in try await tile(at: coordinate, of: content) }
    }

    private func tile(at coordinate: TileCoordinate, of content: ServedContent) async throws -> Tile {
        let bytes =
            switch content.tiles {
            case .stored(let tileset): try tileset.tile(at: coordinate)
            case .rendered(let tiles): try await tiles.tile(at: coordinate)
            }
        return Tile(bytes, of: content.metadata)
    }

    private func reopened() throws -> ServedContent {
        let opened = try source.open(after: content.withLock { $0 })
        content.withLock { $0 = opened }
        return opened
    }
}

import Platform
import Publishing
import Tilesets
import Tiling

/// The tiles of an archive as objects, with the names and documents that `convert` would give them.
struct ArchivedTiles: Sendable {
    /// A tile as an object.
    struct Tile: Sendable {
        let path: String
        let size: Int
        let hash: ContentHash
    }

    /// The tiles, in the order of the archive.
    private(set) var tiles: [Tile] = []
    /// The documents.
    let documents: [SideFile]

    private let path: String
    private let stamp: FileStamp?
    private let names: TileNames
    private let lookups: TileLookups

    /// Reads all tiles of an archive once, twice if it does not state their hash. Nothing is copied to a
    /// scratch file.
    ///
    /// - Throws: `.missingInput` or `.badInput` if it cannot be read, `.usage` if it has too many tiles;
    ///   `CancellationError`.
    init(_ path: String, maxTiles: Int) throws {
        self.path = path
        stamp = FileStamp(path)
        let source = try StoredTileset(path, maxTiles: maxTiles)
        let copy = try TilesetCopy(
            of: source.reader, metadata: source.metadata, budget: source.budget,
            ConversionRequest(path, to: path))
        let names = copy.names
        var tiles: [Tile] = []
        var tally = TileTally()
        let metadata = try copy.readTiles { tile in
            let hash = tally.count(tile)
            tiles.append(Tile(path: names.path(of: tile.coordinate), size: tile.bytes.count, hash: hash))
        }
        if tally.contents != copy.contents { throw copy.mismatch }
        documents = TilesetDocuments(metadata).sideFiles
        (self.tiles, self.names) = (tiles, names)
        lookups = TileLookups(source.reader)
    }

    /// The bytes of a tile by the path of its object; nil if there is none.
    func bytes(ofTile path: String) throws -> [UInt8]? {
        try names.coordinate(ofPath: path).flatMap { try lookups.tile(at: $0) }
    }

    /// Fails if the archive is not the one that was read.
    ///
    /// - Throws: `.inputOutput`.
    func checkIsUnchanged(_ attempt: String) throws {
        if FileStamp(path) != stamp { throw InputFile.changed(attempt) }
    }
}

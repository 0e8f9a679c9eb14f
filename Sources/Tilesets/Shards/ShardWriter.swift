package import Platform
package import Tiling

/// The file of a shard that is being made. It has its name when it is whole, and not before.
///
/// Nothing is locked: two machines that make the same shard write two files of the same bytes, and the later
/// one replaces the other. Holds 64 bytes for a piece in memory, and writes a megabyte at a time.
package struct ShardWriter: TileSink {
    private let folder: Directory
    private let identity: ShardIdentity
    private let file: TemporaryFile
    private var pieces: [ShardPiece] = []
    private var end = ShardLayout.headSize
    private var buffer: [UInt8]

    private static let bufferSize = 1 << 20

    /// Begins a file.
    ///
    /// - Parameter folder: where it goes.
    package init(_ identity: ShardIdentity, in folder: Directory) throws {
        self.folder = folder
        self.identity = identity
        file = try TemporaryFile(replacing: identity.fileName, in: folder)
        buffer = ShardLayout.head(identity)
    }

    /// No tile is there already: a shard is made whole.
    package var staged: Set<TileCoordinate> { [] }

    /// The number of tiles.
    package var tileCount: Int { pieces.count { $0.kind == .tile } }

    package mutating func write(_ tile: EncodedTile) throws { try append(tile, .tile) }

    package mutating func keep(_ pixels: EncodedTile) throws { try append(pixels, .pixels) }

    /// Takes the colours of a survey.
    package mutating func write(colors bytes: [UInt8]) throws {
        try append(EncodedTile(coordinate: TileCoordinate(zoom: 0, column: 0, row: 0), bytes: bytes), .colors)
    }

    private mutating func append(_ tile: EncodedTile, _ kind: ShardPiece.Kind) throws {
        pieces.append(
            ShardPiece(
                kind: kind, coordinate: tile.coordinate, offset: end, size: tile.bytes.count,
                hash: ContentHash(of: tile.bytes)))
        end += tile.bytes.count
        buffer += tile.bytes
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Puts the file in its place.
    package mutating func finish() throws {
        let list = pieces.flatMap(ShardLayout.record)
        buffer += list + ShardLayout.tail(ShardLayout.head(identity), list: list, at: end)
        try flush()
        try trying("write '\(file.path)'", file.file.flush())
        do { try file.publish() } catch {
            // Another machine that made the same shard may have tidied up: a network's disk need not know of locks.
            if try folder.status(of: identity.fileName) == nil { throw error }
        }
        try TemporaryFile.removeAbandoned(of: identity.fileName, in: folder)
    }

    /// Leaves nothing.
    package func discard() { file.discard() }

    private mutating func flush() throws {
        try trying("write '\(file.path)'", file.file.write(buffer))
        buffer.removeAll(keepingCapacity: true)
    }
}

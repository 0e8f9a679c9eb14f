package import Platform
package import Tiling

/// Writes the file of a shard, which gets its name only when it is complete.
///
/// Nothing is locked: if two machines make the same shard, they write two equal files, and the later file
/// replaces the earlier. Takes 64 bytes of memory for each piece, and writes a megabyte at a time.
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
    /// - Parameter folder: the folder of the file.
    package init(_ identity: ShardIdentity, in folder: Directory) throws {
        self.folder = folder
        self.identity = identity
        file = try TemporaryFile(replacing: identity.fileName, in: folder)
        buffer = ShardLayout.head(identity)
    }

    /// Empty: a shard is always made from the start.
    package var staged: Set<TileCoordinate> { [] }

    /// The number of tiles.
    package var tileCount: Int { pieces.count { $0.kind == .tile } }

    package mutating func write(_ tile: EncodedTile) throws { try append(tile, .tile) }

    package mutating func keep(_ pixels: EncodedTile) throws { try append(pixels, .pixels) }

    /// Writes the colours of a survey.
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

    /// Completes the file, and gives it its name.
    package mutating func finish() throws {
        let list = pieces.flatMap(ShardLayout.record)
        buffer += list + ShardLayout.tail(ShardLayout.head(identity), list: list, at: end)
        try flush()
        try trying("write '\(file.path)'", file.file.flush())
        do { try file.publish() } catch {
            // Another machine that made the same shard may have removed the temporary file: network disks do
            // not always support locks.
            if try folder.status(of: identity.fileName) == nil { throw error }
        }
        try TemporaryFile.removeAbandoned(of: identity.fileName, in: folder)
    }

    /// Removes the unfinished file.
    package func discard() { file.discard() }

    private mutating func flush() throws {
        try trying("write '\(file.path)'", file.file.write(buffer))
        buffer.removeAll(keepingCapacity: true)
    }
}

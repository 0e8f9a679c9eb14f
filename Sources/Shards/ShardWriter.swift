package import Files
package import Tiling
import Diagnostics
import Tilesets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file of a shard that is being made. It has its name when it is whole, and not before.
///
/// Nothing is locked: two machines that make the same shard write files of their own, of the same bytes, and the later
/// one takes the place of the other. Holds 64 bytes for a piece in memory, and writes a megabyte at a time.
package struct ShardWriter: TileSink {
    private let folder: Directory
    private let identity: ShardIdentity
    private let partialName: String
    private let file: FileDescriptorBox
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
        let own = UInt64.random(in: .min ... .max)
        partialName = identity.fileName + "." + String(own, radix: 16) + WholeFile.partialEnding
        do throws(SystemError) {
            file = FileDescriptorBox(
                try folder.open(partialName, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW))
        } catch {
            throw error.failure("write '\(folder.path(of: partialName))'")
        }
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
        do throws(SystemError) { try file.descriptor.flush() } catch { throw failure(error) }
        // If it is gone, another machine that made the same shard has tidied up.
        let isMoved = try folder.moveFile(partialName, to: folder, as: identity.fileName)
        if try !isMoved && folder.status(of: identity.fileName) == nil {
            throw Failure(
                .inputOutput, cannot: "write '\(folder.path(of: identity.fileName))'",
                "somebody removed it while it was written", remedy: "run the same command again")
        }
        try removePartialFiles()
    }

    /// Leaves nothing.
    package func discard() { _ = try? folder.removeFile(partialName) }

    /// Removes what killed runs left of this shard.
    private func removePartialFiles() throws {
        for name in try folder.names()
        where name.hasPrefix(identity.fileName + ".") && name.hasSuffix(WholeFile.partialEnding) {
            try folder.removeFile(name)
        }
    }

    private mutating func flush() throws {
        do throws(SystemError) { try file.descriptor.write(buffer) } catch { throw failure(error) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func failure(_ error: SystemError) -> Failure {
        error.failure("write '\(folder.path(of: partialName))'")
    }
}

/// An open file that a value can hold.
private final class FileDescriptorBox: Sendable {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}

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

/// Reads a finished shard, and checks each piece when it is read. Safe to share between tasks.
package final class ShardReader: Sendable {
    /// The pieces of the file, in the order in which they were made.
    package let pieces: [ShardPiece]

    /// Why a shard cannot be used.
    package enum Fault: Error, Hashable, Sendable {
        /// Its file is missing.
        case missing
        /// Its file belongs to another job or another shard.
        case foreign
        /// Its file has changed since it was written.
        case damaged
    }

    private let path: String
    private let file: FileDescriptor

    /// Opens a shard, and reads and checks its list.
    ///
    /// - Parameter budget: the maximum number of tiles that it may have.
    /// - Throws: a `Fault`, or a `Failure`: `usage` if it has too many tiles, another kind for an error of
    ///   the system.
    package init(
        _ identity: ShardIdentity, in folder: Directory, budget: ReadingBudget = ReadingBudget()
    ) throws {
        path = folder.path(of: identity.fileName)
        let frame: Frame
        do {
            guard let opened = try folder.openFile(identity.fileName) else { throw Fault.missing }
            file = opened
            frame = try Self.frame(of: file, identity)
        } catch let error as SystemError {
            if error == .notRegular { throw Fault.damaged }
            throw InputFile.unreadable(path, error)
        }
        // In addition to tiles, the list has the pixels of the tiles of one zoom, and the colours once.
        try budget.check(frame.list.count / ShardLayout.recordSize / 2, of: path)
        let (start, size) = (frame.list.lowerBound, frame.list.count)
        let list = try trying("read '\(path)'", file.readBytes(at: start, count: size))
        guard let pieces = frame.pieces(list) else { throw Fault.damaged }
        self.pieces = pieces
    }

    /// The bytes of a piece.
    ///
    /// - Throws: `Fault.damaged` if they have changed since they were written, or a `Failure`.
    package func bytes(of piece: ShardPiece) throws -> [UInt8] {
        let bytes = try trying("read '\(path)'", file.readBytes(at: piece.offset, count: piece.size))
        guard ContentHash(of: bytes) == piece.hash else { throw Fault.damaged }
        return bytes
    }

    /// The bytes before and after the pieces.
    private struct Frame {
        let head: [UInt8]
        let tail: [UInt8]
        /// The range of the list in the file.
        let list: Range<Int>

        /// The pieces in the list; nil if the list has changed since it was written.
        func pieces(_ bytes: [UInt8]) -> [ShardPiece]? {
            guard tail == ShardLayout.tail(head, list: bytes, at: list.lowerBound),
                let pieces = ShardLayout.pieces(bytes),
                pieces.last.map({ $0.offset + $0.size }) ?? ShardLayout.headSize == list.lowerBound
            else { return nil }
            return pieces
        }
    }

    private static func frame(of file: borrowing FileDescriptor, _ identity: ShardIdentity) throws -> Frame {
        let end = try file.status().size - ShardLayout.tailSize
        guard end >= ShardLayout.headSize else { throw Fault.damaged }
        let head = try file.readBytes(at: 0, count: ShardLayout.headSize)
        guard head == ShardLayout.head(identity) else {
            throw head.starts(with: ShardLayout.magic) ? Fault.foreign : .damaged
        }
        let tail = try file.readBytes(at: end, count: ShardLayout.tailSize)
        guard let offset = Int(exactly: UInt64(littleEndian: tail.prefix(8))),
            ShardLayout.headSize...end ~= offset, (end - offset) % ShardLayout.recordSize == 0
        else { throw Fault.damaged }
        return Frame(head: head, tail: tail, list: offset..<end)
    }
}

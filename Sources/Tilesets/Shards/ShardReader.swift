package import Platform

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
        let ends: Result<Ends, Fault>
        do throws(SystemError) {
            guard let opened = try folder.openFile(identity.fileName) else { throw SystemError(code: ENOENT) }
            file = opened
            ends = try Self.ends(of: file, identity)
        } catch {
            if error.code == ENOENT { throw Fault.missing }
            if error == .notRegular { throw Fault.damaged }
            throw InputFile.unreadable(path, error.code)
        }
        let frame = try ends.get()
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
    private struct Ends {
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

    private static func ends(
        of file: borrowing FileDescriptor, _ identity: ShardIdentity
    ) throws(SystemError) -> Result<Ends, Fault> {
        let end = try file.status().size - ShardLayout.tailSize
        guard end >= ShardLayout.headSize else { return .failure(.damaged) }
        let head = try file.readBytes(at: 0, count: ShardLayout.headSize)
        guard head == ShardLayout.head(identity) else {
            return .failure(head.starts(with: ShardLayout.magic) ? .foreign : .damaged)
        }
        let tail = try file.readBytes(at: end, count: ShardLayout.tailSize)
        guard let offset = Int(exactly: ShardLayout.number(tail.prefix(8))),
            ShardLayout.headSize...end ~= offset, (end - offset) % ShardLayout.recordSize == 0
        else { return .failure(.damaged) }
        return .success(Ends(head: head, tail: tail, list: offset..<end))
    }
}

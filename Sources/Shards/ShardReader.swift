import Diagnostics
package import Files
import Tilesets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A finished shard: what it holds, each piece checked when it is read. Safe to share.
package final class ShardReader: Sendable {
    /// What the file holds, in the order in which it was made.
    package let pieces: [ShardPiece]

    /// Why a shard cannot be used.
    package enum Fault: Error, Hashable, Sendable {
        /// Its file is not there.
        case missing
        /// Its file is of another job, or of another shard.
        case foreign
        /// Its file is not what was written.
        case damaged
    }

    private let path: String
    private let file: FileDescriptor

    /// Opens a shard, and reads and checks its list.
    ///
    /// - Throws: a `Fault`, or a `Failure` if the system refuses.
    package init(_ identity: ShardIdentity, in folder: Directory) throws {
        path = folder.path(of: identity.fileName)
        do throws(SystemError) {
            guard let opened = try folder.openFile(identity.fileName) else { throw SystemError(code: ENOENT) }
            file = opened
        } catch {
            if error.code == ENOENT { throw Fault.missing }
            throw InputFile.unreadable(path, error.code)
        }
        let listed: Result<[ShardPiece], Fault>
        do throws(SystemError) { listed = try Self.pieces(of: file, identity) } catch {
            throw error.failure("read '\(path)'")
        }
        pieces = try listed.get()
    }

    /// The bytes of a piece.
    ///
    /// - Throws: `Fault.damaged` if they are not what was written, or a `Failure`.
    package func bytes(of piece: ShardPiece) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try file.readBytes(at: piece.offset, count: piece.size) } catch {
            throw error.failure("read '\(path)'")
        }
        guard ContentHash(of: bytes) == piece.hash else { throw Fault.damaged }
        return bytes
    }

    private static func pieces(
        of file: borrowing FileDescriptor, _ identity: ShardIdentity
    ) throws(SystemError) -> Result<[ShardPiece], Fault> {
        let size = try file.status().size
        guard size >= ShardLayout.headSize + ShardLayout.tailSize else { return .failure(.damaged) }
        let head = try file.readBytes(at: 0, count: ShardLayout.headSize)
        guard head == ShardLayout.head(identity) else {
            return .failure(head.starts(with: ShardLayout.magic) ? .foreign : .damaged)
        }
        let tail = try file.readBytes(at: size - ShardLayout.tailSize, count: ShardLayout.tailSize)
        let offset = ShardLayout.number(tail.prefix(8))
        guard offset >= ShardLayout.headSize, offset <= size - ShardLayout.tailSize else {
            return .failure(.damaged)
        }
        let listSize = size - ShardLayout.tailSize - Int(offset)
        let list = try file.readBytes(at: Int(offset), count: listSize)
        guard listSize % ShardLayout.recordSize == 0,
            tail == ShardLayout.tail(head, list: list, at: Int(offset)),
            let pieces = ShardLayout.pieces(list),
            pieces.last.map({ $0.offset + $0.size }) ?? ShardLayout.headSize == Int(offset)
        else { return .failure(.damaged) }
        return .success(pieces)
    }
}

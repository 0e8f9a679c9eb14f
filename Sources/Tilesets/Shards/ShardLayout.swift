package import Tiling

/// The layout of a shard's file. Numbers are little-endian.
///
/// | bytes | content |
/// | --- | --- |
/// | 32 | `tw-shard`, the version of the layout, the shard's number, the digest of everything that determines its bytes |
/// | any | the pieces, one after another |
/// | 32 each | the list of pieces: kind, zoom, two zeros, column, row, size, digest of the bytes |
/// | 48 | the offset of the list, the number of its pieces, the digest of the first 32 bytes, the list and these two numbers, `drahs-wt`, eight zeros |
///
/// It contains no time, host or path: every machine makes the same file.
enum ShardLayout {
    static let version: UInt32 = 1
    static let magic = Array("tw-shard".utf8)
    static let endMagic = Array("drahs-wt".utf8)
    static let headSize = 32
    static let recordSize = 32
    static let tailSize = 48

    /// The first bytes.
    static func head(_ identity: ShardIdentity) -> [UInt8] {
        magic + little(version) + little(UInt32(identity.index)) + identity.digest.bytes
    }

    /// The bytes of a piece in the list.
    static func record(_ piece: ShardPiece) -> [UInt8] {
        [piece.kind.rawValue, UInt8(piece.coordinate.zoom), 0, 0] + little(UInt32(piece.coordinate.column))
            + little(UInt32(piece.coordinate.row)) + little(UInt32(piece.size)) + piece.hash.bytes
    }

    /// The last bytes.
    ///
    /// - Parameter list: the bytes of the list.
    static func tail(_ head: [UInt8], list: [UInt8], at offset: Int) -> [UInt8] {
        let numbers = little(UInt64(offset)) + little(UInt64(list.count / recordSize))
        return numbers + ContentHash(of: head + list + numbers).bytes + endMagic
            + [UInt8](repeating: 0, count: 8)
    }

    /// The pieces of a list; nil if they are invalid.
    static func pieces(_ list: [UInt8]) -> [ShardPiece]? {
        var offset = headSize
        var pieces: [ShardPiece] = []
        pieces.reserveCapacity(list.count / recordSize)
        for start in stride(from: 0, to: list.count, by: recordSize) {
            let record = list[start..<start + recordSize]
            func number(_ at: Int) -> Int { Int(UInt64(littleEndian: record.dropFirst(at).prefix(4))) }
            guard let kind = ShardPiece.Kind(rawValue: record[start]),
                let hash = ContentHash(bytes: record.suffix(16)), record[start + 1] <= 30
            else { return nil }
            let tile = TileCoordinate(zoom: Int(record[start + 1]), column: number(4), row: number(8))
            let piece = ShardPiece(
                kind: kind, coordinate: tile, offset: offset, size: number(12), hash: hash)
            guard tile.isInWorld, piece.size <= ReadingBudget.largestTile else { return nil }
            offset += piece.size
            pieces.append(piece)
        }
        return pieces
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

/// A piece of a shard's file: the bytes of a tile, or its deep pixels.
package struct ShardPiece: Hashable, Sendable {
    /// The kinds of pieces.
    package enum Kind: UInt8, Sendable {
        /// A tile as an image file.
        case tile = 1
        /// The deep pixels of a tile, packed; see `PackedPixels`.
        case pixels = 2
        /// The number of pixels of each colour in all tiles of a survey; it does not belong to a tile.
        case colors = 3
    }

    /// The kind of piece.
    package let kind: Kind
    /// The tile.
    package let coordinate: TileCoordinate
    /// The offset of the bytes in the file.
    package let offset: Int
    /// The number of bytes.
    package let size: Int
    /// The hash of the bytes.
    package let hash: ContentHash
}

/// Identifies a shard.
package struct ShardIdentity: Hashable, Sendable {
    /// The kinds of files of shards.
    package enum Round: String, Hashable, Sendable {
        /// Colours, from which a palette is chosen before tiles are made.
        case survey
        /// Tiles.
        case shard
    }

    /// The digest of everything that determines its bytes.
    package var digest: ContentHash
    /// The shard's number, from 0.
    package var index: Int
    /// The kind of file.
    package var round: Round

    /// Makes the identity of a shard.
    package init(digest: ContentHash, index: Int, round: Round = .shard) {
        (self.digest, self.index, self.round) = (digest, index, round)
    }

    /// The name of its file.
    package var fileName: String { "\(index).\(round.rawValue)" }
}

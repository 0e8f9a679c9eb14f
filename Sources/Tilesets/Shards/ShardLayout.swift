import Tiling

/// How a shard's file is laid out. Numbers are little-endian.
///
/// | bytes | what |
/// | --- | --- |
/// | 32 | `tw-shard`, the version of the layout, the shard's number, the digest of what decides it |
/// | any | the pieces, one behind the other |
/// | 32 each | the list of pieces: kind, zoom, two zeros, column, row, size, digest of the bytes |
/// | 48 | where the list begins, how many pieces it has, the digest of the first 32 bytes, the list and these two numbers, `drahs-wt`, eight zeros |
///
/// There is no time, host or path in it: it is the same file whoever makes it.
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

    /// The pieces of a list; nil if they are not some.
    static func pieces(_ list: [UInt8]) -> [ShardPiece]? {
        var offset = headSize
        var pieces: [ShardPiece] = []
        pieces.reserveCapacity(list.count / recordSize)
        for start in stride(from: 0, to: list.count, by: recordSize) {
            let record = list[start..<start + recordSize]
            func number(_ at: Int) -> Int { Int(Self.number(record.dropFirst(at).prefix(4))) }
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

    /// A number of up to eight bytes.
    static func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}

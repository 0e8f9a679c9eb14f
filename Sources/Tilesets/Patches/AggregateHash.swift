import CStorage
import Tiling

/// The hash of all tiles of a tileset, the same in every container, as martin's `mbtiles` stores it in
/// `agg_tiles_hash`: the MD5 of zoom, column, row from the south as decimal digits, and bytes of each tile, in
/// the order of these numbers.
///
/// It is not a protection against an attacker, but martin knows no other.
struct AggregateHash {
    private var context = MD5_CTX()

    /// Starts with no tiles.
    init() { MD5Init(&context) }

    /// Adds the next tile.
    ///
    /// - Parameter bytes: nil for a tile that a patch removes.
    mutating func add(_ tile: TileCoordinate, _ bytes: [UInt8]?) {
        var name = "\(tile.zoom)\(tile.column)\(tile.row(in: .tms))"
        name.withUTF8 { MD5Update(&context, $0.baseAddress, $0.count) }
        bytes?.withUnsafeBufferPointer { MD5Update(&context, $0.baseAddress, $0.count) }
    }

    /// The hash of all tiles so far, in upper-case hexadecimal digits, as martin writes it.
    var text: String {
        var (copy, digest) = (context, [UInt8](repeating: 0, count: 16))
        MD5Final(&digest, &copy)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}

/// The tiles of a tileset in the order of `AggregateHash`, each with the hash of its bytes; 32 bytes of memory
/// for each.
struct TileRegister: Sendable {
    /// Records whose rows count from the south.
    private let records: [TileRecord]

    /// Reads all tiles once.
    ///
    /// - Throws: `.badInput` if the tileset is damaged, `.usage` if it has too many tiles, `CancellationError`
    ///   if the task was cancelled.
    init(of tiles: any TileCollection, budget: ReadingBudget) throws {
        var records: [TileRecord] = []
        try tiles.forEachTile { tile in
            try Task.checkCancellation()
            records.append(
                TileRecord(
                    tile.coordinate.mirrored, size: tile.bytes.count, hash: ContentHash(of: tile.bytes)))
            try budget.check(records.count, of: tiles.path)
        }
        self.records = TileRecords(records).sorted
    }

    private init(_ records: [TileRecord]) { self.records = TileRecords(records).sorted }

    /// The number of tiles.
    var count: Int { records.count }

    /// The tiles with others in the place of some.
    func replacing(_ tiles: Set<TileCoordinate>, by others: TileRegister) -> TileRegister {
        TileRegister(records.filter { !tiles.contains($0.coordinate.mirrored) } + others.records)
    }

    /// A tile of either of two tilesets.
    struct Pair {
        /// The tile.
        var tile: TileCoordinate
        /// Whether the first tileset has it.
        var isOld: Bool
        /// Whether the second tileset has it.
        var isNew: Bool
        /// Whether both have it, with the same bytes.
        var isSame: Bool
    }

    /// Calls `body` with each tile that this tileset or another has, in order.
    func forEachPair(with other: TileRegister, _ body: (Pair) throws -> Void) rethrows {
        var (olds, news) = (records[...], other.records[...])
        while let next = [olds.first, news.first].compactMap(\.self).min(by: <) {
            let old = olds.first.flatMap { $0 < next || next < $0 ? nil : $0 }
            let new = news.first.flatMap { $0 < next || next < $0 ? nil : $0 }
            try body(
                Pair(
                    tile: next.coordinate.mirrored, isOld: old != nil, isNew: new != nil,
                    isSame: old != nil && old?.hash == new?.hash && old?.size == new?.size))
            olds = olds.dropFirst(old == nil ? 0 : 1)
            news = news.dropFirst(new == nil ? 0 : 1)
        }
    }
}

extension TileCoordinate {
    /// The tile whose row from the north is this one's row from the south.
    fileprivate var mirrored: TileCoordinate {
        TileCoordinate(zoom: zoom, column: column, row: row(in: .tms))
    }
}

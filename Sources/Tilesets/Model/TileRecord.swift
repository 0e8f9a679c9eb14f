import Platform
package import Tiling

/// The record of a tile in a manifest or a journal: its address, size and hash, in 32 bytes.
struct TileRecord: Hashable, Sendable, BitwiseCopyable {
    private var zoom: UInt32
    private var column: UInt32
    /// Counted from the north, whatever the scheme of the names.
    private var row: UInt32
    /// Bytes of the file; a tile beyond 4 GiB is a bug.
    private var length: UInt32
    /// The hash of the file's contents.
    var hash: ContentHash

    /// Makes the record of a tile.
    init(_ coordinate: TileCoordinate, size: Int, hash: ContentHash) {
        zoom = UInt32(coordinate.zoom)
        column = UInt32(coordinate.column)
        row = UInt32(coordinate.row)
        length = UInt32(size)
        self.hash = hash
    }

    /// Makes a record for searching an address.
    init(_ coordinate: TileCoordinate) {
        self.init(coordinate, size: 0, hash: ContentHash(of: []))
    }

    /// The tile's address.
    var coordinate: TileCoordinate {
        TileCoordinate(zoom: Int(zoom), column: Int(column), row: Int(row))
    }

    /// Bytes of the file.
    var size: Int { Int(length) }

    /// Orders by zoom, column, row: with the usual template, neighbours in this order share a directory.
    static func < (left: TileRecord, right: TileRecord) -> Bool {
        (left.zoom, left.column, left.row) < (right.zoom, right.column, right.row)
    }
}

// In files: zoom, column, row from the north, bytes of the tile (UInt32 each), XXH3-128 of the tile (high half,
// low half; UInt64 each), all little-endian.
extension TileRecord {
    /// The bytes of a record.
    static let size = 32
    /// The most bytes of a manifest or a journal: eight times the default of `--max-tiles`.
    static let largestList = 1 << 30

    /// The bytes of records.
    static func bytes(of records: some Sequence<TileRecord>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.underestimatedCount * size)
        for record in records {
            bytes.append(littleEndian: record.zoom)
            bytes.append(littleEndian: record.column)
            bytes.append(littleEndian: record.row)
            bytes.append(littleEndian: record.length)
            bytes.append(littleEndian: record.hash.high)
            bytes.append(littleEndian: record.hash.low)
        }
        return bytes
    }

    /// Reads the records from the start of bytes, up to the first that no tile can have. A last record that is
    /// not whole does not count.
    static func read(_ bytes: ArraySlice<UInt8>) -> [TileRecord] {
        bytes.withUnsafeBytes { buffer in
            var records: [TileRecord] = []
            records.reserveCapacity(buffer.count / size)
            for start in stride(from: 0, through: buffer.count - size, by: size) {
                let record = TileRecord(buffer, at: start)
                guard record.isValid else { break }
                records.append(record)
            }
            return records
        }
    }

    private init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
        func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            Number(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: Number.self))
        }
        zoom = number(0, UInt32.self)
        column = number(4, UInt32.self)
        row = number(8, UInt32.self)
        length = number(12, UInt32.self)
        hash = ContentHash(high: number(16, UInt64.self), low: number(24, UInt64.self))
    }

    private var isValid: Bool { zoom <= 30 && column < 1 << zoom && row < 1 << zoom }
}

extension UInt64 {
    /// A little-endian number of up to eight bytes.
    init(littleEndian bytes: some BidirectionalCollection<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The tiles with the same naming: sorted, each address once.
struct TileRecords: Hashable, Sendable {
    /// The sorted records.
    let sorted: [TileRecord]

    /// Sorts records; no address may occur twice.
    init(_ records: [TileRecord] = []) {
        let isSorted = zip(records, records.dropFirst()).allSatisfy { $0 < $1 }
        sorted = isSorted ? records : records.sorted(by: <)
    }

    /// The record of an address, or nil if there is none; logarithmic.
    func record(of tile: TileCoordinate) -> TileRecord? {
        let sought = TileRecord(tile)
        let index = sorted.sortedFirstIndex { !($0 < sought) }
        return index < sorted.count && !(sought < sorted[index]) ? sorted[index] : nil
    }
}

/// Counts the tiles of a tileset one by one, in any order; takes 32 bytes of memory for each.
package struct TileTally: Sendable {
    private var records: [TileRecord] = []
    private var zooms = TilesByZoom()
    /// Bytes of all tiles.
    package private(set) var bytes = 0

    /// Starts with no tiles.
    package init() {}

    /// Counts a tile.
    ///
    /// - Returns: the hash of its bytes.
    @discardableResult
    package mutating func count(_ tile: EncodedTile) -> ContentHash {
        let hash = ContentHash(of: tile.bytes)
        bytes = bytes.addingSaturated(tile.bytes.count)
        zooms.count(tile.coordinate)
        records.append(TileRecord(tile.coordinate, size: tile.bytes.count, hash: hash))
        return hash
    }

    /// Counts a missing tile.
    package mutating func count(missing tile: TileCoordinate) {
        zooms.count(tile)
        records.append(TileRecord(tile))
    }

    /// The number of tiles.
    package var tileCount: Int { records.count }

    /// The tiles that exist, per zoom from the lowest.
    package var limits: [TileRange] { zooms.limits }

    /// The contents of the tileset. Sorts the tiles.
    package var contents: TilesetContents { TilesetContents(ofSorted: TileRecords(records).sorted) }

    /// Calls `body` with each tile that was not counted although there are tiles of higher zooms in its area.
    /// Begins at the lowest zoom that has a tile.
    package func forEachMissingParent(_ body: (TileCoordinate) throws -> Void) rethrows {
        let sorted = TileRecords(records)
        guard let lowest = sorted.sorted.first?.coordinate.zoom else { return }
        var known: Set<TileCoordinate> = []
        for record in sorted.sorted.reversed() {
            var tile = record.coordinate
            while tile.zoom > lowest {
                tile = tile.parent
                if sorted.record(of: tile) != nil || !known.insert(tile).inserted { break }
                try body(tile)
            }
        }
    }
}

extension TileCoordinate {
    /// The tile of the next lower zoom that contains this tile.
    fileprivate var parent: TileCoordinate {
        TileCoordinate(zoom: zoom - 1, column: column / 2, row: row / 2)
    }
}

/// The count and digest of a tileset's tiles, which show whether a copy is complete.
public struct TilesetContents: Hashable, Sendable {
    /// The number of tiles.
    public var tileCount: Int
    /// A hash of all addresses and all bytes, the same in every container, in hexadecimal digits.
    public var digest: String

    /// Makes contents.
    public init(tileCount: Int, digest: String) {
        self.tileCount = tileCount
        self.digest = digest
    }
}

extension TilesetContents {
    /// Counts and hashes the records of a tileset: the XXH3-128 of all records, 32 bytes each, sorted by
    /// zoom, column, row. They may be made one by one; only the bytes of a few are in memory.
    init(ofSorted records: some Collection<TileRecord>) {
        let stream = HashStream()
        var rest = records[...]
        while !rest.isEmpty {
            // 32 KB, which stay in the L1 cache.
            TileRecord.bytes(of: rest.prefix(1024)).withUnsafeBytes { stream.update($0) }
            rest = rest.dropFirst(1024)
        }
        self.init(tileCount: records.count, digest: stream.hash.hex)
    }
}

/// A tile's address in 64 bits, which sort by zoom, column, row: a bit whose position is the zoom, followed
/// by `zoom` bits each of column and row.
struct PackedCoordinate: Hashable, Comparable, Sendable, BitwiseCopyable {
    private let bits: UInt64

    /// Packs an address.
    init(_ tile: TileCoordinate) {
        let zoom = UInt64(tile.zoom)
        bits = 1 << (2 * zoom) | UInt64(tile.column) << zoom | UInt64(tile.row)
    }

    /// The address.
    var coordinate: TileCoordinate {
        let zoom = (63 - bits.leadingZeroBitCount) / 2
        let mask: UInt64 = (1 << UInt64(zoom)) - 1
        return TileCoordinate(
            zoom: zoom, column: Int(bits >> UInt64(zoom) & mask), row: Int(bits & mask))
    }

    static func < (left: PackedCoordinate, right: PackedCoordinate) -> Bool {
        left.bits < right.bits
    }
}

import Tiling

/// What the manifest knows of a tile: its address, and what its file holds.
///
/// Thirty-two bytes without gaps, so that a million of them are read and written in one piece.
struct TileRecord: Hashable, Sendable, BitwiseCopyable {
    private var zoom: UInt32
    private var column: UInt32
    /// From the north, whatever the scheme of the names.
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

    /// Makes a record to look for an address by.
    init(_ coordinate: TileCoordinate) {
        self.init(coordinate, size: 0, hash: ContentHash(of: []))
    }

    /// The tile's address.
    var coordinate: TileCoordinate {
        TileCoordinate(zoom: Int(zoom), column: Int(column), row: Int(row))
    }

    /// Bytes of the file.
    var size: Int { Int(length) }

    /// Whether the address exists: a file could say anything.
    var isValid: Bool { zoom <= 30 && column < 1 << zoom && row < 1 << zoom }

    /// By zoom, column, row: neighbours in that order share a directory under the usual template.
    static func < (left: TileRecord, right: TileRecord) -> Bool {
        (left.zoom, left.column, left.row) < (right.zoom, right.column, right.row)
    }
}

/// Tiles of one way of naming: sorted, each address once.
struct TileRecords: Hashable, Sendable {
    /// The records in their order.
    let sorted: [TileRecord]

    /// Takes records in any order, no address twice.
    init(_ records: [TileRecord] = []) {
        let isSorted = zip(records, records.dropFirst()).allSatisfy { $0 < $1 }
        sorted = isSorted ? records : records.sorted(by: <)
    }

    /// Whether an address is among them; logarithmic.
    func contains(_ record: TileRecord) -> Bool { index(of: record) != nil }

    /// Whether an address is among them; logarithmic.
    func contains(_ tile: TileCoordinate) -> Bool { contains(TileRecord(tile)) }

    /// The record of an address, or nil if it is not among them; logarithmic.
    func record(of tile: TileCoordinate) -> TileRecord? {
        index(of: TileRecord(tile)).map { sorted[$0] }
    }

    private func index(of record: TileRecord) -> Int? {
        let index = sorted.sortedFirstIndex { !($0 < record) }
        return index < sorted.count && !(record < sorted[index]) ? index : nil
    }
}

import CDeflate
import Platform

/// The uncompressed bytes of a directory of PMTiles: the number of entries, then all IDs, all run lengths,
/// all lengths and all offsets, as variable-length integers.
///
/// IDs are stored as differences. An offset is stored as 0 if the bytes follow those of the previous entry,
/// otherwise as the offset plus one.
enum PMTilesDirectory {
    /// The bytes of entries in ascending order.
    static func encode(_ entries: some Collection<PMTilesEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        // Four numbers for each entry, mostly of two bytes.
        bytes.reserveCapacity(entries.count * 8)
        bytes.appendVarint(UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            bytes.appendVarint(entry.id.number - last)
            last = entry.id.number
        }
        for entry in entries { bytes.appendVarint(UInt64(entry.runLength)) }
        for entry in entries { bytes.appendVarint(UInt64(entry.length)) }
        var end: UInt64?
        for entry in entries {
            bytes.appendVarint(entry.offset == end ? 0 : entry.offset + 1)
            end = entry.offset + UInt64(entry.length)
        }
        return bytes
    }

    /// Reads entries. Allocates at most 24 bytes for every four bytes of input.
    ///
    /// - Parameter place: the directory, for messages.
    /// - Throws: if bytes are missing, left over or invalid. Does not check that IDs ascend.
    static func decode(_ bytes: [UInt8], place: String) throws(PMTilesDamage) -> [PMTilesEntry] {
        var reader = VarintReader(bytes, place: place)
        let count = try reader.next()
        guard count > 0 else { throw PMTilesDamage(place, "is empty") }
        // Each entry has four numbers of at least one byte.
        guard count <= UInt64(bytes.count) / 4 else { throw reader.damage }
        var entries: [PMTilesEntry] = []
        entries.reserveCapacity(Int(count))
        var id: UInt64 = 0
        for _ in 0..<count {
            id = try reader.sum(id, reader.next())
            entries.append(PMTilesEntry(id: TileID(id), offset: 0, length: 0, runLength: 0))
        }
        for index in entries.indices { entries[index].runLength = try reader.next32() }
        for index in entries.indices { entries[index].length = try reader.next32() }
        try readOffsets(of: &entries, from: &reader)
        guard reader.isAtEnd else { throw reader.damage }
        return entries
    }

    private static func readOffsets(
        of entries: inout [PMTilesEntry], from reader: inout VarintReader
    ) throws(PMTilesDamage) {
        var end: UInt64?
        for index in entries.indices {
            let number = try reader.next()
            guard let offset = number > 0 ? number - 1 : end, entries[index].length > 0 else {
                throw reader.damage
            }
            entries[index].offset = offset
            end = try reader.sum(offset, UInt64(entries[index].length))
        }
    }
}

extension [UInt8] {
    /// Appends a number, seven bits per byte, the lowest first; bit 7 is set in all bytes but the last.
    fileprivate mutating func appendVarint(_ number: UInt64) {
        var rest = number
        while rest > 0x7f {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

/// Reads variable-length integers of 64 bits.
private struct VarintReader {
    private let bytes: [UInt8]
    private let place: String
    private var position = 0

    init(_ bytes: [UInt8], place: String) {
        self.bytes = bytes
        self.place = place
    }

    var isAtEnd: Bool { position == bytes.count }

    var damage: PMTilesDamage { PMTilesDamage(place, "is damaged") }

    mutating func next() throws(PMTilesDamage) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while position < bytes.count {
            let byte = UInt64(bytes[position])
            position += 1
            let bits = byte & 0x7f
            // The tenth byte has only one bit of the number.
            guard shift < 63 || shift == 63 && bits <= 1 else { throw damage }
            number |= bits << shift
            if byte & 0x80 == 0 { return number }
            shift += 7
        }
        throw damage
    }

    mutating func next32() throws(PMTilesDamage) -> UInt32 {
        guard let number = UInt32(exactly: try next()) else { throw damage }
        return number
    }

    func sum(_ left: UInt64, _ right: UInt64) throws(PMTilesDamage) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        if overflow { throw damage }
        return sum
    }
}

/// An entry of a directory of PMTiles: a run of equal tiles, or a leaf directory.
struct PMTilesEntry: Hashable, Sendable, BitwiseCopyable {
    /// The first tile.
    var id: TileID
    /// The offset of its bytes from the start of the tile data; for a leaf, from the start of the leaf
    /// directories.
    var offset: UInt64
    /// The number of bytes, at least one.
    var length: UInt32
    /// The number of tiles that have these bytes; 0 for a leaf.
    var runLength: UInt32

    /// The IDs of its tiles.
    var run: Range<UInt64> { id.number..<id.number + UInt64(runLength) }
}

/// All directories of an archive, compressed: a root that fits, with the header, into the first bytes that
/// clients fetch, and leaves if the root would be too large without them.
struct PMTilesDirectories {
    /// The root.
    let root: [UInt8]
    /// The concatenated leaves; empty if the root contains all tiles.
    let leaves: [UInt8]

    private static let largestRoot = PMTilesHeader.sizeWithRoot - PMTilesHeader.size
    /// With more entries than this, a root alone is not tried: each entry would have less than a byte.
    private static let mostInRoot = 16_384
    /// Entries of a leaf, about 20 to 30 KB, which a client must read completely for one tile.
    private static let smallestLeaf = 4096
    /// Leaves of a root, each of which takes about five bytes there.
    private static let usualLeaves = 3000

    /// Encodes entries in ascending order. The sequence may be read several times.
    ///
    /// Keeps the directories in memory, about five bytes for each entry.
    init(_ entries: some Sequence<PMTilesEntry>, count: Int) throws {
        if count <= Self.mostInRoot {
            let root = try Gzip.compress(PMTilesDirectory.encode(Array(entries)))
            if root.count <= Self.largestRoot {
                self.root = root
                leaves = []
                return
            }
        }
        var leafSize = max(Self.smallestLeaf, count / Self.usualLeaves)
        while true {
            let (root, leaves) = try Self.divided(entries, leafSize: leafSize)
            if root.count <= Self.largestRoot {
                self.root = root
                self.leaves = leaves
                return
            }
            leafSize += leafSize / 2
        }
    }

    private static func divided(
        _ entries: some Sequence<PMTilesEntry>, leafSize: Int
    ) throws -> (root: [UInt8], leaves: [UInt8]) {
        var pointers: [PMTilesEntry] = []
        var leaves: [UInt8] = []
        var leaf: [PMTilesEntry] = []
        leaf.reserveCapacity(leafSize)
        func close() throws {
            guard let first = leaf.first else { return }
            let bytes = try Gzip.compress(PMTilesDirectory.encode(leaf))
            pointers.append(
                PMTilesEntry(
                    id: first.id, offset: UInt64(leaves.count), length: UInt32(bytes.count),
                    runLength: 0))
            leaves += bytes
            leaf.removeAll(keepingCapacity: true)
        }
        for entry in entries {
            leaf.append(entry)
            if leaf.count == leafSize { try close() }
        }
        try close()
        return (try Gzip.compress(PMTilesDirectory.encode(pointers)), leaves)
    }
}

/// Compression with gzip (RFC 1952), by libdeflate.
enum Gzip {
    /// The level of compression; higher levels save less than one percent.
    private static let level: Int32 = 9
    /// The largest ratio of deflate's decompressed size to its compressed size: 258 bytes from 2 bits.
    private static let largestRatio = 1032

    /// Compresses bytes; `libdeflate_gzip_compress`. The same bytes yield the same result.
    static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
        guard let compressor = libdeflate_alloc_compressor(level) else { throw noMemory }
        defer { libdeflate_free_compressor(compressor) }
        let bound = libdeflate_gzip_compress_bound(compressor, bytes.count)
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = libdeflate_gzip_compress(
                compressor, bytes, bytes.count, buffer.baseAddress, buffer.count)
        }
    }

    /// Decompresses a stream with one member; `libdeflate_gzip_decompress`.
    ///
    /// - Parameter limit: the largest size of the result, and of the memory allocated for it.
    /// - Returns: nil if the stream is damaged, or too long.
    static func decompress(_ bytes: [UInt8], limit: Int) throws -> [UInt8]? {
        // The last four bytes state the length, which is used if it is plausible.
        guard bytes.count >= 18 else { return nil }
        let length = Int(UInt64(littleEndian: bytes.suffix(4)))
        guard length <= min(limit, bytes.count * largestRatio) else { return nil }
        guard let decompressor = libdeflate_alloc_decompressor() else { throw noMemory }
        defer { libdeflate_free_decompressor(decompressor) }
        var result = LIBDEFLATE_BAD_DATA
        let content = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            result = libdeflate_gzip_decompress(
                decompressor, bytes, bytes.count, buffer.baseAddress, length, nil)
            count = result == LIBDEFLATE_SUCCESS ? length : 0
        }
        return result == LIBDEFLATE_SUCCESS ? content : nil
    }

    private static var noMemory: Failure {
        Failure(.systemLimit, "there is not enough memory to compress or decompress")
    }
}

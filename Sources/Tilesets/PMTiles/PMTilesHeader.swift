import Platform

/// The header of an archive of PMTiles, version 3: its first 127 bytes; numbers are little-endian.
struct PMTilesHeader: Hashable, Sendable {
    /// Its size in bytes.
    static let size = 127
    /// The number of bytes that clients fetch first. They must contain the header and the whole root
    /// directory.
    static let sizeWithRoot = 16_384

    /// A part of the file.
    struct Section: Hashable, Sendable {
        /// Its offset in the file.
        var offset: UInt64 = 0
        /// Its length in bytes.
        var length: UInt64 = 0

        /// Its end; nil if no file can be that long.
        var end: UInt64? {
            let (end, overflow) = offset.addingReportingOverflow(length)
            return overflow || end > UInt64(Int.max) ? nil : end
        }
    }

    /// The compression of a part of the file. A file may contain any value.
    struct Compression: RawRepresentable, Hashable, Sendable {
        var rawValue: UInt8
        static let unknown = Compression(rawValue: 0)
        static let none = Compression(rawValue: 1)
        static let gzip = Compression(rawValue: 2)
        static let brotli = Compression(rawValue: 3)
        static let zstd = Compression(rawValue: 4)
    }

    /// The type of the tiles. A file may contain any value.
    struct TileType: RawRepresentable, Hashable, Sendable {
        var rawValue: UInt8
        static let other = TileType(rawValue: 0)
        static let vector = TileType(rawValue: 1)
        static let png = TileType(rawValue: 2)
        static let jpeg = TileType(rawValue: 3)
        static let webp = TileType(rawValue: 4)
        static let avif = TileType(rawValue: 5)

        /// The kind of each value.
        private static let kinds: [TileKind?] = [nil, .mvt, .png, .jpeg, .webp, .avif]

        /// The kind of the tiles; nil if the header does not state it.
        var kind: TileKind? { rawValue < Self.kinds.count ? Self.kinds[Int(rawValue)] : .unknown }
    }

    /// The root directory.
    var root = Section()
    /// The metadata, a JSON object.
    var metadata = Section()
    /// The leaf directories.
    var leaves = Section()
    /// The tiles.
    var data = Section()
    /// The number of tiles; 0 if unknown, as for the next two.
    var addressedTiles: UInt64 = 0
    /// The number of entries for tiles in all directories.
    var tileEntries: UInt64 = 0
    /// The number of different tiles.
    var tileContents: UInt64 = 0
    /// Whether tiles are stored in the order of their IDs.
    var isClustered = false
    /// The compression of directories and metadata.
    var internalCompression = Compression.unknown
    /// The compression of each tile, in addition to that of its file type.
    var tileCompression = Compression.unknown
    /// The file type of all tiles.
    var tileType = TileType.other
    /// The lowest zoom.
    var minZoom: UInt8 = 0
    /// The highest zoom.
    var maxZoom: UInt8 = 0
    /// West, south, east, north in units of 1e-7 degrees.
    var bounds: [Int32] = [0, 0, 0, 0]
    /// The initial zoom.
    var centerZoom: UInt8 = 0
    /// The initial longitude and latitude, in units of 1e-7 degrees.
    var center: [Int32] = [0, 0]
}

extension PMTilesHeader {
    private static let magic = Array("PMTiles".utf8)
    private static let version: UInt8 = 3

    /// The bytes of the header.
    var encoded: [UInt8] {
        var bytes = Self.magic + [Self.version]
        for section in [root, metadata, leaves, data] {
            bytes.append(littleEndian: section.offset)
            bytes.append(littleEndian: section.length)
        }
        for count in [addressedTiles, tileEntries, tileContents] { bytes.append(littleEndian: count) }
        bytes += [
            isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue,
            tileType.rawValue, minZoom, maxZoom,
        ]
        for edge in bounds { bytes.append(littleEndian: UInt32(bitPattern: edge)) }
        bytes.append(centerZoom)
        for angle in center { bytes.append(littleEndian: UInt32(bitPattern: angle)) }
        return bytes
    }

    /// Reads the first bytes of a file.
    ///
    /// - Throws: if they are not such a header.
    init(decoding bytes: [UInt8]) throws(PMTilesDamage) {
        guard bytes.starts(with: Self.magic.prefix(2)) else {
            throw PMTilesDamage("header", "does not begin with 'PMTiles': it is another file")
        }
        guard bytes.starts(with: Self.magic) else {
            throw PMTilesDamage("header", "has an older version: only version 3 is supported")
        }
        guard bytes.count >= Self.size else {
            throw PMTilesDamage("header", "is cut off after \(bytes.count) of \(Self.size) bytes")
        }
        guard bytes[7] == Self.version else {
            throw PMTilesDamage("header", "has version \(bytes[7]): only version 3 is supported")
        }
        func number(_ offset: Int, bytes count: Int) -> UInt64 {
            UInt64(littleEndian: bytes[offset..<offset + count])
        }
        func section(_ offset: Int) -> Section {
            Section(
                offset: number(offset, bytes: 8), length: number(offset + 8, bytes: 8))
        }
        func angle(_ offset: Int) -> Int32 {
            Int32(truncatingIfNeeded: number(offset, bytes: 4))
        }
        root = section(8)
        metadata = section(24)
        leaves = section(40)
        data = section(56)
        addressedTiles = number(72, bytes: 8)
        tileEntries = number(80, bytes: 8)
        tileContents = number(88, bytes: 8)
        isClustered = bytes[96] == 1
        internalCompression = Compression(rawValue: bytes[97])
        tileCompression = Compression(rawValue: bytes[98])
        tileType = TileType(rawValue: bytes[99])
        (minZoom, maxZoom) = (bytes[100], bytes[101])
        bounds = [102, 106, 110, 114].map(angle)
        centerZoom = bytes[118]
        center = [119, 123].map(angle)
    }
}

extension PMTilesHeader {
    private static let magic = Array("PMTiles".utf8)
    private static let version: UInt8 = 3

    /// The bytes of the file's front.
    var encoded: [UInt8] {
        var bytes = Self.magic + [Self.version]
        for section in [root, metadata, leaves, data] {
            bytes.append(section.offset)
            bytes.append(section.length)
        }
        for count in [addressedTiles, tileEntries, tileContents] { bytes.append(count) }
        bytes += [
            isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue,
            tileType.rawValue, minZoom, maxZoom,
        ]
        for edge in bounds { bytes.append(UInt32(bitPattern: edge)) }
        bytes.append(centerZoom)
        for angle in center { bytes.append(UInt32(bitPattern: angle)) }
        return bytes
    }

    /// Reads the front of a file.
    ///
    /// - Throws: what it is instead.
    init(decoding bytes: [UInt8]) throws(PMTilesDamage) {
        guard bytes.starts(with: Self.magic.prefix(2)) else {
            throw PMTilesDamage("header", "does not begin with 'PMTiles': it is another file")
        }
        guard bytes.starts(with: Self.magic) else {
            throw PMTilesDamage("header", "is of an older version, and 3 is read")
        }
        guard bytes.count >= Self.size else {
            throw PMTilesDamage("header", "is cut off after \(bytes.count) of \(Self.size) bytes")
        }
        guard bytes[7] == Self.version else {
            throw PMTilesDamage("header", "is of version \(bytes[7]), and 3 is read")
        }
        func section(_ offset: Int) -> Section {
            Section(
                offset: bytes.number(at: offset, bytes: 8),
                length: bytes.number(at: offset + 8, bytes: 8))
        }
        func angle(_ offset: Int) -> Int32 {
            Int32(truncatingIfNeeded: bytes.number(at: offset, bytes: 4))
        }
        root = section(8)
        metadata = section(24)
        leaves = section(40)
        data = section(56)
        addressedTiles = bytes.number(at: 72, bytes: 8)
        tileEntries = bytes.number(at: 80, bytes: 8)
        tileContents = bytes.number(at: 88, bytes: 8)
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

extension [UInt8] {
    /// Appends a little-endian number.
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// A little-endian number.
    fileprivate func number(at offset: Int, bytes: Int) -> UInt64 {
        self[offset..<offset + bytes].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

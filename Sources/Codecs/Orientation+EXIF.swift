package import Raster

extension Orientation {
    /// Reads the orientation in an EXIF block, which is a small TIFF file: tag 274 of its first
    /// directory.
    ///
    /// - Returns: nil if there is none or the block is damaged. An image is never refused for its
    ///   metadata.
    package init?(exif: [UInt8]) {
        guard let tiff = TIFFBytes(exif), let directory = tiff.integer(at: 4, size: 4),
            let count = tiff.integer(at: directory, size: 2)
        else { return nil }
        // An entry is 12 bytes: tag, type, number of values, and the values, left-justified.
        let entries = (0..<count).lazy.map { directory + 2 + 12 * $0 }
            .prefix { $0 < exif.count }
        guard let entry = entries.first(where: { tiff.integer(at: $0, size: 2) == 274 }),
            let size = Self.valueSizes[tiff.integer(at: entry + 2, size: 2) ?? 0],
            tiff.integer(at: entry + 4, size: 4) == 1,
            let value = tiff.integer(at: entry + 8, size: size)
        else { return nil }
        self.init(rawValue: value)
    }

    /// Bytes of a value by its type: 3 is SHORT, as the specification requires; some write LONG, 4.
    private static let valueSizes = [3: 2, 4: 4]
}

/// The bytes of a TIFF file, and the byte order that the first two name.
private struct TIFFBytes {
    private let bytes: [UInt8]
    private let isBigEndian: Bool

    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x49, 0x49, 42, 0]) {
            isBigEndian = false
        } else if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
            isBigEndian = true
        } else {
            return nil
        }
        self.bytes = bytes
    }

    /// An unsigned number of `size` bytes, or nil beyond the end.
    func integer(at offset: Int, size: Int) -> Int? {
        guard offset + size <= bytes.count else { return nil }
        let field = bytes[offset..<offset + size]
        return isBigEndian
            ? field.reduce(0) { $0 << 8 | Int($1) }
            : field.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

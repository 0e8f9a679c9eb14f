/// Writes ZIP archives, valid and invalid. Files are stored, not deflated.
package struct ZIPBuilder {
    /// A file of the archive.
    package struct Entry {
        /// The name with its folders.
        package var name: String
        /// The content.
        package var bytes: [UInt8]
        /// The compression method in the archive; 0 is stored.
        package var method = 0
        /// Bit 0 is set if it is encrypted.
        package var flags = 0
        /// The size in the archive; nil for the real size.
        package var size: Int?
        /// Whether sizes and offsets are in extra fields, as for large files.
        package var isLarge = false

        /// Makes a file.
        package init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
    }

    /// The files, in their order.
    package var entries: [Entry]

    /// Makes an archive.
    package init(_ entries: [Entry] = []) { self.entries = entries }

    /// The archive.
    package var bytes: [UInt8] {
        var (file, directory) = ([UInt8](), [UInt8]())
        for entry in entries {
            let (name, place) = (Array(entry.name.utf8), file.count)
            let size = entry.size ?? entry.bytes.count
            let common =
                Self.little(20, 2) + Self.little(entry.flags, 2) + Self.little(entry.method, 2)
                + Self.little(0, 4) + Self.little(Int(crc32(entry.bytes)), 4)
            let sizes = Self.little(entry.bytes.count, 4) + Self.little(size, 4)
            file += [0x50, 0x4B, 3, 4] + common + sizes + Self.little(name.count, 2) + [0, 0] + name
            file += entry.bytes
            let full = [UInt8](repeating: 0xFF, count: 4)
            let extra =
                entry.isLarge
                ? Self.little(1, 2) + Self.little(24, 2) + Self.little(size, 8)
                    + Self.little(entry.bytes.count, 8) + Self.little(place, 8)
                : []
            directory += [0x50, 0x4B, 1, 2, 20, 0] + common + (entry.isLarge ? full + full : sizes)
            directory += Self.little(name.count, 2) + Self.little(extra.count, 2)
            directory += [UInt8](repeating: 0, count: 10)
            directory += (entry.isLarge ? full : Self.little(place, 4)) + name + extra
        }
        let end =
            [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + Self.little(entries.count, 2) + Self.little(entries.count, 2)
            + Self.little(directory.count, 4) + Self.little(file.count, 4) + [0, 0]
        return file + directory + end
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

/// The checksum of ZIP and PNG, computed by its definition.
package func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}

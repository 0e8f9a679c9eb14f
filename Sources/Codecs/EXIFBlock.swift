import Platform
package import Raster
package import Tiling

/// An EXIF block, which is a small TIFF file, or a whole TIFF file; and the byte order in its first two
/// bytes.
package struct EXIFBlock {
    private let size: Int
    private let isBigEndian: Bool
    /// The bytes in a range; fewer if the range extends beyond the end.
    private let bytes: (Range<Int>) -> [UInt8]

    /// Takes a block; nil if it does not begin like one.
    package init?(_ block: [UInt8]) {
        self.init(size: block.count) { Array(block[$0.clamped(to: block.indices)]) }
    }

    /// Reads a TIFF file as far as needed; nil if it cannot be read, or is a BigTIFF file, whose directories
    /// differ.
    init?(tiff path: String) {
        guard let file = try? FileDescriptor(reading: path), let size = try? file.status().size
        else { return nil }
        self.init(size: size) { part in
            (try? file.readBytes(at: part.lowerBound, count: part.count)) ?? []
        }
    }

    private init?(size: Int, _ bytes: @escaping (Range<Int>) -> [UInt8]) {
        switch bytes(0..<4) {
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        case [0x4D, 0x4D, 0, 42]: isBigEndian = true
        default: return nil
        }
        (self.size, self.bytes) = (size, bytes)
    }

    /// An unsigned number of `size` bytes, or nil beyond the end.
    func integer(at offset: Int, size: Int) -> Int? {
        guard offset + size <= self.size else { return nil }
        let field = bytes(offset..<offset + size)
        guard field.count == size else { return nil }
        return isBigEndian
            ? field.reduce(0) { $0 << 8 | Int($1) }
            : field.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The offset of a tag's entry: 12 bytes with tag, type, number of values, and the values,
    /// left-justified.
    func entry(_ tag: Int, ofDirectoryAt directory: Int) -> Int? {
        guard let count = integer(at: directory, size: 2) else { return nil }
        return (0..<count).lazy.map { directory + 2 + 12 * $0 }.prefix { $0 < size }
            .first { integer(at: $0, size: 2) == tag }
    }

    /// The position of the camera, longitude and latitude in degrees: the GPS tags of EXIF 2.32, 4.6.6.
    ///
    /// Nil if the block does not contain it, or if it is not a place: an image is never refused for its
    /// metadata.
    package var place: Point? {
        // The tag of the directory of GPS tags.
        guard let main = integer(at: 4, size: 4), let pointer = entry(0x8825, ofDirectoryAt: main),
            let directory = integer(at: pointer + 8, size: 4),
            let latitude = degrees(tag: 2, negativeIf: "S", directory),
            let longitude = degrees(tag: 4, negativeIf: "W", directory),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        // Cameras without a position write zeros.
        if latitude == 0, longitude == 0 { return nil }
        return Point(x: longitude, y: latitude)
    }

    /// Degrees, minutes and seconds, as three fractions; the letter of the hemisphere is in the tag before.
    private func degrees(tag: Int, negativeIf letter: Unicode.Scalar, _ directory: Int) -> Double? {
        guard let hemisphere = entry(tag - 1, ofDirectoryAt: directory),
            let sign = integer(at: hemisphere + 8, size: 1),
            let entry = entry(tag, ofDirectoryAt: directory), integer(at: entry + 4, size: 4) == 3,
            let values = integer(at: entry + 8, size: 4)
        else { return nil }
        var sum = 0.0
        for (index, share) in [1.0, 60, 3600].enumerated() {
            guard let number = integer(at: values + 8 * index, size: 4),
                let divisor = integer(at: values + 8 * index + 4, size: 4), divisor > 0 || number == 0
            else { return nil }
            sum += Double(number) / Double(max(divisor, 1)) / share
        }
        return sign == Int(letter.value) ? -sum : sum
    }
}

extension Orientation {
    /// Reads the orientation in an EXIF block, which is a small TIFF file: tag 274 of its first
    /// directory.
    ///
    /// - Returns: nil if there is none or the block is damaged. An image is never refused for its
    ///   metadata.
    package init?(exif: [UInt8]) {
        guard let tiff = EXIFBlock(exif), let directory = tiff.integer(at: 4, size: 4),
            let entry = tiff.entry(274, ofDirectoryAt: directory),
            let size = Self.valueSizes[tiff.integer(at: entry + 2, size: 2) ?? 0],
            tiff.integer(at: entry + 4, size: 4) == 1,
            let value = tiff.integer(at: entry + 8, size: size)
        else { return nil }
        self.init(rawValue: value)
    }

    /// The size of a value in bytes by its type: 3 is SHORT, as the specification requires; some programs
    /// write LONG, 4.
    private static let valueSizes = [3: 2, 4: 4]
}

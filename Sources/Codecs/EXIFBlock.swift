package import Tiling

/// The bytes of an EXIF block, which is a small TIFF file, and the byte order that the first two name.
package struct EXIFBlock {
    private let bytes: [UInt8]
    private let isBigEndian: Bool

    /// Takes a block; nil if it does not begin as one.
    package init?(_ bytes: [UInt8]) {
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

    /// Where the entry of a tag is: 12 bytes of tag, type, number of values, and the values, left-justified.
    func entry(_ tag: Int, ofDirectoryAt directory: Int) -> Int? {
        guard let count = integer(at: directory, size: 2) else { return nil }
        return (0..<count).lazy.map { directory + 2 + 12 * $0 }.prefix { $0 < bytes.count }
            .first { integer(at: $0, size: 2) == tag }
    }
}

extension EXIFBlock {
    /// Where the camera stood, longitude and latitude in degrees: the tags of GPS of EXIF 2.32, 4.6.6.
    ///
    /// Nil if the block does not say it, or says what is no place: an image is never refused for its
    /// metadata.
    package var place: Point? {
        // The tag of the directory of GPS tags.
        guard let main = integer(at: 4, size: 4), let pointer = entry(0x8825, ofDirectoryAt: main),
            let directory = integer(at: pointer + 8, size: 4),
            let latitude = degrees(tag: 2, negativeIf: "S", directory),
            let longitude = degrees(tag: 4, negativeIf: "W", directory),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
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

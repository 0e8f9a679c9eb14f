/// Writes TIFF files, valid and invalid: little-endian, with one directory after the data.
package struct TIFFBuilder {
    /// The type of a tag's values, with its number in the file.
    package enum Kind: UInt16 {
        case byte = 1
        case ascii = 2
        case short = 3
        case long = 4
        case rational = 5
        case undefined = 7
        case signedShort = 8
        case signedLong = 9
        case float = 11
        case double = 12
    }

    /// A tag, the count that it claims, and the bytes that it has.
    package struct Field {
        /// The type of its values.
        package var kind: Kind
        /// The count of values that it claims.
        package var count: Int
        /// Its values.
        package var bytes: [UInt8]

        /// Makes a field.
        package init(kind: Kind, count: Int, bytes: [UInt8]) {
            self.kind = kind
            self.count = count
            self.bytes = bytes
        }
    }

    /// By number.
    package var fields: [Int: Field] = [:]
    /// The data, from byte 8 on.
    package var data: [UInt8]
    /// The offset in the last directory, which should be 0.
    package var next = 0
    /// More directories, from other builders' fields. Their data are part of this builder's `data`.
    package var others: [[Int: Field]] = []
    /// The number of `others`, from the first one on, that are the first directory's children (tag 330) and
    /// not in the chain.
    package var childCount = 0

    /// One strip of gray pixels of 8 bits. `data` may be shorter or longer than the pixels.
    package init(width: Int, height: Int, data: [UInt8]) {
        self.data = data
        set(256, .long, [width])
        set(257, .long, [height])
        set(258, .short, [8])
        set(259, .short, [1])
        set(262, .short, [1])
        set(273, .long, [8])
        set(277, .short, [1])
        set(278, .long, [height])
        set(279, .long, [data.count])
    }

    /// Sets a tag.
    package mutating func set(_ tag: Int, _ kind: Kind, _ values: [Int], count: Int? = nil) {
        let size = kind == .short ? 2 : 4
        fields[tag] = Field(
            kind: kind, count: count ?? values.count,
            bytes: values.flatMap { Self.bytes($0, size) })
    }

    /// Sets pixels of several samples, or of other colours than gray. `extra` has the types of the samples
    /// after the colours.
    package mutating func setSamples(
        _ count: Int, photometric: Int, bits: Int = 8, extra: [Int] = []
    ) {
        set(258, .short, [Int](repeating: bits, count: count))
        set(262, .short, [photometric])
        set(277, .short, [count])
        if !extra.isEmpty { set(338, .short, extra) }
    }

    /// Sets the ICC profile.
    package mutating func setProfile(_ profile: ICCProfile) {
        fields[34675] = Field(
            kind: .undefined, count: profile.bytes.count, bytes: profile.bytes)
    }

    /// Uses tiles; only the first tile has an offset.
    package mutating func setTiles(width: Int, height: Int, count: Int) {
        for tag in [273, 278, 279] { fields[tag] = nil }
        set(322, .long, [width])
        set(323, .long, [height])
        set(324, .long, [8], count: count)
        set(325, .long, [data.count], count: count)
    }

    /// The offset of the directory.
    package var directory: Int { 8 + (data.count + 1) / 2 * 2 }

    /// The file.
    package var bytes: [UInt8] {
        var file: [UInt8] = [0x49, 0x49, 42, 0] + Self.bytes(directory, 4) + data
        if file.count % 2 == 1 { file.append(0) }
        var fields = fields
        if childCount > 0 {
            fields[330] = Field(
                kind: .long, count: childCount, bytes: [UInt8](repeating: 0, count: 4 * childCount))
        }
        var places = [directory]
        for fields in [fields] + others { places.append(places[places.count - 1] + Self.size(fields)) }
        if childCount > 0 {
            fields[330]?.bytes = (0..<childCount).flatMap { Self.bytes(places[1 + $0], 4) }
        }
        for (index, fields) in ([fields] + others).enumerated() {
            let isLast = index == others.count || (index == 0 && childCount == others.count)
            let following = index == 0 ? 1 + childCount : index + 1
            let isChild = 1...max(1, childCount) ~= index && childCount > 0
            file += Self.directory(
                fields, at: places[index], next: isChild ? 0 : isLast ? next : places[following])
        }
        return file
    }

    private static func size(_ fields: [Int: Field]) -> Int {
        fields.values.reduce(6 + 12 * fields.count) {
            $0 + ($1.bytes.count > 4 ? ($1.bytes.count + 1) / 2 * 2 : 0)
        }
    }

    private static func directory(_ fields: [Int: Field], at place: Int, next: Int) -> [UInt8] {
        let end = place + 2 + 12 * fields.count + 4
        var (file, values) = (Self.bytes(fields.count, 2), [UInt8]())
        for (tag, field) in fields.sorted(by: { $0.key < $1.key }) {
            file += Self.bytes(tag, 2) + Self.bytes(Int(field.kind.rawValue), 2)
            file += Self.bytes(field.count, 4)
            if field.bytes.count > 4 {
                file += Self.bytes(end + values.count, 4)
                values += field.bytes + (field.bytes.count % 2 == 1 ? [0] : [])
            } else {
                file += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
            }
        }
        return file + Self.bytes(next, 4) + values
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

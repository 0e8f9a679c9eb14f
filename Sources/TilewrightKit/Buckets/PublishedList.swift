import Platform
import Tilesets

/// An object that is published, or will be.
struct PublishedObject: Hashable, Sendable {
    /// The path below the place.
    var path: String
    /// The index of its kind in the list.
    var kind: UInt8
    /// Whether the object has this content. If not, a run may have been stopped before or after it put or
    /// removed the object.
    var isCertain: Bool
    /// Bytes.
    var size: Int
    /// The hash of the bytes.
    var hash: ContentHash
}

/// The list of what is published at a place, which is an object there, too.
///
/// Text, a line each, up to an empty line:
///
///     tilewright published 1              the version of the form
///     run <32 hexadecimal digits>         the run that is publishing; - after it has ended
///     kind <role> <type> <cache control>  separated by tabs; each kind of objects
///     objects <number>
///     bytes <number>                      the bytes of the records
///     hash <32 hexadecimal digits>        XXH3-128 of two of these: of the lines before, and of the records
///
/// then the records, compressed with Zstandard. They are sorted by the bytes of their paths. A record is the
/// number of bytes of the path that are those of the record before, the number of the others, and these; then
/// twice the kind, plus one if the content is certain; then, only if it is, the size and the 16 bytes of the
/// XXH3-128 hash. Numbers have seven bits in each byte, the lowest first; all bytes but the last have the
/// eighth bit.
///
/// A tile takes some 20 bytes, since hashes cannot be compressed.
struct PublishedList: Hashable, Sendable {
    /// The mark of the run that is publishing; nil after it has ended.
    var run: ContentHash?
    /// The kinds of objects.
    var kinds: [ObjectKind] = []
    /// The objects, sorted by the bytes of their paths.
    var objects: [PublishedObject] = []

    /// The number of bytes of the file in which the mark is.
    static let headSize = 128
    /// The most bytes of a list: 12 million tiles.
    static let largest = 1 << 28
    /// The most bytes of its records, decompressed.
    private static let largestRecords = 1 << 30
    private static let mostKinds = 100
    private static let title = "tilewright published 1"

    /// A list is damaged, or was written by a newer version.
    struct Damage: Error {}
}

extension PublishedList {
    /// The bytes of the object.
    ///
    /// - Throws: `.systemLimit`.
    func encoded() throws -> [UInt8] {
        let (kinds, numbers) = kindsInUse
        var records: [UInt8] = []
        records.reserveCapacity(objects.count * 24)
        var before: [UInt8] = []
        for object in objects {
            let path = Array(object.path.utf8)
            let shared = zip(path, before).prefix { $0 == $1 }.count
            records.append(number: shared)
            records.append(number: path.count - shared)
            records += path[shared...]
            records.append(number: numbers[Int(object.kind)] << 1 | (object.isCertain ? 1 : 0))
            if object.isCertain {
                records.append(number: object.size)
                records += object.hash.bytes
            }
            before = path
        }
        return try Self.encoded(records, count: objects.count, kinds, run)
    }

    /// The bytes of the object with such records.
    static func encoded(
        _ records: [UInt8], count: Int, _ kinds: [ObjectKind], _ run: ContentHash?
    ) throws -> [UInt8] {
        var lines = [title, "run \(run?.hex ?? "-")"]
        lines += kinds.map { "kind \($0.role.number)\t\($0.headers.contentType)\t\($0.headers.cacheControl)" }
        lines += ["objects \(count)", "bytes \(records.count)"]
        lines.append("hash \(hash(of: lines, records).hex)")
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + (try CompressedBytes.compress(records))
    }

    /// The kinds that objects have, in the order of the objects, so that lists of the same objects are the
    /// same; and the new number of each kind.
    private var kindsInUse: ([ObjectKind], [Int]) {
        var (used, numbers) = ([ObjectKind](), [Int](repeating: -1, count: kinds.count))
        for object in objects where numbers[Int(object.kind)] < 0 {
            numbers[Int(object.kind)] = used.count
            used.append(kinds[Int(object.kind)])
        }
        return (used, numbers)
    }

    private static func hash(of lines: [String], _ records: [UInt8]) -> ContentHash {
        let head = ContentHash(of: lines.map { $0 + "\n" }.joined())
        return ContentHash(of: head.bytes + ContentHash(of: records).bytes)
    }

    /// The mark of a run in the first bytes of a list; nil after it has ended, or if they are damaged.
    static func run(inHead bytes: [UInt8]) -> ContentHash? {
        let lines = String(decoding: bytes.prefix(headSize), as: UTF8.self).split(separator: "\n")
        guard lines.count > 1, lines[0] == title, lines[1].hasPrefix("run ") else { return nil }
        return ContentHash(hex: lines[1].dropFirst(4))
    }

    /// Reads received bytes.
    ///
    /// - Throws: `Damage`; `.systemLimit`.
    init(decoding bytes: [UInt8]) throws {
        let mostOfHead = 1 << 16
        guard let end = bytes.prefix(mostOfHead).firstRange(of: Array("\n\n".utf8)),
            let head = String(validating: bytes[..<end.lowerBound], as: UTF8.self)
        else { throw Damage() }
        let lines = head.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first.map({ $0 == Self.title }) == true, lines.last?.hasPrefix("hash ") == true else {
            throw Damage()
        }
        var (count, size, hash): (Int?, Int?, ContentHash?) = (nil, nil, nil)
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { throw Damage() }
            switch words[0] {
            case "run": run = ContentHash(hex: words[1])
            case "kind": kinds.append(try Self.kind(words[1]))
            case "objects": count = Int(words[1])
            case "bytes": size = Int(words[1])
            case "hash": hash = ContentHash(hex: words[1])
            default: throw Damage()
            }
        }
        guard let count, let size, 0...Self.largestRecords ~= size, kinds.count <= Self.mostKinds,
            // A record has at least four bytes.
            0...(size / 4) ~= count,
            let records = try CompressedBytes.decompress(bytes[end.upperBound...], size: size),
            Self.hash(of: lines.dropLast().map(String.init), records) == hash
        else { throw Damage() }
        try read(records, count: count)
    }

    private static func kind(_ text: Substring) throws(Damage) -> ObjectKind {
        let words = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard words.count == 3, let role = UInt8(words[0]).flatMap(ObjectRole.init(number:)) else {
            throw Damage()
        }
        return ObjectKind(
            role: role, headers: ObjectHeaders(contentType: String(words[1]), cacheControl: String(words[2])))
    }

    private mutating func read(_ records: [UInt8], count: Int) throws(Damage) {
        objects.reserveCapacity(count)
        var rest = records[...]
        var path: [UInt8] = []
        for _ in 0..<count {
            let shared = try rest.takeNumber(), own = try rest.takeNumber()
            guard shared <= path.count, own <= rest.count else { throw Damage() }
            let before = path
            path.removeSubrange(shared...)
            path += rest.prefix(own)
            rest = rest.dropFirst(own)
            let word = try rest.takeNumber()
            guard word >> 1 < kinds.count, before.lexicographicallyPrecedes(path),
                let text = String(validating: path, as: UTF8.self), ObjectPath.isSafe(text)
            else { throw Damage() }
            let isCertain = word & 1 == 1
            let size = isCertain ? try rest.takeNumber() : 0
            let hash = isCertain ? ContentHash(bytes: rest.prefix(16)) : ContentHash(of: [])
            guard let hash else { throw Damage() }
            if isCertain { rest = rest.dropFirst(16) }
            objects.append(
                PublishedObject(
                    path: text, kind: UInt8(word >> 1), isCertain: isCertain, size: size, hash: hash))
        }
        if !rest.isEmpty { throw Damage() }
    }
}

extension [UInt8] {
    /// Appends a number in seven bits for each byte.
    fileprivate mutating func append(number: Int) {
        var rest = UInt(number)
        while rest >= 0x80 {
            append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

extension ArraySlice<UInt8> {
    /// Takes such a number from the start; one below 2^56.
    fileprivate mutating func takeNumber() throws(PublishedList.Damage) -> Int {
        var (value, shift) = (0, 0)
        while let byte = first, shift < 56 {
            self = dropFirst()
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw PublishedList.Damage()
    }
}

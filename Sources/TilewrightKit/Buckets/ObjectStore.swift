import Publishing

/// A place for objects: a bucket, or a folder in tests. Keys are paths below the place.
///
/// All calls may come from many threads at once, and return when the store has answered.
package protocol ObjectStore: Sendable {
    /// The address of an object, for messages.
    func title(of key: String) -> String

    /// The bytes of an object; nil if there is none.
    ///
    /// - Throws: `.badInput` if it has more than `most` bytes.
    func bytes(of key: String, atMost most: Int) throws -> [UInt8]?

    /// The first bytes of an object; nil if there is none.
    func head(of key: String, count: Int) throws -> [UInt8]?

    /// Puts an object, whole or not at all.
    func put(_ bytes: [UInt8], at key: String, _ headers: ObjectHeaders) throws

    /// Puts a file as an object, whole or not at all.
    func put(fileAt path: String, size: Int, at key: String, _ headers: ObjectHeaders) throws

    /// Removes an object; one that does not exist is removed already.
    func remove(_ key: String) throws
}

/// The fields with which a store answers a request for an object.
package struct ObjectHeaders: Hashable, Sendable {
    /// The media type.
    package var contentType: String
    /// How long clients may keep it (RFC 9111, 5.2).
    package var cacheControl: String
}

/// The place of objects in the order of publishing. A document names objects of lower roles, so it is put after
/// them, and removed before them.
package struct ObjectRole: Hashable, Comparable, Sendable {
    /// The number, which lists have, too.
    package let number: UInt8

    package static let tile = ObjectRole(0)
    /// An archive of a floor, or a picture.
    package static let part = ObjectRole(1)
    /// `doc.kml`, and metadata.
    package static let description = ObjectRole(33)
    package static let tileJSON = ObjectRole(34)
    package static let building = ObjectRole(35)
    package static let campus = ObjectRole(36)
    package static let page = ObjectRole(37)

    private init(_ number: UInt8) { self.number = number }

    /// Reads the number in a list; nil for other numbers.
    init?(number: UInt8) {
        guard number <= Self.page.number else { return nil }
        self.number = number
    }

    /// The role of a document next to tiles, by its name.
    init(ofDocument name: String) {
        if name.hasPrefix("tilejson") {
            self = .tileJSON
        } else if name.hasSuffix(".png") {
            self = .part
        } else {
            self = Self.link(name) ?? .description
        }
    }

    /// The role of `doc-ZOOM-COLUMN-ROW.kml`, which has links to documents of higher zooms.
    private static func link(_ name: String) -> ObjectRole? {
        guard name.hasSuffix(".kml") else { return nil }
        let words = name.dropLast(4).split(separator: "-").suffix(3)
        guard words.count == 3, words.allSatisfy({ Int($0) != nil }),
            let zoom = words.first.flatMap({ Int($0) }),
            0...30 ~= zoom
        else { return nil }
        return ObjectRole(UInt8(32 - zoom))
    }

    package static func < (one: ObjectRole, other: ObjectRole) -> Bool { one.number < other.number }
}

/// What objects have in common.
struct ObjectKind: Hashable, Sendable {
    /// Their role.
    var role: ObjectRole
    /// The fields that the store is given; an empty type is that of the tile's bytes.
    var headers: ObjectHeaders

    /// The fields for an object with these bytes.
    func headers(of bytes: [UInt8]) -> ObjectHeaders {
        var headers = headers
        if headers.contentType.isEmpty { headers.contentType = MediaType.ofTile(bytes) }
        return headers
    }
}

/// The paths of objects below the place where they are published.
enum ObjectPath {
    /// The longest key of S3, in bytes.
    static let longest = 1024

    /// Whether a path stays below its place: no component is empty, `.` or `..`, and there is no control
    /// character. Compares bytes, since there may be millions.
    static func isSafe(_ path: String) -> Bool {
        let dot = UInt8(ascii: "."), slash = UInt8(ascii: "/")
        var length = 0, dots = 0, count = 0
        for byte in path.utf8 {
            count += 1
            if byte == slash {
                if length == 0 || length == dots && dots <= 2 { return false }
                (length, dots) = (0, 0)
            } else {
                if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") { return false }
                length += 1
                if byte == dot { dots += 1 }
            }
        }
        return length > 0 && !(length == dots && dots <= 2) && count <= longest
    }

    /// The order of lists: that of the bytes.
    static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Whether both have the same bytes: to Swift, texts that look the same are equal.
    static func areSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }
}

package import Tiling

/// The path of a request: its names between slashes, each percent-decoded once.
///
/// The names are never part of a file system path: they are only compared with known names.
package struct RequestPath: Hashable, Sendable {
    /// Longer than any URL of a tile.
    package static let longestTarget = 4096
    /// More names than in any URL of the server.
    private static let mostSegments = 16

    /// The names, without slashes; empty for `/`.
    package let segments: [String]

    /// The names with slashes between them.
    package var name: String { segments.joined(separator: "/") }

    /// Parses the target of a request in origin form (RFC 9112, section 3.2.1), without its query.
    ///
    /// - Returns: nil if it has another form, or an invalid name: not UTF-8, empty, `.` or `..`, or with a
    ///   slash, a backslash or a control character.
    package init?(target: Substring) {
        let bytes = target.utf8
        guard bytes.count <= Self.longestTarget, bytes.first == UInt8(ascii: "/") else { return nil }
        let path = bytes.dropFirst().prefix { $0 != UInt8(ascii: "?") }
        if path.isEmpty {
            segments = []
            return
        }
        let parts = path.split(
            separator: UInt8(ascii: "/"), maxSplits: Self.mostSegments, omittingEmptySubsequences: false)
        guard parts.count <= Self.mostSegments else { return nil }
        segments = parts.compactMap(Self.segment)
        if segments.count < parts.count { return nil }
    }

    private static func segment(_ part: Substring.UTF8View.SubSequence) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(part.count)
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                // RFC 3986 allows only ASCII without spaces.
                guard 0x21..<0x7f ~= byte, byte != UInt8(ascii: "\\"), byte != UInt8(ascii: "#") else {
                    return nil
                }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
            else { return nil }
            let decoded = UInt8(high << 4 | low)
            guard decoded >= 0x20, decoded != 0x7f, decoded != UInt8(ascii: "/"),
                decoded != UInt8(ascii: "\\")
            else { return nil }
            bytes.append(decoded)
        }
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self), text != ".", text != ".."
        else { return nil }
        return text
    }

    private static func digit(_ byte: UInt8) -> Int? { Character(UnicodeScalar(byte)).hexDigitValue }
}

/// The tile in the last names of a path `NAME/{z}/{x}/{y}.{ext}`.
package struct RequestedTile: Hashable, Sendable {
    /// The names before the numbers, with slashes between them.
    package let name: String
    /// The address, which is valid.
    package let coordinate: TileCoordinate
    /// The text after the dot.
    package let fileExtension: String

    /// Parses the names of a path.
    ///
    /// - Returns: nil if they are not those of a tile. Numbers must be decimal digits without signs or
    ///   leading zeros, the zoom at most 30, and column and row in the world.
    package init?(_ path: RequestPath) {
        let segments = path.segments
        guard segments.count >= 4 else { return nil }
        let file = segments[segments.count - 1].utf8
        guard let dot = file.firstIndex(of: UInt8(ascii: ".")),
            let zoom = Self.number(segments[segments.count - 3].utf8), zoom <= 30,
            let column = Self.number(segments[segments.count - 2].utf8), column < 1 << zoom,
            let row = Self.number(file[..<dot]), row < 1 << zoom
        else { return nil }
        name = segments.count == 4 ? segments[0] : segments.dropLast(3).joined(separator: "/")
        coordinate = TileCoordinate(zoom: zoom, column: column, row: row)
        fileExtension = String(decoding: file[file.index(after: dot)...], as: UTF8.self)
    }

    /// The number of digits of 2^30.
    private static let mostDigits = 10

    private static func number(_ digits: some BidirectionalCollection<UInt8>) -> Int? {
        guard 1...mostDigits ~= digits.count, digits.count == 1 || digits.first != UInt8(ascii: "0"),
            digits.allSatisfy(\.isDigit)
        else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}

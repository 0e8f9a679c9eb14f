package import Tilesets
package import Tiling

extension TilesetMetadata {
    /// The template as a URL: absolute if the base is known, else relative to the document.
    var address: String { absolute(Self.escaped(template)) }

    /// Makes an address that is relative to the document absolute, if the base is known.
    func absolute(_ address: String) -> String { Self.address(address, below: baseURL) }

    /// An address below a base, if that is known.
    static func address(_ address: String, below base: String?) -> String {
        base.map { joined($0, address) } ?? address
    }

    /// The template as a URL below a base.
    func address(below base: String) -> String { Self.joined(base, Self.escaped(template)) }

    /// An address below a base, with a slash between them.
    private static func joined(_ base: String, _ address: String) -> String {
        base + (base.hasSuffix("/") ? "" : "/") + address
    }

    /// The address of a tile, relative to the tileset.
    package func relativeAddress(of tile: TileCoordinate) -> String {
        Self.escaped(template).replacing("{z}", with: String(tile.zoom))
            .replacing("{x}", with: String(tile.column))
            .replacing("{y}", with: String(tile.row(in: scheme)))
            .replacing("{quadkey}", with: tile.quadkey)
    }

    /// Divides an address into a base and a template, at the last slash before the first placeholder.
    /// The base of a relative address is nil. The inverse of `address`, as far as it is unique.
    static func divided(_ address: String) -> (base: String?, template: String) {
        guard address.contains("://") else { return (nil, unescaped(address)) }
        let head = address.prefix { $0 != "{" }
        guard let slash = head.lastIndex(of: "/") else { return (nil, unescaped(address)) }
        return (String(address[...slash]), unescaped(address[address.index(after: slash)...]))
    }

    /// The inverse of `escaped`.
    package static func unescaped(_ url: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(url).utf8
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.count == 2, let escaped = UInt8(digits, radix: 16) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes what a URL's path cannot contain (RFC 3986, section 3.3). The braces of the
    /// client's placeholders stay. A colon is encoded, since it could end a URL's scheme.
    package static func escaped(_ template: String) -> String {
        var url = ""
        for byte in template.utf8 {
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80,
                character.isLetter || character.isNumber || pathMarks.contains(character)
            {
                url.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                url += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return url
    }

    private static let pathMarks: Set<Character> = Set("-._~!$&'()*+,;=@/{}")
}

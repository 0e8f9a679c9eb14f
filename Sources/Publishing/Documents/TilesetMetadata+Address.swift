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
}

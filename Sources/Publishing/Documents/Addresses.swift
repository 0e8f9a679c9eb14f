package import Tilesets
package import Tiling

extension TilesetMetadata {
    /// The template as a URL: absolute if the base is known, else relative to the document.
    package var address: String { address(below: baseURL) }

    /// The template as a URL below a base.
    func address(below base: String?) -> String { Self.joined(base, Self.escaped(template)) }

    /// An address below a base, with a slash between them; unchanged if no base is known.
    static func joined(_ base: String?, _ address: String) -> String {
        guard let base else { return address }
        return base + (base.hasSuffix("/") ? "" : "/") + address
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

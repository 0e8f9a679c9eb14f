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

/// A list of what a run changed, for clearing caches. Each line is `added`, `changed` or `removed`, a space,
/// and the address of a tile or of a document: absolute if the tileset's URL is known, else relative.
///
/// A copy that applies the lines in order is valid at each step: a document follows the tiles that it
/// describes, and removals come last.
package enum ChangeList {
    /// The list of a tileset's changes in UTF-8; empty if nothing changed.
    package static func bytes(_ summary: TilesetSummary, of metadata: TilesetMetadata) -> [UInt8] {
        let (base, documents) = (metadata.baseURL, summary.documents)
        var text = ""
        func add(_ what: String, _ tiles: [TileCoordinate]) {
            for tile in tiles {
                text += line(what, TilesetMetadata.joined(base, metadata.relativeAddress(of: tile)))
            }
        }
        func add(_ what: String, _ paths: [String]) {
            for path in paths { text += line(what, address(of: path, below: base)) }
        }
        add("added", summary.added)
        add("changed", summary.changed)
        add("changed", summary.moved)
        add("added", documents.added)
        add("changed", documents.changed)
        add("removed", summary.removed)
        add("removed", documents.removed)
        return Array(text.utf8)
    }

    /// The address of a file of a tileset.
    ///
    /// - Parameter base: where the tileset is on the web; nil if that is not known.
    package static func address(of path: String, below base: String?) -> String {
        TilesetMetadata.joined(base, TilesetMetadata.escaped(path))
    }

    /// The line of a file that is new, or whose contents differ.
    package static func line(_ path: String, isNew: Bool, below base: String?) -> [UInt8] {
        Array(line(isNew ? "added" : "changed", address(of: path, below: base)).utf8)
    }

    /// The list of a run that only removes.
    package static func bytes(changed: [String] = [], removed addresses: [String]) -> [UInt8] {
        let lines = changed.map { line("changed", $0) } + addresses.map { line("removed", $0) }
        return Array(lines.joined().utf8)
    }

    /// A line of the list. Names in addresses are encoded, but the base may come from a foreign document: it
    /// must not end the line and start another one.
    private static func line(_ what: String, _ address: String) -> String {
        let encoded = address.unicodeScalars.reduce(into: "") { text, scalar in
            let isAllowed =
                !scalar.properties.isWhitespace
                && ![.control, .format].contains(scalar.properties.generalCategory)
            text += isAllowed ? String(scalar) : TilesetMetadata.escaped(String(scalar))
        }
        return "\(what) \(encoded)\n"
    }
}

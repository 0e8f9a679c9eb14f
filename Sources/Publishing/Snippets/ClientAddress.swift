import Platform
package import Tilesets
import Tiling

/// Where a client finds a tileset.
package struct ClientAddress: Hashable, Sendable {
    /// What the address is of.
    package enum Kind: Hashable, Sendable {
        /// Each tile on a server, with `{z}`, `{x}` and `{y}` (or `{-y}`), or `{quadkey}`.
        case tiles
        /// A PMTiles archive on a server.
        case archive
        /// A folder of tiles inside the app, by its path.
        case localTiles
        /// An archive inside the app, by its path.
        case localArchive
    }

    /// The address or path.
    let text: String
    /// What it is the address of.
    var kind = Kind.tiles
    /// Whether it is an example, which the user must replace by the real address.
    package var isExample = false

    /// Whether the tiles are inside the app.
    var isLocal: Bool { kind == .localTiles || kind == .localArchive }
    /// Whether the tiles are in an archive that the client reads.
    var isArchive: Bool { kind == .archive || kind == .localArchive }
}

extension ClientAddress {
    /// The base of example addresses.
    static let exampleBase = "https://example.org"

    /// Whether a text is an address of tiles, not of a folder or an archive.
    private static func isTemplate(_ url: String) -> Bool {
        url.contains("{z}") || url.contains("{quadkey}")
    }

    /// An address with the tileset's version, so that no cache serves old tiles after an update.
    static func versioned(_ text: String, digest: String) -> String {
        digest.isEmpty ? text : text + (text.contains("?") ? "&" : "?") + "v=" + digest.prefix(8)
    }

    /// Makes the address of a tree's tiles from a URL or the TileJSON, else an example.
    ///
    /// - Parameter url: where the tree is on the web, or an address of its tiles. It takes precedence
    ///   over the TileJSON.
    package init(ofTree metadata: TilesetMetadata, url: String?) {
        if let url, Self.isTemplate(url) {
            self.init(text: url)
        } else {
            let base = url ?? metadata.baseURL
            let text = metadata.address(below: base ?? Self.exampleBase + "/tiles")
            self.init(text: text, isExample: base == nil)
        }
    }

    /// Makes the address of tiles inside the app.
    ///
    /// - Parameter path: that of the folder or archive in the app.
    package init(local path: String, isArchive: Bool, _ metadata: TilesetMetadata) {
        let place = TilesetMetadata.escaped(path)
        let text = isArchive ? place : metadata.address(below: place)
        self.init(text: text, kind: isArchive ? .localArchive : .localTiles)
    }

    /// Makes the address of an archive that the client reads by itself.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - url: where the archive or its folder is on the web, or an address of tiles.
    package init(ofArchive metadata: TilesetMetadata, name: String, url: String?) {
        var metadata = metadata
        metadata.template = name
        if let url, Self.isTemplate(url) {
            self.init(text: url)
        } else if let url, url.hasSuffix(".pmtiles") || url.contains("?") {
            self.init(text: url, kind: .archive)
        } else {
            let text = metadata.address(below: url ?? Self.exampleBase)
            self.init(text: text, kind: .archive, isExample: url == nil)
        }
    }

    /// Makes the address of tiles that a server reads from an archive.
    ///
    /// - Parameters:
    ///   - name: the file's name without its extension, as servers use it.
    ///   - url: an address of tiles.
    /// - Throws: `.usage` if `url` is not an address of tiles, since the client could not use it.
    package init(ofServed metadata: TilesetMetadata, name: String, url: String?) throws {
        var metadata = metadata
        metadata.template = "\(name)/{z}/{x}/{y}.\(metadata.format.fileExtension)"
        if let url, !Self.isTemplate(url) {
            throw Failure(
                .usage, "cannot use '\(url)': the client requests tiles, not an archive",
                remedy: "give the address of tiles on a server that reads it, as in "
                    + "'https://example.org/plan/{z}/{x}/{y}.png'; or --local, for an archive inside the app")
        }
        self.init(text: url ?? metadata.address(below: Self.exampleBase), isExample: url == nil)
    }
}

/// The address of a tile in pieces, for code that puts them together.
struct AddressTemplate: Hashable, Sendable {
    /// A piece of an address.
    enum Part: Hashable, Sendable {
        /// Fixed text.
        case literal(String)
        /// A number of the tile, or its quadkey.
        case zoom, column, row, quadkey
    }

    /// The pieces in order.
    let parts: [Part]
    /// Whether the address has a row, counted from the south. Quadkeys always count from the north.
    let countsFromSouth: Bool

    /// Divides an address with `{z}`, `{x}`, `{y}`, `{-y}`, `{quadkey}`; other braces are text.
    init(_ address: String, scheme: TileScheme) {
        let names: [(String, Part)] = [
            ("{z}", .zoom), ("{x}", .column), ("{y}", .row), ("{-y}", .row),
            ("{quadkey}", .quadkey),
        ]
        var parts: [Part] = []
        var literal = ""
        var rest = Substring(address)
        while let character = rest.first {
            if let (name, part) = names.first(where: { rest.hasPrefix($0.0) }) {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                parts.append(part)
                literal = ""
                rest = rest.dropFirst(name.count)
            } else {
                literal.append(character)
                rest = rest.dropFirst()
            }
        }
        self.parts = literal.isEmpty ? parts : parts + [.literal(literal)]
        countsFromSouth =
            parts.contains(.row) && (scheme == .tms || address.contains("{-y}"))
    }

    /// Whether the address has a quadkey.
    var hasQuadkey: Bool { parts.contains(.quadkey) }

    /// The address with placeholders, for clients that have a setting for rows from the south.
    ///
    /// - Parameter row: the placeholder of the row.
    func text(row: String = "{y}") -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .zoom: "{z}"
            case .column: "{x}"
            case .row: row
            case .quadkey: "{quadkey}"
            }
        }.joined()
    }
}

extension ClientSnippet {
    /// The values of the placeholders for the address. Each client has its own way to count rows from
    /// the south and to use quadkeys.
    var addresses: SourceTemplate.Values {
        let template = AddressTemplate(versionedAddress, scheme: metadata.scheme)
        let quadkey = template.hasQuadkey ? client.language.quadkeyFunction(of: typeName) : []
        let withRow = template.text(row: template.countsFromSouth ? "{-y}" : "{y}")
        var values: SourceTemplate.Values = [
            "URL": [client.language.expression(template)],
            "OPEN": [client.language.opening(address, withRow)],
            "ADDRESS": [client.language.literal(template.text())],
            "SCHEME": [client.language.literal(template.countsFromSouth ? "tms" : "xyz")],
            "QUADKEY": quadkey, "TMS": [], "TMS_NOTE": [],
        ]
        switch client {
        case .maplibreStyle:
            let scheme = (address.isArchive ? "pmtiles://" : "") + (address.isLocal ? "asset://" : "")
            values["ADDRESS"] = [client.language.literal(scheme + template.text())]
        case .flutterMap, .reactNativeMaps: values["TMS"] = ["\(template.countsFromSouth)"]
        case .leaflet:
            if template.hasQuadkey {
                // No `tms`: it would count the quadkey's rows from the south, too.
                values["QUADKEY"] = Self.leafletQuadkey
                values["ADDRESS"] = [client.language.literal(withRow)]
            } else if template.countsFromSouth {
                values["TMS"] = ["tms: true"]
                values["TMS_NOTE"] = ["Rows are counted from the south."]
            }
        case .openlayers:
            values["SOURCE"] =
                template.hasQuadkey
                ? ["tileUrlFunction: ([zoom, x, y]) =>", "  " + client.language.expression(template)]
                : ["url: " + client.language.literal(withRow)]
        default: break
        }
        return values
    }

    private var versionedAddress: String {
        address.isLocal
            ? address.text : ClientAddress.versioned(address.text, digest: metadata.contents?.digest ?? "")
    }

    /// An option that Leaflet calls for each tile.
    private static let leafletQuadkey = [
        "// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.",
        "quadkey: ({ x, y, z }) => Array.from({ length: z }, (_, i) => z - 1 - i)",
        "  .map((bit) => (x >> bit & 1) | (y >> bit & 1) << 1).join(\"\")",
    ]
}

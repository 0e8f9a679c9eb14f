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

/// The address of a tile, with `{z}`, `{x}`, `{y}` or `{quadkey}`; other braces are text.
struct AddressTemplate: Hashable, Sendable {
    /// The address, in which `{y}` is the row.
    let text: String
    /// Whether the address has a row, counted from the south. Quadkeys always count from the north.
    let countsFromSouth: Bool

    /// Uses an address, which may have `{-y}` for rows from the south in every scheme.
    init(_ address: String, scheme: TileScheme) {
        text = address.replacing("{-y}", with: "{y}")
        countsFromSouth = text.contains("{y}") && (scheme == .tms || text != address)
    }

    /// Whether the address has a quadkey.
    var hasQuadkey: Bool { text.contains("{quadkey}") }
    /// The address with `{-y}` for a row from the south.
    var signedText: String { countsFromSouth ? text.replacing("{y}", with: "{-y}") : text }
}

extension ClientSnippet {
    /// The values of the placeholders for the address. Each client has its own way to count rows from
    /// the south and to use quadkeys.
    var addresses: SourceTemplate.Values {
        let digest = address.isLocal ? "" : metadata.contents?.digest ?? ""
        let template = AddressTemplate(
            ClientAddress.versioned(address.text, digest: digest), scheme: metadata.scheme)
        let (hasQuadkey, isFromSouth) = (template.hasQuadkey, template.countsFromSouth)
        // Leaflet's option `tms` would count the quadkey's rows from the south, too.
        let text = client == .leaflet && hasQuadkey ? template.signedText : template.text
        return [
            "URL": [client.language.expression(template)],
            "OPEN": [client.language.opening(address, template.signedText)],
            "ADDRESS": [client.language.literal(scheme + text)],
            "TEMPLATE": hasQuadkey ? [] : [client.language.literal(template.signedText)],
            "SCHEME": [client.language.literal(isFromSouth ? "tms" : "xyz")],
            "TMS": isFromSouth && !hasQuadkey ? ["true"] : [], "QUADKEY": hasQuadkey ? ["1"] : [],
        ]
    }

    /// What is before the address in a style.
    private var scheme: String {
        if client != .maplibreStyle { return "" }
        return (address.isArchive ? "pmtiles://" : "") + (address.isLocal ? "asset://" : "")
    }
}

import Tiling
import Platform
package import Tilesets

/// Where a client finds a tileset.
package enum ClientAddress: Hashable, Sendable {
    /// The address of each tile, with `{z}`, `{x}` and `{y}` (or `{-y}`), or `{quadkey}`.
    case tiles(String)
    /// The address of a PMTiles archive.
    case archive(String)
    /// An example of an address: the real one is not known, and must be put in its place.
    indirect case example(ClientAddress)

    /// The address itself, also of an example.
    var known: ClientAddress {
        if case .example(let address) = self { address } else { self }
    }

    /// Whether the address must be replaced.
    package var isExample: Bool { self != known }

    /// The address as a text.
    var text: String {
        switch self {
        case .tiles(let text), .archive(let text): text
        case .example(let address): address.text
        }
    }
}

extension ClientAddress {
    /// The base of example addresses.
    static let exampleBase = "https://example.org"

    /// Whether a text is an address of tiles, not of a folder or an archive.
    private static func isTemplate(_ url: String) -> Bool {
        url.contains("{z}") || url.contains("{quadkey}")
    }

    /// Makes the address of a tree's tiles from what the user or the TileJSON says, else an example.
    ///
    /// - Parameter url: where the tree is on the web, or an address of its tiles. It takes precedence
    ///   over the TileJSON.
    package init(ofTree metadata: TilesetMetadata, url: String?) {
        if let url, Self.isTemplate(url) {
            self = .tiles(url)
        } else if let base = url ?? metadata.baseURL {
            self = .tiles(metadata.address(below: base))
        } else {
            self = .example(.tiles(metadata.address(below: Self.exampleBase + "/tiles")))
        }
    }

    /// Makes the address of an archive that the client reads by itself.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - url: where the archive or its folder is on the web, or an address of tiles.
    package init(ofArchive metadata: TilesetMetadata, name: String, url: String?) {
        var metadata = metadata
        metadata.template = name
        if let url {
            let isWhole = url.hasSuffix(".pmtiles") || url.contains("?")
            self =
                Self.isTemplate(url)
                ? .tiles(url) : .archive(isWhole ? url : metadata.address(below: url))
        } else {
            self = .example(.archive(metadata.address(below: Self.exampleBase)))
        }
    }

    /// Makes the address of tiles that a server takes from an archive.
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
                .usage, "cannot use '\(url)': the client asks for tiles, and not for an archive",
                remedy: "give the address of tiles on a server that reads it, as in "
                    + "'https://example.org/plan/{z}/{x}/{y}.png'")
        }
        let example = Self.example(.tiles(metadata.address(below: Self.exampleBase)))
        self = url.map(Self.tiles) ?? example
    }
}

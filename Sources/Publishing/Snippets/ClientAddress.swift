import Tiling
import Diagnostics
package import Tilesets

/// Where a client finds a tileset.
package enum ClientAddress: Hashable, Sendable {
    /// The address of each tile, with `{z}`, `{x}` and `{y}` (or `{-y}`), or `{quadkey}`.
    case tiles(String)
    /// The address of a PMTiles archive.
    case archive(String)
    /// Nobody said: an address of that form, to be replaced by whoever uses the code.
    indirect case example(ClientAddress)

    /// What the address is, were it no example.
    var known: ClientAddress {
        if case .example(let address) = self { address } else { self }
    }

    /// Whether it must be replaced.
    package var isExample: Bool { self != known }

    /// As it is written.
    var text: String {
        switch self {
        case .tiles(let text), .archive(let text): text
        case .example(let address): address.text
        }
    }
}

extension ClientAddress {
    /// Where somebody's tiles would be.
    private static let exampleBase = "https://example.org"

    /// Whether a text is the address of tiles, and not of what holds them.
    private static func isTemplate(_ url: String) -> Bool {
        url.contains("{z}") || url.contains("{quadkey}")
    }

    /// Where the tiles of a tree are, as far as its TileJSON or the user says it.
    ///
    /// - Parameter url: where the tree is on the web, or an address of its tiles; in place of what
    ///   the TileJSON says.
    package init(ofTree metadata: TilesetMetadata, url: String?) {
        if let url, Self.isTemplate(url) {
            self = .tiles(url)
        } else if let base = url ?? metadata.baseURL {
            self = .tiles(metadata.address(below: base))
        } else {
            self = .example(.tiles(metadata.address(below: Self.exampleBase + "/tiles")))
        }
    }

    /// Where an archive is that the client reads by itself.
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

    /// Where a server answers with the tiles of an archive.
    ///
    /// - Parameters:
    ///   - name: the file's name without its extension, by which servers know it.
    ///   - url: an address of tiles.
    /// - Throws: `.usage` for another address: the client could do nothing with it.
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

import Tiling
import Platform
public import Publishing
import Tilesets

/// Ready code that shows a tileset in an app or a page.
public struct TilesetSnippet: Sendable {
    /// The code, in whole lines.
    public let text: String
    /// What the user should know: that an address in the code is an example, if it is one.
    public let warning: String?

    /// Writes code for a tileset.
    ///
    /// - Parameters:
    ///   - path: a folder of tiles, or an archive.
    ///   - client: who shows the tiles.
    ///   - floor: the floor to show, of a folder with several.
    ///   - url: where the tileset is on the web, or an address of tiles with `{z}`, `{x}` and `{y}`.
    ///   - typeName: the name of the code's main type; nil for one that says the floor.
    ///   - enlargeTo: the zoom up to which tiles are enlarged; nil for three more than the last one.
    ///   - maxTiles: the most tiles that the tileset may have.
    /// - Throws: a `Failure` if the tileset cannot be read or shown, the address or the name is none, or
    ///   `enlargeTo` is no zoom from the last one on.
    public init(
        _ path: String, for client: SnippetClient, floor: String? = nil, url: String? = nil,
        typeName: String? = nil, enlargeTo: Int? = nil, maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        if let typeName { try SnippetTypeName.check(typeName) }
        if let enlargeTo { try Self.check(enlargeTo: enlargeTo) }
        let container = TilesetContainer(existing: path)
        if let url { try Self.check(url, in: container) }
        let metadata = try StoredTileset(path, floor: floor, maxTiles: maxTiles).metadata
        let isReadByItself = Self.reads(container, client)
        let address: ClientAddress =
            if !container.isArchive {
                ClientAddress(ofTree: metadata, url: url)
            } else if isReadByItself {
                ClientAddress(ofArchive: metadata, name: path.fileName, url: url)
            } else {
                try ClientAddress(ofServed: metadata, name: path.fileStem, url: url)
            }
        guard
            let snippet = ClientSnippet(
                metadata, for: client, at: address, typeName: typeName, enlargeTo: enlargeTo)
        else {
            throw Failure(.badInput, cannot: "show '\(path)'", "it has no tiles")
        }
        if let enlargeTo, enlargeTo < snippet.zooms.upperBound {
            throw Failure(
                .usage,
                "--enlarge-to \(enlargeTo) is below the last zoom of '\(path)', "
                    + "\(snippet.zooms.upperBound)",
                remedy: "give \(snippet.zooms.upperBound), which enlarges nothing, or more")
        }
        text = snippet.text
        let isServed = container.isArchive && !isReadByItself
        warning =
            address.isExample
            ? "the address in the code is an example: replace it, or give --url"
                + (isServed ? "; the client needs a server that reads the archive" : "")
            : nil
    }

    /// Refuses what is not a zoom of a camera.
    static func check(enlargeTo zoom: Int) throws(Failure) {
        if CameraPosition.zooms ~= Double(zoom) { return }
        throw Failure(.usage, "--enlarge-to \(zoom) is no zoom: those of maps are 0 to 30")
    }

    private static func check(_ url: String, in container: TilesetContainer) throws {
        if url.contains("{") { return try WebAddress.checkTemplate(url) }
        switch container {
        case .pmtiles: try WebAddress.checkCharacters(url)
        case .directory, .mbtiles: try WebAddress.checkBase(url)
        }
    }

    /// Whether the client needs no server that knows the container.
    private static func reads(_ container: TilesetContainer, _ client: SnippetClient) -> Bool {
        switch container {
        case .directory: true
        case .pmtiles: client.readsPMTiles
        case .mbtiles: false
        }
    }
}

import Platform
public import Publishing
import Tilesets
import Tiling

/// Code that shows a tileset in an app or a page.
public struct TilesetSnippet: Sendable {
    /// The code, in whole lines.
    public let text: String
    /// A warning if an address in the code is only an example.
    public let warning: String?

    /// Writes code for a tileset.
    ///
    /// - Parameters:
    ///   - path: a folder of tiles, or an archive.
    ///   - client: the library that shows the tiles.
    ///   - floor: the floor to show, if a folder has several.
    ///   - url: the address of the tileset on the web, or an address of tiles with `{z}`, `{x}` and `{y}`.
    ///   - typeName: the name of the code's main type; nil for a name with the floor.
    ///   - enlargeTo: the zoom up to which tiles are enlarged; nil for three zooms above the last one.
    ///   - maxTiles: the maximum number of tiles that the tileset may have.
    /// - Throws: a `Failure` if the tileset cannot be read or shown, or if another parameter is not valid.
    public init(
        _ path: String, for client: SnippetClient, floor: String? = nil, url: String? = nil,
        typeName: String? = nil, enlargeTo: Int? = nil, maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        if let typeName { try SnippetTypeName.check(typeName) }
        if let enlargeTo { try Self.check(enlargeTo: enlargeTo) }
        let container = TilesetContainer(existing: path)
        if let url { try Self.check(url, in: container) }
        let metadata = try StoredTileset(path, floor: floor, maxTiles: maxTiles).metadata
        let isReadByItself = client.reads(container)
        let address: ClientAddress =
            if !container.isArchive {
                ClientAddress(ofTree: metadata, url: url)
            } else if isReadByItself {
                ClientAddress(ofArchive: metadata, name: path.fileName, url: url)
            } else { try ClientAddress(ofServed: metadata, name: path.fileStem, url: url) }
        guard
            let snippet = ClientSnippet(
                metadata, for: client, at: address, typeName: typeName, enlargeTo: enlargeTo)
        else { throw Failure(.badInput, cannot: "show '\(path)'", "it has no tiles") }
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
                + (isServed ? "; the client needs a server that reads the archive" : "") : nil
    }

    /// Refuses a number that is not a zoom of a camera.
    static func check(enlargeTo zoom: Int) throws(Failure) {
        if CameraPosition.zooms ~= Double(zoom) { return }
        throw Failure(.usage, "--enlarge-to \(zoom) is not a zoom: the zooms of maps are 0 to 30")
    }

    private static func check(_ url: String, in container: TilesetContainer) throws {
        if url.contains("{") { return try WebAddress.checkTemplate(url) }
        switch container {
        case .pmtiles: try WebAddress.checkCharacters(url)
        case .directory, .mbtiles: try WebAddress.checkBase(url)
        }
    }
}

extension SnippetClient {
    /// Whether the client reads a container without a special server.
    fileprivate func reads(_ container: TilesetContainer) -> Bool {
        switch container {
        case .directory: true
        case .pmtiles: readsPMTiles
        case .mbtiles: false
        }
    }
}

/// Code that shows the floors of a manifest in an app or a page: a type for each building. The code reads
/// `building.json` when it runs, so that new plans need no new code.
public struct ManifestSnippet: Sendable {
    /// The code, in whole lines.
    public let text: String
    /// A warning if an address in the code is only an example.
    public let warning: String?

    /// Writes code for the buildings of a manifest, which need not be built yet.
    ///
    /// - Parameters:
    ///   - path: the manifest.
    ///   - client: the library that shows the floors.
    ///   - url: the address of the output on the web; nil for the address in the manifest.
    ///   - typeName: the name of the type, for a manifest with one building.
    ///   - enlargeTo: the zoom up to which tiles are enlarged; nil for three zooms above the last one of a
    ///     building.
    /// - Throws: a `Failure` if the manifest is faulty, if the client cannot read its output, or if another
    ///   parameter is not valid.
    public init(
        _ path: String, for client: SnippetClient, url: String? = nil, typeName: String? = nil,
        enlargeTo: Int? = nil
    ) throws {
        if let url { try Self.check(url) }
        if let typeName { try SnippetTypeName.check(typeName) }
        if let enlargeTo { try TilesetSnippet.check(enlargeTo: enlargeTo) }
        let manifest = try Manifest(contentsOf: path)
        let requests = manifest.buildings
        if typeName != nil, requests.count > 1 {
            throw Failure(
                .usage, "--type-name names one type, but '\(path)' has \(requests.count) buildings",
                remedy: "name the manifest of one building")
        }
        let container = try Self.container(of: requests, path, for: client)
        let buildings = try requests.map { request in
            let name = request.effectiveName
            return BuildingSnippet.Building(
                name: name, typeName: typeName ?? SnippetTypeName.ofBuilding(name),
                url: try url.map { try Self.address(of: request, in: manifest, at: $0) }
                    ?? request.floors.first?.build.output.url)
        }
        try Self.checkNames(buildings)
        text =
            BuildingSnippet(
                buildings, for: client, areArchives: container.isArchive, enlargeTo: enlargeTo
            ).text
        warning =
            buildings.contains { $0.url == nil }
            ? "the address in the code is an example: replace it, or give --url" : nil
    }

    private static func check(_ url: String) throws {
        try WebAddress.checkBase(url)
        if url.contains("{") {
            throw Failure(
                .usage, "the address '\(url)' has a placeholder, but should be that of a folder",
                remedy: "give the address of the folder with building.json")
        }
    }

    /// The common container of all floors.
    ///
    /// - Throws: `.usage` if the client cannot read it, or if buildings differ.
    private static func container(
        of buildings: [BuildingRequest], _ path: String, for client: SnippetClient
    ) throws -> TilesetContainer {
        let containers = buildings.flatMap(\.floors).map(\.build.output.container)
        if let odd = containers.first(where: { !client.reads($0) }) {
            let kind = odd == .mbtiles ? "MBTiles" : "PMTiles"
            throw Failure(
                .usage, "cannot write code for '\(path)': \(client.rawValue) cannot read \(kind)",
                remedy: "build into a folder, such as output: tiles; "
                    + "maplibre also reads output: \"tiles/{floor}.pmtiles\"")
        }
        let first = containers.first ?? .directory
        if containers.contains(where: { $0 != first }) {
            throw Failure(
                .usage, "cannot write code for '\(path)': some buildings are in folders, others in archives",
                remedy: "name the manifest of one building")
        }
        return first
    }

    /// The address of a building's index on the web.
    ///
    /// - Parameter url: the address of the manifest's output.
    private static func address(
        of building: BuildingRequest, in manifest: Manifest, at url: String
    ) throws -> String {
        guard case .campus(let campus) = manifest else { return url }
        let way = RelativePath.components(from: campus.folder, to: building.folder)
        if way.first == ".." {
            throw Failure(
                .usage, "'\(building.folder)' is not in the folder of campus.json, '\(campus.folder)'",
                remedy: "write 'url' into the manifest of each building, and leave --url out")
        }
        let parts = way.filter { $0 != "." }.map { TilesetMetadata.escaped(String($0)) }
        return ([url.hasSuffix("/") ? String(url.dropLast()) : url] + parts).joined(separator: "/")
    }

    private static func checkNames(_ buildings: [BuildingSnippet.Building]) throws {
        for (index, building) in buildings.enumerated() {
            guard let other = buildings[..<index].first(where: { $0.typeName == building.typeName })
            else { continue }
            throw Failure(
                .usage, "'\(other.name)' and '\(building.name)' would both be the type \(building.typeName)",
                remedy: "give the buildings names that differ in letters or digits")
        }
    }
}

/// Checks of web addresses that a user gives.
package enum WebAddress {
    /// Refuses an address to which names of tiles cannot be appended.
    package static func checkBase(_ url: String) throws {
        try checkCharacters(url)
        if url.contains("?") {
            throw refusal(url, "has a query, to which names of tiles cannot be appended")
        }
    }

    /// Refuses an address that is not a template of tiles.
    package static func checkTemplate(_ url: String) throws {
        try checkCharacters(url)
        let hasAddress = ["{z}", "{x}"].allSatisfy(url.contains)
        let hasRow = url.contains("{y}") || url.contains("{-y}")
        if !url.contains("{quadkey}"), !hasAddress || !hasRow {
            throw refusal(url, "needs {z}, {x} and {y} (or {-y}), or {quadkey}")
        }
    }

    /// Refuses a text that is not an address.
    package static func checkCharacters(_ url: String) throws {
        if !url.contains("://") { throw refusal(url, "has no scheme, such as https://") }
        if url.contains("#") { throw refusal(url, "has a fragment, which is not sent to servers") }
        if url.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 0x20 }) {
            throw refusal(url, "contains a space: write %20 instead")
        }
    }

    private static func refusal(_ url: String, _ why: String) -> Failure {
        Failure(
            .usage, "the address '\(url)' \(why)",
            remedy: "an address looks like 'https://example.org/tiles'")
    }
}

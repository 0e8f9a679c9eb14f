import Platform
public import Publishing
import Tilesets
import Tiling

/// What the code for a client can be told.
public struct SnippetOptions: Sendable {
    /// The address on the web of the tileset, or of the folder with the index; nil for what it says itself. For
    /// a tileset also an address of tiles with `{z}`, `{x}` and `{y}`.
    public var url: String?
    /// The path of the tileset, or of the folder with the index, inside the app; nil if it is not there.
    public var local: String?
    /// Whether the code is a whole page, for clients on the web.
    public var isPage = false
    /// The name of the code's main type; nil for one with the floor or the building.
    public var typeName: String?
    /// The zoom up to which tiles are enlarged; nil for three zooms above the last one.
    public var enlargeTo: Int?
    /// The pixels per point of the display, for clients that cannot ask.
    public var scale: Int?

    /// Leaves everything to the tileset.
    public init() {}

    /// Refuses what is not valid for a client.
    ///
    /// - Throws: `.usage`.
    func check(for client: SnippetClient) throws {
        if let typeName { try SnippetTypeName.check(typeName) }
        if let enlargeTo, !CameraPosition.zooms.contains(Double(enlargeTo)) {
            throw Failure(
                .usage, "--enlarge-to \(enlargeTo) is not a zoom: the zooms of maps are 0 to 30")
        }
        let schemes = ["file:", "bundle:", "asset:"]
        if let scheme = schemes.first(where: { url?.lowercased().hasPrefix($0) == true }) {
            throw Failure(
                .usage, "--url is an address on a server, and not '\(scheme)'",
                remedy: "for tiles inside the app give --local PATH: their path in the bundle or the assets")
        }
        if url != nil, local != nil {
            throw Failure(
                .usage, "--url and --local exclude each other: the tiles are on a server or in the app")
        }
        if isPage, !client.hasPages {
            let pages = SnippetClient.allCases.filter(\.hasPages).map(\.rawValue).joined(separator: ", ")
            throw Failure(
                .usage, "there are no pages for \(client.rawValue)", remedy: "--page is for \(pages)")
        }
        if scale != nil, client != .reactNativeMaps {
            throw Failure(
                .usage, "--scale does not change the code for \(client.rawValue): it fits every display",
                remedy: "leave --scale out; it is for \(SnippetClient.reactNativeMaps.rawValue)")
        }
    }
}

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
    ///   - options: the rest.
    ///   - maxTiles: the maximum number of tiles that the tileset may have.
    /// - Throws: a `Failure` if the tileset cannot be read or shown, or if another parameter is not valid.
    public init(
        _ path: String, for client: SnippetClient, floor: String? = nil,
        options: SnippetOptions = SnippetOptions(), maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        try options.check(for: client)
        let container = TilesetContainer(existing: path)
        if let url = options.url { try Self.check(url, in: container) }
        let metadata = try StoredTileset(path, floor: floor, maxTiles: maxTiles).metadata
        let address = try Self.address(of: metadata, path, container, for: client, options)
        guard
            let snippet = ClientSnippet(
                metadata, for: client, at: address, typeName: options.typeName, enlargeTo: options.enlargeTo,
                isInPage: options.isPage, scale: options.scale ?? 2)
        else { throw Failure(.badInput, cannot: "show '\(path)'", "it has no tiles") }
        if let enlargeTo = options.enlargeTo, enlargeTo < snippet.zooms.upperBound {
            throw Failure(
                .usage,
                "--enlarge-to \(enlargeTo) is below the last zoom of '\(path)', "
                    + "\(snippet.zooms.upperBound)",
                remedy: "give \(snippet.zooms.upperBound), which enlarges nothing, or more")
        }
        text = snippet.text
        let isServed = container.isArchive && !client.reads(container, isLocal: false)
        warning =
            address.isExample
            ? "the address in the code is an example: replace it, or give --url; --local is for tiles in the app"
                + (isServed ? "; the client needs a server that reads the archive" : "")
            : container.isArchive || client == .maplibre ? client.warningOfDisk(options) : nil
    }

    private static func address(
        of metadata: TilesetMetadata, _ path: String, _ container: TilesetContainer,
        for client: SnippetClient, _ options: SnippetOptions
    ) throws -> ClientAddress {
        if let local = options.local {
            try client.requireLocal(container)
            return ClientAddress(
                local: local.isEmpty ? path.fileName : local, isArchive: container.isArchive, metadata)
        }
        if !container.isArchive { return ClientAddress(ofTree: metadata, url: options.url) }
        return client.reads(container, isLocal: false)
            ? ClientAddress(ofArchive: metadata, name: path.fileName, url: options.url)
            : try ClientAddress(ofServed: metadata, name: path.fileStem, url: options.url)
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
    fileprivate func reads(_ container: TilesetContainer, isLocal: Bool) -> Bool {
        switch container {
        case .directory: true
        case .pmtiles: readsPMTiles
        case .mbtiles: isLocal && readsMBTilesInApps
        }
    }

    /// What to know of a page whose tiles a browser does not read from a disk.
    fileprivate func warningOfDisk(_ options: SnippetOptions) -> String? {
        guard options.isPage, options.local != nil else { return nil }
        return self == .maplibre
            ? "MapLibre reads no tiles from a disk: open the page from a server, such as 'tilewright serve'"
            : "browsers read no archives from a disk: open the page from a server, or build into a folder"
    }

    /// Refuses a container inside an app that the client cannot read there.
    ///
    /// - Throws: `.usage`.
    fileprivate func requireLocal(_ container: TilesetContainer) throws {
        guard hasLocal else {
            throw Failure(
                .usage, "the code for \(rawValue) has no tiles inside the app",
                remedy: self == .iosObjC
                    ? "print the code for ios-swift" : "give --url, the address on a server")
        }
        guard reads(container, isLocal: true) else {
            let kind = container == .mbtiles ? "MBTiles" : "PMTiles"
            throw Failure(
                .usage, "\(rawValue) cannot read \(kind) inside the app",
                remedy: "convert it: 'tilewright convert' makes a folder of it")
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
    ///   - options: the rest. Its type name is for a manifest with one building.
    /// - Throws: a `Failure` if the manifest is faulty, if the client cannot read its output, or if another
    ///   parameter is not valid.
    public init(
        _ path: String, for client: SnippetClient, options: SnippetOptions = SnippetOptions()
    ) throws {
        var options = options
        try options.check(for: client)
        // The address of the index is that of its folder.
        for name in ["/building.json", "/campus.json"] where options.url?.hasSuffix(name) == true {
            options.url = options.url.map { String($0.dropLast(name.count)) }
        }
        if let url = options.url { try Self.check(url) }
        guard client.hasBuildings else {
            throw Failure(
                .usage, "there is no code for all floors in \(client.rawValue)",
                remedy: "name a floor's folder or archive in place of '\(path)'")
        }
        let manifest = try Manifest(contentsOf: path)
        let requests = manifest.buildings
        if options.typeName != nil, requests.count > 1 {
            throw Failure(
                .usage, "--type-name names one type, but '\(path)' has \(requests.count) buildings",
                remedy: "name the manifest of one building")
        }
        let isLocal = options.local != nil
        let container = try Self.container(of: requests, path, for: client, isLocal: isLocal)
        // Short code does not read the index, and a page on a disk cannot.
        let needsIndex = client == .iosObjC || options.isPage && isLocal
        let buildings = try requests.map { request in
            let name = request.effectiveName
            let top = options.local.map { $0.isEmpty ? requests[0].folder.fileName : $0 } ?? options.url
            return BuildingSnippet.Building(
                name: name, typeName: options.typeName ?? SnippetTypeName.ofBuilding(name),
                folder: try top.map { try Self.address(of: request, in: manifest, at: $0) }
                    ?? request.floors.first?.build.output.url,
                index: needsIndex ? try Self.index(of: request, path) : nil)
        }
        try Self.checkNames(buildings)
        let snippet = BuildingSnippet(
            buildings, for: client, areLocal: isLocal, isInPage: options.isPage, enlargeTo: options.enlargeTo)
        text = snippet.text
        warning =
            buildings.contains { $0.folder == nil }
            ? "the address in the code is an example: replace it, or give --url; --local is for floors in the app"
            : isLocal && container.isArchive || client == .maplibre ? client.warningOfDisk(options) : nil
    }

    /// The index of a building, for code that does not read it.
    private static func index(of building: BuildingRequest, _ path: String) throws -> BuildingIndex {
        guard let index = try BuildingIndex(in: building.folder) else {
            throw Failure(
                .missingInput, "the building '\(building.effectiveName)' has not been built",
                remedy: "first run 'tilewright build \(path)'")
        }
        return index
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
        of buildings: [BuildingRequest], _ path: String, for client: SnippetClient, isLocal: Bool
    ) throws -> TilesetContainer {
        let containers = buildings.flatMap(\.floors).map(\.build.output.container)
        if isLocal { try containers.forEach(client.requireLocal) }
        if let odd = containers.first(where: { !client.reads($0, isLocal: isLocal) }) {
            let kind = odd == .mbtiles ? "MBTiles" : "PMTiles"
            throw Failure(
                .usage, "cannot write code for '\(path)': \(client.rawValue) cannot read \(kind)",
                remedy: "build into a folder, such as output: tiles"
                    + (client.readsPMTiles ? ", or into PMTiles: output: \"tiles/{floor}.pmtiles\"" : ""))
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

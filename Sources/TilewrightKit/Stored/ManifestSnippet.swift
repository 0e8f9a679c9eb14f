import Platform
public import Publishing
import Tilesets

/// Ready code that shows the floors of a manifest in an app or a page: a type for each building. It reads
/// `building.json` when it runs, so that new plans need no new code.
public struct ManifestSnippet: Sendable {
    /// The code, in whole lines.
    public let text: String
    /// What the user should know: that an address in the code is an example, if it is one.
    public let warning: String?

    /// Writes code for the buildings of a manifest, which need not be built yet.
    ///
    /// - Parameters:
    ///   - path: the manifest.
    ///   - client: who shows the floors.
    ///   - url: where the manifest's output is on the web; nil for what the manifest says.
    ///   - typeName: the name of the type, of a manifest with one building.
    ///   - enlargeTo: the zoom up to which tiles are enlarged; nil for three more than the last one of a
    ///     building.
    /// - Throws: a `Failure` if the manifest is faulty, the client does not read its output, or a name or an
    ///   address is none.
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
                .usage, "--type-name names one type, and '\(path)' has \(requests.count) buildings",
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
                .usage, "the address '\(url)' has a placeholder, and is that of a folder here",
                remedy: "give the address of the folder in which building.json is")
        }
    }

    /// What the floors of all buildings are in.
    ///
    /// - Throws: `.usage` if the client cannot read it, or buildings differ.
    private static func container(
        of buildings: [BuildingRequest], _ path: String, for client: SnippetClient
    ) throws -> TilesetContainer {
        let containers = buildings.flatMap(\.floors).map(\.build.output.container)
        let odd = containers.first {
            switch $0 {
            case .directory: false
            case .pmtiles: !client.readsPMTiles
            case .mbtiles: true
            }
        }
        if let odd {
            let kind = odd == .mbtiles ? "MBTiles" : "PMTiles"
            throw Failure(
                .usage, "cannot write code for '\(path)': \(client.rawValue) reads no \(kind) by itself",
                remedy: "build into a folder, as output: tiles; "
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

    /// Where a building's index is on the web.
    ///
    /// - Parameter url: where the manifest's output is.
    private static func address(
        of building: BuildingRequest, in manifest: Manifest, at url: String
    ) throws -> String {
        guard case .campus(let campus) = manifest else { return url }
        let way = RelativePath.components(from: campus.folder, to: building.folder)
        if way.first == ".." {
            throw Failure(
                .usage, "'\(building.folder)' is not in the folder of campus.json, '\(campus.folder)'",
                remedy: "say 'url' in the manifest of each building, and leave --url out")
        }
        let parts = way.filter { $0 != "." }.map { TilesetMetadata.escaped(String($0)) }
        return ([url.hasSuffix("/") ? String(url.dropLast()) : url] + parts).joined(separator: "/")
    }

    private static func checkNames(_ buildings: [BuildingSnippet.Building]) throws {
        for (index, building) in buildings.enumerated() {
            guard let other = buildings[..<index].first(where: { $0.typeName == building.typeName })
            else { continue }
            throw Failure(
                .usage, "'\(other.name)' and '\(building.name)' would both be \(building.typeName)",
                remedy: "give the buildings names that differ in letters or digits")
        }
    }
}

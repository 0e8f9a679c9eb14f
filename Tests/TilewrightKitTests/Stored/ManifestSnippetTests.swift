import Platform
import Testing
import TilewrightKit

/// Code for the buildings of a manifest that was never built.
struct ManifestSnippetTests {
    private let site: ManifestSite

    init() throws { site = try ManifestSite() }

    private func snippet(
        _ manifest: String, for client: SnippetClient = .leaflet, url: String? = nil, local: String? = nil,
        typeName: String? = nil, enlargeTo: Int? = nil
    ) throws -> ManifestSnippet {
        try site.write(manifest, to: "building.yaml")
        var options = SnippetOptions()
        (options.url, options.local) = (url, local)
        (options.typeName, options.enlargeTo) = (typeName, enlargeTo)
        return try ManifestSnippet(site.path("building.yaml"), for: client, options: options)
    }

    /// The clients with code for all floors that reads the index.
    private static let clients: [SnippetClient] = [
        .iosSwift, .mapkitSwift, .androidKotlin, .googleJS, .leaflet, .maplibre, .openlayers,
    ]

    private static let house = """
        name: Harbour Mall
        output: tiles
        floors: [{floor: 1, image: a.png}, {floor: 2, image: b.png}]
        """

    private static let campus = """
        name: Harbour
        output: tiles
        buildings:
          - {name: East, output: tiles/east wing, floors: [{floor: 1, image: a.png}]}
          - {name: West, output: tiles/west, floors: [{floor: 1, image: b.png}]}
        """

    @Test(
        "The address is that of --url, else the manifest's, else an example",
        arguments: clients)
    func address(client: SnippetClient) throws {
        let example = try snippet(Self.house, for: client)
        #expect(example.warning?.contains("an example: replace it, or give --url") == true)
        #expect(example.text.contains("\"https://example.org/tiles/building.json\""))
        let said = try snippet(Self.house + "\nurl: https://a.org/mall", for: client)
        #expect(said.warning == nil && said.text.contains("\"https://a.org/mall/building.json\""))
        let given = try snippet(
            Self.house + "\nurl: https://a.org/mall", for: client, url: "https://b.org/mall/")
        #expect(given.warning == nil && given.text.contains("\"https://b.org/mall/building.json\""))
        #expect(!given.text.contains("a.org") && given.text.contains("HarbourMallFloors"))
    }

    @Test("The type has the name that is given", arguments: clients)
    func typeName(client: SnippetClient) throws {
        let text = try snippet(Self.house, for: client, typeName: "Mall").text
        #expect(["class Mall ", "class Mall:", "interface Mall "].contains { text.contains($0) })
        #expect(!text.contains("HarbourMallFloors"))
        expectRefusal(.usage, "'a mall' cannot be the name of a type") {
            try snippet(Self.house, for: client, typeName: "a mall")
        }
    }

    @Test("A campus has a type for each building, each with the address below that of the campus")
    func campus() throws {
        let code = try snippet(Self.campus, url: "https://a.org/harbour").text
        for part in [
            "class EastFloors ", "\"https://a.org/harbour/east%20wing/building.json\"",
            "class WestFloors ", "\"https://a.org/harbour/west/building.json\"",
        ] { #expect(code.contains(part), "\(part)") }
        #expect(try snippet(Self.campus).warning != nil)
    }

    @Test("Requests that would not work are refused with a remedy")
    func refusals() throws {
        expectRefusal(.usage, "name the manifest of one building") {
            try snippet(Self.campus, typeName: "Harbour")
        }
        expectRefusal(.usage, "'East' and 'east' would both be the type EastFloors") {
            try snippet(Self.campus.replacing("name: West", with: "name: east"))
        }
        expectRefusal(.usage, "is not in the folder of campus.json") {
            try snippet(Self.campus.replacing("tiles/west", with: "west"), url: "https://a.org")
        }
        expectRefusal(.usage, "--enlarge-to 31 is not a zoom") {
            try snippet(Self.house, enlargeTo: 31)
        }
        expectRefusal(.usage, "has no scheme") { try snippet(Self.house, url: "a.org/tiles") }
        expectRefusal(.usage, "has a placeholder") {
            try snippet(Self.house, url: "https://a.org/{z}/{x}/{y}.png")
        }
    }

    @Test("PMTiles are read on a server, and MBTiles only inside apps", arguments: clients)
    func archives(client: SnippetClient) throws {
        let pmtiles = Self.house.replacing("output: tiles", with: "output: \"tiles/{floor}.pmtiles\"")
        let mbtiles = Self.house.replacing("output: tiles", with: "output: \"tiles/{floor}.mbtiles\"")
        let code = try snippet(pmtiles, for: client, url: "https://a.org/t").text
        #expect(code.contains("\"https://a.org/t/building.json\""))
        expectRefusal(.usage, "build into a folder, such as output:") { try snippet(mbtiles, for: client) }
        let mixed = Self.campus.replacing("tiles/west", with: "\"tiles/{floor}.pmtiles\"")
        expectRefusal(.usage, "some buildings are in folders") { try snippet(mixed, for: client) }
        if [.iosSwift, .mapkitSwift, .androidKotlin].contains(client) {
            let local = try snippet(mbtiles, for: client, local: "maps")
            #expect(local.warning == nil && local.text.contains("maps/building.json"))
            #expect(try snippet(mbtiles, for: client, local: "").text.contains("tiles/building.json"))
        } else {
            expectRefusal(.usage, "cannot read MBTiles inside the app") {
                try snippet(mbtiles, for: client, local: "maps")
            }
        }
    }

    @Test("Code that reads no index needs the building, and some clients have none for a building")
    func builtOnly() throws {
        expectRefusal(.missingInput, "first run 'tilewright build") { try snippet(Self.house, for: .iosObjC) }
        for client in [SnippetClient.maplibreStyle, .flutterMap, .reactNativeMaps] {
            expectRefusal(.usage, "there is no code for all floors in \(client.rawValue)") {
                try snippet(Self.house, for: client)
            }
        }
    }
}

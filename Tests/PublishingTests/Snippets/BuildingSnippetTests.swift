import Platform
import Foundation
@testable import Publishing
import TestSupport
import Testing
import Tiling

/// The code for a building.
func buildingSnippet(
    _ names: [String] = ["Harbour Mall"], for client: SnippetClient, url: String? = "https://a.org/t",
    areArchives: Bool = false, enlargeTo: Int? = nil
) -> String {
    let buildings = names.map {
        BuildingSnippet.Building(name: $0, typeName: SnippetTypeName.ofBuilding($0), url: url)
    }
    return BuildingSnippet(buildings, for: client, areArchives: areArchives, enlargeTo: enlargeTo).text
}

@Suite struct BuildingSnippetTests {
    @Test("no placeholder is left, no two blank lines follow", arguments: SnippetClient.allCases)
    func placeholders(client: SnippetClient) {
        for (names, url) in [(["Harbour Mall"], "https://a.org/t"), ([hostileText, "7"], nil)] {
            for areArchives in [false, client.readsPMTiles] {
                let code = buildingSnippet(names, for: client, url: url, areArchives: areArchives)
                #expect(!code.replacing("__weak", with: "").contains("__"))
                #expect(!code.contains("\n\n\n") && !code.contains(" \n"))
                #expect(code.hasSuffix("\n") && !code.hasSuffix("\n\n"))
                #expect(code.contains("REPLACE") == (url == nil))
                #expect(!code.contains("</script"))
            }
        }
    }

    @Test("the index is requested in the folder of the address", arguments: SnippetClient.allCases)
    func address(client: SnippetClient) {
        let address = "\"https://a.org/t/building.json\""
        #expect(buildingSnippet(for: client).contains(address))
        #expect(buildingSnippet(for: client, url: "https://a.org/t/").contains(address))
        let example = "\"https://example.org/tiles/building.json\""
        #expect(buildingSnippet(for: client, url: nil).contains(example))
    }

    @Test("several buildings have a type each, and common imports once", arguments: SnippetClient.allCases)
    func several(client: SnippetClient) {
        let code = buildingSnippet(["East Wing", "West Wing"], for: client)
        #expect(code.contains("EastWingFloors") && code.contains("WestWingFloors"))
        let imports = code.split(separator: "\n").filter { line in
            ["import ", "#import "].contains { line.hasPrefix($0) }
        }
        #expect(Set(imports).count == imports.count)
        #expect(imports.isEmpty == [.googleJS, .leaflet, .maplibre].contains(client))
    }

    @Test("MapLibre opens archives, and needs the code for them only then")
    func archives() {
        let code = buildingSnippet(for: .maplibre, areArchives: true)
        #expect(code.contains("addProtocol(\"pmtiles\"") && code.contains("\"pmtiles://\" +"))
        #expect(code.contains("floors.every((one) => one.archive)"))
        #expect(!buildingSnippet(for: .maplibre).contains("pmtiles"))
    }

    @Test(
        "a type is named after its building",
        arguments: [
            ("Harbour Mall", "HarbourMallFloors"), ("harbour-mall_2", "HarbourMall2Floors"),
            ("1 Main Street", "Building1MainStreetFloors"), ("Café", "Cafue9Floors"),
            ("駅", "U99c5Floors"), ("!?", "BuildingFloors"), ("", "BuildingFloors"),
            ("A", "AFloors"), ("ümlaut", "UfcmlautFloors"),
        ])
    func typeNames(building: String, type: String) throws {
        #expect(SnippetTypeName.ofBuilding(building) == type)
        try SnippetTypeName.check(type)
    }

    @Test(
        "a given type name must be valid in all languages",
        arguments: ["", "mall", "1Mall", "Harbour Mall", "Mall-2", "Café", "_Mall", "Self", "Type", "A;b"])
    func badTypeNames(name: String) {
        let failure = #expect(throws: Failure.self) { try SnippetTypeName.check(name) }
        #expect(failure?.kind == .usage)
    }

    /// Of tile 3/3/5: row 5 from the north is row 2 from the south of 8. Its quadkey is the example of Bing's
    /// article on its tile system.
    static let addresses = [
        #""tiles": "{z}/{x}/{y}.png", "scheme": "xyz""#: "https://a.org/t/3/3/5.png?v=01234567",
        #""tiles": "{z}/{x}/{y}.png", "scheme": "tms""#: "https://a.org/t/3/3/2.png?v=01234567",
        #""tiles": "{z}/{x}/{-y}.png", "scheme": "xyz""#: "https://a.org/t/3/3/2.png?v=01234567",
        #""tiles": "a%20b/{quadkey}.png", "scheme": "tms""#: "https://a.org/t/a%20b/213.png?v=01234567",
        #""tiles": "https://b.org/{z}_{x}_{y}?k=1", "scheme": "xyz""#: "https://b.org/3_3_5?k=1&v=01234567",
    ]

    /// An index of a floor that has the tile 3/3/5 alone.
    private static func index(_ members: String) -> String {
        """
        {"version": 1, "name": "House", "bounds": [-45, -66, 0, -40], "camera": {"target": [-22, -55], "zoom": 2.6},
        "floors": [{"floor": "1", "label": "First", "shortName": "1",
        "ordinal": 1, "bounds": [-45, -66, 0, -40], "minzoom": 3, "maxzoom": 3, "limits": [[3, 3, 5, 3, 5]],
        "tileSize": 256, \(members), "digest": "0123456789abcdef"}]}
        """
    }

    @Test(
        "the code makes the addresses of the index, and none of other tiles",
        .needs("node"), arguments: addresses.sorted { $0.key < $1.key }.some(2))
    func tileAddresses(members: String, address: String) throws {
        let told = try NodeMap.run(
            buildingSnippet(for: .googleJS), index: Self.index(members),
            """
            const ask = (x, y, zoom) => tileOf(layers[0], x, y, zoom)?.split(" ")[0] ?? null;
            print([ask(3, 5, 3), ask(11, 5, 3), ask(-5, 5, 3), ask(4, 5, 3), ask(3, 4, 3), ask(3, 5, 4)]);
            """)
        let expected = "[\"\(address)\",\"\(address)\",\"\(address)\",null,null,null]"
        #expect(told == expected)
    }

    /// At zoom 5, 3/3/5 is 4 x 4 tiles, of which 5/13/22 is in the second column and the third row.
    @Test(
        "beyond a floor's last zoom a tile is a part of its ancestor, up to the zoom that is given",
        .needs("node"), arguments: ([(nil, 6), (5, 5), (3, 3), (2, 3)] as [(Int?, Int)]).some(2))
    func enlarges(enlargeTo: Int?, last: Int) throws {
        let told = try NodeMap.run(
            buildingSnippet(for: .googleJS, enlargeTo: enlargeTo),
            index: Self.index(#""tiles": "{z}/{x}/{y}", "scheme": "xyz""#),
            """
            const zooms = [2, 3, 4, 5, 6, 7].filter((zoom) =>
              tileOf(layers[0], 3 * 2 ** (zoom - 3) + 1, 5 * 2 ** (zoom - 3) + 1, zoom));
            const own = tileOf(layers[0], 3, 5, 3);
            print([own, tileOf(layers[0], 13, 22, 5), Math.max(3, ...zooms), told.at(-1).maxZoom]);
            """)
        let address = "https://a.org/t/3/3/5?v=01234567"
        let part = last >= 5 ? "\"\(address) 1024px 1024px -256px -512px\"" : "null"
        #expect(told == "[\"\(address) 256px 256px 0px 0px\",\(part),\(last),\(last)]")
    }

    @Test(
        "the camera and its limits are those of the index", .needs("node"),
        arguments: [
            (
                SnippetClient.googleJS,
                #"[["fit",{"west":-45,"south":-66,"east":0,"north":-40},64],{"minZoom":2,"maxZoom":6,"#
                    + #""restriction":{"latLngBounds":{"west":-67.5,"south":-79,"east":22.5,"north":-27},"#
                    + #""strictBounds":false}}]"#
            ),
            (
                .maplibre,
                #"[["fit",[-45,-66,0,-40],{"padding":64,"linear":true,"animate":false}],["max",5],["min",1]]"#
            ),
        ])
    func camera(client: SnippetClient, expected: String) throws {
        let index = Self.index(#""tiles": "{z}/{x}/{y}", "scheme": "xyz""#)
        #expect(try NodeMap.run(buildingSnippet(for: client), index: index, "print(told);") == expected)
    }

    /// The middle of the bounds is 180 degrees west, and their corners 3 degrees from it.
    @Test("MapLibre's target stays in the building's bounds, on every copy of the world", .needs("node"))
    func target() throws {
        let index = Self.index(#""tiles": "{z}/{x}/{y}", "scheme": "xyz""#)
            .replacing(
                "\"bounds\": [-45, -66, 0, -40], \"camera\"",
                with: "\"bounds\": [177, -17, 183, -16], \"camera\"")
        let told = try NodeMap.run(
            buildingSnippet(for: .maplibre), index: index,
            """
            const held = (lng, lat) => Object.values(map.transformCameraUpdate({ center: { lng, lat } }).center);
            print([held(178, -16.5), held(-179, -20), held(-170, 0), held(170, -17), held(541, -16), held(550, -16)]);
            """)
        #expect(told == "[[178,-16.5],[-179,-17],[-177,-16],[177,-17],[541,-16],[543,-16]]")
    }

    @Test("the index and tiles are requested so that caches serve only current ones", .needs("node"))
    func caches() throws {
        let told = try NodeMap.run(
            buildingSnippet(for: .googleJS), index: Self.index(#""tiles": "{z}", "scheme": "xyz""#),
            "print(asked);")
        #expect(told == #"[["https://a.org/t/building.json",{"cache":"no-cache"}]]"#)
    }

    /// Across the antimeridian, with a corner without tiles at the higher zoom.
    @Test(
        "MapLibre gets the area of tiles at all zooms, on both sides of the antimeridian",
        .needs("node"))
    func boxes() throws {
        let limits = [
            TileRange(zoom: 6, columns: 63...63, rows: 34...35),
            TileRange(zoom: 6, columns: 0...0, rows: 34...35),
            TileRange(zoom: 7, columns: 127...127, rows: 69...70),
            TileRange(zoom: 7, columns: 0...1, rows: 69...70),
        ]
        let list = limits.map {
            "[\($0.zoom), \($0.columns.lowerBound), \($0.rows.lowerBound), \($0.columns.upperBound), "
                + "\($0.rows.upperBound)]"
        }
        let index = """
            {"version": 1, "name": "House", "bounds": [177, -17, 183, -16],
            "camera": {"target": [180, -16.5], "zoom": 5.6},
            "floors": [{"floor": "1", "label": "First", "shortName": "1",
            "bounds": [177, -17, 183, -16], "minzoom": 6, "maxzoom": 7,
            "limits": [\(list.joined(separator: ","))], "tileSize": 256, "tiles": "{z}/{x}/{-y}.png", "scheme": "xyz", "digest": "0123456789abcdef"}]}
            """
        let told = try NodeMap.run(buildingSnippet(for: .maplibre), index: index, "print(sources);")
        let sources = try JSONDecoder().decode([RasterSource].self, from: Data(told.utf8))
        #expect(sources.allSatisfy { $0.scheme == "tms" && $0.minzoom == 6 && $0.maxzoom == 7 })
        #expect(sources.allSatisfy { $0.tiles == ["https://a.org/t/{z}/{x}/{y}.png?v=01234567"] })
        let expected = limits.suffix(2).map { TileRange.lonLatBounds(of: [$0]) }
        try #require(sources.count == 2)
        for (source, box) in zip(sources, expected) {
            let edges = [box.minX, box.minY, box.maxX, box.maxY]
            #expect(zip(source.bounds, edges).allSatisfy { abs($0 - $1) < 1e-8 }, "\(source.bounds)")
            #expect(source.bounds[0] > edges[0] && source.bounds[2] < edges[2])
            #expect(source.bounds[1] > edges[1] && source.bounds[3] < edges[3])
        }
    }

    @Test(
        "an index that the code does not understand is an error", .needs("node"),
        arguments: [
            (#"{"version": 2}"#, "version 2 needs newer code"),
            (#"{"version": 1, "floors": []}"#, "there are no floors"),
            (#"{"version": 1, "floors": [{"archive": "a.pmtiles"}]}"#, "the floors are not in a folder"),
        ])
    func badIndexes(index: String, problem: String) throws {
        let told = try NodeMap.run(buildingSnippet(for: .leaflet), index: index, "")
        #expect(told.contains("https://a.org/t/building.json: \(problem)"), "\(told)")
    }
}

/// A source as MapLibre's style specification has it.
private struct RasterSource: Decodable {
    var tiles: [String]
    var scheme: String
    var minzoom: Int
    var maxzoom: Int
    var bounds: [Double]
}

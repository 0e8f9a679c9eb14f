import Platform
import Foundation
@testable import Publishing
import TestSupport
import Testing
import Tiling

/// The index of a building with two floors.
private let builtIndex = Array(
    """
    {"version": 1, "name": "Mall", "floors": [
    {"floor": "0", "label": "Ground", "shortName": "0", "ordinal": 0, "default": true, "tilejson": "tilejson-0.json",
    "tiles": "L0_{z}_{x}_{y}.png", "scheme": "xyz", "bounds": [2, 48, 2.1, 48.1], "minzoom": 14, "maxzoom": 18,
    "limits": [], "tileSize": 256, "format": "png", "tileCount": 3, "digest": "0123456789abcdef"},
    {"floor": "-1", "label": "Cellar", "shortName": "U", "ordinal": -1, "tilejson": "tilejson--1.json",
    "tiles": "L-1_{z}_{x}_{y}.png", "scheme": "tms", "bounds": [2, 48, 2.1, 48.1], "minzoom": 15, "maxzoom": 19,
    "limits": [], "tileSize": 256, "format": "png", "tileCount": 3, "digest": "0123456789abcdef"}],
    "generator": "tilewright"}

    """.utf8)

/// The code for a building. That for Objective-C has what the index says.
func buildingSnippet(
    _ names: [String] = ["Harbour Mall"], for client: SnippetClient, url: String? = "https://a.org/t",
    enlargeTo: Int? = nil
) -> String {
    let buildings = names.map {
        BuildingSnippet.Building(
            name: $0, typeName: SnippetTypeName.ofBuilding($0), folder: url,
            index: client == .iosObjC ? try? BuildingIndex(parsing: builtIndex, path: "building.json") : nil)
    }
    return BuildingSnippet(buildings, for: client, enlargeTo: enlargeTo).text
}

/// The clients with code for all floors that reads the index.
private let withBuildings = SnippetClient.allCases.filter { $0.hasBuildings && $0 != .iosObjC }

@Suite struct BuildingSnippetTests {
    @Test("no placeholder is left, no two blank lines follow", arguments: withBuildings)
    func placeholders(client: SnippetClient) {
        for (names, url) in [(["Harbour Mall"], "https://a.org/t"), ([hostileText, "7"], nil)] {
            let code = buildingSnippet(names, for: client, url: url)
            #expect(!code.replacing("__weak", with: "").contains("__"))
            #expect(!code.contains("\n\n\n") && !code.contains(" \n"))
            #expect(code.hasSuffix("\n") && !code.hasSuffix("\n\n"))
            #expect(code.contains("REPLACE") == (url == nil))
            #expect(!code.contains("</script"))
        }
    }

    @Test("the index is requested in the folder of the address", arguments: withBuildings)
    func address(client: SnippetClient) {
        let address = "\"https://a.org/t/building.json\""
        #expect(buildingSnippet(for: client).contains(address))
        #expect(buildingSnippet(for: client, url: "https://a.org/t/").contains(address))
        let example = "\"https://example.org/tiles/building.json\""
        #expect(buildingSnippet(for: client, url: nil).contains(example))
    }

    @Test("several buildings have a type each, and common imports once", arguments: withBuildings)
    func several(client: SnippetClient) {
        let code = buildingSnippet(["East Wing", "West Wing"], for: client)
        #expect(code.contains("EastWingFloors") && code.contains("WestWingFloors"))
        let imports = code.split(separator: "\n").filter { line in
            ["import ", "#import "].contains { line.hasPrefix($0) }
        }
        #expect(Set(imports).count == imports.count)
        #expect(!imports.isEmpty)
    }

    @Test("the code is short: the library does the work", arguments: withBuildings)
    func short(client: SnippetClient) {
        let lines = buildingSnippet(for: client).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 121)
    }

    @Test("a building inside the app is read there, at once")
    func local() {
        let building = BuildingSnippet.Building(name: "Mall", typeName: "MallFloors", folder: "maps/mall")
        func code(_ client: SnippetClient) -> String {
            BuildingSnippet([building], for: client, areLocal: true).text
        }
        let swift = code(.iosSwift)
        #expect(
            swift.contains(#"URL(string: "maps/mall/building.json", relativeTo: Bundle.main.resourceURL)!"#))
        #expect(swift.contains("Building(inApp: address)") && swift.contains(": GMSSyncTileLayer {"))
        #expect(code(.androidKotlin).contains("\"asset:maps/mall/building.json\""))
        #expect(!code(.iosSwift).contains("REPLACE"))
    }

    @Test("the short code for Objective-C has the addresses and the camera of a building that is built")
    func objectiveC() throws {
        let code = buildingSnippet(["Mall"], for: .iosObjC, url: "https://a.org/mall")
        #expect(code.contains(#"@"0" : @"https://a.org/mall/L0_{z}_{x}_{y}.png\?v=01234567","#))
        #expect(code.contains(#"@"-1" : @"https://a.org/mall/L-1_{z}_{x}_{-y}.png\?v=01234567","#))
        #expect(code.contains("zoom < 14 || zoom > 19") && code.contains("maxZoom:19]"))
        #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
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
}

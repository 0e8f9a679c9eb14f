import Foundation
import TestSupport
import Testing

/// `snippet` with the manifest of a building.
struct BuildingSnippetCommandTests {
    private let site: Workshop

    init() throws {
        site = try Workshop()
        let manifest = """
            name: Harbour Mall
            output: tiles
            floors: [{floor: 0, image: plan.png}, {floor: 1, image: plan.png}]
            """
        try site.write(manifest.utf8, to: "building.yaml")
    }

    @Test("The code is printed even before the build, with a warning if its address is an example")
    func code() throws {
        let open = try Program.succeed(["snippet", "building.yaml", "--for", "maplibre"], in: site.url)
        #expect(open.errors.hasPrefix("warning: the address in the code is an example"))
        let known = try Program.succeed(
            ["snippet", "building.yaml", "--for", "maplibre", "--url", "https://a.org/mall"], in: site.url)
        #expect(known.errors.isEmpty)
        #expect(known.output.contains("class HarbourMallFloors extends FloorPicker {"))
        #expect(known.output.hasSuffix("}).catch((error) => console.error(error));\n"))
    }

    @Test("--floor is refused with a manifest, and --type-name takes only names of types")
    func refusals() throws {
        let floor = try site.run(["snippet", "building.yaml", "--for", "leaflet", "--floor", "1"])
        #expect(
            floor.status == 64 && floor.errors.contains("--floor cannot be combined with 'building.yaml'"))
        #expect(floor.output.isEmpty)
        let name = try site.run(["snippet", "building.yaml", "--for", "leaflet", "--type-name", "mall"])
        #expect(name.status == 64 && name.errors.contains("'mall' cannot be the name of a type"))
    }

    @Test(
        "--local with and without a path, before and after OUTPUT; --library prints the file that the code needs"
    )
    func options() throws {
        try site.build()
        for (words, path) in [
            (["out", "--for", "ios-swift", "--local"], "out"),
            (["out", "--local", "--for", "ios-swift"], "out"),
            (["out", "--for", "ios-swift", "--local", "maps/plan"], "maps/plan"),
            (["out", "--for", "ios-swift", "--local=maps/plan"], "maps/plan"),
        ] {
            let code = try Program.succeed(["snippet"] + words, in: site.url)
            #expect(
                code.output.contains("\"\(path)/{z}/{x}/{y}.png\", in: Bundle.main.resourceURL"), "\(words)")
        }
        let sources = SharedData.packageRoot.appending(path: "Sources/Publishing/Clients")
        for (client, name) in [
            ("android-kotlin", "TilewrightTiles.kt"), ("leaflet", "tilewright-tiles.js"),
            ("maplibre", "tilewright-tiles.js"),
        ] {
            let file = try Program.succeed(["snippet", "--library", "--for", client], in: site.url)
            #expect(try file.output == String(contentsOf: sources.appending(path: name), encoding: .utf8))
        }
        let swift = try site.run(["snippet", "--library", "--for", "ios-swift"])
        #expect(swift.status == 64 && swift.errors.contains("TilewrightTiles"))
        let missing = try site.run(["snippet", "--for", "leaflet"])
        #expect(missing.status == 64 && missing.errors.contains("OUTPUT is missing"))
    }

    @Test("--type-name also names the type of a tileset")
    func tileset() throws {
        try site.build()
        let code = try Program.succeed(
            ["snippet", "out", "--for", "ios-swift", "--url", "https://a.org", "--type-name", "Hall"],
            in: site.url)
        #expect(code.output.contains("enum Hall {") && !code.output.contains("PlanTiles"))
        #expect(try site.run(["snippet", "out", "--for", "ios-swift", "--type-name", "1"]).status == 64)
    }
}

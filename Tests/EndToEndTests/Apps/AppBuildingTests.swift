import Foundation
import TestSupport
import Testing
import TilewrightTiles

/// What apps read of a building, fresh, from a copy, and inside the app.
@Suite(.needs("python3"))
struct AppBuildingTests {
    private let site: Workshop
    private var copies: URL { site.file("copies") }

    /// Builds two floors, in folders or archives.
    init() throws {
        site = try Workshop()
        for (name, output) in [("folders", "folders"), ("archives", "\"archives/{floor}.pmtiles\"")] {
            let manifest = """
                name: Harbour Mall
                output: \(output)
                zoom: 16-17
                bounds: [\(Workshop.bounds)]
                floors:
                - {floor: 0, image: plan.png, label: Ground floor, default: true}
                - {floor: 1, image: plan.png, label: First floor, zoom: 16-18}
                """
            try site.write(manifest.utf8, to: "\(name).yaml")
            try Program.succeed(["build", "\(name).yaml"], in: site.url)
        }
    }

    @Test(
        "a building in folders and in archives, in the app and on a server",
        arguments: ["folders", "archives"])
    func everywhere(output: String) async throws {
        let server = try RangeServer(of: site.url)
        let addresses = [site.file("\(output)/building.json"), try server.url("\(output)/building.json")]
        for (url, source) in zip(addresses, [Building.Source.app, .address]) {
            let building = try await Building(url, copies: nil)
            #expect(building.source == source && building.name == "Harbour Mall")
            #expect(building.floors.map(\.name) == ["0", "1"])
            #expect(building.floors.map(\.label) == ["Ground floor", "First floor"])
            #expect(building.floors.map(\.ordinal) == [0, 1] && building.defaultFloor.name == "0")
            #expect(building.zooms.upperBound == 18 && building.floors[0].facts.zooms == 16...17)
            for floor in building.floors {
                let range = try #require(floor.facts.limits.last)
                let archive = floor.archive()
                let tile = try await archive.tile(zoom: range[0], column: range[1], row: range[2])
                #expect(tile != .never)
                let outside = try await archive.tile(zoom: range[0], column: range[1] - 1, row: range[2])
                #expect(outside == .never)
            }
        }
    }

    @Test("without an answer, the last copy is used, then the file in the app, else the error says why")
    func copies() async throws {
        let server = try RangeServer(of: site.url)
        let (url, inside) = (try server.url("folders/building.json"), site.file("archives/building.json"))
        try server.behave("500")
        await #expect(throws: TileError.self) { try await Building(url, copies: copies) }
        #expect(try await Building(url, inside: inside, copies: copies).source == .app)
        try server.behave("ok")
        #expect(try await Building(url, inside: inside, copies: copies).source == .address)
        for behaviour in ["500", "off", "html", "403", "404", "cut"] {
            try server.behave(behaviour)
            let told = Told()
            let building = try await Building(url, inside: inside, copies: copies) { told.note($0) }
            #expect(building.source == .copy && building.floors.count == 2, "\(behaviour)")
            let faults = ["html": ["unreadable"], "403": ["denied"], "404": ["missing"]][behaviour] ?? []
            #expect(told.kinds == faults, "\(behaviour)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: copies.path).count == 1)
    }

    /// The index is in the app, the tiles are not.
    @Test("floors of an index in the app are read from there, or else from its address")
    func beside() async throws {
        let server = try RangeServer(of: site.url)
        let lone = site.file("lone/building.json")
        try FileManager.default.createDirectory(at: site.file("lone"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: site.file("archives/building.json"), to: lone)
        let url = try server.url("archives/building.json")
        try server.behave("500")
        let far = try await Building(url, inside: lone, copies: nil).floors[0].archive()
        let near = try await Building(url, inside: site.file("archives/building.json"), copies: nil).floors[0]
            .archive()
        #expect(!far.isInApp && near.isInApp)
        try server.behave("ok")
        let range = try #require(far.facts.limits.last)
        #expect(
            try await far.tile(zoom: range[0], column: range[1], row: range[2])
                == near.tileNow(zoom: range[0], column: range[1], row: range[2]))
    }

    @Test(
        "an index that is damaged, of another version, or that leaves its folder is an error",
        arguments: [
            ("\"version\": 1", "\"version\": 2"), ("\"floors\": [", "\"floors\": [], \"old\": ["),
            ("\"tiles\": \"", "\"tiles\": \"../"), ("\"tilejson\": \"", "\"tilejson\": \"%2e%2e/"),
            ("\"tiles\": \"", "\"tiles\": \"file:///etc/"), ("\"maxzoom\": ", "\"maxzoom\": 9"),
            ("\"limits\": [", "\"limits\": [[1], "), ("{", ""),
        ])
    func refused(old: String, new: String) throws {
        let text = try String(contentsOf: site.file("folders/building.json"), encoding: .utf8)
        #expect(text.contains(old))
        try site.write(text.replacing(old, with: new).utf8, to: "folders/changed.json")
        #expect(throws: TileError.self) { try Building(inApp: site.file("folders/changed.json")) }
    }
}

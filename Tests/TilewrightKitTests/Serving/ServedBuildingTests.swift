import Platform
import Foundation
import Synchronization
import Testing
import Tiling
import TilewrightKit

/// Floors of a manifest, built or not, under their own names.
struct ServedBuildingTests {
    private static let floors = """
          - {floor: 1, label: First floor, ordinal: 1, image: plan.png}
          - {floor: B1, label: Basement, ordinal: -1, image: b1.png}

        """

    private let site: Site

    init() throws {
        site = try Site()
        try site.draw("b1.png", width: 320, height: 240)
        try write(Self.floors)
    }

    private func write(_ floors: String) throws {
        let text = """
            name: House
            output: tiles
            template: "L{floor}_{z}_{x}_{y}.{ext}"
            zoom: 15-17
            bounds: 2,48,2.003,48.002
            floors:
            \(floors)
            """
        try site.write(text.utf8, to: "house.yaml")
    }

    private func build() async throws {
        let manifest = try Manifest(contentsOf: site.path("house.yaml"))
        _ = try await ManifestBuild(manifest).run()
    }

    private func catalogue(_ things: ServedInput...) async throws -> TileCatalogue {
        try await TileCatalogue(ServingRequest(things))
    }

    private func index(
        _ catalogue: TileCatalogue, _ path: String = "building.json"
    ) async throws -> [String: Any] {
        let bytes = try #require(await catalogue.index(at: path))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func floors(_ index: [String: Any]) throws -> [[String: Any]] {
        try #require(index["floors"] as? [[String: Any]])
    }

    @Test("a manifest that was never built has a name for each floor, and an index as a build would write it")
    func neverBuilt() async throws {
        let catalogue = try await catalogue(ServedInput(site.path("house.yaml")))
        #expect(catalogue.tilesets.map(\.name) == ["1", "B1"])
        let served = try await index(catalogue)
        try await build()
        let built = try #require(
            try JSONSerialization.jsonObject(with: Data(site.bytes("tiles/building.json"))) as? [String: Any])
        func expectSame(_ one: [String: Any], _ other: [String: Any], _ members: [String]) {
            for member in members {
                #expect((one[member] as? NSObject) == (other[member] as? NSObject), "\(member)")
            }
        }
        expectSame(served, built, ["version", "name", "bounds", "camera"])
        for (one, other) in zip(try floors(served), try floors(built)) {
            expectSame(
                one, other,
                [
                    "floor", "label", "shortName", "ordinal", "bounds", "minzoom", "maxzoom", "limits",
                    "tileSize",
                ])
        }
        #expect(try floors(served).map { $0["tilejson"] as? String } == ["B1.json", "1.json"])
        #expect(
            try floors(served).map { $0["tiles"] as? String } == ["B1/{z}/{x}/{y}.png", "1/{z}/{x}/{y}.png"])
    }

    @Test("floors that are built and up to date are served; a floor whose plan changed is rendered")
    func stale() async throws {
        try await build()
        let catalogue = try await catalogue(ServedInput(site.path("house.yaml")))
        func isStored(_ name: String) async throws -> Bool {
            let tileset = try #require(await catalogue.tileset(name))
            _ = try await tileset.tile(at: TileCoordinate(zoom: 15, column: 0, row: 0))
            return tileset.isStored
        }
        #expect(try await isStored("1"))
        #expect(try await isStored("B1"))
        try site.draw("b1.png", width: 320, height: 240) { _, _ in 100 }
        #expect(try await isStored("1"))
        #expect(try await !isStored("B1"))
        try await build()
        #expect(try await isStored("B1"))
    }

    @Test("a floor that is added to the manifest has a name at the next request, a removed one has none")
    func changed() async throws {
        let catalogue = try await catalogue(ServedInput(site.path("house.yaml")))
        #expect(await catalogue.tileset("2") == nil)
        try write("  - {floor: 2, ordinal: 2, image: plan.png}\n")
        #expect(await catalogue.tileset("2") != nil)
        #expect(await catalogue.tileset("B1") == nil)
        #expect(try floors(await index(catalogue)).count == 1)
    }

    @Test("a floor gets its position from a file that is added later")
    func placedLater() async throws {
        let text = try site.text("house.yaml").replacing("bounds: 2,48,2.003,48.002\n", with: "")
        try site.write(text.utf8, to: "house.yaml")
        try site.write("0.00001\n0\n0\n-0.00001\n2.000005\n48.001995\n".utf8, to: "plan.pgw")
        try site.write(
            "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]"
                .utf8, to: "plan.prj")
        let lines = Mutex<[String]>([])
        let catalogue = try await TileCatalogue(ServingRequest([ServedInput(site.path("house.yaml"))])) {
            line in
            lines.withLock { $0.append(line) }
        }
        #expect(lines.withLock { $0 }.count == 1)
        #expect(try floors(await index(catalogue)).map { $0["floor"] as? String } == ["1"])
        for name in ["pgw", "prj"] { try site.write(site.bytes("plan.\(name)"), to: "b1.\(name)") }
        #expect(try floors(await index(catalogue)).map { $0["floor"] as? String } == ["B1", "1"])
    }

    @Test("a fault is reported only once in a while")
    func log() async throws {
        let lines = Mutex<[String]>([])
        let catalogue = try await TileCatalogue(ServingRequest([ServedInput(site.path("house.yaml"))])) {
            line in
            lines.withLock { $0.append(line) }
        }
        for number in 0..<1000 { catalogue.note(Failure(.badInput, "tile \(number % 100) is damaged")) }
        #expect(lines.withLock { $0 }.count == 11)
        #expect(lines.withLock { $0 }.first == "tile 0 is damaged")
    }

    @Test("if a manifest gets a fault, its last state is served and the fault is reported")
    func faulty() async throws {
        let catalogue = try await catalogue(ServedInput(site.path("house.yaml")))
        try write("  - {flor: 2}\n")
        #expect(try floors(await index(catalogue)).count == 2)
    }

    @Test("a campus is served alike whether it is built or not, each building in a folder of its own")
    func campus() async throws {
        let text = """
            name: Campus
            output: campus
            buildings:
              - name: East
                output: campus/east
                zoom: 15
                bounds: 2,48,2.003,48.002
                floors: [{floor: 0, image: plan.png}, {floor: 1, image: b1.png}]
              - name: West
                output: campus/west
                zoom: 15
                bounds: 1,48,1.003,48.002
                floors: [{floor: 0, image: plan.png}]
            """
        try site.write(text.utf8, to: "campus.yaml")
        let manifest = ServedInput(site.path("campus.yaml"))
        let live = try await catalogue(manifest)
        _ = try await ManifestBuild(Manifest(contentsOf: manifest.path)).run()
        let built = try JSONSerialization.jsonObject(with: Data(site.bytes("campus/campus.json")))
        for catalogue in [live, try await catalogue(ServedInput(site.path("campus")))] {
            #expect(catalogue.tilesets.map(\.name) == ["east/1", "east/0", "west/0"])
            #expect(["campus.json", "east/building.json"].allSatisfy(catalogue.hasIndex))
            #expect(!catalogue.hasIndex(at: "building.json"))
            #expect(try await index(catalogue, "campus.json") as NSObject == built as? NSObject)
            let west = try await index(catalogue, "west/building.json")
            #expect(west["name"] as? String == "West")
            #expect(try floors(west).map { $0["tilejson"] as? String } == ["0.json"])
        }
    }

    @Test("floors in a folder without an index are tilesets of their own")
    func withoutIndex() async throws {
        try await build()
        try FileManager.default.removeItem(atPath: site.path("tiles/building.json"))
        let catalogue = try await catalogue(ServedInput(site.path("tiles")))
        #expect(catalogue.tilesets.map(\.name) == ["1", "B1"])
        #expect(await catalogue.index(at: "building.json") == nil)
        let stored = try StoredTileset(site.path("tiles"), floor: "B1")
        let limits = try #require(stored.metadata.limits.last)
        let tile = TileCoordinate(
            zoom: limits.zoom, column: limits.columns.lowerBound, row: limits.rows.lowerBound)
        #expect(try await catalogue.tileset("B1")?.tile(at: tile).bytes == stored.tile(at: tile))
    }

    @Test("a manifest and a folder that was built from it have the same names, unless NAME=INPUT is given")
    func folder() async throws {
        try await build()
        let catalogue = try await catalogue(
            ServedInput(site.path("tiles")), ServedInput(site.path("house.yaml"), name: "live"))
        #expect(catalogue.tilesets.map(\.name) == ["1", "B1", "live/1", "live/B1"])
        #expect(
            try floors(await index(catalogue)).map { $0["digest"] as? String }
                == floors(await index(catalogue, "live/building.json")).map { $0["digest"] as? String })
        await expectRefusal(.usage, "two inputs have the name '1'") {
            try await self.catalogue(ServedInput(site.path("tiles")), ServedInput(site.path("house.yaml")))
        }
    }
}

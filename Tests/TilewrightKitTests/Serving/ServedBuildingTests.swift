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

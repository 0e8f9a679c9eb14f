import Platform
import Foundation
import Synchronization
import TestSupport
import Testing
import Tiling
import TilewrightKit

/// A building's floors, built as one job.
struct BuildingBuildTests {
    private let site: Site

    init() throws {
        site = try Site()
        // Of different sizes, so that their own zooms differ.
        for (index, name) in ["b1.png", "0.png", "1.png", "2.png"].enumerated() {
            try site.draw(name, width: 300 + 40 * index, height: 200 + 30 * index) { column, row in
                (column + row) % 50 < 10 * index ? 0 : 255
            }
        }
    }

    private func floor(_ name: String, ordinal: Int, in folder: String = "tiles") -> FloorRequest {
        let isArchive = folder.contains("{floor}")
        var output = OutputRequest(site.path(folder.replacing("{floor}", with: name)))
        output.floor = name
        if !isArchive { output.template = "L{floor}_{z}_{x}_{y}.{ext}" }
        var build = BuildRequest(site.image("\(name.lowercased()).png"), output: output)
        build.pyramid.zoom = ZoomRange(15...18)
        return FloorRequest(ordinal: ordinal, build: build)
    }

    /// Four floors, not in the order of their ordinals.
    private func building(in folder: String = "tiles") -> BuildingRequest {
        let floors = [("1", 1), ("B1", -1), ("2", 2), ("0", 0)].map {
            floor($0.0, ordinal: $0.1, in: folder)
        }
        let parent = folder.contains("{floor}") ? "archives" : folder
        return BuildingRequest(floors, in: site.path(parent), name: "House")
    }

    /// All files below a folder and their bytes, without the program's state files.
    private func files(_ folder: String) throws -> [String: Data] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: site.path(folder))
        return try paths.filter { !$0.hasPrefix(".tilewright") }.reduce(into: [:]) { files, path in
            let whole = site.path("\(folder)/\(path)")
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder)
            if !isFolder.boolValue { files[path] = try Data(contentsOf: URL(filePath: whole)) }
        }
    }

    private func index(_ folder: String = "tiles") throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(site.bytes("\(folder)/building.json")))
        return try #require(json as? [String: Any])
    }

    @Test("all files equal those of single builds, with any number of jobs and any memory", .long)
    func sameBytes() async throws {
        for floor in building(in: "single").floors { _ = try await TilesetBuild(floor.build).run() }
        let single = try files("single")
        for (index, (jobs, memory)) in [(1, 1 << 30), (2, 1 << 30), (8, 1 << 20)].enumerated() {
            var options = BuildingOptions()
            options.resources.jobs = jobs
            options.resources.memory = memory
            let summary = try await BuildingBuild(building(in: "tiles\(index)"), options: options).run()
            #expect(summary.failure == nil && summary.indexChanged)
            var together = try files("tiles\(index)")
            #expect(together.removeValue(forKey: "building.json") != nil)
            #expect(together == single)
        }
    }

    @Test("archives and the index are in one folder")
    func archives() async throws {
        let request = building(in: "archives/{floor}.pmtiles")
        let summary = try await BuildingBuild(request).run()
        #expect(summary.failure == nil)
        let floors = try #require(index("archives")["floors"] as? [[String: Any]])
        #expect(
            floors.map { $0["archive"] as? String } == ["B1.pmtiles", "0.pmtiles", "1.pmtiles", "2.pmtiles"])
        let names = try files("archives").keys.sorted()
        #expect(names == ["0.pmtiles", "1.pmtiles", "2.pmtiles", "B1.pmtiles", "building.json"])
    }

    @Test("the index has the floors by their ordinals, with the values of their TileJSON")
    func indexDocument() async throws {
        var request = building()
        request.floors[1].label = "Basement"
        request.floors[1].shortName = "U"
        request.manifests = [site.path("house.yaml")]
        _ = try await BuildingBuild(request).run()
        let index = try index()
        #expect(index["version"] as? Int == 1 && index["name"] as? String == "House")
        #expect(index["manifest"] as? String == "house.yaml")
        let floors = try #require(index["floors"] as? [[String: Any]])
        #expect(floors.map { $0["floor"] as? String } == ["B1", "0", "1", "2"])
        #expect(floors.map { $0["label"] as? String } == ["Basement", "0", "1", "2"])
        #expect(floors.map { $0["shortName"] as? String } == ["U", "0", "1", "2"])
        #expect(floors.map { $0["default"] as? Bool } == [nil, true, nil, nil])
        for floor in floors {
            let name = try #require(floor["tilejson"] as? String)
            let json = try JSONSerialization.jsonObject(with: Data(site.bytes("tiles/\(name)")))
            let tileJSON = try #require(json as? [String: Any])
            for member in ["floor", "digest", "scheme", "format"] {
                #expect(floor[member] as? String == tileJSON[member] as? String)
            }
            for member in ["minzoom", "maxzoom", "tileSize", "tileCount"] {
                #expect(floor[member] as? Int == tileJSON[member] as? Int)
            }
            #expect(floor["tiles"] as? String == (tileJSON["tiles"] as? [String])?.first)
            #expect(floor["bounds"] as? [Double] == tileJSON["bounds"] as? [Double])
            let limits = try #require(tileJSON["tileMatrixSetLimits"] as? [[String: Any]]).map { entry in
                [Int(entry["tileMatrix"] as? String ?? "") ?? -1]
                    + ["minTileCol", "minTileRow", "maxTileCol", "maxTileRow"].map { entry[$0] as? Int ?? -1 }
            }
            #expect(floor["limits"] as? [[Int]] == limits)
        }
        let camera = try #require(index["camera"] as? [String: Any])
        let target = try #require(camera["target"] as? [Double])
        #expect(abs(target[0] - 2.0015) < 1e-6 && abs(target[1] - 48.001) < 1e-5)
    }

    @Test("a second run writes nothing, and a new label only the index")
    func unchanged() async throws {
        _ = try await BuildingBuild(building()).run()
        let before = try files("tiles")
        let again = try await BuildingBuild(building()).run()
        #expect(!again.indexChanged)
        for floor in again.floors { #expect(try floor.outcome.get().changes.isEmpty) }
        var request = building()
        request.floors[0].label = "First floor"
        let labelled = try await BuildingBuild(request).run()
        #expect(labelled.indexChanged)
        var after = try files("tiles")
        #expect(after["building.json"] != before["building.json"])
        after["building.json"] = before["building.json"]
        #expect(after == before)
    }

    @Test("an error on one floor harms neither the others nor the floor's last state")
    func failingFloor() async throws {
        _ = try await BuildingBuild(building()).run()
        let before = try files("tiles")
        try site.write(Array("no image".utf8), to: "1.png")
        try site.draw("2.png", width: 400, height: 300)
        let failed = Mutex<[String]>([])
        let summary = try await BuildingBuild(building()).run { event in
            if case .failed(let name, _) = event { failed.withLock { $0.append(name.floor) } }
        }
        #expect(summary.failure?.kind == .badInput)
        #expect(failed.withLock { $0 } == ["1"])
        let after = try files("tiles")
        let changed = after.filter { before[$0.key] != $0.value }.keys
        #expect(!changed.isEmpty && changed.allSatisfy { $0.contains("2") || $0 == "building.json" })
        let floors = try #require(index()["floors"] as? [[String: Any]])
        #expect(floors.map { $0["floor"] as? String } == ["B1", "0", "1", "2"])
        // A floor that was never built is not in the index.
        var options = BuildingOptions()
        options.only = ["1", "2"]
        _ = try await BuildingBuild(building(in: "new"), options: options).run()
        #expect((try index("new")["floors"] as? [[String: Any]])?.map { $0["floor"] as? String } == ["2"])
    }

    @Test("--only builds the floors that it names, and leaves the others in the index")
    func only() async throws {
        _ = try await BuildingBuild(building()).run()
        let before = try files("tiles")
        try site.draw("2.png", width: 400, height: 300)
        try site.draw("0.png", width: 400, height: 300)
        var options = BuildingOptions()
        options.only = ["2"]
        let summary = try await BuildingBuild(building(), options: options).run()
        #expect(summary.floors.map(\.name.floor) == ["2"])
        let after = try files("tiles")
        #expect(after.filter { before[$0.key] != $0.value }.keys.allSatisfy { !$0.contains("L0_") })
        #expect((try index()["floors"] as? [[String: Any]])?.count == 4)
        options.only = ["2", "7"]
        let failure = #expect(throws: Failure.self) { try BuildingBuild(building(), options: options) }
        #expect(failure?.kind == .usage && failure?.message.contains("'7'") == true)
    }

    @Test(
        "without a range, all floors have the zooms of the finest, even if it can no longer be read", .long
    )
    func commonZooms() async throws {
        try site.draw("2.png", width: 2400, height: 1600)
        var request = building()
        for index in request.floors.indices { request.floors[index].build.pyramid.zoom = ZoomRange() }
        let build = try BuildingBuild(request)
        #expect(build.warnings.filter { $0.text.contains("sharpness") }.isEmpty)
        _ = try await build.run()
        func zooms() throws -> [[Int]] {
            try #require(index()["floors"] as? [[String: Any]]).map {
                [$0["minzoom"] as? Int ?? -1, $0["maxzoom"] as? Int ?? -1]
            }
        }
        let first = try zooms()
        #expect(Set(first).count == 1 && first[0][1] == 20)
        try site.write(Array("no image".utf8), to: "2.png")
        let before = try files("tiles")
        let summary = try await BuildingBuild(request).run()
        #expect(summary.failure != nil)
        #expect(try files("tiles") == before)
    }

    @Test("a warning names a floor with its own zooms or tile size")
    func warnings() throws {
        var request = building()
        request.floors[2].build.pyramid.zoom = ZoomRange(16...18)
        request.floors[3].build.pyramid.tileSize = .double
        let warnings = try BuildingBuild(request).warnings
        #expect(
            warnings.contains { $0.text.hasPrefix("floor '2' has the zooms 16-18, but others have 15-18") })
        #expect(
            warnings.contains { $0.text.hasPrefix("floor '0' has tiles of 512 pixels, but others of 256") })
    }

    @Test("another building's index, and files of other programs, are not replaced")
    func foreignIndex() async throws {
        var request = building()
        request.manifests = ["house.yaml"]
        _ = try await BuildingBuild(request).run()
        var other = BuildingRequest([floor("7", ordinal: 7)], in: site.path("tiles"))
        other.floors[0].build.images = [site.image("1.png")]
        other.manifests = ["tower.yaml"]
        let before = try files("tiles")
        await expectRefusal(.outputRefused, "was built from 'house.yaml'") {
            try await BuildingBuild(other).run()
        }
        // Nor if it has a floor of the same name. The same building in a renamed manifest is still the same.
        other.floors += [floor("1", ordinal: 1)]
        await expectRefusal(.outputRefused, "remove floor 'B1'") { try await BuildingBuild(other).run() }
        #expect(try files("tiles") == before)
        request.manifests = ["building.yaml"]
        #expect(try await BuildingBuild(request).run().failure == nil)
        #expect(try files("tiles").count == before.count)
        try site.write(Array("{}".utf8), to: "mine/building.json")
        await expectRefusal(.outputRefused, "not made by tilewright") {
            try await BuildingBuild(building(in: "mine")).run()
        }
        #expect(try site.text("mine/building.json") == "{}")
    }

    @Test("a contradictory request is refused before any file is read")
    func contradictions() {
        var twice = building()
        twice.floors.append(twice.floors[0])
        var apart = building()
        apart.folder = site.path("elsewhere")
        for (request, text) in [
            (BuildingRequest([], in: "tiles"), "at least one floor"), (twice, "two floors have the name '1'"),
            (apart, "but the building to"),
        ] {
            let failure = #expect(throws: Failure.self) { try BuildingBuild(request) }
            #expect(failure?.kind == .usage && failure?.message.contains(text) == true, "\(text)")
        }
    }

    @Test("a contradictory campus is refused before any file is read")
    func contradictoryCampus() {
        for (folders, text) in [
            ([], "a campus needs at least one building"), (["a", "a"], "two buildings go to"),
            (["a", "b"], "two buildings have the name 'House'"),
        ] as [([String], String)] {
            let request = CampusRequest(folders.map { building(in: $0) }, in: site.path("campus"))
            let failure = #expect(throws: Failure.self) { try ManifestBuild(.campus(request)) }
            #expect(failure?.kind == .usage && failure?.message.contains(text) == true, "\(text)")
        }
    }

    @Test(
        "buildings of a campus are built as one job, each with its index, and campus.json names them", .long)
    func campus() async throws {
        var buildings = [building(in: "campus/a"), building(in: "campus/b")]
        buildings[1].name = "Tower"
        let request = CampusRequest(buildings, in: site.path("campus"), name: "Campus")
        let summaries = try await ManifestBuild(.campus(request)).run()
        #expect(summaries.allSatisfy { $0.failure == nil })
        #expect(summaries[1].floors[0].name.description == "floor '1' of 'Tower'")
        let json = try JSONSerialization.jsonObject(with: Data(site.bytes("campus/campus.json")))
        let index = try #require(json as? [String: Any])
        #expect(index["version"] as? Int == 1 && index["name"] as? String == "Campus")
        let entries = try #require(index["buildings"] as? [[String: Any]])
        #expect(entries.map { $0["index"] as? String } == ["a/building.json", "b/building.json"])
        #expect(entries.map { $0["name"] as? String } == ["House", "Tower"])
        #expect(entries[0]["floors"] as? [String] == ["B1", "0", "1", "2"])
        #expect(try self.index("campus/b")["name"] as? String == "Tower")
        let written = FileStamp(site.path("campus/campus.json"))
        _ = try await ManifestBuild(.campus(request)).run()
        #expect(written != nil && FileStamp(site.path("campus/campus.json")) == written)
    }

    private func expectRefusal(
        _ kind: Failure.Kind, _ text: String, _ body: () async throws -> BuildingSummary
    ) async {
        let failure = await #expect(throws: Failure.self) { try await body() }
        #expect(failure?.kind == kind && failure?.message.contains(text) == true, "\(failure as Any)")
    }
}

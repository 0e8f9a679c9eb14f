import Foundation
import TestSupport
import Testing

/// What others put into a folder in which the program reads and writes: pipes, devices, links and files under the names
/// that it uses.
@Suite struct PlantedFileTests {
    private let site: ReceivedSite

    init() throws { site = try ReceivedSite() }

    static let plants: [ReceivedSite.Plant] =
        [.fifo, .directory, .link("victims/victim.txt"), .link("none")] + (geteuid() == 0 ? [.device] : [])

    private static let build = ["--bounds", Workshop.bounds, "--zoom", "16-17"]

    // Temporary files

    @Test(
        "what is planted under the old names of temporary files becomes no output", arguments: plants.some(1))
    func partials(plant: ReceivedSite.Plant) throws {
        let writes: [(output: String, command: [String])] = [
            ("tiles/index.html", ["viewer", "tiles"]), ("view.png", ["snapshot", "tiles", "-o", "view.png"]),
            ("news.txt", ["plan.png", "-o", "fresh", "--changes", "news.txt"] + Self.build),
            ("tile.png", ["tile", "tiles", "16/33132/22780", "-o", "tile.png"]),
            ("rules.d", ["plan.png", "-o", "fresh", "--depfile", "rules.d"] + Self.build),
            ("job/job.json", ["split", "plan.png", "--shards", "1", "-o", "job"] + Self.build),
        ]
        for (output, command) in writes {
            try site.write([], to: "job/shards/none")
            try site.plant(plant, at: output + ".tilewright-partial")
            let outcome = try site.run(command)
            #expect(outcome.status == 0, "\(command): \(outcome)")
            var status = stat()
            #expect(lstat(site.path(output), &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
        }
    }

    @Test("a lock that is not a file is refused at once, with a remedy", arguments: plants.some(1))
    func locks(plant: ReceivedSite.Plant) throws {
        for (name, command) in [
            ("new.pmtiles", ["plan.png", "-o", "new.pmtiles"] + Self.build),
            ("new.mbtiles", ["plan.png", "-o", "new.mbtiles"] + Self.build),
            ("plan.pmtiles", ["remove", "plan.pmtiles", "--all"]), ("house/building.json", ["house.yaml"]),
        ] {
            try site.plant(plant, at: "\(name).tilewright-partial")
            let outcome = try site.run(command)
            #expect(outcome.status == 73 && outcome.errors.contains("it is not a regular file"), "\(outcome)")
            #expect(outcome.errors.contains("remove it"))
            try site.remove("\(name).tilewright-partial")
            #expect(try site.run(command).status == 0)
        }
    }

    @Test("a world-writable file does not become a world-writable archive")
    func openMode() throws {
        try site.write("planted".utf8, to: "new.pmtiles.tilewright-partial")
        try #require(chmod(site.path("new.pmtiles.tilewright-partial"), 0o666) == 0)
        #expect(try site.run(["plan.png", "-o", "new.pmtiles"] + Self.build).status == 0)
        #expect(try mode("new.pmtiles") == mode("plan.pmtiles"))
        #expect(!FileManager.default.fileExists(atPath: site.path("new.pmtiles.tilewright-partial")))
    }

    // The program's own folder

    static let stateNames = ["lock", "manifest", "staging", "staging/journal", "partial"]

    @Test(
        "nothing in the program's folder is followed, waited for or written into", .long,
        arguments: stateNames,
        plants)
    func stateFiles(name: String, plant: ReceivedSite.Plant) throws {
        let home = "tiles/.tilewright/tileset"
        // The staging of the job that will be built.
        try site.write([], to: "\(home)/staging/none")
        let plant =
            if case .link(let target) = plant { ReceivedSite.Plant.link("../../../" + target) } else { plant }
        for command in ["verify tiles", "info tiles"] + ReceivedSite.writesTiles {
            try? site.write([], to: "\(home)/staging/none")
            try? site.plant(plant, at: "\(home)/\(name)")
            try site.runAll([command])
        }
    }

    @Test("a mark that is a link is refused, also by 'remove'", arguments: ["", "/tileset"].some(1))
    func mark(part: String) throws {
        let target =
            part.isEmpty
            ? "../victims/other/tiles/.tilewright" : "../../victims/other/tiles/.tilewright/tileset"
        try site.plant(.link(target), at: "tiles/.tilewright\(part)")
        for command in ReceivedSite.ofTiles where !command.hasPrefix("camera") {
            let outcome = try site.run(command.split(separator: " ").map(String.init))
            #expect(outcome.status != 0 && outcome.errors.contains("symbolic link"), "\(command): \(outcome)")
        }
    }

    @Test("links instead of folders or files of tiles are not followed", .long)
    func linkedTiles() throws {
        for (name, target) in [
            ("tiles/16", "../victims/other/tiles/16"),
            ("tiles/16/33132", "../../victims/other/tiles/16/33132"),
            ("tiles/16/33132/22780.png", "../../../victims/other/tiles/16/33132/22780.png"),
            ("tiles/tilejson.json", "../victims/tilejson.json"),
            ("tiles/metadata.json", "../victims/victim.txt"),
            ("tiles/index.html", "../victims/victim.txt"),
        ] {
            let site = try ReceivedSite()
            try site.plant(.link(target), at: name)
            try site.runAll(ReceivedSite.ofTiles)
        }
    }

    @Test(
        "links among staged tiles are not written to, and nothing is moved from behind them",
        arguments: [
            "16", "16/33132", "16/33132/22780",
        ])
    func stagedLinks(name: String) throws {
        // What a run of the same job left that was killed: its staging, with the job and the tiles' records.
        let manifest = try site.bytes("tiles/.tilewright/tileset/manifest")
        let end = try #require(manifest.firstRange(of: "\n\n".utf8)).upperBound
        let head = String(decoding: manifest[..<end], as: UTF8.self)
        let job = try #require(head.split(separator: "\n").first { $0.hasPrefix("made ") }).dropFirst(5)
        let journal = Array("tilewright journal 1 \(job)\n".utf8) + manifest[end...].dropLast(16)
        for path in ["tiles/16", "tiles/17", "tiles/.tilewright/tileset/manifest", "tiles/tilejson.json"] {
            try site.remove(path)
        }
        let staging = "tiles/.tilewright/tileset/staging"
        try site.write(journal, to: "\(staging)/journal")
        try site.write([], to: "\(staging)/16/33132/none")
        let way = String(repeating: "../", count: name.count { $0 == "/" } + 4)
        let target = name.contains("22780") ? name + ".png" : name
        try site.plant(.link("\(way)victims/other/tiles/\(target)"), at: "\(staging)/\(name)")
        try site.runAll(["plan.png --bounds \(Workshop.bounds) --zoom 16-17 -o tiles", "verify tiles"])
    }

    @Test(
        "an index or an archive of a building that is a link is not followed",
        arguments: [
            ("shelf/building.json", "../victims/building.json"),
            ("shelf/0.pmtiles", "../victims/plan.pmtiles"),
            ("shelf/campus.json", "../victims/building.json"),
        ].some(1))
    func linkedBuilding(name: String, target: String) throws {
        try site.plant(.link(target), at: name)
        let outcome = try site.run(["info", "shelf"])
        #expect(outcome.status == 66 && outcome.errors.contains("it is not a regular file"), "\(outcome)")
        if name == "shelf/campus.json" { return }
        let built = try site.run(["shelf.yaml"])
        #expect([66, 73].contains(built.status), "\(built)")
        try site.runAll(ReceivedSite.ofBuilding("shelf") + ["shelf.yaml --force", "remove \(name) --all"])
    }

    @Test("a building whose index is a link is not served", .needsServer)
    func servingLinkedBuilding() throws {
        try site.plant(.link("../victims/building.json"), at: "shelf/building.json")
        #expect(try site.run(["serve", "--listen", "127.0.0.1:0", "shelf"]).status == 66)
    }

    // Names that are found and not typed

    static let beside = ["plan.png.points", "plan.png.aux.xml", "plan.pgw", "plan.prj", "plan.png.msk"]

    @Test(
        "a pipe, a device or a folder next to an image is not read", .long, arguments: beside,
        [
            ReceivedSite.Plant.fifo, .directory,
        ])
    func sidecars(name: String, plant: ReceivedSite.Plant) throws {
        // A PRJ is only searched for next to a world file.
        if name == "plan.prj" { try site.write("0.00001\n0\n0\n-0.00001\n2\n48\n".utf8, to: "plan.pgw") }
        try site.plant(plant, at: name)
        let needsIt = name != "plan.png.msk"
        for command in [
            "info plan.png", "plan.png -o new", "fit plan.png", "split plan.png --shards 1 -o job",
        ] {
            let outcome = try site.run(command.split(separator: " ").map(String.init))
            #expect(outcome.status != 0, "\(command): \(outcome)")
            if needsIt, !command.hasPrefix("fit") {
                #expect(
                    outcome.status == 66 && outcome.errors.contains("it is not a regular file"),
                    "\(command): \(outcome)")
            }
        }
        try site.runAll(["place plan.png", "tile plan.png 16/33132/22780 -o tile.png"])
    }

    @Test(
        "what a job's folder holds is read if it is a file", .long,
        arguments: [
            "job.json", "palette.json", "shards", "shards/0.shard", "shards/0.survey",
        ], [ReceivedSite.Plant.fifo, .directory])
    func jobs(name: String, plant: ReceivedSite.Plant) throws {
        let split = ["split", "plan.png", "--shards", "1", "-o", "job", "--palette", "16"] + Self.build
        #expect(try site.run(split).status == 0)
        try site.runAll(["shard job 0 --survey", "merge job --survey", "shard job 0"])
        try site.plant(plant, at: "job/\(name)")
        try site.runAll([
            "shard job 0", "shard job 0 --survey", "merge job --survey", "merge job -o merged",
            "split plan.png --shards 1 -o job2 --earlier job --bounds \(Workshop.bounds) --zoom 16-17",
        ])
        try site.run(split)
    }

    @Test(
        "documents of folders are read if they are files", .long,
        arguments: [
            "building.json", "campus.json", "tilejson-0.json", "metadata-0.json", "tilemapresource.xml",
            "L0_16_33132_22780.png",
            ".tilewright/floor-0/manifest",
        ], [ReceivedSite.Plant.fifo, .directory])
    func documents(name: String, plant: ReceivedSite.Plant) throws {
        try site.plant(plant, at: "house/\(name)")
        try site.runAll(ReceivedSite.ofBuilding("house"))
    }

    // Modes and owners

    private func mode(_ name: String) throws -> UInt32 {
        var status = stat()
        try #require(stat(site.path(name), &status) == 0, "\(name)")
        return UInt32(status.st_mode & 0o7777)
    }

    @Test("what is replaced keeps its mode, and its owner if root replaces it", .long)
    func modes() throws {
        let png = ["--png-level", "fast"]
        try site.runAll(["viewer tiles", "snapshot tiles -o view.png"])
        try site.write("old".utf8, to: "news.txt")
        let kept = [
            "tiles/16/33132/22780.png", "tiles/tilejson.json", "tiles/.tilewright/tileset/manifest",
            "plan.pmtiles",
            "plan.mbtiles", "tiles/index.html", "view.png", "news.txt", "house/building.json",
        ]
        for name in kept {
            try #require(chmod(site.path(name), 0o600) == 0)
            if geteuid() == 0 { try #require(chown(site.path(name), 65534, 65533) == 0) }
        }
        let before = try kept.map { try site.bytes($0) }
        for output in ["tiles", "plan.pmtiles", "plan.mbtiles"] {
            let command =
                ["plan.png", "-o", output, "--changes", "news.txt", "--name", "Other"] + Self.build + png
            #expect(try site.run(command).status == 0)
        }
        try site.edit("house.yaml", "name: house", "name: Other")
        #expect(try site.run(["house.yaml"]).status == 0)
        for command in ["viewer tiles", "snapshot plan.pmtiles --zoom 16 -o view.png"] {
            #expect(try site.run(command.split(separator: " ").map(String.init)).status == 0)
        }
        for (name, old) in zip(kept, before) {
            #expect(try site.bytes(name) != old, "\(name) is another one")
            #expect(try mode(name) == 0o600, "\(name)")
            var status = stat()
            if geteuid() == 0, stat(site.path(name), &status) == 0 {
                #expect(status.st_uid == 65534 && status.st_gid == 65533, "\(name)")
            }
        }
    }
}

import Foundation
import TestSupport
import Testing

/// `tilewright publish`, to a small store of the tests.
@Suite(.needs("python3"))
struct PublishTests {
    private let workshop: Workshop
    private let server: BucketServer

    init() throws {
        workshop = try Workshop()
        server = try BucketServer()
        try workshop.build(["-z", "15-18"])
    }

    private func publish(
        _ options: [String] = [], _ output: String = "out", to address: String = "s3://plans/tower"
    ) throws -> Tool.Outcome {
        let outcome = try Program.run(
            ["publish", output, address] + options, environment: server.environment, in: workshop.url)
        #expect(!(outcome.output + outcome.errors).contains(BucketServer.secret))
        return outcome
    }

    private func succeed(_ options: [String] = [], _ output: String = "out") throws -> Tool.Outcome {
        let outcome = try publish(options, output)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome
    }

    @Test("Says what it put; with nothing to do, it makes one request")
    func first() throws {
        let count = try Snapshot(of: workshop.file("out")).tiles.count
        let said = try succeed()
        #expect(said.output == "")
        #expect(said.errors.hasPrefix("\(count) tiles and 2 documents put, 0 unchanged, 0 removed, "))
        #expect(try server.takeRequests().count == count + 2 + 5)
        #expect(
            try succeed().errors.hasPrefix(
                "0 tiles and 0 documents put, \(count + 2) unchanged, 0 removed, 0 bytes"))
        #expect(try server.takeRequests() == ["GET /plans/tower/.tilewright-published"])
        #expect(try server.faults() == [])
        let objects = try server.objects()
        #expect(objects.count == count + 3)
        #expect(objects["tower/tilejson.json"]?.dropFirst() == ["application/json", "public, max-age=60"])
        // Another Cache-Control changes the tiles alone.
        #expect(try succeed(["--cache-control", "no-cache", "-q"]).errors == "")
        let puts = try server.takeRequests().filter { $0.hasPrefix("PUT") && !$0.contains(".tilewright") }
        #expect(puts.count == count)
        #expect(try server.objects().values.filter { $0.last == "no-cache" }.count == count)
    }

    @Test("A dry run lists what would be put and removed, and changes nothing")
    func dryRun() throws {
        _ = try succeed()
        try workshop.build(["-z", "15-17"])
        let before = try server.objects()
        _ = try server.takeRequests()
        let said = try succeed(["--dry-run", "--delete"])
        #expect(try server.takeRequests() == ["GET /plans/tower/.tilewright-published"])
        #expect(try server.objects() == before)
        let lines = Set(said.output.split(separator: "\n").map(String.init))
        _ = try succeed(["--delete"])
        let done = try server.takeRequests().filter { !$0.contains(".tilewright") }.map { line in
            line.replacing("PUT /", with: "changed s3://").replacing("DELETE /", with: "removed s3://")
        }
        #expect(lines == Set(done))
        #expect(lines.contains("changed s3://plans/tower/tilejson.json"))
    }

    @Test("A building with its page: floors, index, page, in this order; a floor that is gone goes")
    func building() throws {
        try workshop.drawFloors()
        try workshop.write(Workshop.house(zoom: "15-17").utf8, to: "house.yaml")
        try Program.succeed(["house.yaml"], in: workshop.url)
        try Program.succeed(["viewer", "house.yaml"], in: workshop.url)
        let page = workshop.has("tiles/index.html") ? "tiles/index.html" : "index.html"
        if page == "index.html" {
            try workshop.write(Data(contentsOf: workshop.file(page)), to: "tiles/index.html")
        }
        try workshop.write("{}".utf8, to: "tiles/other.json")
        _ = try succeed([], "tiles")
        let puts = try server.takeRequests().filter { $0.hasPrefix("PUT") }.map { $0.dropFirst(17) }
        #expect(puts.suffix(3) == ["building.json", "index.html", ".tilewright-published"])
        #expect(!puts.contains("other.json"))
        let documents = puts.dropFirst().drop { $0.hasSuffix(".png") }
        #expect(documents.filter { $0.hasSuffix(".png") } == [])
        #expect(Set(documents.prefix(3)) == ["metadata-0.json", "metadata-1.json", "metadata-B1.json"])
        #expect(try server.objects(below: "tower/")["index.html"]?[1] == "text/html; charset=utf-8")

        let manifest = Workshop.house(zoom: "15-17").split(separator: "\n").filter { !$0.contains("B1") }
        try workshop.write(manifest.joined(separator: "\n").utf8, to: "house.yaml")
        try Program.succeed(["house.yaml"], in: workshop.url)
        _ = try server.takeRequests()
        _ = try succeed(["--delete"], "tiles")
        let requests = try server.takeRequests()
        let index = try #require(requests.firstIndex(of: "PUT /plans/tower/building.json"))
        let document = try #require(requests.firstIndex(of: "DELETE /plans/tower/tilejson-B1.json"))
        let tile = try #require(requests.firstIndex { $0.hasPrefix("DELETE") && $0.hasSuffix(".png") })
        #expect(index < document && document < tile)
        #expect(try server.objects().keys.allSatisfy { !$0.contains("B1") })
        #expect(try server.faults() == [])
    }

    @Test("Part of an archive is not published, as tiles or as one object")
    func cutArchive() throws {
        try Program.succeed(
            ["plan.png", "--bounds", Workshop.bounds, "-z", "15-18", "-o", "whole.pmtiles"], in: workshop.url)
        let whole = try Data(contentsOf: workshop.file("whole.pmtiles"))
        try whole.prefix(whole.count * 2 / 3).write(to: workshop.file("cut.pmtiles"))
        for address in ["s3://plans/cut.pmtiles", "s3://plans/cut"] {
            let outcome = try publish([], "cut.pmtiles", to: address)
            #expect(outcome.status == 65, "\(outcome.errors)")
        }
        #expect(try server.objects().keys.allSatisfy { !$0.contains("cut") })
    }

    @Test("Fails with the status of the cause")
    func failures() throws {
        func expect(_ status: Int32, _ words: String, _ body: () throws -> Tool.Outcome) rethrows {
            let outcome = try body()
            #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.errors)")
            // A warning about the list, and the error with its remedy.
            #expect(outcome.errors.split(separator: "\n").count <= 3)
        }
        try expect(73, "there is no such bucket") { try publish(to: "s3://elsewhere/tower") }
        for address in [
            "https://example.org/tiles", "tiles2", "http://127.0.0.1/x", "s3://", "s3://plans/../x",
        ] {
            try expect(64, "cannot") { try publish(to: address) }
        }
        try expect(64, "--cache-control") { try publish(["--cache-control", "a\nb"]) }
        try expect(66, "no such") { try publish([], "nowhere") }
        try expect(64, "name the folder") {
            try workshop.write(Workshop.house(zoom: "15-17").utf8, to: "house.yaml")
            return try publish([], "house.yaml")
        }
        try server.refuse(true)
        try expect(73, "s3://plans/tower/") { try publish() }
        try server.refuse(false)
        let built = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "s3://plans/tower"])
        #expect(built.status == 64 && built.errors.contains("tilewright publish tiles 's3://plans/tower'"))
    }

    @Test("A report and progress for programs")
    func report() throws {
        let said = try succeed(["--report", "-", "--progress", "json"])
        struct Report: Decodable {
            struct Output: Decodable {
                struct Tiles: Decodable { var written, unchanged: Int }
                var path, state: String
                var tiles: Tiles
            }
            var status: Int
            var outputs: [Output]
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(said.output.utf8))
        #expect(report.status == 0 && report.outputs.count == 1)
        #expect(report.outputs[0].path == "s3://plans/tower" && report.outputs[0].state == "done")
        #expect(try report.outputs[0].tiles.written == server.objects().count - 1)
        #expect(said.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"event\":\"") })
    }
}

/// The same with moto's S3, and with many tiles and kills.
@Suite(.long, .needsPython("moto.server"))
struct PublishToMotoTests {
    private let workshop: Workshop
    private let server: BucketServer

    init() throws {
        // Opaque: all tiles within the limits of a TileJSON exist.
        var plan = Picture(width: 300, height: 200)
        plan.fill(0..<300, 0..<200, (250, 250, 240, 255))
        for row in stride(from: 5, to: 195, by: 10) {
            plan.line(from: (10, row), to: (290, 195 - row), thickness: 2, (90, UInt8(row), 60, 255))
        }
        workshop = try Workshop(plan)
        server = try BucketServer(moto: true)
    }

    private func arguments(_ output: String, _ address: String) -> [String] {
        ["publish", output, address, "--delete", "-q"]
    }

    private func publish(_ output: String, to address: String = "s3://plans/tower") throws {
        let outcome = try Program.succeed(
            arguments(output, address), environment: server.environment, in: workshop.url)
        #expect(!outcome.errors.contains(BucketServer.secret))
    }

    /// A plan with a patch, which changes some of its tiles.
    private func build(_ output: String, zoom: String, patch: Bool) throws {
        var plan = workshop.plan
        if patch { plan.fill(140..<170, 90..<120, (200, 30, 30, 255)) }
        try plan.write(to: workshop.path("plan.png"))
        try workshop.build(["-z", zoom], to: output)
    }

    @Test("Of a thousand tiles, those that changed are put, and the documents")
    func changed() throws {
        try build("one", zoom: "15-22", patch: false)
        try build("two", zoom: "15-22", patch: true)
        let (old, new) = try (
            Snapshot(of: workshop.file("one")).tiles, Snapshot(of: workshop.file("two")).tiles
        )
        #expect(old.count >= 1000)
        let changed = new.filter { old[$0.key] != $0.value }.count
        #expect((30..<90).contains(changed))
        try publish("one")
        #expect(try server.objects().count == old.count + 3)
        _ = try server.takeRequests()
        try publish("two")
        let requests = try server.takeRequests()
        #expect(requests.filter { $0.hasSuffix(".png") }.count == changed)
        // The list, before and after; its mark; two documents.
        #expect(requests.count <= changed + 2 + 5)
        _ = try server.takeRequests()
        try publish("two")
        #expect(try server.takeRequests().count == 1)
        try publish("two", to: "s3://plans/fresh")
        #expect(try server.objects(below: "tower/") == server.objects(below: "fresh/"))
        #expect(try server.faults() == [])
    }

    @Test("Killed at 50 random moments, the next run goes on, and no TileJSON names a missing tile")
    func killed() throws {
        try build("one", zoom: "15-20", patch: false)
        try build("two", zoom: "15-19", patch: true)
        var fresh: [String: BucketServer.Objects] = [:]
        for output in ["one", "two"] {
            try publish(output, to: "s3://plans/\(output)")
            fresh[output] = try server.objects(below: "\(output)/")
        }
        var random = SplitMix(seed: 7)
        var (kills, longest) = (0, 0.3)
        for round in 0..<200 where kills < 50 {
            let output = round % 2 == 0 ? "one" : "two"
            let start = Date()
            let process = try ChildProcess(
                ["/usr/bin/env"] + server.environment + [Program.path]
                    + arguments(output, "s3://plans/tower"),
                in: workshop.url)
            usleep(UInt32(1e6 * longest * Double.random(in: 0..<1, using: &random)))
            if process.end(with: SIGKILL) == -SIGKILL {
                kills += 1
            } else {
                longest = -start.timeIntervalSinceNow
            }
            // Sometimes the other one comes next.
            let next = Bool.random(using: &random) ? output : output == "one" ? "two" : "one"
            try publish(next)
            #expect(try server.objects(below: "tower/") == fresh[next], "round \(round)")
        }
        #expect(kills == 50)
        #expect(try server.faults() == [])
    }
}

import Foundation
import TestSupport
import Testing

/// The reports of `--report`, and the events of `--progress json`, for scripts.
struct RunReportTests {
    /// A report as scripts read it.
    private struct Report: Decodable {
        struct Error: Decodable { var kind, message: String }
        struct Output: Decodable {
            var path, state: String
            var building, floor, digest: String?
            var tiles: [String: Int]?
            var bytes: Int?
            var error: Error?
        }
        struct Warning: Decodable { var name, text: String }
        struct Fault: Decodable {
            var place, problem: String
            var tile: String?
        }

        var version, status: Int
        var error: Error?
        var warnings: [Warning]
        var outputs: [Output]
        var faults: [Fault]?
        var faultCount: Int?
    }

    private static let build = ["plan.png", "--bounds", Workshop.bounds, "--zoom", "16-17", "-o"]

    private func report(_ workshop: Workshop, _ name: String = "report.json") throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(contentsOf: workshop.file(name)))
    }

    @Test("A build reports its tiles, its bytes and its hash, in each container")
    func builds() throws {
        let workshop = try Workshop()
        for output in ["out", "out.mbtiles", "out.pmtiles"] {
            try Program.succeed(Self.build + [output, "--report", "report.json"], in: workshop.url)
            let first = try #require(try report(workshop).outputs.first)
            #expect(first.path == output && first.state == "done" && first.floor == nil)
            let written = try #require(first.tiles?["written"])
            #expect(written > 0 && first.tiles?["unchanged"] == 0 && first.tiles?["removed"] == 0)
            // A second run replaces the report.
            try Program.succeed(Self.build + [output, "-q", "--report=report.json"], in: workshop.url)
            let second = try report(workshop)
            #expect(second.version == 1 && second.status == 0 && second.error == nil)
            #expect(second.outputs.map(\.digest) == [first.digest])
            #expect(second.outputs.first?.tiles?["unchanged"] == written)
        }
        let metadata = try Data(contentsOf: workshop.file("out/metadata.json"))
        let digest = try #require(try report(workshop).outputs.first?.digest)
        #expect(String(decoding: metadata, as: UTF8.self).contains(digest))
        try Program.succeed(["convert", "out", "copy.pmtiles", "--report", "copy.json"], in: workshop.url)
        #expect(try report(workshop, "copy.json").outputs.map(\.digest) == [digest])
    }

    @Test("A run that fails has a report, even if its command line cannot be parsed")
    func failures() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(at: workshop.file("mine"), withIntermediateDirectories: true)
        try workshop.write("x".utf8, to: "mine/x")
        let cases: [(arguments: [String], status: Int32, kind: String)] = [
            (Self.build + ["out", "--nonsense"], 64, "usage"),
            (Self.build + ["out", "--zoom", "x"], 64, "usage"),
            (["plan.png", "--bounds", "2,48,1,47", "-o", "out"], 64, "usage"),
            (["biuld", "plan.png"], 64, "usage"),
            (["plan.png", "-o", "out"], 65, "bad-input"),
            (["nothing.png", "--bounds", Workshop.bounds, "-o", "out"], 66, "missing-input"),
            (Self.build + ["mine"], 73, "output-refused"),
            (Self.build + ["out", "--max-tiles", "1"], 64, "usage"),
            (["convert", "nothing", "out"], 66, "missing-input"),
            (["verify", "nothing"], 66, "missing-input"),
            (["merge", "nothing", "-o", "out"], 66, "missing-input"),
        ]
        for (arguments, status, kind) in cases {
            for report in [["--report", "report.json"], ["--report=report.json"]] {
                try? FileManager.default.removeItem(at: workshop.file("report.json"))
                let outcome = try workshop.run(arguments + report)
                #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
                let found = try self.report(workshop)
                #expect(found.status == status && found.error?.kind == kind, "\(arguments)")
                #expect(outcome.errors.hasPrefix("error: \(found.error?.message ?? "-")"), "\(arguments)")
                #expect(found.outputs.allSatisfy { $0.state == "unfinished" })
            }
        }
    }

    @Test("A command line that is not UTF-8 has a report")
    func foreignBytes() throws {
        let workshop = try Workshop()
        let outcome = try Tool.run(
            "sh", ["-c", #""$0" "$(printf 'a\377')" -o out --report report.json"#, Program.path],
            in: workshop.url)
        #expect(outcome.status == 64)
        #expect(try report(workshop).error?.message.contains("must be UTF-8") == true)
    }

    @Test("A report never replaces a file that is not one, and is never inside an output")
    func places() throws {
        let workshop = try Workshop()
        try workshop.build(["--zoom", "16-17"])
        let before = try Snapshot(of: workshop.url).contents
        let cases: [(arguments: [String], status: Int32)] = [
            (Self.build + ["out", "--report", "plan.png"], 73),
            (Self.build + ["out", "--nonsense", "--report", "plan.png"], 73),
            (Self.build + ["out", "--report", "out/report.json"], 64),
            (Self.build + ["new", "--report", "new"], 64),
            (Self.build + ["out", "--zoom", "x", "--report", "out/report.json"], 64),
            (["verify", "out", "--nonsense", "--report", "out/report.json"], 64),
            (["convert", "out", "new.pmtiles", "--report", "new.pmtiles"], 64),
            (["nothing.yaml", "--nonsense", "--report", "out/report.json"], 64),
            (Self.build + ["out", "--report", "a", "--changes", "a"], 64),
            (Self.build + ["out", "--report", "a", "--pending", "a"], 64),
            (Self.build + ["out", "--report", "nowhere/report.json"], 73),
            (Self.build + ["out", "--report", "-", "--changes", "/dev/stdout"], 64),
            (Self.build + ["out", "--report", "-", "--dry-run"], 64),
        ]
        for (arguments, status) in cases {
            let outcome = try workshop.run(arguments)
            #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
            #expect(try Snapshot(of: workshop.url).contents == before, "\(arguments)")
        }
        // A folder for other files is none of the outputs.
        try Program.succeed(
            Self.build + ["out", "--tmpdir", ".", "--report", "report.json"], in: workshop.url)
    }

    @Test("Standard output may have the report; standard error is as before")
    func standardOutput() throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(Self.build + ["out", "--report", "-"])
        let found = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(found.status == 0 && outcome.errors.contains(" tiles written, "))
        let wrong = try workshop.run(Self.build + ["out", "--nonsense", "--report", "-"])
        let failed = try JSONDecoder().decode(Report.self, from: Data(wrong.output.utf8))
        #expect(failed.status == 64 && failed.error?.kind == "usage")
    }

    @Test("Each floor of a building is told, also one that failed or is gone")
    func floors() throws {
        let workshop = try Workshop()
        try workshop.drawFloors()
        try workshop.write(Workshop.house(zoom: "16-17").utf8, to: "house.yaml")
        let arguments = ["house.yaml", "--report", "report.json", "--progress", "json"]
        try Program.succeed(arguments, in: workshop.url)
        let first = try report(workshop)
        #expect(first.outputs.map(\.floor) == ["1", "B1", "0"])
        #expect(first.outputs.allSatisfy { $0.state == "done" && $0.path == "tiles" && $0.digest != nil })
        #expect(first.warnings.map(\.name) == ["relative-addresses"])

        try workshop.write("no image".utf8, to: "b1.png")
        let outcome = try workshop.run(arguments)
        let second = try report(workshop)
        #expect(outcome.status == 65 && second.status == 65)
        #expect(second.outputs.map(\.state) == ["done", "failed", "done"])
        #expect(second.outputs[1].error?.kind == "bad-input" && second.outputs[1].tiles == nil)
        #expect(outcome.errors.contains("\"event\":\"floor\"") && !outcome.errors.contains("error:"))

        let house = Workshop.house(zoom: "16-17").split(separator: "\n").filter { !$0.contains("B1") }
        try workshop.write((house.joined(separator: "\n") + "\n").utf8, to: "house.yaml")
        try Program.succeed(arguments, in: workshop.url)
        #expect(
            try report(workshop).outputs.map { "\($0.floor ?? "-") \($0.state)" } == [
                "1 done", "0 done", "B1 removed",
            ])
    }

    @Test("A check of a building tells of each floor, also of one that is not built")
    func checkedFloors() throws {
        let workshop = try Workshop()
        try workshop.drawFloors()
        try workshop.write(
            Workshop.house(zoom: "16-17").replacing(
                "output: tiles", with: "output: \"tiles/{floor}.pmtiles\""
            )
            .replacing("template: \"L{floor}_{z}_{x}_{y}.{ext}\"\n", with: "").utf8, to: "house.yaml")
        try Program.succeed(["house.yaml"], in: workshop.url)
        func states() throws -> [String] {
            let output = try workshop.run(["verify", "house.yaml", "--json"]).output
            return try JSONDecoder().decode(Report.self, from: Data(output.utf8)).outputs
                .map { "\($0.floor ?? "-") \($0.path) \($0.state)" }
        }
        #expect(
            try states() == ["1 tiles/1.pmtiles done", "B1 tiles/B1.pmtiles done", "0 tiles/0.pmtiles done"])
        try FileManager.default.removeItem(at: workshop.file("tiles/B1.pmtiles"))
        try Data("no archive".utf8).write(to: workshop.file("tiles/0.pmtiles"))
        #expect(
            try states() == [
                "1 tiles/1.pmtiles done", "B1 tiles/B1.pmtiles failed", "0 tiles/0.pmtiles failed",
            ])
    }

    @Test("verify --json has all faults, and the report has them, too")
    func faults() throws {
        let workshop = try Workshop()
        let tree = try workshop.build(["--zoom", "16-17"])
        let whole = try workshop.run(["verify", "out", "--json"])
        let found = try JSONDecoder().decode(Report.self, from: Data(whole.output.utf8))
        #expect(whole.status == 0 && found.faults?.isEmpty == true && found.outputs.map(\.state) == ["done"])
        let tile = try #require(try Snapshot(of: tree).tiles.keys.sorted().first)
        try FileManager.default.removeItem(at: tree.appending(path: tile))
        let broken = try workshop.run(["verify", "out", "--json", "--report", "report.json"])
        #expect(broken.status == 1)
        for bytes in [Data(broken.output.utf8), try Data(contentsOf: workshop.file("report.json"))] {
            let found = try JSONDecoder().decode(Report.self, from: bytes)
            #expect(found.status == 1 && found.error?.kind == "check-failed")
            #expect(found.outputs.map(\.state) == ["failed"])
            #expect(found.faults?.map(\.tile).contains(String(tile.dropLast(4))) == true)
            #expect(found.faultCount == found.faults?.count)
        }
        let wrong = try workshop.run(["verify", "out", "--json", "--nonsense"])
        #expect(try JSONDecoder().decode(Report.self, from: Data(wrong.output.utf8)).status == 64)
    }

    @Test("A run that a signal ends has a report")
    func signal() throws {
        let workshop = try Workshop(.plan(width: 3000, height: 2000))
        let program = try RunningProgram([
            workshop.path("plan.png"), "--bounds", Workshop.bounds, "-o", workshop.path("out"), "--zoom",
            "14-22", "--report", workshop.path("report.json"), "--progress", "json",
        ])
        #expect(program.wait { workshop.has("out/.tilewright") })
        #expect(program.end(with: SIGTERM) == 143)
        let found = try report(workshop)
        #expect(found.status == 143 && found.error?.kind == "interrupted")
        #expect(found.outputs.map(\.state) == ["unfinished"])
    }

    @Test("Reports and events match their schemas", .long, .needsPython("jsonschema"))
    func schemas() throws {
        let workshop = try Workshop()
        try workshop.drawFloors()
        try workshop.write(Workshop.house(zoom: "16-17").utf8, to: "house.yaml")
        try workshop.write("no image".utf8, to: "1.png")
        try Program.succeed(
            ["split", "plan.png", "--bounds", Workshop.bounds, "--shards", "2", "-o", "job", "-q"],
            in: workshop.url)
        let commands = [
            ["shard", "job", "0"], ["merge", "job", "-o", "merged"], ["shard", "job", "1"],
            ["merge", "job", "-o", "merged"], Self.build + ["out", "--palette", "8"], Self.build + ["out"],
            Self.build + ["out", "--nonsense"],
            Self.build + ["out", "--zoom", "17"], ["house.yaml"], ["nothing.yaml"], ["plan.png", "-o", "x"],
            ["convert", "out", "a.mbtiles"], ["convert", "out", "out"], ["verify", "a.mbtiles"],
            ["verify", "house.yaml"], ["verify", "nothing"], ["merge", "nothing", "-o", "x"],
        ]
        var (reports, lines) = ([String](), [String]())
        for command in commands + [["snapshot", "a.mbtiles", "-o", "view.png"]] {
            let hasReport = !["snapshot", "shard"].contains(command[0])
            let outcome = try workshop.run(
                command + ["--progress", "json"] + (hasReport ? ["--report", "report.json"] : []))
            let events = outcome.errors.split(separator: "\n").map(String.init)
            #expect(
                events.last?.contains(outcome.status == 0 ? "\"result\"" : "\"error\"") == true, "\(command)")
            lines += events
            guard hasReport else { continue }
            reports.append(try String(contentsOf: workshop.file("report.json"), encoding: .utf8))
        }
        try workshop.write(("[" + reports.joined(separator: ",") + "]").utf8, to: "reports")
        try workshop.write(lines.joined(separator: "\n").utf8, to: "lines")
        let script = """
            import json, sys, jsonschema
            report, event = (open(f"{sys.argv[1]}/{name}.schema.json").read() for name in ("report", "progress"))
            # Not all versions of the module find other files.
            report, event = json.loads(report), json.loads(event.replace("report.schema.json#", "#"))
            event["$defs"] = report["$defs"] | event["$defs"]
            def validator(schema):
                jsonschema.Draft202012Validator.check_schema(schema)
                return jsonschema.Draft202012Validator(schema)
            found = json.load(open(sys.argv[2]))
            for one in found:
                validator(report).validate(one)
                for key in one:
                    assert not validator(report).is_valid({k: v for k, v in one.items() if k != key}) or key.startswith("fault"), key
            events = [json.loads(line) for line in open(sys.argv[3])]
            for one in events: validator(event).validate(one)
            print(sorted({one["event"] for one in events}), sorted({one["status"] for one in found}))
            time = {"time": "2026-01-01T00:00:00.000Z"}
            for wrong in [{}, {"event": "progress"}, {"tilesDone": 1}, {"tilesDone": -1, "tilesTotal": 2}, {"tilesDone": 1, "partsTotal": 2}]:
                assert not validator(event).is_valid({"event": "progress", **time, **wrong}), wrong
            """
        let folder = SharedData.packageRoot.appending(path: "Sources/tilewright/Reports")
        let outcome = try Python.run(
            script, [folder.path, workshop.path("reports"), workshop.path("lines")], with: ["jsonschema"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output
                == "['error', 'floor', 'progress', 'result', 'start', 'warning'] [0, 1, 64, 65, 66]\n")
    }
}

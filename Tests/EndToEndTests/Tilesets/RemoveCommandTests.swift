import Foundation
import TestSupport
import Testing

/// `tilewright remove`.
struct RemoveCommandTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func build(_ floor: String, _ options: [String] = []) throws {
        try workshop.build(
            ["--zoom", "16-17", "--floor", floor, "--template", "{z}/{x}/{floor}-{y}.{ext}"] + options)
    }

    private func remove(_ options: [String], from output: String = "out") throws -> Tool.Outcome {
        try workshop.run(["remove", output] + options)
    }

    private var list: Set<Substring> {
        get throws {
            let text = try String(contentsOf: workshop.file("gone.txt"), encoding: .utf8)
            return Set(text.split(separator: "\n"))
        }
    }

    @Test("A floor is removed with its documents, and other floors are unchanged")
    func floor() throws {
        try build("0")
        let before = try Snapshot(of: workshop.file("out"))
        let identities = try FileIdentities(of: workshop.file("out"))
        try build("1", ["--url", "https://example.org/a b".replacing(" ", with: "%20"), "--scheme", "tms"])
        let gone = try Snapshot(of: workshop.file("out")).contents.keys.filter {
            before.contents[$0] == nil && !$0.hasPrefix(".tilewright")
        }
        try workshop.write("mine".utf8, to: "out/16/notes.txt")
        let outcome = try remove(["--floor", "1", "--changes", "gone.txt"])
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.errors == "\(gone.count { $0.contains("/") }) tiles and 2 documents removed\n")
        #expect(try list == Set(gone.map { "removed https://example.org/a%20b/\($0)" }))
        try FileManager.default.removeItem(at: workshop.file("out/16/notes.txt"))
        #expect(try Snapshot(of: workshop.file("out")) == before)
        #expect(try FileIdentities(of: workshop.file("out")) == identities)
        #expect(try workshop.run(["verify", "out"]).status == 0)
    }

    @Test("All tilesets of a folder and the folder are removed; files of others stay")
    func all() throws {
        for floor in ["0", "1"] { try build(floor) }
        try workshop.build(["--zoom", "16", "--doc-kml", "overlay"])
        try workshop.write("mine".utf8, to: "out/16/notes.txt")
        let all = try Snapshot(of: workshop.file("out")).contents.keys.filter {
            !$0.hasPrefix(".tilewright") && $0 != "16/notes.txt"
        }
        #expect(try remove(["--all", "--changes", "gone.txt"]).status == 0)
        #expect(try list == Set(all.map { "removed \($0)" }))
        #expect(try Snapshot(of: workshop.file("out")).contents.keys.sorted() == ["16/notes.txt"])
        try FileManager.default.removeItem(at: workshop.file("out"))
        try workshop.build(["--zoom", "16"])
        #expect(try remove(["--all", "-q"]).errors.isEmpty)
        #expect(!workshop.has("out"))
    }

    @Test("An archive is one file", arguments: ["a.mbtiles", "a.pmtiles"])
    func archive(name: String) throws {
        try workshop.build(["--zoom", "16-17"], to: name)
        let tiles = try Snapshot(of: workshop.build(["--zoom", "16-17"])).tiles.keys
        #expect(try remove(["--floor", "1"], from: name).status == 64)
        #expect(try remove(["--all", "--changes", "gone.txt"], from: name).status == 0)
        #expect(try list == Set(tiles.map { "removed \($0.dropLast(4))" }))
        #expect(!workshop.has(name) && !workshop.has("\(name).tilewright-partial"))
        #expect(try remove(["--all"], from: name).status == 66)
        try workshop.write("mine".utf8, to: name)
        #expect(try remove(["--all"], from: name).status == 73)
        #expect(workshop.has(name))
    }

    /// What is asked for, the status, and what the message says.
    static let refusals: [(options: [String], status: Int32, words: String)] = [
        (["out"], 64, "give --floor NAME, or --all"),
        (["out", "--all", "--floor", "0"], 64, "cannot be combined"),
        (["out", "--floor", "2"], 66, "choose one with --floor: '0' or '1'; or give --all"),
        (["nothing", "--all"], 66, "there is no such folder or archive"),
        (["foreign", "--all"], 73, "none of them were made by tilewright"),
        (["plan.png", "--all"], 73, "not a directory"),
        (["out", "--all", "--changes", "out/gone.txt"], 64, "is inside the output"),
        (["out", "--all", "--changes", "no/gone.txt"], 73, "there is no folder 'no'"),
    ]

    @Test("A removal that fails is an error with a remedy")
    func refused() throws {
        for floor in ["0", "1"] { try build(floor) }
        try FileManager.default.createDirectory(
            at: workshop.file("foreign"), withIntermediateDirectories: false)
        try workshop.write("mine".utf8, to: "foreign/notes.txt")
        let before = try Snapshot(of: workshop.url)
        for test in Self.refusals {
            let outcome = try workshop.run(["remove"] + test.options)
            #expect(outcome.status == test.status, "\(test.options)")
            #expect(outcome.errors.contains(test.words), "\(outcome.errors)")
            #expect(try Snapshot(of: workshop.url) == before)
        }
    }

    @Test("While a run writes a floor, it is busy, and other floors are not")
    func busy() throws {
        try build("0")
        let run = try RunningProgram([
            workshop.path("plan.png"), "--bounds", Workshop.bounds, "--zoom", "18-22", "-o",
            workshop.path("out"), "--floor", "1", "--template", "{floor}/{z}/{x}/{y}.{ext}",
        ])
        let staging = workshop.path("out/.tilewright/floor-1/staging/22")
        #expect(run.wait { FileManager.default.fileExists(atPath: staging) })
        for options in [["--floor", "1"], ["--all"]] {
            let outcome = try remove(options)
            #expect(outcome.status == 75 && outcome.errors.contains("another run is writing floor '1'"))
        }
        #expect(try remove(["--floor", "0"]).status == 0)
        #expect(run.end(with: SIGTERM) == 143)
        #expect(try remove(["--floor", "1"]).status == 0)
        #expect(!workshop.has("out"))
    }

    /// Kills a removal in the place of each of several system calls that change files. Each time the next
    /// one comes to the same end, and one of the two lists all that is gone.
    @Test(
        "A removal that was killed is completed by the next one", .long, .needs("cc"),
        arguments: ["out", "out.mbtiles", "out.pmtiles"])
    func killed(output: String) throws {
        let source = SharedData.packageRoot.appending(path: "Tests/Faults/fail_call.c")
        let shim = workshop.path("fail_call.so")
        let compiled = try Tool.run("cc", ["-shared", "-fPIC", source.path, "-ldl", "-o", shim])
        try #require(compiled.status == 0, "\(compiled.errors)")
        let options = ["--zoom", "16-18"]
        let other = ["--floor", "0", "--template", "{z}/{x}/{floor}-{y}.{ext}", "--zoom", "17"]
        try workshop.build(options, to: "whole/\(output)")
        if output == "out" { try workshop.build(other, to: "whole/out") }
        let part = output == "out" ? 1 : 0

        func reset() throws {
            for name in ["work", "gone.txt"] where workshop.has(name) {
                try FileManager.default.removeItem(at: workshop.file(name))
            }
            try FileManager.default.copyItem(at: workshop.file("whole"), to: workshop.file("work"))
        }
        func remove(_ environment: [String]) throws -> Int32 {
            try Program.run(
                ["remove", "work/\(output)", "--all", "--changes", "gone.txt"],
                environment: environment.isEmpty ? [] : ["LD_PRELOAD=\(shim)"] + environment,
                in: workshop.url
            ).status
        }
        func news() throws -> Set<Substring> { workshop.has("gone.txt") ? try list : [] }

        try reset()
        #expect(try remove(["FAULT_COUNT=\(workshop.path("calls"))"]) == 0)
        let all = try news()
        #expect(all.count > 9 + 2 * part)
        let text = try String(contentsOf: workshop.file("calls"), encoding: .utf8)
        let calls = try #require(text.split(separator: "\n").last.flatMap { Int($0) })
        for call in stride(from: 1, through: calls, by: max(1, calls / 40)) {
            try reset()
            #expect(try remove(["FAULT_AT=\(call)", "FAULT_KILL=1"]) != 0)
            let told = try news()
            // All may be gone but the news of it.
            let names = [output, output + ".tilewright-partial"].map { "work/\($0)" }
            let isGone = !names.contains(where: workshop.has)
            let status = try remove([])
            #expect(status == (isGone ? 66 : 0), "call \(call) of \(calls)")
            #expect(try news() == all || told == all, "call \(call) of \(calls)")
            #expect(try Snapshot(of: workshop.file("work")).contents.isEmpty, "call \(call) of \(calls)")
            #expect(!workshop.has("work/\(output)"), "call \(call) of \(calls)")
        }
    }

    @Test("A build after a killed removal makes all tiles again, and lists them")
    func builtAfterKill() throws {
        let whole = try Snapshot(of: workshop.build(["--zoom", "16-17"]))
        // As a removal that was killed leaves it: documents and some tiles are gone, the list is there.
        for name in ["tilejson.json", "metadata.json", whole.tiles.keys.sorted()[0]] {
            try FileManager.default.removeItem(at: workshop.file("out/\(name)"))
        }
        try workshop.build(["--zoom", "16-17", "--changes", "gone.txt"])
        let again = try Snapshot(of: workshop.file("out"))
        #expect(again.tiles == whole.tiles && again.sideFiles == whole.sideFiles)
        #expect(
            try list == [
                "added tilejson.json", "added metadata.json", "added \(whole.tiles.keys.sorted()[0])",
            ])
    }
}

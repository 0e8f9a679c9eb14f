import Foundation
import TestSupport
import Testing

/// Archives that ask for far more than their size explains. Each command ends soon, in little memory, and says in a line
/// what is wrong.
@Suite(.needs("python3"), .disabled(if: Program.isSanitized, "a sanitizer takes memory of its own"))
struct ReceivedArchiveTests {
    /// A plan, the archives, and one that is sound. Made once, and only read.
    private static let original = Result { try make() }

    private let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    private static func make() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        try Picture.plan(width: 300, height: 200).write(to: folder.path("plan.png"))
        let script = "Tests/EndToEndTests/Support/Received/archives.py"
        let made = try Tool.run(
            "python3", [SharedData.packageRoot.appending(path: script).path, folder.url.path])
        try #require(made.status == 0, "\(made.errors)")
        try Program.succeed(
            ["plan.png", "--bounds", Workshop.bounds, "--zoom", "16", "-o", "good.pmtiles"], in: folder.url)
        return folder
    }

    /// Statuses of 'info', 'verify' and 'convert': 64 for too many tiles, 65 for what is damaged or takes too long.
    static let archives: [(name: String, info: Int32, verify: Int32, convert: Int32)] = [
        ("ocean.pmtiles", 0, 0, 0), ("run.pmtiles", 64, 64, 64), ("runs.pmtiles", 64, 64, 64),
        ("content.pmtiles", 0, 1, 65), ("run-of-content.pmtiles", 0, 1, 65), ("root-bomb.pmtiles", 65, 1, 65),
        ("metadata-bomb.pmtiles", 65, 65, 65), ("tile-bombs.pmtiles", 0, 1, 65),
        ("shared-leaf.pmtiles", 65, 1, 65), ("cycle.pmtiles", 65, 1, 65), ("long-leaves.pmtiles", 65, 1, 65),
        ("limits.pmtiles", 0, 0, 0), ("numbers.pmtiles", 65, 65, 65), ("objects.pmtiles", 65, 65, 65),
        ("scattered.pmtiles", 0, 1, 0), ("nested.pmtiles", 65, 65, 65), ("pixel.pmtiles", 0, 1, 0),
        ("beyond.pmtiles", 65, 65, 65), ("plain.mbtiles", 0, 0, 0), ("joined.mbtiles", 65, 1, 65),
        ("views.mbtiles", 65, 65, 65), ("recursion.mbtiles", 65, 65, 65), ("tables.mbtiles", 65, 65, 65),
        ("computed.mbtiles", 65, 65, 65), ("content.mbtiles", 65, 1, 65), ("no-index.mbtiles", 0, 0, 0),
        ("behind.mbtiles", 0, 0, 0), ("long.mbtiles", 65, 1, 65), ("compared.mbtiles", 65, 1, 65),
        ("sorted.mbtiles", 65, 1, 65), ("addresses.mbtiles", 65, 1, 65), ("keys.mbtiles", 65, 65, 65),
        ("triggers.mbtiles", 65, 1, 65), ("expressions.mbtiles", 0, 0, 0), ("types.mbtiles", 65, 1, 65),
        ("metadata.mbtiles", 65, 65, 65), ("wal.mbtiles", 0, 0, 0), ("no-pages.mbtiles", 0, 0, 0),
        ("many-pages.mbtiles", 65, 65, 65), ("hole.mbtiles", 65, 1, 65), ("virtual.mbtiles", 65, 65, 65),
    ]

    /// Each pass over one of them takes all the time that it may.
    private static let slow = ["content", "compared", "sorted", "addresses"].map { $0 + ".mbtiles" }
    /// They have more tiles than a folder or a view is made of in a test.
    private static let wide = ["ocean.pmtiles", "limits.pmtiles", "pixel.pmtiles"]

    @Test("say what they are, or why not", .long, arguments: archives)
    func read(name: String, info: Int32, verify: Int32, convert: Int32) throws {
        let archive = try path(name)
        let commands = [["info", archive], ["verify", archive], ["convert", archive, "copy.pmtiles"]]
        #expect(try run(commands) == [info, verify, convert], "\(name)")
    }

    @Test("make way for others if they are ours, or by force", .long, arguments: archives.map(\.name))
    func replaced(name: String) throws {
        let copy = try link(name)
        let build = try [path("plan.png"), "--bounds", Workshop.bounds, "--zoom", "16", "-o", copy]
        try run([build])
        #expect(try run([build + ["--force"], ["verify", copy]]) == [0, 0], "\(name)")
    }

    @Test("do no harm to any other command", .long, .needsServer, arguments: archives)
    func others(name: String, info: Int32, verify: Int32, convert: Int32) throws {
        var commands = [try Self.serve(path(name))]
        // A server of what can be read does not end.
        if info == 0 || [verify, convert].contains(where: { $0 != info }) { commands = [] }
        if !Self.slow.contains(name) {
            commands += try Self.reads(path(name), plan: path("plan.png"), isWide: Self.wide.contains(name))
        }
        let statuses = try run(commands)
        if info == 64 { #expect(statuses.allSatisfy { $0 == 64 }, "\(name): \(statuses)") }
        try run([["remove", link(name), "--all", "--changes", "list", "--max-tiles", "100K"]])
        try run([["convert", path("good.pmtiles"), link(name)]])
    }

    @Test("--max-tiles counts for all commands", .long, .needsServer)
    func mostTiles() throws {
        let archive = try path("ocean.pmtiles")
        let commands =
            try Self.reads(archive, plan: path("plan.png"), isWide: false)
            + [["verify", archive], ["convert", archive, "copy.pmtiles"]]
        let tooMany = (commands + [Self.serve(archive)]).map { $0 + ["--max-tiles", "65535"] }
        #expect(try run(tooMany).allSatisfy { $0 == 64 })
        let enough = ["info", "verify", "viewer", "snippet", "camera", "tile"]
        let few = commands.filter { enough.contains($0[0]) }.map { $0 + ["--max-tiles", "65536"] }
        #expect(try !run(few).contains(64))
    }

    @Test("a view of thousands of large tiles is refused", .long)
    func largeTiles() throws {
        #expect(try run([["snapshot", path("content.mbtiles"), "-o", "view.png"]]) == [65])
    }

    @Test("tiles that are missing count with those that are there", .long)
    func missingTiles() throws {
        let archive = try path("scattered.pmtiles")
        #expect(try run([["verify", archive, "--max-tiles", "20K"]]) == [64])
        #expect(try run([["info", archive, "--max-tiles", "20K"]]) == [0])
    }

    /// What reads an archive, besides 'verify' and 'convert'; 'info' once more.
    private static func reads(_ archive: String, plan: String, isWide: Bool) -> [[String]] {
        let commands = [
            ["info", archive, "--json"], ["viewer", archive, "-o", "page.html", "--force"],
            ["camera", archive],
            ["snippet", archive, "--for", "leaflet", "--url", "https://example.org/{z}/{x}/{y}.png"],
            ["tile", archive, "8/1/1", "-o", "tile"], ["tile", archive, "30/1/1", "-o", "tile"],
            ["convert", archive, "copy.mbtiles", "--force"],
            ["snapshot", archive, "-o", "view.png", "--max-pixels", "300M"],
        ]
        if isWide { return commands }
        return commands + [
            ["convert", archive, "folder", "--force"],
            ["place", plan, "--over", archive, "-o", "place.html", "--force"],
        ]
    }

    private static func serve(_ archive: String) -> [String] {
        ["serve", "--listen", "127.0.0.1:0", archive]
    }

    private func path(_ name: String) throws -> String { try Self.original.get().path(name) }

    /// Another name of an archive, for a command that takes it away. Bytes are not copied: some archives have holes.
    private func link(_ name: String) throws -> String {
        let copy = scratch.path("copy" + name.suffix(8))
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.linkItem(atPath: path(name), toPath: copy)
        return copy
    }

    /// Runs commands one after the other, and prints of each its status, the most memory that it had in kibibytes, and
    /// what it says on standard error. One that does not end is killed.
    private static let script = """
        import json, os, subprocess, sys, tempfile, threading
        for command in json.load(sys.stdin):
            with tempfile.TemporaryFile() as errors:
                process = subprocess.Popen(sys.argv[1:] + command, stdin=subprocess.DEVNULL,
                                           stdout=subprocess.DEVNULL, stderr=errors)
                end = threading.Timer(60, process.kill)
                end.start()
                _, status, usage = os.wait4(process.pid, 0)
                end.cancel()
                process.returncode = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
                errors.seek(0)
                memory = usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
                print(json.dumps({"status": process.returncode, "memory": memory, "errors": errors.read().decode()}))
        """

    private struct Outcome: Decodable {
        let status: Int32
        let memory: Int
        let errors: String
    }

    /// Runs commands, and expects that each ends as one that read somebody else's file.
    ///
    /// - Returns: their statuses.
    @discardableResult
    private func run(
        _ commands: [[String]], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Int32] {
        let input = String(decoding: try JSONEncoder().encode(commands), as: UTF8.self)
        let ran = try Tool.run(
            "python3", ["-c", Self.script, Program.path], input: input, in: scratch.url)
        let outcomes = try ran.output.split(separator: "\n").map {
            try JSONDecoder().decode(Outcome.self, from: Data($0.utf8))
        }
        try #require(outcomes.count == commands.count, "\(ran.errors)")
        for (command, outcome) in zip(commands, outcomes) {
            let text = "\(command.joined(separator: " ")): \(outcome)"
            #expect(
                [0, 1, 64, 65, 66, 73].contains(outcome.status), "\(text)", sourceLocation: sourceLocation)
            #expect(outcome.memory < 300_000, "\(text)", sourceLocation: sourceLocation)
            let lines = outcome.errors.split(separator: "\n")
            let isClear = outcome.status == 0 || lines.count <= 2 && outcome.errors.hasPrefix("error: ")
            #expect(isClear, "\(text)", sourceLocation: sourceLocation)
        }
        return outcomes.map(\.status)
    }
}

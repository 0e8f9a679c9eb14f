import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A run that is stopped in the middle can be taken up again.
struct InterruptionTests {
    /// A signal, and the status after it; minus its number if the program cannot catch it.
    struct Case {
        var name: String
        var signal: Int32
        var status: Int32
    }

    static let signals = [
        Case(name: "SIGINT", signal: SIGINT, status: 130),
        Case(name: "SIGTERM", signal: SIGTERM, status: 143),
        Case(name: "SIGHUP", signal: SIGHUP, status: 129),
        Case(name: "SIGXCPU", signal: SIGXCPU, status: 71),
        Case(name: "SIGKILL", signal: SIGKILL, status: -SIGKILL),
    ]

    /// Long enough to be stopped in the middle: a few thousand tiles.
    private static func arguments(_ workshop: Workshop, output: String) -> [String] {
        [
            workshop.path("plan.png"), "--bounds", Workshop.bounds, "--zoom", "18-21", "-o",
            workshop.path(output),
        ]
    }

    @Test("A stopped run keeps its staged tiles, and the same command completes the build", .long)
    func stoppedRunIsResumed() throws {
        let workshop = try Workshop()
        try Program.succeed(Self.arguments(workshop, output: "undisturbed"))
        let whole = try Snapshot(of: workshop.file("undisturbed"))
        for test in Self.signals {
            let (name, comment) = (test.name, Comment(rawValue: test.name))
            let staging = workshop.file("\(name)/.tilewright/tileset/staging/21")
            let end = try Self.stop(
                Self.arguments(workshop, output: name), staging: staging, with: test.signal)
            #expect(end == test.status, comment)

            // Nothing is published yet, and what was finished is kept.
            let stopped = try Snapshot(of: workshop.file(name)).contents.keys
            #expect(stopped.allSatisfy { $0.hasPrefix(".tilewright/") }, comment)
            let staged = try Self.stagedTiles(staging)
            #expect(staged.count >= 4, comment)
            #expect(staged.count < whole.tiles.keys.count { $0.hasPrefix("21/") }, comment)

            try Program.succeed(Self.arguments(workshop, output: name))
            let resumed = try Snapshot(of: workshop.file(name))
            let isSame = whole.tiles == resumed.tiles && whole.sideFiles == resumed.sideFiles
            #expect(isSame, comment)
            // The staged files themselves were published: they were not made again.
            let published = try FileIdentities(of: workshop.file(name)).identities
            for (path, number) in staged {
                #expect(published["21/\(path).png"]?.number == number, "\(name): \(path)")
            }
            #expect(!FileManager.default.fileExists(atPath: staging.path), comment)
        }
    }

    @Test("A killed run with a palette continues with the same palette", .long)
    func palettePersists() throws {
        let workshop = try Workshop()
        func arguments(_ output: String) -> [String] {
            Self.arguments(workshop, output: output) + ["--palette", "32"]
        }
        try Program.succeed(arguments("undisturbed"))
        let end = try Self.stop(
            arguments("out"), staging: workshop.file("out/.tilewright/tileset/staging/21"),
            with: SIGKILL)
        #expect(end == -SIGKILL)
        try Program.succeed(arguments("out"))
        let (whole, resumed) = (
            try Snapshot(of: workshop.file("undisturbed")), try Snapshot(of: workshop.file("out"))
        )
        #expect(whole.tiles == resumed.tiles)
    }

    @Test("Staged tiles of another nodata colour are not reused", .long)
    func otherColorStartsAnew() throws {
        let workshop = try Workshop()
        func arguments(_ output: String, nodata: String) -> [String] {
            Self.arguments(workshop, output: output) + ["--nodata", nodata]
        }
        try Program.succeed(arguments("undisturbed", nodata: "0,0,0"))
        // The first one is the colour of the plan's walls.
        _ = try Self.stop(
            arguments("out", nodata: "40,44,52"),
            staging: workshop.file("out/.tilewright/tileset/staging/21"), with: SIGKILL)
        try Program.succeed(arguments("out", nodata: "0,0,0"))
        let (whole, resumed) = (
            try Snapshot(of: workshop.file("undisturbed")), try Snapshot(of: workshop.file("out"))
        )
        #expect(whole.tiles == resumed.tiles)
    }

    /// Starts a run, and ends it with a signal once it has staged some tiles.
    private static func stop(
        _ arguments: [String], staging: URL, with signal: Int32
    ) throws -> Int32 {
        let run = try RunningProgram(arguments)
        // A column has a directory of its own, with a tile in it a moment later.
        let isRunning = run.wait {
            let names = try? FileManager.default.contentsOfDirectory(atPath: staging.path)
            return (names?.count ?? 0) >= 6
        }
        #expect(isRunning, "the run ended before it could be stopped")
        return run.end(with: signal)
    }

    /// Inodes by column and row.
    private static func stagedTiles(_ directory: URL) throws -> [String: Int] {
        var tiles: [String: Int] = [:]
        for (path, identity) in try FileIdentities(of: directory).identities {
            tiles[path] = identity.number
        }
        return tiles
    }

    @Test("A run that cannot react to a signal is ended nevertheless", .long)
    func waitingRun() throws {
        let workshop = try Workshop()
        // Nobody reads the list: whoever opens it waits.
        #expect(mkfifo(workshop.path("news"), 0o600) == 0)
        let run = try RunningProgram(
            [
                workshop.path("plan.png"), "--bounds", Workshop.bounds, "-o", workshop.path("out"),
                "--changes",
                workshop.path("news"),
            ])
        let isWaiting = run.wait { workshop.has("out/tilejson.json") }
        #expect(isWaiting, "the run ended before it could be stopped")
        usleep(100_000)
        #expect(run.end(with: SIGTERM) == 143)
        // What was published stays, and is whole.
        #expect(try workshop.run(["verify", "out"]).status != 0)
        try workshop.build()
        #expect(try workshop.run(["verify", "out"]).status == 0)
    }

    @Test("Where nohup has switched a signal off, it does not end a run")
    func ignoredHangUp() throws {
        let workshop = try Workshop()
        let script = """
            trap '' HUP
            "$0" plan.png --bounds \(Workshop.bounds) --zoom 18-20 -o out & P=$!
            until [ -e out/.tilewright/tileset/staging/20 ]; do kill -0 $P || break; done
            kill -HUP $P; wait $P
            """
        let outcome = try Tool.run("/bin/bash", ["-c", script, Program.path], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workshop.has("out/tilejson.json"))
    }
}

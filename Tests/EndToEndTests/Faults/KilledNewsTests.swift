import Foundation
import TestSupport
import Testing

/// What `--changes` says after a run that was killed.
struct KilledNewsTests {
    private static let zooms = ["--zoom", "16-17"]

    /// Kills a run in the place of each of several system calls that change files, as those of
    /// `Tests/Faults` count them. Each time the list of the next run, or the list of the killed run if
    /// the next has nothing to do, names all that differs from before.
    @Test(
        "The changes of a killed run are in the list of the next run", .long, .needs("cc"),
        arguments: ["out", "out.mbtiles", "out.pmtiles"])
    func killedRuns(output: String) throws {
        var plan = Picture.plan(width: 300, height: 200)
        let workshop = try Workshop(plan)
        let shim = try Self.compileShim(in: workshop)
        try workshop.build(["--zoom", "16-18"], to: "before/\(output)")
        plan.fill(20..<30, 20..<30, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))

        let run = Run(workshop: workshop, output: output, shim: shim)
        try run.reset()
        let news = try run.end(["FAULT_COUNT=\(workshop.path("calls"))"])
        #expect(news.contains { $0.hasPrefix("changed") } && news.contains { $0.hasPrefix("rem") })
        let text = try String(contentsOf: workshop.file("calls"), encoding: .utf8)
        let calls = try #require(text.split(separator: "\n").last.flatMap { Int($0) })
        for call in stride(from: calls, to: calls / 3, by: -max(1, calls / 12)) {
            try run.reset()
            let killed = try run.start(["FAULT_AT=\(call)", "FAULT_KILL=1"])
            #expect(killed.status != 0)
            let told = try run.news()
            let next = try run.end([])
            #expect(next == news || (next.isEmpty && told == news), "call \(call) of \(calls)")
        }
    }

    static func compileShim(in workshop: Workshop) throws -> String {
        let source = SharedData.packageRoot.appending(path: "Tests/Faults/fail_call.c")
        let shim = workshop.path("fail_call.so")
        let arguments = ["-shared", "-fPIC", source.path, "-ldl", "-o", shim]
        let compiled = try Tool.run("cc", arguments)
        try #require(compiled.status == 0, "\(compiled.errors)")
        return shim
    }

    /// A run that makes of `before/OUTPUT` what the plan shows now.
    private struct Run {
        let workshop: Workshop
        let output: String
        let shim: String

        /// Has everything as it was before.
        func reset() throws {
            let manager = FileManager.default
            for name in [output, output + ".tilewright-partial", "news.txt"]
            where workshop.has(name) {
                try manager.removeItem(at: workshop.file(name))
            }
            try manager.copyItem(
                at: workshop.file("before/\(output)"), to: workshop.file(output))
        }

        func start(_ environment: [String]) throws -> Tool.Outcome {
            try Program.run(
                ["plan.png", "--bounds", Workshop.bounds, "-o", output, "--changes", "news.txt"]
                    + KilledNewsTests.zooms,
                environment: environment.isEmpty ? [] : ["LD_PRELOAD=\(shim)"] + environment,
                in: workshop.url)
        }

        /// Runs it to its end.
        func end(_ environment: [String]) throws -> Set<Substring> {
            let outcome = try start(environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try news()
        }

        /// The lines of the list that is there.
        func news() throws -> Set<Substring> {
            guard workshop.has("news.txt") else { return [] }
            let text = try String(contentsOf: workshop.file("news.txt"), encoding: .utf8)
            return Set(text.split(separator: "\n"))
        }
    }
}

import Foundation
import TestSupport
import Testing

/// Each system call of a small job fails once.
struct FailedCallTests {
    /// A job on a tileset that is there already.
    struct Job: CustomTestStringConvertible {
        /// The program's arguments, with `OUTPUT` for the tileset.
        var arguments: [String]
        var output: String
        var testDescription: String { "\(arguments[0]) \(output)" }
    }

    private static let position = ["--bounds", Workshop.bounds, "--zoom", "13-14"]
    private static let jobs = ["out", "a.mbtiles", "a.pmtiles"].flatMap { output in
        [
            Job(
                arguments: ["plan.png", "-o", "OUTPUT", "--fsync", "--tmpdir", ".", "--changes", "news"]
                    + position, output: output),
            Job(arguments: ["verify", "OUTPUT"], output: output),
            Job(arguments: ["convert", "OUTPUT", "copy"], output: output),
        ]
    }

    @Test(
        "A system call that fails is said in one line, or does no harm", .long, .needs("cc"),
        .disabled(if: Program.isSanitized, "a sanitizer's own calls would fail"), arguments: jobs)
    func eachCall(of job: Job) throws {
        let workshop = try Workshop(.noise(width: 30, height: 20))
        let shim = try Shim(in: workshop)
        try workshop.build(["--zoom", "12-14"], to: "before/\(job.output)")
        try Picture(width: 30, height: 20, colour: (9, 99, 199, 255)).write(to: workshop.path("plan.png"))

        /// Runs the job on the tileset as it was before.
        func run(_ environment: [String]) throws -> Tool.Outcome {
            for name in [job.output, "copy", "news"] where workshop.has(name) {
                try FileManager.default.removeItem(at: workshop.file(name))
            }
            try FileManager.default.copyItem(
                at: workshop.file("before/\(job.output)"), to: workshop.file(job.output))
            let arguments = job.arguments.map { $0 == "OUTPUT" ? job.output : $0 }
            return try Program.run(
                arguments, environment: ["LD_PRELOAD=\(shim.path)"] + environment, in: workshop.url)
        }

        let errors = ["write": [ENOSPC, EACCES], "read": [EIO, EMFILE]]
        for (kind, errors) in errors {
            let calls = try shim.count { try run(["FAULT_KIND=\(kind)"] + $0) }
            #expect(calls > 0 || job.arguments[0] == "verify", "\(kind)")
            for call in stride(from: 1, through: calls, by: 1) {
                let outcome = try run(
                    ["FAULT_KIND=\(kind)", "FAULT_AT=\(call)", "FAULT_ERRNO=\(errors[call % 2])"])
                let comment = Comment(rawValue: "\(kind) \(call) of \(calls): \(outcome)")
                #expect([0, 1, 64, 65, 66, 71, 73, 74].contains(outcome.status), comment)
                let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
                #expect(lines.count == (outcome.status == 0 ? 0 : 1), comment)
                // What was lost on the way is never taken for a whole tileset.
                if outcome.status == 0, job.arguments[0] != "verify" {
                    let made = job.arguments[0] == "convert" ? "copy" : job.output
                    #expect(try workshop.run(["verify", made]).status == 0, comment)
                }
            }
        }
    }

    /// The library that lets calls fail.
    private struct Shim {
        let path: String
        private let counter: URL

        init(in workshop: Workshop) throws {
            let source = SharedData.packageRoot.appending(path: "Tests/Faults/fail_call.c")
            path = workshop.path("fail_call.so")
            counter = workshop.file("calls")
            let compiled = try Tool.run("cc", ["-shared", "-fPIC", source.path, "-ldl", "-o", path])
            try #require(compiled.status == 0, "\(compiled.errors)")
        }

        /// The number of calls of a run that nothing disturbs.
        func count(_ run: ([String]) throws -> Tool.Outcome) throws -> Int {
            try Data().write(to: counter)
            let outcome = try run(["FAULT_COUNT=\(counter.path)"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let text = try String(contentsOf: counter, encoding: .utf8)
            return try #require(text.split(separator: "\n").last.flatMap { Int($0) })
        }
    }
}

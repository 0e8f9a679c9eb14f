import Foundation
import TestSupport

/// An empty folder with copies of recipes from `Examples/Night`, as their user has.
struct NightFolder {
    let workshop: Workshop

    init(_ recipes: String...) throws {
        workshop = try Workshop()
        let night = SharedData.packageRoot.appending(path: "Examples/Night")
        // Not by this process: a program cannot start while any process has it open for writing, and one that
        // another test starts at this moment would.
        let files = recipes.map { night.appending(path: $0).path }
        _ = try Tool.run("cp", files + ["."], in: workshop.url)
    }

    /// Draws a small plan beside its position, with a mark at a column.
    func draw(_ name: String, mark: Int = 20) throws {
        let plans = workshop.file("plans")
        try FileManager.default.createDirectory(at: plans, withIntermediateDirectories: true)
        var plan = Picture.plan(width: 300, height: 200)
        plan.fill(mark..<mark + 10, 30..<40, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plans/\(name).png"))
        for ending in ["pgw", "prj"] {
            let file = SharedData.packageRoot.appending(path: "Examples/ground.\(ending)")
            try Data(contentsOf: file).write(to: workshop.file("plans/\(name).\(ending)"))
        }
    }

    /// What a command gets: the program in PATH, after the folder's own `bin`, and nothing of a make that runs the tests.
    private func words(_ command: String, _ environment: [String]) -> [String] {
        let programs = URL(filePath: Program.path).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return ["/usr/bin/env", "-u", "MAKEFLAGS", "-u", "MFLAGS", "-u", "MAKELEVEL"]
            + ["PATH=\(workshop.path("bin")):\(programs):\(path)"] + environment + [
                "/bin/bash", "-c", command,
            ]
    }

    /// Runs a command line.
    func run(_ command: String, _ environment: String...) throws -> Tool.Outcome {
        let words = words(command, environment)
        return try Tool.run(words[0], Array(words.dropFirst()), in: workshop.url)
    }

    /// Starts a command line.
    func start(_ command: String, _ environment: String...) throws -> ChildProcess {
        try ChildProcess(words("exec " + command, environment), in: workshop.url)
    }

    /// Writes a program into the folder's own `bin`.
    func install(_ name: String, _ script: String) throws {
        let write = "mkdir -p bin && cat > bin/\(name) && chmod 755 bin/\(name)"
        _ = try Tool.run("sh", ["-c", write], input: "#!/bin/sh\n\(script)\n", in: workshop.url)
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: workshop.file(name), encoding: .utf8)
    }

    /// The files whose names begin so, without folders.
    func names(_ prefix: String, in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: workshop.path(folder))
            .filter { $0.hasPrefix(prefix) }.sorted()
    }
}

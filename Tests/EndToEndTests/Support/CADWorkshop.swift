import Foundation
import TestSupport

/// A workshop with a CAD drawing, `plan.dxf`, and the program next to a `tilewright-cad` that is not the real one.
struct CADWorkshop {
    let workshop: Workshop
    private let environment: [String]

    /// - Parameters:
    ///   - answer: what the program does; see `FakeCAD.script`. Nil if it is not installed.
    ///   - tools: further programs, by name.
    init(_ answer: String? = FakeCAD.plain, tools: [String: String] = [:]) throws {
        workshop = try Workshop()
        try workshop.write(FakeCAD.drawing.utf8, to: "plan.dxf")
        try workshop.write("AC1032\0\0".utf8, to: "plan.dwg")
        let files = FileManager.default
        for folder in ["bin", "tmp"] {
            try files.createDirectory(at: workshop.file(folder), withIntermediateDirectories: false)
        }
        try Program.copy(to: workshop.path("bin/tilewright"))
        let programs = URL(filePath: Program.path).deletingLastPathComponent()
        try files.createSymbolicLink(
            atPath: workshop.path("bin/tilewright-render"),
            withDestinationPath: programs.appending(path: "tilewright-render").path)
        // Programs that the machine has do not count.
        environment = ["PATH=\(workshop.path("bin"))", "TMPDIR=\(workshop.path("tmp"))"]
        if let answer { try install(answer) }
        for (name, script) in tools { try FakeCAD.install(script, at: workshop.path("bin/\(name)")) }
    }

    /// Installs a program that answers in another way.
    func install(_ answer: String) throws {
        try FakeCAD.install(FakeCAD.script(answer), at: workshop.path("bin/tilewright-cad"))
    }

    /// Runs the program in the workshop.
    func run(_ arguments: [String]) throws -> Tool.Outcome {
        try Tool.run(
            "/usr/bin/env", environment + [workshop.path("bin/tilewright")] + arguments, in: workshop.url)
    }

    /// A run of `tilewright info` that failed.
    private struct NoInfo: Error { var errors: String }

    /// The JSON of `tilewright info`.
    func info(_ options: [String]) throws -> [String: Any] {
        let outcome = try run(["info", "plan.dxf", "--json"] + options)
        if outcome.status != 0 { throw NoInfo(errors: outcome.errors) }
        return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any] ?? [:]
    }

    /// The requests that the program got.
    var requests: [[String: Any]] { FakeCAD.requests(in: workshop.file("bin")) }

    /// The files that runs have left in the folder for temporary files.
    var leftovers: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: workshop.path("tmp"))) ?? ["?"]
    }
}

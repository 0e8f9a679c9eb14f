import Foundation
import TestSupport
import Testing

/// `tilewright-cad` next to the program, as `make cad-debug` makes it, and its Python.
enum CADEnvironment {
    /// The companion.
    static let program = URL(filePath: Program.path).deletingLastPathComponent()
        .appending(path: "tilewright-cad").path

    /// The Python that has the companion's modules.
    static let python = URL(filePath: program).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "python").path

    /// Runs a script of `Support/CAD` to its end.
    static func run(_ script: String, _ arguments: [String] = []) throws -> Tool.Outcome {
        let folder = SharedData.packageRoot.appending(path: "Tests/EndToEndTests/Support/CAD")
        return try Tool.run(python, [folder.appending(path: script).path] + arguments)
    }
}

extension Trait where Self == ConditionTrait {
    /// Tests that need the companion for CAD drawings.
    static var needsCAD: Self {
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: CADEnvironment.program),
            "no tilewright-cad: make cad-debug makes it")
    }
}

import Foundation
import TestSupport
import Testing

/// The man pages, as far as they are not generated from declarations.
struct ManPageTests {
    @Test("All examples of the man pages run", .long, .needs("python3"), .needs("seq"), .needs("xargs"))
    func examples() throws {
        let script = SharedData.packageRoot.appending(path: ".documentation/run_examples.py")
        let outcome = try Tool.run("python3", ["-B", script.path, Program.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // The renderer is not in every build.
        let hasRenderer = FileManager.default.isExecutableFile(atPath: "\(Program.path)-render")
        let leftOut = outcome.output.split(separator: "\n").filter { $0.contains("left out") }
        #expect(leftOut.allSatisfy { !hasRenderer && $0.contains("tilewright-render") }, "\(leftOut)")
    }
}

import Foundation
import TestSupport
import Testing

/// The man pages, as far as they are not generated from declarations.
struct ManPageTests {
    @Test("All examples of the man pages run", .needs("python3"), .needs("seq"), .needs("xargs"))
    func examples() throws {
        let script = SharedData.packageRoot.appending(path: ".documentation/run_examples.py")
        let outcome = try Tool.run("python3", ["-B", script.path, Program.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}

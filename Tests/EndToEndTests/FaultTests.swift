import Foundation
import TestSupport
import Testing

/// The short form of `make test-faults`.
struct FaultTests {
    @Test("No fault that the world commits costs a tile, or makes a wrong one")
    func faults() throws {
        guard let python = Tool.path("python3"), let compiler = Tool.path("cc") else { return }
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Faults")
        let scratch = try TemporaryDirectory()
        let shim = scratch.path("fail_call.so")
        let compiled = try Tool.run(
            compiler,
            ["-shared", "-fPIC", folder.appending(path: "fail_call.c").path, "-ldl", "-o", shim])
        try #require(compiled.status == 0, "\(compiled.errors)")
        let outcome = try Tool.run(
            python,
            [
                folder.appending(path: "faults.py").path, Program.path, "--short", "--shim",
                shim,
            ])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}

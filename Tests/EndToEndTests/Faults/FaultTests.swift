import Foundation
import TestSupport
import Testing

/// The short form of `make test-faults`.
struct FaultTests {
    @Test(
        "No fault of the system loses a tile, or makes a wrong one", .long,
        .needs("python3", "cc"))
    func faults() throws {
        let folder = SharedData.packageRoot.appending(path: "Tests/Faults")
        let scratch = try TemporaryDirectory()
        let shim = scratch.path("fail_call.so")
        let compiled = try Tool.run(
            "cc",
            ["-shared", "-fPIC", folder.appending(path: "fail_call.c").path, "-ldl", "-o", shim])
        try #require(compiled.status == 0, "\(compiled.errors)")
        let outcome = try Tool.run(
            // Pillow writes more kinds of images.
            Python.path(with: ["PIL"]) ?? "python3",
            [
                folder.appending(path: "faults.py").path, Program.path, "--short", "--shim",
                shim,
            ])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}

import Foundation
import TestSupport
import Testing

/// Files that hang: opening them, or looking at them, never returns, as on a network disk that does not answer.
struct HangingFiles {
    private let shim: String
    private let list: URL

    /// Compiles what stands between a program and the system.
    init(in workshop: Workshop) throws {
        let source = SharedData.packageRoot.appending(path: "Tests/Faults/fail_call.c")
        (shim, list) = (workshop.path("fail_call.so"), workshop.file("hangs"))
        let compiled = try Tool.run("cc", ["-shared", "-fPIC", source.path, "-ldl", "-o", shim])
        try #require(compiled.status == 0, "\(compiled.errors)")
    }

    /// What a program has to be started with.
    var environment: [String] { ["LD_PRELOAD=\(shim)", "FAULT_HANG=\(list.path)"] }

    /// From now on, files hang whose path has a part.
    func begin(_ part: String) throws { try Data(part.utf8).write(to: list) }

    /// From now on, all of them answer.
    func end() throws { try FileManager.default.removeItem(at: list) }
}

import Foundation
import TestSupport
import Testing

/// The program under test, as it was built.
enum Program {
    /// Where it is: next to the bundle of these tests.
    static let path: String = {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let places = bundles + [Bundle.main.executableURL].compactMap { $0 }
        let candidates = places.map { $0.deletingLastPathComponent().appending(path: "tilewright") }
        return candidates.map(\.path).first(where: FileManager.default.isExecutableFile)
            ?? "tilewright was not built"
    }()

    /// Whether it was built with a sanitizer, whose runtime needs more than a limit of the system grants;
    /// the rules of the Makefile tell it what to do.
    static let isSanitized = ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains {
        ProcessInfo.processInfo.environment[$0] != nil
    }

    /// Puts it at another path: a link, or a copy between file systems.
    ///
    /// Another process makes the copy. If this one had it open for writing, programs that other tests start meanwhile
    /// would have it open, too, and it could not be started ("Text file busy").
    static func copy(to destination: String) throws {
        #expect(
            try Tool.run("/bin/ln", [path, destination]).status == 0
                || Tool.run("/bin/cp", [path, destination]).status == 0)
    }

    /// Runs it to its end.
    ///
    /// - Parameter environment: variables as `NAME=value`, in addition to those of the tests.
    static func run(
        _ arguments: [String], environment: [String] = [], in directory: URL? = nil
    ) throws -> Tool.Outcome {
        if environment.isEmpty { return try Tool.run(path, arguments, in: directory) }
        return try Tool.run("/usr/bin/env", environment + [path] + arguments, in: directory)
    }

    /// Runs it and expects success.
    @discardableResult
    static func succeed(
        _ arguments: [String], environment: [String] = [], in directory: URL? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Tool.Outcome {
        let outcome = try run(arguments, environment: environment, in: directory)
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
        return outcome
    }
}

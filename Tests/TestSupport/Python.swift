package import Foundation
import Synchronization

/// A Python with the modules that a test needs.
package enum Python {
    private static let found = Mutex<[[String]: String?]>([:])

    /// The environment in which `make test-all` installs modules without Debian packages.
    private static let environment = SharedData.packageRoot.appending(path: ".build/python/bin/python3")

    /// The path of a Python that has all of these modules: the one on the PATH, the system's, or the
    /// project's.
    package static func path(with modules: [String] = []) -> String? {
        found.withLock { found in
            if let path = found[modules] { return path }
            let candidates: [String?] = [
                Tool.path("python3"), "/usr/bin/python3", environment.path,
            ]
            let script = modules.map { "import \($0)\n" }.joined()
            let path = candidates.compactMap(\.self).first {
                (try? Tool.run($0, ["-c", script]).status) == 0
            }
            found[modules] = .some(path)
            return path
        }
    }

    /// Runs a script with a Python that has these modules.
    package static func run(
        _ script: String, _ arguments: [String] = [], with modules: [String] = [],
        in directory: URL? = nil
    ) throws -> Tool.Outcome {
        try Tool.run(path(with: modules) ?? "python3", ["-c", script] + arguments, in: directory)
    }
}

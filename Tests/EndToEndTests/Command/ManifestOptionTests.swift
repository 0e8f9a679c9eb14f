import Foundation
import TestSupport
import Testing

/// The options of `build`, and the keys of manifests.
struct ManifestOptionTests {
    /// Options that say how to run.
    private static let ofTheRun: Set<String> = [
        "changes", "depfile", "dry-run", "force", "fsync", "help", "jobs", "max-pixels", "max-tiles",
        "memory", "only", "pending", "progress", "quiet", "report", "tmpdir", "verbose", "version",
    ]

    @Test("Every option of build about the tiles is a key of manifests")
    func options() throws {
        let help = try Program.run(["build", "--help"]).output
        let lines = help.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("-") }
        let options = lines.compactMap { line in
            line.split { " ,".contains($0) }.first { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        }
        #expect(options.count > 40)
        let path = SharedData.packageRoot
            .appending(path: "Sources/TilewrightKit/Manifests/building.schema.json")
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any]
        let definitions = schema?["$defs"] as? [String: [String: Any]]
        let keys = ["building", "floor", "settings"]
            .compactMap { definitions?[$0]?["properties"] as? [String: Any] }.flatMap(\.keys)
        let missing = Set(options).subtracting(keys).subtracting(Self.ofTheRun)
        #expect(missing.isEmpty, "\(missing.sorted())")
    }
}

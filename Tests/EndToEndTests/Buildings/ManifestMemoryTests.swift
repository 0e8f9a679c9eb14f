import Foundation
import TestSupport
import Testing

/// Manifests that ask for a lot, and what the program takes to refuse them.
@Suite(
    .needs("python3"), .disabled(if: Program.isSanitized, "a sanitizer takes memory of its own"))
struct ManifestMemoryTests {
    /// Runs a command, and prints its status, the most memory that it had in kibibytes, and what it says
    /// first.
    private static let script = """
        import resource, subprocess, sys
        done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
        print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss,
              done.stderr.splitlines()[0])
        """

    /// Each alias stands for ten of those before it: a gigabyte, if one wrote them out.
    private static let aliases =
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        + (0..<9).map { depth in
            let from = depth == 0 ? "a" : "b\(depth - 1)"
            return "b\(depth): &b\(depth) [" + String(repeating: "*\(from),", count: 10) + "]\n"
        }.joined()

    private static let manifests: [(text: String, status: String, place: String)] = [
        (aliases, "65", "house.yaml:"),
        (String(repeating: "[", count: 1_000_000), "65", "house.yaml:1:"),
        (String(repeating: "? ", count: 500_000), "65", "house.yaml:1:"),
        ((0..<40_000).map { "k\($0): 1\n" }.joined(), "64", "house.yaml:1:1: "),
        (String(repeating: "a", count: 1_000_000), "64", "house.yaml:1:1: "),
        (
            "output: t\ngcp: [" + String(repeating: "[1,2,3,4],", count: 19_000) + "]\nfloors: [{floor: 1}]",
            "64", "house.yaml:3:10: "
        ),
        (String(repeating: "# x\n", count: 30_000_000), "65", "house.yaml'"),
    ]

    @Test("are refused within 50 MB", arguments: manifests.indices.some(1))
    func memory(index: Int) throws {
        let site = try Workshop()
        let manifest = Self.manifests[index]
        try site.write(manifest.text.utf8, to: "house.yaml")
        let python = try #require(Tool.path("python3"))
        let outcome = try Tool.run(python, ["-c", Self.script, Program.path, "house.yaml"], in: site.url)
        let words = outcome.output.split(separator: " ", maxSplits: 2).map(String.init)
        try #require(words.count == 3, "\(outcome.errors)")
        #expect(words[0] == manifest.status && words[2].contains(manifest.place), "\(words)")
        #expect(try #require(Int(words[1])) * 1024 < 50_000_000, "\(words)")
    }
}

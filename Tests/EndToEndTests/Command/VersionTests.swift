import Foundation
import TestSupport
import Testing

/// What the program says of itself.
struct VersionTests {
    /// What `--version --verbose` says of a name.
    private static func report() throws -> [String: String] {
        let lines = try Program.succeed(["--version", "--verbose"]).output.split(separator: "\n")
        let pairs = lines.map { line in
            let name = line.firstRange(of: "  ").map { line[..<$0.lowerBound] } ?? line
            return (String(name), line.dropFirst(name.count).trimmingCharacters(in: .whitespaces))
        }
        return Dictionary(pairs) { first, second in "\(first)\n\(second)" }
    }

    @Test("Versions of libraries are those that pkg-config knows", .needs("pkg-config"))
    func libraries() throws {
        let report = try Self.report()
        let modules = [
            "libpng": "libpng", "libtiff": "libtiff-4", "libwebp": "libwebp", "libheif": "libheif",
            "lcms": "lcms2",
            "libjpeg-turbo": "libjpeg", "libdeflate": "libdeflate", "expat": "expat",
            "SQLite": "sqlite3", "xxHash": "libxxhash", "Zstandard": "libzstd", "libyaml": "yaml-0.1",
            "PROJ": "proj",
        ]
        for (name, module) in modules {
            let known = try Tool.run("pkg-config", ["--modversion", module]).output
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let said = try #require(report[name], "\(name)")
            #expect(said.split(separator: ",").first.map(String.init) == known, "\(name)")
        }
        #expect(report["libgeotiff"] != nil)
    }

    @Test("The version is that of --version, the kernels are named, and PROJ's data are found")
    func program() throws {
        let report = try Self.report()
        let version = try Program.succeed(["--version"]).output
        #expect(report["tilewright"].map { $0 + "\n" } == version)
        #expect(report["SIMD kernels"]?.contains("portable") == true)
        #expect(report["PROJ's data"]?.contains(/proj\.db, EPSG v[0-9.]+ of [0-9-]+/) == true)
        let swapped = try Program.succeed(["--verbose", "--version"]).output
        #expect(swapped == (try Program.succeed(["--version", "--verbose"]).output))
    }

    @Test("The folders in which PROJ looks for grids are named, with what is in them")
    func grids() throws {
        let scratch = try TemporaryDirectory()
        let proj = try Self.report()["PROJ's data"]?.firstMatch(of: /^(.*)\/proj\.db/).map { String($0.1) }
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("proj.db"), withDestinationPath: "\(try #require(proj))/proj.db")
        for name in ["a.tif", "b.gsb", "notes.txt"] {
            try Data().write(to: scratch.url.appending(path: name))
        }
        let outcome = try Program.run(
            ["--version", "--verbose"], environment: ["PROJ_DATA=\(scratch.url.path)"])
        #expect(outcome.output.contains("2 in \(scratch.url.path)\n"), "\(outcome.output)")
    }
}

import Foundation
import TestSupport
import Testing

/// `diff` and `patch`.
struct PatchCommandTests {
    private let workshop: Workshop

    /// Builds two versions of a plan: the second lacks the right edge and some zooms, and has another name.
    init() throws {
        workshop = try Workshop()
        for ending in ["mbtiles", "pmtiles"] {
            try workshop.build(["--zoom", "15-18"], to: "old.\(ending)")
            try workshop.build(
                ["--zoom", "16-19", "--crop", "0,0,250,200", "--name", "New"], to: "new.\(ending)")
        }
        try workshop.build(["--zoom", "15-18"], to: "old")
    }

    private func data(_ name: String) throws -> Data { try Data(contentsOf: workshop.file(name)) }

    @discardableResult
    private func succeed(_ arguments: String...) throws -> Tool.Outcome {
        try Program.succeed(arguments, in: workshop.url)
    }

    @Test("A patch turns the old tileset into the new one in every container", .needs("sqlite3"))
    func everyContainer() throws {
        for (old, new) in [
            ("old.mbtiles", "new.pmtiles"), ("old.pmtiles", "new.mbtiles"), ("old", "new.mbtiles"),
        ] {
            let diff = try succeed("diff", old, new, "-o", "patch.mbtiles")
            #expect(diff.errors.contains(" tiles added, ") && diff.output.isEmpty)
            for base in ["old.mbtiles", "old.pmtiles", "old"] {
                for result in ["result.mbtiles", "result.pmtiles", "result"] {
                    try? FileManager.default.removeItem(at: workshop.file(result))
                    try succeed("patch", base, "patch.mbtiles", "-o", result)
                    try succeed("verify", result)
                }
                #expect(try data("result.pmtiles") == data("new.pmtiles"), "\(old), \(base)")
                let rest = try succeed("diff", "result.mbtiles", "new.mbtiles", "-o", "rest.mbtiles")
                #expect(rest.errors.hasPrefix("0 tiles added, 0 changed, 0 removed, "))
                let rows = try Tool.run(
                    "sqlite3", [workshop.file("rest.mbtiles").path, "SELECT count(*) FROM metadata"])
                #expect(rows.output == "3\n")
            }
        }
    }

    @Test("An archive is patched in place", arguments: ["mbtiles", "pmtiles"])
    func inPlace(ending: String) throws {
        try succeed("diff", "old.mbtiles", "new.mbtiles", "-o", "patch.mbtiles")
        try succeed("patch", "old.\(ending)", "patch.mbtiles")
        try succeed("verify", "old.\(ending)")
        if ending == "pmtiles" { #expect(try data("old.pmtiles") == data("new.pmtiles")) }
        try succeed("diff", "old.\(ending)", "new.mbtiles", "-o", "rest.mbtiles")
        // The build of the new plan has nothing to do in it.
        let again = try Program.succeed(
            [
                "plan.png", "--bounds", Workshop.bounds, "-o", "old.\(ending)", "--zoom", "16-19", "--crop",
                "0,0,250,200", "--name", "New",
            ], in: workshop.url)
        #expect(again.errors.contains("0 tiles written, "))
    }

    @Test(
        "A patch for another tileset is refused, and nothing changes",
        arguments: ["new.pmtiles", "new.mbtiles"])
    func otherBase(base: String) throws {
        try succeed("diff", "new.mbtiles", "old.mbtiles", "-o", "patch.mbtiles")
        try succeed("patch", base, "patch.mbtiles")
        let before = try data(base)
        let again = try workshop.run(["patch", base, "patch.mbtiles"])
        #expect(again.status == 65)
        #expect(
            again.errors.contains("cannot apply the patch 'patch.mbtiles' to '\(base)': it has been applied"))
        #expect(try data(base) == before)
    }

    @Test("A part across the antimeridian says where it is")
    func antimeridian() throws {
        try Program.succeed(
            ["plan.png", "--bounds", "-180,-85,180,85", "-o", "world", "--zoom", "0-4"], in: workshop.url)
        for copy in ["part", "part.pmtiles", "part.mbtiles"] {
            try succeed("convert", "world", copy, "--bounds", "170,-10,-170,10", "--zoom", "3-4")
            try succeed("verify", copy)
        }
    }

    /// Command lines that are wrong, and what the error says.
    static let slips: [([String], Int32, String)] = [
        (["diff", "old.mbtiles", "new.mbtiles", "-o", "patch.pmtiles"], 64, "a patch is an MBTiles file"),
        (["diff", "old.mbtiles", "new.mbtiles", "-o", "old.mbtiles"], 64, "a part of 'old.mbtiles'"),
        (["diff", "old", "new.mbtiles", "-o", "old/p.mbtiles"], 64, "a part of 'old'"),
        (["diff", "old", "none.mbtiles", "-o", "p.mbtiles"], 66, "none.mbtiles"),
        (["patch", "old", "patch.mbtiles"], 64, "a folder cannot change as a whole"),
        (["patch", "old.mbtiles", "new.mbtiles"], 65, "does not say which tileset it is for"),
        (["patch", "old.mbtiles", "old.mbtiles"], 64, "the patch is there"),
        (["patch", "old.mbtiles", "plan.png"], 65, "it is not an SQLite database"),
    ]

    @Test("What cannot be done is said in one line", arguments: slips)
    func slip(arguments: [String], status: Int32, message: String) throws {
        let outcome = try workshop.run(arguments)
        #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: workshop.file("p.mbtiles").path))
    }

    @Test("martin's rules accept a patch, and lead to the new tileset", .needs("python3"))
    func martin() throws {
        try succeed("diff", "old.mbtiles", "new.mbtiles", "-o", "patch.mbtiles")
        let script = SharedData.packageRoot.appending(path: "Tests/EndToEndTests/Support/martin_rules.py")
        let outcome = try Tool.run(
            Python.path() ?? "python3",
            [script.path] + ["old", "new", "patch", "scratch"].map { workshop.file($0 + ".mbtiles").path })
        #expect(outcome.output == "same\n", "\(outcome.errors)")
    }

    @Test("A part is copied with metadata that say what is there", .needs("sqlite3"))
    func part() throws {
        try succeed("convert", "old.mbtiles", "zooms.pmtiles", "--zoom", "-16")
        try succeed("verify", "zooms.pmtiles")
        let zooms = try succeed("info", "--json", "zooms.pmtiles").output
        #expect(zooms.contains(/"maxzoom" ?: 16/), "\(zooms)")
        // One tile at zoom 18, by its own bounds.
        try succeed(
            "convert", "old.mbtiles", "one.mbtiles", "--zoom", "18", "--bounds",
            "2.0004,48.0004,2.0005,48.0005")
        try succeed("verify", "one.mbtiles")
        let rows = try Tool.run(
            "sqlite3",
            [
                workshop.file("one.mbtiles").path,
                "SELECT count(*) FROM tiles; SELECT value FROM metadata WHERE name IN ('minzoom', 'tileCount')",
            ])
        #expect(rows.output == "1\n18\n1\n")
        let upside = try workshop.run(["convert", "old.mbtiles", "none.mbtiles", "--bounds", "5,6,6,5"])
        #expect(upside.status == 64 && upside.errors.contains("the south of --bounds is north of its north"))
        let nothing = try workshop.run(["convert", "old.mbtiles", "none.mbtiles", "--bounds", "5,5,6,6"])
        #expect(nothing.status == 65 && nothing.errors.contains("it holds no tiles there"))
        // A build does not take the part for its own work.
        try workshop.build(["--zoom", "15-18"], to: "one.mbtiles")
        let rest = try succeed("diff", "one.mbtiles", "old.mbtiles", "-o", "rest.mbtiles")
        #expect(rest.errors.hasPrefix("0 tiles added, 0 changed, 0 removed, "))
    }
}

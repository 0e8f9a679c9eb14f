import Foundation
import TestSupport
import Testing

/// Names of files that no person would choose.
struct HostileNameTests {
    /// Runs the program with names that only a shell can say.
    private func shell(_ script: String, in workshop: Workshop) throws -> Tool.Outcome {
        try Tool.run("/bin/bash", ["-c", script, Program.path], in: workshop.url)
    }

    @Test(
        "A name that is not UTF-8 is refused, and not confused with another one",
        arguments: [
            "$'caf\\xe9.png' -o out", "$'\\x01\\xe9.png' -o out", "plan.png -o $'caf\\xe9'",
            "plan.png -o out --floor $'\\xff'",
            "plan.png -o out --tmpdir $'\\xc3'",
            "plan.png -o out --template $'{z}/{x}/{y}\\xe9.png'",
        ])
    func notUTF8(arguments: String) throws {
        let workshop = try Workshop()
        _ = try shell("cp plan.png $'caf\\xe9.png'", in: workshop)
        let outcome = try shell("$0 \(arguments) --bounds \(Workshop.bounds)", in: workshop)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: cannot read the argument '"))
        #expect(outcome.errors.contains("\\x"), "\(outcome.errors)")
        #expect(!workshop.has("out"))
    }

    @Test("A list that is not UTF-8 is refused")
    func list() throws {
        let workshop = try Workshop()
        _ = try shell("printf 'caf\\xe9.png\\n' > list", in: workshop)
        let outcome = try workshop.run(["@list", "-o", "out"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("UTF-8"))
    }

    @Test("A folder whose name is not UTF-8 does not matter if names below it are")
    func folder() throws {
        let workshop = try Workshop()
        let outcome = try shell(
            """
            mkdir $'d\\xe9' && cp plan.png $'d\\xe9/' && cd $'d\\xe9' && \
            $0 plan.png --bounds \(Workshop.bounds) -o out --changes c --depfile d && \
            $0 plan.png --bounds \(Workshop.bounds) -o a.pmtiles --tmpdir . && \
            $0 plan.png --bounds \(Workshop.bounds) -o a.mbtiles && \
            $0 verify out && $0 verify a.pmtiles && $0 verify a.mbtiles && \
            $0 convert out b.pmtiles && $0 viewer out && test -s c && test -s d
            """, in: workshop)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("Files of others with such names stay where they are")
    func foreignFiles() throws {
        let workshop = try Workshop()
        try workshop.build()
        let outcome = try shell(
            """
            touch $'out/f\\xff' $'out/17/\\xe9.png' && \
            $0 plan.png --bounds \(Workshop.bounds) -o out --zoom 16 && \
            test -e $'out/f\\xff' && test -e $'out/17/\\xe9.png'
            """, in: workshop)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let verified = try workshop.run(["verify", "out"])
        #expect(verified.status == 1)
        #expect(verified.output.split(separator: "\n").count == 2, "\(verified.output)")
    }

    @Test(
        "Line feeds, blanks, quotes and escapes in names do no harm",
        arguments: [
            "a\nb.png", "-o.png", " .png", "\u{1b}[31m.png", "it's.png", "$(id).png", "*.png",
            "\u{202e}gnp.png", "ä\u{308}.png", "a\\b.png", "%s%n.png",
        ].some(3))
    func names(name: String) throws {
        let workshop = try Workshop()
        try workshop.plan.write(to: workshop.path(name))
        let output = name + ".d"
        let source = name.hasPrefix("-") ? "./" + name : name
        let outcome = try workshop.run([
            source, "--bounds", Workshop.bounds, "-o", "./" + output, "--name", name,
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try workshop.run(["verify", "./" + output]).status == 0)
        // What is said of it is one line, and nothing in it commands a terminal.
        try workshop.write([0], to: name)
        let damaged = try workshop.run([source, "--bounds", Workshop.bounds, "-o", "./" + output])
        let lines = damaged.errors.split(separator: "\n")
        #expect(damaged.status == 65 && lines[0].hasPrefix("error: cannot read '"))
        #expect(lines.count <= 2 && !damaged.errors.contains("\u{1b}"))
    }

    @Test(
        "Nothing is written outside the output",
        arguments: [
            "../{z}/{x}/{y}.png", "/{z}/{x}/{y}.png", "{z}/../{x}/{y}.png", "{z}/{x}/{y}/..",
            "./{z}/{x}/{y}.png", "{z}//{x}/{y}.png", ".tilewright/{z}/{x}/{y}.png",
        ])
    func templates(template: String) throws {
        let workshop = try Workshop()
        let before = try Snapshot(of: workshop.url)
        let outcome = try workshop.run(
            ["plan.png", "--bounds", Workshop.bounds, "-o", "out", "--template", template])
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(try Snapshot(of: workshop.url) == before)
    }

    @Test("Links inside the output are not followed")
    func links() throws {
        let workshop = try Workshop()
        let tree = try workshop.build()
        let manager = FileManager.default
        try manager.createDirectory(
            at: workshop.file("victim"), withIntermediateDirectories: false)
        let zooms = try manager.contentsOfDirectory(atPath: tree.path).filter { Int($0) != nil }
        let zoom = try #require(zooms.max())
        try manager.removeItem(at: tree.appending(path: zoom))
        try manager.createSymbolicLink(
            at: tree.appending(path: zoom), withDestinationURL: workshop.file("victim"))
        let outcome = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(outcome.status == 73, "\(outcome.errors)")
        #expect(try manager.contentsOfDirectory(atPath: workshop.path("victim")).isEmpty)
    }
}

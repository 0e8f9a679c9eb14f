import Foundation
import TestSupport
import Testing

/// What a second run does with an archive that the first one left.
struct RepeatedArchiveTests {
    private static let endings = ["pmtiles", "mbtiles"]
    private static let zooms = ["--zoom", "16-18"]

    @Test("A second run with nothing changed writes nothing", arguments: endings)
    func nothingIsWrittenTwice(ending: String) throws {
        let workshop = try Workshop()
        let options = Self.zooms + ["--changes", "changes.txt", "--progress", "bar"]
        try workshop.build(options, to: "plan.\(ending)")
        let before = try FileIdentities(of: workshop.url)
        let outcome = try workshop.run(arguments(ending) + options)
        #expect(outcome.errors.hasPrefix("0 tiles written, "), "and no progress")
        #expect(outcome.errors.contains(" unchanged, 0 removed, "))
        #expect(
            try FileIdentities(of: workshop.url).changes(since: before) == ["changes.txt"])
        #expect(try lines(workshop).isEmpty)
    }

    /// The bytes of PMTiles; the tables of MBTiles, whose pages depend on what was there before.
    private static func content(_ archive: URL) throws -> Data {
        if archive.pathExtension == "pmtiles" { return try Data(contentsOf: archive) }
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            print(database.execute("SELECT * FROM metadata").fetchall())
            print(database.execute("SELECT * FROM tiles ORDER BY 1, 2, 3").fetchall())
            """
        let outcome = try Python.run(script, [archive.path])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return Data(outcome.output.utf8)
    }

    private func arguments(_ ending: String) -> [String] {
        ["plan.png", "--bounds", Workshop.bounds, "-o", "plan.\(ending)"]
    }

    private func lines(_ workshop: Workshop) throws -> Set<Substring> {
        let text = try String(contentsOf: workshop.file("changes.txt"), encoding: .utf8)
        return Set(text.split(separator: "\n"))
    }

    @Test("Other labels are written without reading the image's pixels", arguments: endings)
    func otherLabels(ending: String) throws {
        let workshop = try Workshop()
        try workshop.build(Self.zooms, to: "plan.\(ending)")
        let labels = ["--name", "Straße", "--attribution", "us"]
        let options = Self.zooms + labels + ["--changes", "changes.txt", "--progress", "bar"]
        let outcome = try workshop.run(arguments(ending) + options)
        #expect(outcome.status == 0 && outcome.errors.hasPrefix("0 tiles written, "))
        #expect(try lines(workshop).isEmpty)
        let fresh = try workshop.build(Self.zooms + labels, to: "fresh.\(ending)")
        #expect(try Self.content(fresh) == Self.content(workshop.file("plan.\(ending)")))
    }

    @Test("Corrupted tiles are not reused: they are rendered again", arguments: endings)
    func rottenTile(ending: String) throws {
        let workshop = try Workshop()
        let archive = try workshop.build(Self.zooms, to: "plan.\(ending)")
        var bytes = try Data(contentsOf: archive)
        for place in stride(from: bytes.count / 2, to: bytes.count * 3 / 4, by: 100) {
            bytes[place] ^= 1
        }
        try bytes.write(to: archive)
        let options = Self.zooms + ["--name", "another", "--changes", "changes.txt"]
        try workshop.build(options, to: "plan.\(ending)")
        // Changed, or all of them added if the database cannot be read to its end.
        #expect(try !lines(workshop).isEmpty)
        let fresh = try workshop.build(Self.zooms + ["--name", "another"], to: "fresh.\(ending)")
        #expect(try Data(contentsOf: archive) == Data(contentsOf: fresh))
    }

    @Test("The list of changes names the tiles that differ, as z/x/y", arguments: endings.some(1))
    func changes(ending: String) throws {
        var plan = Picture.plan(width: 300, height: 200)
        let workshop = try Workshop(plan)
        let options = Self.zooms + ["--changes", "changes.txt"]
        let first = try tiles(workshop, "first")
        try workshop.build(options, to: "plan.\(ending)")
        #expect(try lines(workshop) == Set(first.keys.map { "added \($0)" }))

        plan.fill(20..<30, 20..<30, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))
        let second = try tiles(workshop, "second")
        let differing = second.filter { first[$0.key] != $0.value }.keys
        #expect(!differing.isEmpty && differing.count < first.count)
        let outcome = try workshop.run(arguments(ending) + options)
        #expect(outcome.errors.hasPrefix("\(differing.count) tiles written, "))
        #expect(try lines(workshop) == Set(differing.map { "changed \($0)" }))

        // Nothing is removed or added from what cannot be read.
        let archive = workshop.file("plan.\(ending)")
        let (bytes, content) = (try Data(contentsOf: archive), try Self.content(archive))
        try bytes.prefix(bytes.count * 3 / 4).write(to: archive)
        try workshop.build(options, to: "plan.\(ending)")
        #expect(try Self.content(archive) == content)
        #expect(try lines(workshop).allSatisfy { !$0.hasPrefix("removed") })

        try workshop.build(["--zoom", "16-17", "--changes", "changes.txt"], to: "plan.\(ending)")
        let gone = second.keys.filter { $0.hasPrefix("18/") }
        let removed = try lines(workshop).filter { $0.hasPrefix("removed") }
        #expect(removed == Set(gone.map { "removed \($0)" }))
    }

    @Test("When the list is read from a pipe, the archive is already in its place", arguments: endings)
    func pipe(ending: String) throws {
        let workshop = try Workshop()
        let script = """
            "$0" plan.png --bounds 2,48,2.003,48.002 -o plan.\(ending) --changes /dev/stdout |
                { read -r line; test -e plan.\(ending) && echo "there: $line"; cat >/dev/null; }
            """
        let outcome = try Tool.run("/bin/sh", ["-c", script, Program.path], in: workshop.url)
        #expect(outcome.output.hasPrefix("there: added 1"), "\(outcome.errors)")
    }

    /// The tiles of the plan as it is, by `z/x/y`.
    private func tiles(_ workshop: Workshop, _ folder: String) throws -> [String: Data] {
        let tiles = try Snapshot(of: workshop.build(Self.zooms, to: folder)).tiles
        return Dictionary(
            uniqueKeysWithValues: tiles.map { (String($0.key.dropLast(4)), $0.value) })
    }

    @Test("An image that was saved again with the same pixels changes nothing", arguments: endings)
    func sameTiles(ending: String) throws {
        let workshop = try Workshop()
        try workshop.build(Self.zooms, to: "plan.\(ending)")
        let before = try FileIdentities(of: workshop.url)
        let image = try Data(contentsOf: workshop.file("plan.png"))
        try (image + Data([0])).write(to: workshop.file("plan.png"))
        let outcome = try workshop.run(arguments(ending) + Self.zooms)
        #expect(outcome.status == 0 && outcome.errors.hasPrefix("0 tiles written, "))
        let archive = "plan.\(ending)"
        let after = try FileIdentities(of: workshop.url)
        #expect(after.identities[archive]?.modified == before.identities[archive]?.modified)
        let fresh = try workshop.build(Self.zooms, to: "fresh.\(ending)")
        #expect(try Self.content(workshop.file(archive)) == Self.content(fresh))
    }

    @Test(
        "A copy knows what made its tiles, and a build into it has nothing to do",
        arguments: endings)
    func buildIntoCopy(ending: String) throws {
        let workshop = try Workshop()
        try workshop.build(Self.zooms)
        let other = ending == "pmtiles" ? "mbtiles" : "pmtiles"
        try Program.succeed(["convert", "out", "plan.\(other)"], in: workshop.url)
        try Program.succeed(
            ["convert", "plan.\(other)", "plan.\(ending)"], in: workshop.url)
        let before = try FileIdentities(of: workshop.url)
        try workshop.build(Self.zooms, to: "plan.\(ending)")
        // A second copy is the same, too.
        let outcome = try workshop.run(["convert", "out", "plan.\(ending)"])
        #expect(outcome.errors.hasPrefix("0 tiles written, "))
        #expect(try FileIdentities(of: workshop.url).changes(since: before).isEmpty)
    }
}

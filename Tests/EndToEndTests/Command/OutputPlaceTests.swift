import Foundation
import TestSupport
import Testing

/// Where outputs and lists may go, and where not.
struct OutputPlaceTests {
    @Test(
        "A list never overwrites an input, and is never written into the output or an impossible place",
        arguments: [
            (["--changes", "plan.png"], 64), (["--depfile", "plan.pgw"], 64),
            (["--changes", "./plan.prj"], 64), (["--changes", "out/tilejson.json"], 64),
            (["--depfile", "out"], 64), (["--changes", "a", "--depfile", "a"], 64),
            (["--changes", "folder"], 73), (["--depfile", "none/a"], 73), (["--changes", ""], 73),
        ] as [([String], Int32)])
    func lists(options: [String], status: Int32) throws {
        let workshop = try Workshop()
        try workshop.write("0.00001\n0\n0\n-0.00001\n2\n48\n".utf8, to: "plan.pgw")
        try workshop.write("EPSG:4326".utf8, to: "plan.prj")
        try FileManager.default.createDirectory(
            at: workshop.file("folder"), withIntermediateDirectories: false)
        let before = try Snapshot(of: workshop.url).contents
        let outcome = try workshop.run(
            ["plan.png", "--bounds", Workshop.bounds, "-o", "out"] + options)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(!outcome.errors.contains("rawValue"))
        #expect(try Snapshot(of: workshop.url).contents == before)
    }

    @Test(
        "If the folder is moved away during the run, the run fails",
        arguments: ["out/in", "out/a.pmtiles"].some(1))
    func movedOutput(output: String) throws {
        let workshop = try Workshop()
        let script = """
            mkdir out; $0 plan.png --bounds \(Workshop.bounds) --zoom 17-21 -o \(output) \
                --tmpdir . & P=$!
            until [ -e out/a.pmtiles.tilewright-partial -o -e out/in/.tilewright/tileset/staging ]
            do kill -0 $P || break; done
            kill -STOP $P; mv out moved; kill -CONT $P; wait $P
            """
        let outcome = try Tool.run("/bin/bash", ["-c", script, Program.path], in: workshop.url)
        #expect(outcome.status == 74, "\(outcome)")
        #expect(outcome.errors.contains("moved or replaced"), "\(outcome.errors)")
    }

    @Test("Files beside an archive that are not ours are left alone, or say why nothing is written")
    func neighboursOfArchives() throws {
        let workshop = try Workshop()
        for ending in ["pmtiles", "mbtiles"] {
            try workshop.write("mine".utf8, to: "a.\(ending).partial")
            try workshop.build(["--changes", "list"], to: "a.\(ending)")
            #expect(try workshop.run(["verify", "a.\(ending)"]).status == 0)
            #expect(try Data(contentsOf: workshop.file("a.\(ending).partial")) == Data("mine".utf8))
        }
        try workshop.write("left".utf8, to: "a.mbtiles-wal")
        let outcome = try workshop.run([
            "plan.png", "--bounds", Workshop.bounds, "-o", "a.mbtiles",
        ])
        #expect(outcome.status == 73 && outcome.errors.contains("has not finished"))
    }

    @Test("An image is never replaced by its tiles")
    func sourceAsOutput() throws {
        let workshop = try Workshop()
        try FileManager.default.copyItem(
            at: workshop.file("plan.png"), to: workshop.file("plan.mbtiles"))
        let outcome = try workshop.run([
            "plan.mbtiles", "--bounds", Workshop.bounds, "-o", "plan.mbtiles", "--force",
        ])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("the image itself"))
    }

    @Test("A link to an archive stays, and what it leads to is replaced")
    func linkedArchive() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.file("real"), withIntermediateDirectories: false)
        for ending in ["mbtiles", "pmtiles"] {
            try workshop.build(to: "real/a.\(ending)")
            try FileManager.default.createSymbolicLink(
                atPath: workshop.path("l.\(ending)"), withDestinationPath: "real/a.\(ending)")
            try workshop.build(["--zoom", "16"], to: "l.\(ending)")
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: workshop.path("l.\(ending)"))
            #expect(target == "real/a.\(ending)")
            try workshop.build(["--zoom", "16"], to: "fresh.\(ending)")
            let names = ["real/a.\(ending)", "fresh.\(ending)"]
            let outcome = try Program.succeed(["diff"] + names + ["-o", "p.mbtiles"], in: workshop.url)
            #expect(outcome.errors.hasPrefix("0 tiles added, 0 changed, 0 removed, "))
        }
    }

    @Test(
        "An invalid address is refused",
        arguments: [
            "e.org/tiles", "https://e.org/a b", "https://e.org/t?key=1", "https://e.org/t#top",
        ].some(2))
    func addresses(url: String) throws {
        let workshop = try Workshop()
        let built = try workshop.run(
            ["plan.png", "--bounds", Workshop.bounds, "-o", "out", "--url", url])
        #expect(built.status == 64)
        try workshop.build()
        let snippet = try workshop.run(["snippet", "out", "--for", "leaflet", "--url", url])
        #expect(snippet.status == 64)
        let template = try workshop.run([
            "snippet", "out", "--for", "leaflet", "--url", "https://e.org/{z}/{x}.png",
        ])
        #expect(template.status == 64)
    }

    @Test("The only floor of a folder need not be named, and a folder of no floor has none")
    func onlyFloor() throws {
        let workshop = try Workshop()
        try workshop.build(["--floor", "1"])
        for command in [["snippet", "out", "--for", "maplibre"], ["convert", "out", "a.pmtiles"]] {
            #expect(try workshop.run(command).status == 0)
        }
        try workshop.build(to: "none")
        let outcome = try workshop.run(["snippet", "none", "--for", "leaflet", "--floor", "3"])
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("it has no floor '3'"))
    }

    @Test("Code for a folder without a TileJSON has the address of its tiles")
    func foreignFolder() throws {
        let workshop = try Workshop()
        let tree = try workshop.build()
        for name in ["tilejson.json", "metadata.json", ".tilewright"] {
            try FileManager.default.removeItem(at: tree.appending(path: name))
        }
        let outcome = try workshop.run([
            "snippet", "out", "--for", "leaflet", "--url", "https://e.org/t",
        ])
        #expect(outcome.output.contains("https://e.org/t/{z}/{x}/{y}.png"))
    }

    @Test("Documents with fewer members than the others are a fault")
    func emptyMetadata() throws {
        let workshop = try Workshop()
        try workshop.build()
        try workshop.write("{}".utf8, to: "out/metadata.json")
        let outcome = try workshop.run(["verify", "out"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("metadata.json: does not contain the bounds"))
    }
}

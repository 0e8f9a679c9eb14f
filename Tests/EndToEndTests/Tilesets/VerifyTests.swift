import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What `verify` says of good tilesets, and of bad ones.
struct VerifyTests {
    private static let zooms = ["--zoom", "15-18"]
    /// No tile of it is like another, and none is transparent: there are 19.
    private static let noise = Picture.noise(width: 300, height: 200)

    /// Plants each fault into a copy of a good tileset.
    private func check(
        _ faults: [PlantedFault], in good: String, of workshop: Workshop,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try workshop.run(["verify", good])
        #expect(before.status == 0, "\(before.output)\(before.errors)")
        #expect(before.output.isEmpty)
        #expect(before.errors.hasPrefix("19 tiles, ") && before.errors.contains("no faults"))
        let bad = "bad.\(good)"
        for fault in faults {
            try FileManager.default.copyItem(at: workshop.file(good), to: workshop.file(bad))
            defer { try? FileManager.default.removeItem(at: workshop.file(bad)) }
            try fault.plant(PlantedFault.Tileset(url: workshop.file(bad)))
            let outcome = try workshop.run(["verify", bad])
            #expect(outcome.status == 1, "\(fault.name)", sourceLocation: sourceLocation)
            #expect(
                outcome.output.split(separator: "\n").contains { $0.contains(fault.line) },
                "\(fault.name): \(outcome.output)\(outcome.errors)", sourceLocation: sourceLocation)
            #expect(
                outcome.errors.hasPrefix("error: '\(bad)' has "), sourceLocation: sourceLocation)
        }
    }

    @Test("Each fault of a folder is found, and nothing in a good one", .long)
    func folders() throws {
        let workshop = try Workshop(Self.noise)
        try workshop.build(Self.zooms)
        try check(PlantedFault.ofFolders, in: "out", of: workshop)
    }

    @Test("Relative addresses are said by the build, and found")
    func addresses() throws {
        let workshop = try Workshop(Self.noise)
        let build = ["plan.png", "--bounds", Workshop.bounds, "--zoom", "15-16", "-o"]
        for (output, options, isRelative) in [
            ("out", [], true), ("out", ["--url", "https://a.example/t"], false), ("out.pmtiles", [], false),
        ] {
            let built = try workshop.run(build + [output] + options)
            #expect(
                built.status == 0
                    && built.errors.contains("warning: the addresses in TileJSON are relative") == isRelative)
            let verified = try workshop.run(["verify", output])
            #expect(verified.status == 0 && verified.errors.contains("no faults"))
            #expect(verified.errors.contains("warning: tilejson.json: has relative addresses") == isRelative)
            #expect(try workshop.run(["verify", output, "--quiet"]).errors.isEmpty)
        }
    }

    @Test("Each fault of a folder that was copied without the program's own files is found", .long)
    func copies() throws {
        let workshop = try Workshop(Self.noise)
        let tree = try workshop.build(Self.zooms)
        try FileManager.default.removeItem(at: tree.appending(path: ".tilewright"))
        try check(PlantedFault.ofCopies, in: "out", of: workshop)
    }

    @Test("Each fault of MBTiles is found", .long, .needs("sqlite3"))
    func databases() throws {
        let workshop = try Workshop(Self.noise)
        try workshop.build(Self.zooms, to: "out.mbtiles")
        try check(PlantedFault.ofMBTiles, in: "out.mbtiles", of: workshop)
    }

    @Test("Each fault of PMTiles is found", .long, .needs("python3"))
    func archives() throws {
        let workshop = try Workshop(Self.noise)
        try workshop.build(Self.zooms, to: "out.pmtiles")
        try check(PlantedFault.ofPMTiles + [PlantedFault.shuffledDirectory], in: "out.pmtiles", of: workshop)
    }

    /// Options of a tileset that is good, however odd it is.
    struct Good: CustomTestStringConvertible {
        var testDescription: String
        var options: [String]
        var bounds = Workshop.bounds
        var archives: [String] = []
    }

    static let good = [
        Good(
            testDescription: "512 pixels, WebP",
            options: ["--tile-size", "512", "--format", "webp"],
            archives: ["pmtiles"]),
        Good(testDescription: "JPEG", options: ["--format", "jpeg"]),
        Good(
            testDescription: "JPEG and PNG", options: ["--format", "auto"], archives: ["mbtiles"]),
        Good(
            testDescription: "quadkeys from the south",
            options: ["--scheme", "tms", "--template", "q/{quadkey}.{ext}"]),
        Good(
            testDescription: "another order of names",
            options: ["--template", "{floor}_{x}_{-y}_{z}.{ext}", "--floor", "-1"]),
        Good(
            testDescription: "across the antimeridian", options: [],
            bounds: "179.9995,48,-179.9975,48.002", archives: ["mbtiles", "pmtiles"]),
        Good(
            testDescription: "mostly transparent, nearest",
            options: ["--nodata", "255,255,255", "--resampling", "nearest"],
            archives: ["mbtiles"]),
        Good(testDescription: "a window of the sheet", options: ["--crop", "150,100,20,20"]),
        Good(testDescription: "empty tiles too", options: ["--empty", "write"]),
    ]

    @Test("A good tileset has no faults in any container", arguments: good.some(1))
    func nothingIsWrong(test: Good) throws {
        let workshop = try Workshop(.plan(width: 300, height: 200, hasPaper: true))
        let outputs = ["out"] + test.archives.map { "out.\($0)" }
        for output in outputs {
            try Program.succeed(
                ["plan.png", "--bounds", test.bounds, "-o", output] + test.options + Self.zooms,
                in: workshop.url)
            let outcome = try workshop.run(["verify", output])
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(output): \(outcome.output)")
        }
        // A copy without the list of files.
        try FileManager.default.removeItem(at: workshop.file("out/.tilewright"))
        let outcome = try workshop.run(["verify", "out"])
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.output)")
    }

    @Test("Floors that share a folder are checked together or one by one", .long)
    func floors() throws {
        let workshop = try Workshop(Self.noise)
        for floor in ["-1", "2"] {
            try workshop.build(
                ["--template", "L{floor}_{z}_{x}_{y}.{ext}", "--floor", floor] + Self.zooms)
        }
        let both = try workshop.run(["verify", "out"])
        #expect(both.status == 0 && both.errors.hasPrefix("38 tiles, "), "\(both.output)")
        let tile = try #require(
            Snapshot(of: workshop.file("out")).tiles.keys.filter { $0.hasPrefix("L2_18") }.min())
        try FileManager.default.removeItem(at: workshop.file("out/\(tile)"))
        let bad = try workshop.run(["verify", "out"])
        #expect(bad.status == 1 && bad.output == "tile \(tile): is missing\n")
        #expect(try workshop.run(["verify", "out", "--floor", "-1"]).status == 0)
        #expect(try workshop.run(["verify", "out", "--floor", "3"]).status == 66)
        // A floor is not forgotten with its TileJSON.
        try FileManager.default.removeItem(at: workshop.file("out/tilejson--1.json"))
        let output = try workshop.run(["verify", "out"]).output
        #expect(output.contains("tilejson--1.json: is missing\n"))
    }

    @Test("Many faults are counted, and the first of them printed", .long)
    func manyFaults() throws {
        let workshop = try Workshop()
        let tree = try workshop.build()
        for index in 0..<130 {
            try workshop.write([1], to: "out/foreign-\(index)")
        }
        let outcome = try workshop.run(["verify", tree.path])
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.status == 1 && lines.count == 101 && lines.last == "and 30 more")
        #expect(outcome.errors.contains("has 130 faults"))
    }

    @Test("Pages that the program made belong to a folder, others do not")
    func pages() throws {
        let workshop = try Workshop()
        try workshop.build()
        let ours = "<!doctype html>\n<meta name=\"generator\" content=\"tilewright 0.1.0\">"
        try workshop.write(ours.utf8, to: "out/index.html")
        #expect(try workshop.run(["verify", "out"]).status == 0)
        try workshop.write("<!doctype html>".utf8, to: "out/index.html")
        #expect(try workshop.run(["verify", "out"]).status == 1)
    }

    @Test("A folder that is being written is not checked")
    func busy() throws {
        let workshop = try Workshop()
        let tree = try workshop.build()
        let lock = open(tree.appending(path: ".tilewright/tileset/lock").path, O_RDWR)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let outcome = try workshop.run(["verify", "out"])
        #expect(outcome.status == 75)
        #expect(outcome.errors.hasPrefix("error: another run is writing the tiles in 'out'\n"))
    }

    @Test("A file that is not a tileset is an error, not a fault")
    func noTileset() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.file("empty"), withIntermediateDirectories: false)
        try workshop.write("{".utf8, to: "empty/tilejson.json")
        try workshop.write([1, 2, 3], to: "short.pmtiles")
        try workshop.write([1, 2, 3], to: "short.mbtiles")
        let statuses: KeyValuePairs = [
            "absent": 66, "absent.pmtiles": 66, "absent.mbtiles": 66, "plan.png": 66, "empty": 65,
            "short.pmtiles": 65, "short.mbtiles": 65,
        ]
        for (name, status) in statuses {
            let outcome = try workshop.run(["verify", name])
            #expect(outcome.status == status, "\(name): \(outcome.errors)")
            #expect(outcome.output.isEmpty && outcome.errors.hasPrefix("error: "))
        }
    }
}

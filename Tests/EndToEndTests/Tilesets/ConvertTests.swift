import Foundation
import TestSupport
import Testing

/// A tileset that goes from one container into another.
struct ConvertTests {
    private static let zooms = ["--zoom", "15-18"]

    /// A tileset, and how a folder of it is named.
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var options: [String] = []
        var bounds = Workshop.bounds
        /// What else is needed to make the same folder again.
        var naming: [String] = []
        var containers = ["a.mbtiles", "a.pmtiles"]
    }

    static let cases = [
        Case(testDescription: "as it is built by default"),
        Case(
            testDescription: "with a name, WebP of 512 pixels, a floor, rows from the south",
            options: [
                "--name", "Straße \"7\"", "--attribution", "© <b>us</b>", "--description", "x",
                "--tile-size", "512", "--format", "webp",
            ],
            naming: [
                "--scheme", "tms", "--template", "{floor}/{z}_{x}_{y}.{ext}", "--url",
                "https://example.org/t",
            ]),
        Case(
            testDescription: "across the antimeridian", bounds: "179.9995,48,-179.9975,48.002"),
        Case(
            testDescription: "JPEG and PNG", options: ["--format", "auto"],
            containers: ["a.mbtiles"]),
    ]

    @Test("There and back gives the same tiles and documents, byte for byte", arguments: cases.some(1))
    func thereAndBack(test: Case) throws {
        let workshop = try Workshop()
        let floor = test.naming.isEmpty ? [] : ["--floor", "2"]
        try Program.succeed(
            ["plan.png", "--bounds", test.bounds, "-o", "out"] + test.options + test.naming + floor
                + Self.zooms, in: workshop.url)
        var last = "out"
        for (index, next) in (test.containers + ["back"]).enumerated() {
            let options = (index == 0 ? floor : []) + (next == "back" ? test.naming : [])
            let outcome = try Program.succeed(["convert", last, next] + options, in: workshop.url)
            #expect(outcome.errors.contains(" tiles written, ") && outcome.output.isEmpty)
            try Program.succeed(["verify", next], in: workshop.url)
            last = next
        }
        let (before, after) = (
            try Snapshot(of: workshop.file("out")), try Snapshot(of: workshop.file("back"))
        )
        #expect(before.tiles.count > 9 && before.tiles == after.tiles)
        #expect(before.sideFiles == after.sideFiles)
    }

    @Test("An archive that was converted is the one that is built")
    func archivesAreTheSame() throws {
        let workshop = try Workshop()
        try workshop.build(Self.zooms)
        try workshop.build(Self.zooms, to: "built.pmtiles")
        try Program.succeed(["convert", "out", "converted.pmtiles"], in: workshop.url)
        let (built, converted) = ("built.pmtiles", "converted.pmtiles")
        #expect(
            try Data(contentsOf: workshop.file(built))
                == Data(contentsOf: workshop.file(converted)))
    }

    @Test("A second run writes nothing, and completes a killed run")
    func repeatedRuns() throws {
        let workshop = try Workshop()
        try workshop.build(Self.zooms, to: "a.mbtiles")
        let arguments = ["convert", "a.mbtiles", "out"]
        try Program.succeed(arguments, in: workshop.url)
        let before = try FileIdentities(of: workshop.file("out"))
        let again = try workshop.run(arguments)
        #expect(again.errors.hasPrefix("0 tiles written, 16 unchanged, "))
        #expect(try FileIdentities(of: workshop.file("out")) == before)
        // Another tileset in its place.
        try workshop.build(["--zoom", "16-17"], to: "a.mbtiles")
        let other = try workshop.run(arguments)
        #expect(other.status == 0 && other.errors.contains(" removed"))
        #expect(try workshop.run(["verify", "out"]).status == 0)
    }

    @Test("A stopped copy to a folder is continued", .long)
    func stoppedRunIsResumed() throws {
        let workshop = try Workshop()
        try workshop.build(["--zoom", "18-21", "--png-level", "fast"], to: "a.mbtiles")
        let arguments = ["convert", workshop.path("a.mbtiles"), workshop.path("out")]
        let program = try RunningProgram(arguments)
        let staging = workshop.file("out/.tilewright/tileset/staging/20")
        let isStaging = program.wait { FileManager.default.fileExists(atPath: staging.path) }
        let end = program.end(with: SIGINT)
        try #require(isStaging)
        #expect(end == 130)
        #expect(!workshop.has("out/tilejson.json"))
        try Program.succeed(arguments)
        try Program.succeed(["verify", workshop.path("out")])
    }

    @Test("A damaged tileset is not copied, and nothing is left of the attempt")
    func damagedInput() throws {
        let workshop = try Workshop()
        let tree = try workshop.build(Self.zooms)
        let tiles = try PlantedFault.Tileset(url: tree).tiles(18)
        try Data([1, 2, 3]).write(to: tiles[5])
        for output in ["copy", "a.mbtiles", "a.pmtiles"] {
            let outcome = try workshop.run(["convert", "out", output])
            #expect(outcome.status == 65)
            #expect(outcome.errors.hasPrefix("error: cannot copy the tiles of 'out': its tiles differ"))
            #expect(!workshop.has(output) && !workshop.has(output + ".tilewright-partial"))
        }
    }

    @Test("Options that do not apply are an error")
    func usage() throws {
        let workshop = try Workshop()
        try workshop.build(["--format", "auto"])
        try workshop.build(to: "a.mbtiles")
        try workshop.build(to: "a.pmtiles")
        let wrong: [[String]] = [
            ["out", "./out"], ["out", "b.pmtiles"],
            ["out", "b.mbtiles", "--template", "{quadkey}"],
            ["out", "b.mbtiles", "--scheme", "tms"], ["out", "b.mbtiles", "--url", "https://a/"],
            ["out", "b.mbtiles", "--in-scheme", "tms"], ["a.pmtiles", "b", "--in-scheme", "xyz"],
            ["a.mbtiles", "b", "--floor", "2"],
        ]
        for arguments in wrong {
            let outcome = try workshop.run(["convert"] + arguments)
            #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
            #expect(!workshop.has("b") && !workshop.has("b.mbtiles") && !workshop.has("b.pmtiles"))
        }
    }

    @Test("Empty folders, vector tiles and foreign outputs are refused")
    func refusals() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.file("in/3/4"), withIntermediateDirectories: true)
        #expect(try workshop.run(["convert", "in", "out"]).status == 65)
        try workshop.write([0x1F, 0x8B, 1, 2], to: "in/3/4/5.pbf")
        let vector = try workshop.run(["convert", "in", "out"])
        #expect(vector.status == 65 && vector.errors.contains("its tiles are pbf"))
        // A picture of another type than its name says is known by its bytes; this is none.
        try FileManager.default.moveItem(
            at: workshop.file("in/3/4/5.pbf"), to: workshop.file("in/3/4/5.png"))
        #expect(try workshop.run(["convert", "in", "out"]).errors.contains("is not a PNG, JPEG or"))
        try workshop.write([7], to: "theirs.mbtiles")
        try workshop.build()
        #expect(try workshop.run(["convert", "out", "theirs.mbtiles"]).status == 73)
        try Program.succeed(["convert", "out", "theirs.mbtiles", "--force"], in: workshop.url)
    }
}

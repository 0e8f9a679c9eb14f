import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `build` with the manifest of a building.
struct BuildingCommandTests {
    private let site: Workshop

    /// Floors of the workshop's plan in three colours, and a manifest of them.
    init() throws {
        site = try Workshop()
        try site.drawFloors()
        try write(Self.manifest)
    }

    private static let manifest = Workshop.house(zoom: "15-18")

    private func write(_ manifest: String) throws { try site.write(manifest.utf8, to: "house.yaml") }

    /// The files of a folder without the program's own state and the index.
    private func files(_ folder: String) throws -> [String: Data] {
        try Snapshot(of: site.file(folder)).contents.filter {
            !$0.key.hasPrefix(".tilewright") && $0.key != "building.json"
        }
    }

    private func buildSingly(to output: String) throws {
        for (floor, label) in [("B1", "Basement"), ("0", "Ground floor"), ("1", "First floor")] {
            try site.build(
                [
                    "--zoom", "15-18", "--floor", floor, "--template", "L{floor}_{z}_{x}_{y}.{ext}", "--name",
                    "House, \(label)",
                ], of: "\(floor.lowercased()).png", to: output)
        }
    }

    @Test("The floors have the files of single runs, and the closing line says what was done")
    func sameFiles() throws {
        try buildSingly(to: "single")
        let outcome = try Program.succeed(["house.yaml"], in: site.url)
        #expect(try files("tiles") == files("single"))
        #expect(
            outcome.errors.contains("\n3 floors: ") || outcome.errors.hasPrefix("3 floors: "),
            "\(outcome.errors)")
        #expect(outcome.errors.contains("floor 'B1': "))
        let again = try Program.succeed(["house.yaml"], in: site.url)
        #expect(again.errors.hasPrefix("3 floors: 0 tiles written"), "\(again.errors)")
        #expect(try Program.succeed(["build", "house.yaml", "-q"], in: site.url).errors.isEmpty)
    }

    @Test("Options that the manifest sets are refused; with an image, those for a manifest")
    func refusals() throws {
        for option in [
            ["-o", "out"], ["--zoom", "17"], ["--crop", "0,0,9,9"], ["--bounds", "1,2,3,4"],
            ["--floor", "1"],
            ["--name", "a"], ["--template", "{z}_{x}_{y}.png"], ["--max-residual", "1"],
            ["--cutline", "a.json"],
        ] {
            let outcome = try site.run(["house.yaml"] + option)
            #expect(
                outcome.status == 64 && outcome.errors.contains("cannot be combined with the manifest"),
                "\(option)")
        }
        let image = try site.run(["0.png", "--bounds", Workshop.bounds, "-o", "out", "--only", "1"])
        #expect(image.status == 64 && image.errors.contains("--only does not apply to '0.png'"))
        let several = try site.run(["house.yaml", "0.png", "-o", "out"])
        #expect(several.status == 64 && several.errors.contains("is a manifest"), "\(several.errors)")
        let floor = try site.run(["house.yaml", "--only", "7"])
        #expect(floor.status == 64 && floor.errors.contains("'B1'"), "\(floor.errors)")
        #expect(!site.has("tiles"))
    }

    @Test("Lists do not overwrite inputs or outputs of the run")
    func lists() throws {
        try Program.succeed(["house.yaml"], in: site.url)
        let before = try Snapshot(of: site.url).contents
        for (option, path) in [
            ("--changes", "0.png"), ("--depfile", "house.yaml"), ("--changes", "tiles/building.json"),
            ("--changes", "tiles/list"),
        ] {
            let outcome = try site.run(["house.yaml", option, path])
            #expect(outcome.status == 64 && outcome.errors.contains(option), "\(option) \(path)")
        }
        let outcome = try site.run(["house.yaml", "--changes", "one", "--depfile", "one"])
        #expect(outcome.status == 64 && outcome.errors.contains("cannot be one file"))
        #expect(try Snapshot(of: site.url).contents == before)
    }

    @Test("A manifest of another building does not take the place of the first one's index")
    func otherManifest() throws {
        try Program.succeed(["house.yaml"], in: site.url)
        let index = try Data(contentsOf: site.file("tiles/building.json"))
        for other in [
            Self.manifest.replacing("House", with: "Tower"),
            Self.manifest.split(separator: "\n").filter { !$0.contains("B1") }.joined(separator: "\n"),
        ] {
            try site.write(other.utf8, to: "other.yaml")
            let outcome = try site.run(["other.yaml"])
            #expect(
                outcome.status == 73 && outcome.errors.contains("was built from 'house.yaml'"),
                "\(outcome.errors)")
        }
        #expect(try Data(contentsOf: site.file("tiles/building.json")) == index)
        // A manifest that only has another name is the same building.
        try site.write(Self.manifest.utf8, to: "other.yaml")
        try Program.succeed(["other.yaml"], in: site.url)
    }

    @Test("A file that has the name of the building's folder is refused as an output")
    func fileAsOutput() throws {
        try site.write([], to: "tiles")
        let outcome = try site.run(["house.yaml"])
        #expect(
            outcome.status == 73 && outcome.errors.contains("cannot open folder 'tiles': not a directory"),
            "\(outcome.errors)")
        #expect(try Data(contentsOf: site.file("tiles")).isEmpty)
    }

    @Test("No floor has the name of the index")
    func reservedName() throws {
        try site.write(
            "output: t\nbounds: \(Workshop.bounds)\nfloors: [{floor: building.json, ordinal: 0, image: 0.png}]"
                .utf8, to: "house.yaml")
        let outcome = try site.run(["house.yaml"])
        #expect(outcome.status == 64 && !site.has("t/building.json"), "\(outcome.errors)")
    }

    @Test("--dry-run shows the floors, and writes nothing")
    func dryRun() throws {
        let outcome = try Program.succeed(["house.yaml", "--dry-run"], in: site.url)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].hasPrefix("1") && lines[1].contains("First floor") && lines[1].contains("15-18"))
        #expect(!site.has("tiles"))
    }

    @Test("A damaged plan does not stop other floors, decides the status, and is built after its repair")
    func damagedPlan() throws {
        let good = try Data(contentsOf: site.file("b1.png"))
        try site.write(good.prefix(good.count / 2), to: "b1.png")
        let outcome = try site.run(["house.yaml"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("error: floor 'B1': cannot "), "\(outcome.errors)")
        #expect(
            outcome.errors.contains("1 floor could not be built or removed: floor 'B1'"),
            "\(outcome.errors)")
        let names = try files("tiles").keys
        #expect(names.contains { $0.hasPrefix("L1_") } && names.contains { $0.hasPrefix("L0_") })
        #expect(!names.contains { $0.hasPrefix("LB1_") })
        try site.write(good, to: "b1.png")
        try Program.succeed(["house.yaml"], in: site.url)
        try buildSingly(to: "single")
        #expect(try files("tiles") == files("single"))
    }

    @Test("A run that is killed in the middle is completed by the next one", .long)
    func killed() throws {
        try write(Self.manifest.replacing("15-18", with: "18-21"))
        try Program.succeed([site.path("house.yaml")], in: site.url)
        let whole = try files("tiles")
        let index = try Data(contentsOf: site.file("tiles/building.json"))
        for attempt in 0..<4 {
            try FileManager.default.removeItem(at: site.file("tiles"))
            let program = try RunningProgram([site.path("house.yaml")])
            let staging = site.file("tiles/.tilewright/floor-1/staging")
            let isThere = program.wait { FileManager.default.fileExists(atPath: staging.path) }
            usleep(UInt32(attempt) * 60_000)
            let status = program.end(with: SIGKILL)
            #expect(!isThere || status == -SIGKILL || status == 0)
            try Program.succeed(["house.yaml"], in: site.url)
            #expect(try files("tiles") == whole)
            #expect(try Data(contentsOf: site.file("tiles/building.json")) == index)
            #expect(!site.has("tiles/building.json.tilewright-partial"))
        }
    }

    @Test("The second of two simultaneous runs fails with a message", .long)
    func twoRuns() throws {
        try write(Self.manifest.replacing("15-18", with: "18-22"))
        let program = try RunningProgram([site.path("house.yaml")])
        let isThere = program.wait { site.has("tiles/building.json.tilewright-partial") }
        let second = try site.run(["house.yaml"])
        let status = program.end(with: SIGINT)
        #expect(isThere)
        #expect(second.status == 75 && second.errors.contains("building.json"), "\(second.errors)")
        #expect(status == 130)
        try Program.succeed(["house.yaml"], in: site.url)
    }

    @Test("If a manifest changes during the run, no index is newer than the manifest", .long)
    func changedManifest() throws {
        try write(Self.manifest.replacing("15-18", with: "18-22"))
        let program = try RunningProgram([site.path("house.yaml")])
        let isThere = program.wait { site.has("tiles/.tilewright/floor-1/staging") }
        try write(Self.manifest.replacing("15-18", with: "18-22").replacing("First", with: "Upper"))
        let isOver = !program.wait { site.has("tiles/building.json") }
        #expect(isThere && isOver)
        #expect(!site.has("tiles/building.json"))
        try Program.succeed(["house.yaml"], in: site.url)
        let text = try String(contentsOf: site.file("tiles/building.json"), encoding: .utf8)
        #expect(text.contains("Upper floor"))
    }

    @Test("The depfile names the manifest and all images")
    func depfile() throws {
        try Program.succeed(["house.yaml", "--depfile", "house.d"], in: site.url)
        let text = try String(contentsOf: site.file("house.d"), encoding: .utf8)
        #expect(text.hasPrefix("tiles/building.json: \\\n"))
        for name in ["house.yaml", "b1.png", "0.png", "1.png"] { #expect(text.contains(name), "\(name)") }
    }
}

/// Floors that come and go, and lists of what changed.
struct BuildingChangeTests {
    private let site: Workshop

    init() throws {
        site = try Workshop()
        try site.drawFloors()
    }

    private func write(_ floors: [String], output: String = "tiles", more: String = "") throws {
        let lines = floors.map { "  - \($0)" }.joined(separator: "\n")
        let template = output.contains("{floor}") ? "" : "template: \"L{floor}_{z}_{x}_{y}.{ext}\"\n"
        let text =
            "name: House\noutput: \"\(output)\"\n\(template)zoom: 16-18\nbounds: \(Workshop.bounds)\n\(more)"
            + "floors:\n\(lines)\n"
        try site.write(text.utf8, to: "house.yaml")
    }

    private static let floors = [
        "{floor: B1, ordinal: -1, image: b1.png}", "{floor: 0, image: 0.png}", "{floor: 1, image: 1.png}",
    ]

    /// The files of the output that a web server would have.
    private func published(_ folder: String = "tiles") throws -> [String: Data] {
        try Snapshot(of: site.file(folder)).contents.filter { !$0.key.hasPrefix(".tilewright") }
    }

    /// Carries out the lines of a list on a copy of the output.
    private func follow(_ list: String, _ copy: inout [String: Data], _ folder: String = "tiles") throws {
        let text = try String(contentsOf: site.file(list), encoding: .utf8)
        let files = try published(folder)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let path = try #require(words[1].removingPercentEncoding)
            copy[path] = words[0] == "removed" ? nil : files[path]
        }
    }

    @Test(
        "A web server's copy that follows the lists is what a fresh build makes",
        arguments: [false, true].some(1))
    func copies(isArchive: Bool) throws {
        let output = isArchive ? "tiles/{floor}.pmtiles" : "tiles"
        var copy: [String: Data] = [:]
        func run(_ floors: [String], more: String = "") throws {
            try write(floors, output: output, more: more)
            try Program.succeed(["house.yaml", "--changes", "list"], in: site.url)
            try follow("list", &copy)
            #expect(try copy == published(), "\(floors)")
        }
        try run(Self.floors)
        try run(Self.floors)
        try run(Array(Self.floors[1...]))
        try run([Self.floors[2], "{floor: E, ordinal: 0, image: 0.png}"])
        // Another image in the place of a floor's is what the manifest says.
        try run([Self.floors[2], "{floor: E, ordinal: 0, image: b1.png, label: Entrance}"])
        try run(Self.floors, more: "attribution: Survey\n")
        let kept = try published()
        try FileManager.default.removeItem(at: site.file("tiles"))
        try Program.succeed(["house.yaml"], in: site.url)
        #expect(try published() == kept)
    }

    @Test("A floor that was built before a kill, and is in no index, is listed by the next run")
    func killedBeforeIndex() throws {
        try write(Self.floors)
        try Program.succeed(["house.yaml", "--changes", "list"], in: site.url)
        var copy = try published()
        let index = try Data(contentsOf: site.file("tiles/building.json"))
        try Picture.plan(width: 320, height: 220).write(to: site.path("1.png"))
        try Program.succeed(["house.yaml"], in: site.url)
        // As if the run had been killed before its index.
        try site.write(index, to: "tiles/building.json")
        try Program.succeed(["house.yaml", "--changes", "list"], in: site.url)
        try follow("list", &copy)
        #expect(try copy == published())
    }

    @Test("The next run lists the changes of a killed run, even if it changes more")
    func killedBetweenChanges() throws {
        try write(Self.floors)
        try Program.succeed(["house.yaml", "--changes", "list"], in: site.url)
        var copy = try published()
        let index = try Data(contentsOf: site.file("tiles/building.json"))
        func build(crop: String, killed: Bool = false) throws {
            let floor = "{floor: 1, image: 1.png, crop: [\(crop)]}"
            try write([Self.floors[0], Self.floors[1], floor], more: "orient: no\n")
            try Program.succeed(["house.yaml", "--changes", "list"], in: site.url)
            if killed { try site.write(index, to: "tiles/building.json") }
        }
        let names = Set(copy.keys)
        // Half of the tiles go, in a run that is killed before its index; then others change.
        try build(crop: "0, 0, 100, 200", killed: true)
        let gone = try names.subtracting(published().keys)
        #expect(gone.count > 2)
        try build(crop: "0, 0, 100, 190")
        try follow("list", &copy)
        #expect(try copy == published())
        // What is known to the index is listed once, and nothing else.
        try build(crop: "0, 0, 100, 190")
        #expect(try String(contentsOf: site.file("list"), encoding: .utf8).isEmpty)
    }

    @Test("Removed floors stay as long as their possible replacement fails")
    func failedReplacement() throws {
        try write(Self.floors)
        try Program.succeed(["house.yaml"], in: site.url)
        let index = try Data(contentsOf: site.file("tiles/building.json"))
        try site.write("no image".utf8, to: "bad.png")
        try write(["{floor: G, ordinal: 0, image: bad.png}"])
        let outcome = try site.run(["house.yaml"])
        #expect(outcome.status == 65 && !outcome.errors.contains("removed\n"), "\(outcome.errors)")
        #expect(try Data(contentsOf: site.file("tiles/building.json")) == index)
        try FileManager.default.copyItem(at: site.file("0.png"), to: site.file("good.png"))
        try write(["{floor: G, ordinal: 0, image: good.png}"])
        try Program.succeed(["house.yaml"], in: site.url)
        #expect(try !published().keys.contains { $0.hasPrefix("LB1_") || $0.hasPrefix("L1_") })
    }

    @Test("Archives that have another name are removed under the old one")
    func renamedArchives() throws {
        try write(Self.floors, output: "tiles/{floor}.pmtiles")
        try Program.succeed(["house.yaml"], in: site.url)
        try write(Self.floors, output: "tiles/{floor}.mbtiles")
        try Program.succeed(["house.yaml", "--changes", "list"], in: site.url)
        #expect(try Set(published().keys) == ["building.json", "B1.mbtiles", "0.mbtiles", "1.mbtiles"])
        let list = try Set(String(contentsOf: site.file("list"), encoding: .utf8).split(separator: "\n"))
        #expect(
            list == [
                "added B1.mbtiles", "added 0.mbtiles", "added 1.mbtiles", "changed building.json",
                "removed B1.pmtiles", "removed 0.pmtiles", "removed 1.pmtiles",
            ])
    }

    @Test("A floor that is removed by hand goes from the index, too", arguments: [false, true])
    func removedByHand(isArchive: Bool) throws {
        try write(Self.floors, output: isArchive ? "tiles/{floor}.pmtiles" : "tiles")
        try Program.succeed(["house.yaml"], in: site.url)
        let what = isArchive ? ["tiles/B1.pmtiles", "--all"] : ["tiles", "--floor", "B1"]
        try Program.succeed(["remove"] + what + ["--changes", "list"], in: site.url)
        let index = try String(contentsOf: site.file("tiles/building.json"), encoding: .utf8)
        #expect(!index.contains("\"B1\"") && index.contains("\"floor\": \"1\""))
        #expect(
            try String(contentsOf: site.file("list"), encoding: .utf8).hasPrefix("changed building.json\n"))
        if isArchive { return }
        try Program.succeed(["remove", "tiles", "--all", "--changes", "list"], in: site.url)
        #expect(!site.has("tiles"))
        #expect(
            try String(contentsOf: site.file("list"), encoding: .utf8).contains("removed building.json\n"))
        let outcome = try site.run(["remove", "house.yaml", "--all"])
        #expect(outcome.status == 64 && outcome.errors.contains("is a manifest"))
    }

    @Test("Files of others stay, and a floor that cannot be removed stays in the index")
    func foreignFiles() throws {
        try write(Self.floors)
        try Program.succeed(["house.yaml"], in: site.url)
        try site.write("mine".utf8, to: "tiles/notes.txt")
        try write([Self.floors[0]])
        let outcome = try Program.succeed(["house.yaml"], in: site.url)
        #expect(
            outcome.errors.contains("floor '1': removed") && outcome.errors.contains("floor '0': removed"))
        let names = try published().keys
        #expect(names.contains("notes.txt"))
        #expect(!names.contains { $0.hasPrefix("L0_") || $0.hasPrefix("L1_") || $0 == "tilejson-1.json" })
        let text = try String(contentsOf: site.file("tiles/building.json"), encoding: .utf8)
        #expect(text.contains("\"floor\": \"B1\"") && !text.contains("\"floor\": \"1\""))
        // --only removes nothing.
        try write([Self.floors[1]])
        try Program.succeed(["house.yaml", "--only", "0"], in: site.url)
        #expect(try published().keys.contains { $0.hasPrefix("LB1_") })
        try Program.succeed(["house.yaml"], in: site.url)
        #expect(try !published().keys.contains { $0.hasPrefix("LB1_") })
    }
}

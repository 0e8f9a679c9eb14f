import Foundation
import TestSupport
import Testing

/// Pyramids that are made in parts: 'split', 'shard' and 'merge' give what 'build' gives.
struct ShardTests {
    /// Sources of every kind, and what is built of them.
    enum Kind: CaseIterable {
        case upright, turned, sheets, sliver, cutline, background, emptyTiles
        case jpeg, webp, auto, double, nearest, mode, lanczos

        /// Sources and options of `build`.
        func arguments(in workshop: Workshop) throws -> [String] {
            let plan = ["plan.png", "--bounds", Workshop.bounds]
            switch self {
            case .upright: return plan + ["-z", "12-19"]
            case .turned:
                let corners = "2,48.001 2.002,48.002 2.003,48.0005 2.001,47.9995"
                return ["plan.png", "--corners", corners, "-z", "13-19"]
            case .sheets: return try Self.sheets(in: workshop) + ["-z", "12-19"]
            case .sliver: return Self.sliverArguments
            case .cutline:
                try workshop.write(
                    Data(
                        """
                        {"type": "Polygon", "coordinates":
                        [[[2.0004, 48.0002], [2.0027, 48.0006], [2.001, 48.0019], [2.0004, 48.0002]]]}
                        """.utf8), to: "cut.geojson")
                return plan + ["-z", "14-19", "--cutline", "cut.geojson"]
            case .background: return plan + ["-z", "14-19", "--background", "#102030"]
            case .emptyTiles: return plan + ["-z", "14-19", "--empty", "write"]
            case .jpeg: return plan + ["-z", "14-19", "--format", "jpeg"]
            case .webp: return plan + ["-z", "14-18", "--format", "webp"]
            case .auto: return plan + ["-z", "14-19", "--format", "auto"]
            case .double: return plan + ["-z", "13-18", "--tile-size", "512"]
            case .nearest: return plan + ["-z", "14-19", "--resampling", "nearest"]
            case .mode: return plan + ["-z", "14-19", "--resampling", "mode"]
            case .lanczos:
                return plan + ["-z", "14-19", "--resampling", "lanczos", "--overview-resampling", "lanczos"]
            }
        }

        /// An image that touches tiles of the maximum zoom by so little that it does not count at the cut.
        private static let sliverArguments: [String] = {
            let (cell, tile) = (World.cellSize(zoom: 22), 256 * World.cellSize(zoom: 20))
            let (west, north) = (530_000 * tile - World.halfWidth, World.halfWidth - 360_000 * tile)
            let edges = [west, north - 6 * tile - 0.03 * cell, west + 8 * tile + 0.03 * cell, north]
            return [
                "plan.png", "--crs", "EPSG:3857", "--bounds", edges.map { "\($0)" }.joined(separator: ","),
                "-z", "17-22",
            ]
        }()

        /// Four sheets that overlap, in a list.
        private static func sheets(in workshop: Workshop) throws -> [String] {
            let (west, north, cell) = (2.0, 48.002, 0.003 / 300)
            for (index, corner) in [[0, 0], [140, 0], [0, 90], [140, 90]].enumerated() {
                let sheet = Picture.plan(width: 160, height: 110)
                try sheet.write(to: workshop.path("\(index).png"))
                let numbers = [
                    cell, 0, 0, -cell, west + (Double(corner[0]) + 0.5) * cell,
                    north - (Double(corner[1]) + 0.5) * cell,
                ]
                try workshop.write(Data(numbers.map { "\($0)\n" }.joined().utf8), to: "\(index).pgw")
            }
            try workshop.write(Data("0.png\n1.png\n2.png\n3.png\n".utf8), to: "sheets.txt")
            return ["@sheets.txt", "--crs", "EPSG:4326"]
        }
    }

    @Test("The merged tileset is byte for byte the one that is built", .long, arguments: Kind.allCases)
    func sameBytes(kind: Kind) throws {
        let workshop = try Workshop()
        let arguments = try kind.arguments(in: workshop)
        for folder in ["alone", "merged"] {
            try FileManager.default.createDirectory(
                at: workshop.file(folder), withIntermediateDirectories: true)
        }
        // An archive has tiles of one type.
        let outputs = kind == .auto ? ["tree"] : ["tiles.pmtiles", "tree"]
        for output in outputs {
            try Program.succeed(arguments + ["-o", "alone/" + output, "--name", "Plan"], in: workshop.url)
        }
        let alone = try Snapshot(of: workshop.file("alone"))
        #expect(alone.tiles.count > 10)
        for count in [1, 3, 9] {
            try workshop.merge(arguments, shards: count, to: outputs.map { "merged/" + $0 })
            let merged = try Snapshot(of: workshop.file("merged"))
            let differences = Set(alone.contents.keys).union(merged.contents.keys).filter {
                alone.contents[$0] != merged.contents[$0]
            }
            #expect(differences.isEmpty, "\(count) shards: \(differences.sorted().prefix(5))")
        }
    }

    @Test("A finished build is found by a merge, and a merge by a build", .long)
    func sameJob() throws {
        let workshop = try Workshop()
        let arguments = try Kind.upright.arguments(in: workshop)
        try Program.succeed(arguments + ["-o", "tree"], in: workshop.url)
        try workshop.merge(arguments, shards: 2, to: [])
        for again in [["merge", "job", "-o", "tree"], arguments + ["-o", "tree"]] {
            let outcome = try Program.succeed(again, in: workshop.url)
            #expect(outcome.errors.contains("0 tiles written"), "\(outcome.errors)")
        }
    }

    @Test("A shard is the same file on every machine, and is not made twice", .long)
    func sameShards() throws {
        let workshop = try Workshop()
        let arguments = try Kind.upright.arguments(in: workshop)
        try workshop.merge(arguments, shards: 3, to: [])
        let first = try Snapshot(of: workshop.file("job")).contents
        #expect(Set(first.keys) == ["job.json", "shards/0.shard", "shards/1.shard", "shards/2.shard"])
        // Of a worker that was killed while another one made the shard.
        try workshop.write([1], to: "job/shards/1.shard.0123456789abcdef.tilewright-partial")
        let again = try Program.succeed(["shard", "job", "1"], in: workshop.url)
        #expect(again.errors.contains("shard 1 already exists"))
        #expect(try Snapshot(of: workshop.file("job")).contents == first)
        try workshop.merge(arguments, shards: 3, to: [])
        #expect(try Snapshot(of: workshop.file("job")).contents == first)
    }

    @Test("The number of a job array is used automatically")
    func arrays() throws {
        let workshop = try Workshop()
        try Program.succeed(
            ["split", "plan.png", "--bounds", Workshop.bounds, "--shards", "3", "-o", "job"],
            in: workshop.url)
        for (variable, index) in [
            ("SLURM_ARRAY_TASK_ID=2", 2), ("SGE_TASK_ID=1", 0), ("TILEWRIGHT_SHARD=1", 1),
        ] {
            let outcome = try Program.run(
                ["shard", "job", "auto"], environment: [variable], in: workshop.url)
            #expect(outcome.status == 0 && workshop.has("job/shards/\(index).shard"), "\(outcome.errors)")
        }
        let none = try workshop.run(["shard", "job", "auto"])
        #expect(none.status == 64 && none.errors.contains("JOB_COMPLETION_INDEX"))
        let outside = try Program.run(
            ["shard", "job", "auto"], environment: ["SLURM_ARRAY_TASK_ID=", "SGE_TASK_ID=undefined"],
            in: workshop.url)
        #expect(outside.status == 64 && outside.errors.contains("none is set"), "\(outside.errors)")
        let below = try Program.run(
            ["shard", "job", "auto"], environment: ["SGE_TASK_ID=0"], in: workshop.url)
        #expect(below.status == 64 && below.errors.contains("SGE_TASK_ID='0'"), "\(below.errors)")
        let beyond = try workshop.run(["shard", "job", "3"])
        #expect(beyond.status == 64 && beyond.errors.contains("from 0 to 2"))
    }

    @Test("Shards that are missing, damaged or of another job are named, and nothing is written", .long)
    func faults() throws {
        let workshop = try Workshop()
        try workshop.merge(Kind.upright.arguments(in: workshop), shards: 5, to: [])
        func refusal(_ status: Int32) throws -> String {
            let outcome = try workshop.run(["merge", "job", "-o", "tree"])
            #expect(outcome.status == status && !workshop.has("tree"), "\(outcome.errors)")
            return outcome.errors
        }
        for index in [1, 3] {
            try FileManager.default.removeItem(at: workshop.file("job/shards/\(index).shard"))
        }
        let missing = try refusal(66)
        #expect(missing.contains("shards 1,3 are missing") && missing.contains("--array=1,3"))
        try Program.succeed(["shard", "job", "1"], in: workshop.url)
        try Program.succeed(["shard", "job", "3"], in: workshop.url)
        var bytes = try Data(contentsOf: workshop.file("job/shards/2.shard"))
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: workshop.file("job/shards/2.shard"))
        #expect(try refusal(65).contains("shard 2 is damaged"))
        // A damaged shard counts as one that is not there.
        try Program.succeed(["shard", "job", "2"], in: workshop.url)
        try Data(contentsOf: workshop.file("job/shards/4.shard")).write(
            to: workshop.file("job/shards/0.shard"))
        #expect(try refusal(65).contains("shard 0 is of another job"))
        try Program.succeed(["shard", "job", "0"], in: workshop.url)
        try Program.succeed(["merge", "job", "-o", "tree"], in: workshop.url)
    }

    @Test("There may be more shards than files that may be open", .long)
    func manyShards() throws {
        let workshop = try Workshop()
        let arguments = try Kind.upright.arguments(in: workshop)
        try workshop.merge(arguments, shards: 60, to: [])
        let merge = "ulimit -n 40 && exec '\(Program.path)' merge job -o tree"
        let outcome = try Tool.run("/bin/sh", ["-c", merge], in: workshop.url)
        #expect(outcome.status == 0 && outcome.errors.contains("tiles written"), "\(outcome.errors)")
    }

    @Test("The tiles of a database are those of one that is built", .long)
    func databases() throws {
        let workshop = try Workshop()
        let arguments = try Kind.upright.arguments(in: workshop)
        try workshop.merge(arguments, shards: 4, to: ["merged.mbtiles"])
        try Program.succeed(arguments + ["-o", "alone.mbtiles", "--name", "Plan"], in: workshop.url)
        for name in ["merged", "alone"] {
            try Program.succeed(["convert", name + ".mbtiles", name + "/tiles"], in: workshop.url)
        }
        #expect(try Snapshot(of: workshop.file("merged")) == Snapshot(of: workshop.file("alone")))
    }

    @Test(
        "A palette is chosen by all shards in a first round, and is the one of a build", .long,
        arguments: [1, 4])
    func palette(shards: Int) throws {
        let workshop = try Workshop()
        let arguments = try Kind.upright.arguments(in: workshop) + ["--palette", "12"]
        try Program.succeed(
            ["split"] + arguments + ["--shards", "\(shards)", "-o", "job"], in: workshop.url)
        let early = try workshop.run(["shard", "job", "0"])
        #expect(early.status == 66 && early.errors.contains("--survey"), "\(early.errors)")
        let few = try workshop.run(["merge", "job", "--survey"])
        #expect(few.status == 66 && few.errors.contains("missing"), "\(few.errors)")
        for index in 0..<shards {
            try Program.succeed(["shard", "job", "\(index)", "--survey"], in: workshop.url)
        }
        try Program.succeed(["merge", "job", "--survey"], in: workshop.url)
        for index in 0..<shards { try Program.succeed(["shard", "job", "\(index)"], in: workshop.url) }
        try Program.succeed(["merge", "job", "-o", "merged"], in: workshop.url)
        try Program.succeed(arguments + ["-o", "alone"], in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("merged")).tiles == Snapshot(of: workshop.file("alone")).tiles)
        try Data("{}".utf8).write(to: workshop.file("job/palette.json"))
        #expect(try workshop.run(["merge", "job", "-o", "merged"]).status == 65)
        let split = ["split", "plan.png", "--bounds", Workshop.bounds, "--shards", "1", "-o", "plain"]
        try Program.succeed(split, in: workshop.url)
        #expect(try workshop.run(["shard", "plain", "0", "--survey"]).status == 64)
        #expect(try workshop.run(["merge", "plain", "--survey"]).status == 64)
    }

    @Test("A damaged job is refused in a line, wherever the damage is", .long)
    func damagedJob() throws {
        let workshop = try Workshop()
        let arguments = try Kind.upright.arguments(in: workshop)
        try Program.succeed(["split"] + arguments + ["--shards", "2", "-o", "job"], in: workshop.url)
        let whole = try String(contentsOf: workshop.file("job/job.json"), encoding: .utf8)
        var random = SplitMix(seed: 20)
        let numbers = try Regex("[0-9]+")
        for round in 0..<40 {
            var text = whole
            if round < 20 {
                let places = text.ranges(of: numbers)
                let place = try #require(places.randomElement(using: &random))
                text.replaceSubrange(
                    place, with: ["-1", "9223372036854775807", "31", "0.5", "null"][round % 5])
            } else {
                text = String(text.prefix(Int.random(in: 0..<text.count, using: &random)))
            }
            try workshop.write(Data(text.utf8), to: "job/job.json")
            let outcome = try workshop.run(["shard", "job", "0", "-q"])
            let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
            #expect([0, 64, 65].contains(outcome.status), "\(round): \(outcome)")
            #expect(outcome.status == 0 || lines.count == 1, "\(round): \(outcome)")
        }
    }

    @Test("For a mosaic with one new sheet, only the shards that touch it are made again", .long)
    func earlier() throws {
        let workshop = try Workshop()
        let arguments = try Kind.sheets.arguments(in: workshop)
        try workshop.merge(arguments, shards: 8, to: [])
        try Picture(width: 160, height: 110).write(to: workshop.path("3.png"))
        let outcome = try Program.succeed(
            ["split"] + arguments + ["--shards", "8", "-o", "next", "--earlier", "job"], in: workshop.url)
        let kept = try FileManager.default.contentsOfDirectory(atPath: workshop.path("next/shards"))
        #expect(1...6 ~= kept.count)
        #expect(outcome.output.components(separatedBy: "reused").count - 1 == kept.count)
        for index in 0..<8 { try Program.succeed(["shard", "next", "\(index)"], in: workshop.url) }
        try Program.succeed(["merge", "next", "-o", "merged"], in: workshop.url)
        try Program.succeed(arguments + ["-o", "merged"], in: workshop.url)
        try Program.succeed(arguments + ["-o", "alone"], in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("merged")).tiles == Snapshot(of: workshop.file("alone")).tiles)
        let other = try workshop.run(
            ["split"] + arguments + ["--shards", "7", "-o", "next", "--earlier", "job"])
        #expect(other.status == 64 && other.errors.contains("has 8 shards"))
    }

    @Test(
        "Invalid input is an error of one line with a remedy",
        arguments: [
            (["plan.png", "--bounds", Workshop.bounds, "--shards", "0"], "between 1 and"),
            (
                ["plan.png", "--bounds", Workshop.bounds, "--shards", "2", "--scheme", "tms"],
                "tilewright merge"
            ),
            (["house.yaml", "--shards", "2"], "--only FLOOR"),
        ].some(4))
    func refusals(arguments: [String], words: String) throws {
        let workshop = try Workshop()
        try workshop.write(Data(Workshop.house(zoom: "16").utf8), to: "house.yaml")
        let outcome = try workshop.run(["split"] + arguments + ["-o", "job"])
        #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(!workshop.has("job"))
        #expect(try workshop.run(["shard", "none", "0"]).status == 66)
        #expect(try workshop.run(["merge", "none", "-o", "tree"]).status == 66)
    }
}

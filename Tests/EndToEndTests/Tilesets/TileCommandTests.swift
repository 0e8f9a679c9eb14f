import Foundation
import TestSupport
import Testing

/// `tilewright tile`: one tile of a tileset, or of images.
struct TileCommandTests {
    /// Runs the command with its tile in a file, as a shell leads it there.
    private func tile(_ arguments: [String], in workshop: Workshop, to name: String = "tile") throws
        -> Tool.Outcome
    {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        return try Tool.run(
            "/bin/sh", ["-c", "\"$0\" tile \(words) > \(name)", Program.path], in: workshop.url)
    }

    private func bytes(_ name: String, in workshop: Workshop) throws -> Data {
        try Data(contentsOf: workshop.file(name))
    }

    /// The addresses of the tiles of a tree, as its files say them.
    private func addresses(_ tiles: [String: Data]) -> [(address: String, bytes: Data)] {
        tiles.sorted { $0.key < $1.key }.map { file in
            (String(file.key.prefix { $0 != "." }), file.value)
        }
    }

    private static let at = ["--bounds", Workshop.bounds]
    /// A turned plan's corners: its sides are 216 and 144 m long.
    private static let corners = [
        "--corners", "2,48.001 2.002416,48.002079 2.00349,48.001 2.001074,47.999921",
    ]

    @Test(
        "A tile is byte for byte the one that a build with the same options writes", .long,
        arguments: [
            ["--zoom", "16-17"],
            ["--zoom", "15-16", "--format", "jpeg", "--tile-size", "512", "--quality", "60"],
            ["--zoom", "17-18", "--scheme", "tms", "--format", "auto"],
            ["--zoom", "17", "--format", "webp", "--lossless", "--resampling", "lanczos"],
            ["--zoom", "16-17", "--crop", "20,30,200,100", "--background", "#336699", "--empty", "write"],
        ])
    func sameBytes(options: [String]) throws {
        let workshop = try Workshop()
        for (position, output) in [(Self.at, "upright"), (Self.corners, "turned")] {
            try Program.succeed(["plan.png"] + position + options + ["-o", output], in: workshop.url)
            let tiles = try Snapshot(of: workshop.file(output)).tiles
            #expect(!tiles.isEmpty)
            for (address, built) in addresses(tiles) {
                let outcome = try tile(["plan.png"] + position + options + [address], in: workshop)
                #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
                #expect(try bytes("tile", in: workshop) == built, "\(address)")
            }
        }
    }

    @Test("Tiles of several images are those of the build, whether named or in a list", .long)
    func severalImages() throws {
        let workshop = try Workshop()
        try Picture(width: 100, height: 300, colour: (200, 30, 40, 255)).write(to: workshop.path("b.png"))
        // A pixel is a hundred thousandth of a degree.
        for (name, west) in [("plan", 2.0), ("b", 2.0025)] {
            try workshop.write(Data("1e-5\n0\n0\n-1e-5\n\(west)\n48.002\n".utf8), to: "\(name).pgw")
        }
        try workshop.write(Data("plan.png\nb.png\n".utf8), to: "list")
        let options = ["--crs", "EPSG:4326", "--zoom", "16-17"]
        try Program.succeed(["plan.png", "b.png", "-o", "out"] + options, in: workshop.url)
        for (address, built) in addresses(try Snapshot(of: workshop.file("out")).tiles) {
            for things in [["plan.png", "b.png"], ["@list"]] {
                let outcome = try tile(options + things + [address], in: workshop)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try bytes("tile", in: workshop) == built, "\(address)")
            }
        }
    }

    @Test(
        "A tile of a finished tileset is the one that is stored there",
        arguments: ["out", "out.mbtiles", "out.pmtiles"].some(1))
    func stored(output: String) throws {
        let workshop = try Workshop()
        let tree = try workshop.build(["--zoom", "16-17"], to: "tree")
        try workshop.build(["--zoom", "16-17"], to: output)
        for (address, built) in addresses(try Snapshot(of: tree).tiles) {
            let outcome = try workshop.run(["tile", output, address, "-o", "tile"])
            #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
            #expect(try bytes("tile", in: workshop) == built)
        }
        let outcome = try workshop.run(["tile", output, "16/0/0", "-o", "none"])
        #expect(outcome.status == 1 && !workshop.has("none"))
        #expect(outcome.errors.hasPrefix("error: there is no tile 16/0/0 of '\(output)'\n"))
    }

    @Test("For a folder with several floors, the floor must be named")
    func floors() throws {
        let workshop = try Workshop()
        try Picture(width: 300, height: 200, colour: (9, 80, 70, 255)).write(to: workshop.path("one.png"))
        let names = ["--template", "{floor}/{z}/{x}/{y}.{ext}", "--zoom", "17"]
        for (floor, image) in [("-1", "plan.png"), ("1", "one.png")] {
            try workshop.build(names + ["--floor", floor], of: image)
        }
        for floor in ["-1", "1"] {
            let tiles = try Snapshot(of: workshop.file("out/\(floor)")).tiles
            let (address, built) = try #require(addresses(tiles).first)
            let outcome = try tile(["out", "--floor", floor, address], in: workshop)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try bytes("tile", in: workshop) == built)
        }
        #expect(try tile(["out", "--floor", "3", "17/1/1"], in: workshop).status == 66)
        let unnamed = try tile(["out", "17/1/1"], in: workshop)
        #expect(unnamed.status != 0 && unnamed.errors.contains("--floor"), "\(unnamed.errors)")
    }

    @Test(
        "A tile that does not exist is one line, status 1, and no file",
        arguments: [
            (["--zoom", "17"], "17/0/0", "its tiles are in columns 6626"),
            (["--zoom", "17", "--scheme", "tms"], "17/0/131071", "rows 85509 to 85510"),
            (["--zoom", "16-17"], "18/132500/90166", "its zooms are 16 to 17"),
        ])
    func missing(options: [String], address: String, remedy: String) throws {
        let workshop = try Workshop()
        let arguments = ["tile", "plan.png", address] + Self.at + options
        for output in [["-o", "none"], []] {
            let outcome = try workshop.run(arguments + output)
            #expect(outcome.status == 1 && outcome.output.isEmpty && !workshop.has("none"))
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 2 && lines[0] == "error: there is no tile \(address) of 'plan.png'")
            #expect(lines.last?.contains(remedy) == true, "\(outcome.errors)")
        }
    }

    @Test("An empty tile exists if it is requested")
    func transparent() throws {
        var plan = Picture(width: 300, height: 200)
        plan.fill(0..<40, 0..<40, (0, 0, 0, 255))
        let workshop = try Workshop(plan)
        let options = ["--zoom", "19"] + Self.at
        let all = try workshop.build(["--zoom", "19", "--empty", "write"], to: "all")
        let few = try Snapshot(of: workshop.build(["--zoom", "19"], to: "few")).tiles
        let (address, built) = try #require(
            addresses(try Snapshot(of: all).tiles).first { few["\($0.address).png"] == nil })
        #expect(try tile(["plan.png", address] + options, in: workshop).status == 1)
        #expect(try tile(["plan.png", address, "--empty", "write"] + options, in: workshop).status == 0)
        #expect(try bytes("tile", in: workshop) == built)
    }

    /// What is typed after `tile`, the status, and words of the error; `AT` stands for a position.
    private static let refusals: [(words: String, status: Int32, says: String)] = [
        ("", 64, "INPUT"), ("plan.png", 64, "'plan.png' is not the address"),
        ("17/1/1", 64, "the input for the tile 17/1/1 is missing"),
        ("plan.png 18/1 AT", 64, "'18/1' is not the address"),
        ("plan.png a/b/c AT", 64, "'a/b/c' is not the address"),
        ("plan.png 31/0/0 AT", 64, "there is no zoom 31"),
        ("plan.png 3/8/0 AT", 64, "there is no column 8 at zoom 3"),
        ("plan.png 3/0/8 AT", 64, "there is no row 8 at zoom 3"),
        ("plan.png 17/1/1 AT --palette 16", 64, "a single tile cannot have a palette"),
        ("plan.png 17/1/1 AT --floor 1", 64, "--floor does not apply to 'plan.png'"),
        ("plan.png plan.png 17/1/1 AT", 64, "--bounds is for one image"),
        ("plan.png 17/1/1 AT --quality 5", 64, "--quality does not apply to PNG"),
        ("plan.png 17/1/1 AT --max-pixels 9", 64, "--max-pixels allows 9"),
        ("plan.png 17/1/1 AT -j 0", 64, "--jobs 0"),
        ("plan.png 17/1/1 AT --changes list", 64, "unknown option '--changes'"),
        ("plan.png 17/1/1 AT --force", 64, "unknown option '--force'"),
        ("plan.png 17/1/1", 65, "plan.png"), ("none.png 17/1/1 AT", 66, "none.png"),
        ("@none 17/1/1 AT", 66, "the list 'none'"), ("none.mbtiles 17/1/1", 66, "none.mbtiles"),
        ("plan.png 17/1/1 AT -o plan.png", 64, "is an input"),
        ("plan.png 17/1/1 AT -o no/tile.png", 73, "there is no folder"),
        ("out out.mbtiles 17/1/1", 64, "'out' is a tileset and cannot be combined with 'out.mbtiles'"),
        ("out out 17/1/1", 64, "cannot be combined with 'out'"),
        ("out plan.png 17/1/1", 64, "'out' is a tileset and cannot be combined with 'plan.png'"),
        ("plan.png out 17/1/1 AT", 64, "'out' is a tileset and cannot be combined with 'plan.png'"),
        ("out.mbtiles 17/1/1 --floor 1", 64, "--floor does not apply to 'out.mbtiles'"),
        ("out 17/1/1 -o out/1.png", 64, "a part of the tileset"),
        ("out 17/1/1 --scheme xyz", 64, "--scheme does not apply to 'out'"),
    ]

    @Test("An impossible command is one line with its status, and leaves no file", .long)
    func refused() throws {
        let workshop = try Workshop()
        try workshop.build(["--zoom", "17"])
        try workshop.build(["--zoom", "17"], to: "out.mbtiles")
        let before = try Snapshot(of: workshop.url)
        for refusal in Self.refusals {
            let words = refusal.words.split(separator: " ").flatMap { $0 == "AT" ? Self.at : [String($0)] }
            let outcome = try workshop.run(["tile"] + words)
            #expect(outcome.status == refusal.status, "\(refusal.words): \(outcome.errors)")
            #expect(outcome.errors.contains(refusal.says), "\(refusal.words): \(outcome.errors)")
            #expect(outcome.errors.hasPrefix("error: ") && outcome.output.isEmpty)
        }
        #expect(try Snapshot(of: workshop.url) == before)
    }

    @Test("Each option for images is refused with a tileset, even with its default value", .long)
    func optionsBesideTileset() throws {
        let workshop = try Workshop()
        try workshop.build(["--zoom", "17"])
        let values = [
            "bounds": "0,0,1,1", "corners": "0,1 1,1 1,0", "gcp": "0,0,1,1", "gcps": "p.points",
            "transform": "affine", "anchor": "0,0,1,1", "scale": "1", "dpi": "300", "bearing": "0",
            "world-file": "p.pgw",
            "kml": "p.kml", "crs": "EPSG:4326", "orient": "auto", "crop": "0,0,9,9", "nodata": "1,2,3",
            "paper": "1,2,3", "cutline": "a.geojson",
            "bands": "1", "rescale": "0,9", "keep-colors": nil, "zoom": "17", "tile-size": "256",
            "format": "png", "quality": "85", "lossless": nil, "png-level": "default",
            "jpeg-level": "default", "background": "#ffffff",
            "resampling": "area", "overview-resampling": "area",
            "empty": "skip", "scheme": "xyz", "page": "1", "layers": "Walls", "password-file": "p.txt",
            "overviews": "drawn",
        ]
        // All options of the command but those that say how to run and where the tile goes.
        let help = try workshop.run(["tile", "--help"]).output
        let own: Set = [
            "output", "floor", "jobs", "memory", "tmpdir", "max-pixels", "max-tiles", "quiet", "version",
            "help",
            "palette",
        ]
        let names = Set(
            help.matches(of: /^ +(?:-\w, )?--([a-z-]+)/.anchorsMatchLineEndings()).map { String($0.1) })
        #expect(names.subtracting(own) == Set(values.keys))
        for (name, value) in values {
            let formats = ["quality": "jpeg", "jpeg-level": "jpeg", "lossless": "webp"]
            let more = formats[name].map { ["--format", $0] } ?? []
            let outcome = try workshop.run(
                ["tile", "out", "17/1/1", "--\(name)"] + [value].compactMap(\.self) + more)
            #expect(outcome.status == 64, "--\(name)")
            let option = more.first ?? "--\(name)"
            #expect(
                outcome.errors.hasPrefix(
                    "error: \(option) does not apply to 'out', whose tiles are already made\n"),
                "\(outcome.errors)")
        }
    }

    @Test("A tile is not written to a terminal", .needs("script"))
    func terminal() throws {
        let workshop = try Workshop()
        try workshop.build(["--zoom", "17"])
        let command = "'\(Program.path)' tile out 17/1/1"
        let outcome = try Tool.run("script", ["-qec", command, "/dev/null"], in: workshop.url)
        #expect(outcome.status == 64)
        #expect(
            outcome.output.contains("a terminal cannot show the bytes") && outcome.output.contains("-o FILE"))
    }

    @Test(
        "A tile that cannot be written completely is an error",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func lost() throws {
        let workshop = try Workshop()
        let tree = try workshop.build(["--zoom", "17"])
        let (address, _) = try #require(addresses(try Snapshot(of: tree).tiles).first)
        for thing in [["out"], ["plan.png"] + Self.at] {
            let outcome = try tile(thing + [address], in: workshop, to: "/dev/full")
            #expect(outcome.status == 74)
            #expect(outcome.errors.hasPrefix("error: cannot write to standard output: "))
        }
    }

    @Test("Warnings are printed, unless --quiet is given")
    func warnings() throws {
        let workshop = try Workshop()
        let arguments = ["tile", "plan.png", "20/530000/360000", "--zoom", "20"] + Self.at
        let loud = try workshop.run(arguments)
        #expect(loud.status == 1 && loud.errors.contains("warning: zoom 20 is 3 beyond"))
        let quiet = try workshop.run(arguments + ["-q"])
        #expect(quiet.status == 1 && !quiet.errors.contains("warning") && quiet.errors.contains("error: "))
    }
}

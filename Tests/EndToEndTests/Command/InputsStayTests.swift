import Foundation
import TestSupport
import Testing

/// What a run reads it never writes over and never removes, whatever it is told to take over.
struct InputsStayTests {
    private let workshop: Workshop
    /// A tile that a build of the plan writes into `out`.
    private let tile: String
    private let manager = FileManager.default

    init() throws {
        workshop = try Workshop()
        let tiles = try Snapshot(of: workshop.build(to: "expected")).tiles.keys.sorted()
        tile = try #require(tiles.last)
    }

    private func copyPlan(to name: String) throws {
        try manager.createDirectory(
            at: workshop.file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
        try manager.copyItem(at: workshop.file("plan.png"), to: workshop.file(name))
    }

    private func link(_ name: String, to target: String) throws {
        try manager.createDirectory(
            at: workshop.file(name).deletingLastPathComponent(), withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: workshop.path(name), withDestinationPath: target)
    }

    /// Runs the program, which is to refuse, to name a file and to change nothing at all.
    private func expectRefusal(
        _ arguments: [String], naming name: String, status: Int32 = 73, in folder: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try Snapshot(of: workshop.url).contents
        let outcome = try Program.run(arguments, in: workshop.file(folder))
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.contains("'\(name)'"), "\(outcome.errors)", sourceLocation: sourceLocation)
        let after = try Snapshot(of: workshop.url).contents
        #expect(after == before, sourceLocation: sourceLocation)
    }

    private func build(_ source: String, _ options: String...) -> [String] {
        [source, "--bounds", Workshop.bounds, "-o", "out", "--force"] + options
    }

    @Test("An image that is named like one of its tiles")
    func source() throws {
        try copyPlan(to: "out/\(tile)")
        try expectRefusal(build("out/\(tile)"), naming: "out/\(tile)")
        try expectRefusal(build("./expected/../out/\(tile)"), naming: "./expected/../out/\(tile)")
        try expectRefusal(
            [workshop.path("out/\(tile)"), "--bounds", Workshop.bounds, "-o", ".", "--force"],
            naming: workshop.path("out/\(tile)"), in: "out")
        try expectRefusal(
            [tile, "--bounds", Workshop.bounds, "-o", "../out", "--force"], naming: tile, in: "out")
        // A tile that the build does not write, and any other name.
        try copyPlan(to: "out/9/9/9.png")
        try copyPlan(to: "out/plan.png")
        try manager.removeItem(at: workshop.file("out/\(tile)"))
        for name in ["9/9/9.png", "plan.png"] {
            try Program.succeed(build("out/\(name)"), in: workshop.url)
            #expect(
                try Data(contentsOf: workshop.file("out/\(name)"))
                    == Data(contentsOf: workshop.file("plan.png")))
        }
    }

    @Test("A link on the way to an image")
    func links() throws {
        try link("out/\(tile)", to: workshop.path("plan.png"))
        try link("outer.png", to: "out/\(tile)")
        try expectRefusal(build("out/\(tile)"), naming: "out/\(tile)")
        try expectRefusal(build("outer.png"), naming: "outer.png")
        // The folder is a link, too.
        try link("elsewhere", to: "out")
        try expectRefusal(
            ["outer.png", "--bounds", Workshop.bounds, "-o", "elsewhere", "--force"], naming: "outer.png")
        try Program.succeed(build("plan.png"), in: workshop.url)
    }

    @Test(
        "A file that is named like a document",
        arguments: [
            ("tilejson.json", "--cutline"), ("metadata.json", "--gcps"), ("doc.kml", "--kml"),
            (".tilewright/tileset/manifest", "--gcps"), (".tilewright/points", "--gcps"),
        ].some(2))
    func document(name: String, option: String) throws {
        let contents = [
            "--cutline": #"{"type":"Polygon","coordinates":[[[2,48],[2.003,48],[2.003,48.002],[2,48]]]}"#,
            "--gcps": ([SavedRows.header] + SavedRows.rows).joined(separator: "\n"),
            "--kml":
                "<kml><GroundOverlay><Icon><href>plan.png</href></Icon><LatLonBox><north>48.002</north>"
                + "<south>48</south><east>2.003</east><west>2</west></LatLonBox></GroundOverlay></kml>",
        ]
        try manager.createDirectory(
            at: workshop.file("out/\(name)").deletingLastPathComponent(), withIntermediateDirectories: true)
        try workshop.write((contents[option] ?? "").utf8, to: "out/\(name)")
        let place = option == "--cutline" ? ["--bounds", Workshop.bounds] : []
        let earth = name.hasPrefix("doc") ? ["--doc-kml", "overlay"] : []
        try expectRefusal(
            ["plan.png", "-o", "out", "--force", option, "out/\(name)"] + place + earth, naming: "out/\(name)"
        )
    }

    @Test("A list, and a tile of an earlier run that this one would remove")
    func claimed() throws {
        try workshop.build(["--template", "a_{z}_{x}_{y}.png"])
        let old = "out/a_" + tile.replacing("/", with: "_")
        try expectRefusal(build(old), naming: old)
        try workshop.write("plan.png\n".utf8, to: "out/metadata.json")
        try expectRefusal(build("@out/metadata.json"), naming: "out/metadata.json")
    }

    @Test("An archive in the place of what it is made of", arguments: ["pmtiles", "mbtiles"])
    func archive(ending: String) throws {
        let output = "a.\(ending)"
        let arguments = ["--bounds", Workshop.bounds, "-o", output, "--force"]
        try manager.linkItem(at: workshop.file("plan.png"), to: workshop.file(output))
        try expectRefusal(["plan.png"] + arguments, naming: output, status: 64)
        try manager.removeItem(at: workshop.file(output))
        try link(output, to: "list")
        try workshop.write("plan.png\n".utf8, to: "list")
        try expectRefusal(["@list"] + arguments, naming: "list", status: 64)
        if ending == "mbtiles" {
            try workshop.write("plan.png\n".utf8, to: "b.mbtiles-wal")
            try expectRefusal(
                ["@b.mbtiles-wal", "--bounds", Workshop.bounds, "-o", "b.mbtiles", "--force"],
                naming: "b.mbtiles-wal")
        }
    }

    @Test("What any floor of a building is made of")
    func building() throws {
        try workshop.drawFloors()
        let manifest = Workshop.house(zoom: "16").replacing(
            "template: \"L{floor}_{z}_{x}_{y}.{ext}\"", with: "template: \"L{floor}_{z}_{x}_{y}.png\"")
        try workshop.write(manifest.utf8, to: "house.yaml")
        try Program.succeed(["house.yaml"], in: workshop.url)
        let first = try #require(try Snapshot(of: workshop.file("tiles")).tiles.keys.sorted().first)
        // The image of another floor than the one whose tile it would be.
        try manager.removeItem(at: workshop.file("tiles"))
        try copyPlan(to: "tiles/\(first)")
        try workshop.write(
            manifest.replacing("image: 1.png", with: "image: tiles/\(first)").utf8, to: "other.yaml")
        try expectRefusal(["other.yaml", "--force"], naming: "tiles/\(first)")
        // The index.
        try workshop.write(
            #"{"type":"Polygon","coordinates":[[[2,48],[2.003,48],[2.003,48.002],[2,48]]]}"#.utf8,
            to: "tiles/building.json")
        try workshop.write((manifest + "cutline: tiles/building.json\n").utf8, to: "cut.yaml")
        try expectRefusal(["cut.yaml", "--force"], naming: "tiles/building.json")
    }

    @Test("A tileset that is copied")
    func conversion() throws {
        try expectRefusal(["convert", "expected", "expected/copy"], naming: "expected/copy", status: 64)
        try expectRefusal(["convert", "expected", ".", "--force"], naming: ".", status: 64)
        try link("a.pmtiles", to: "expected/\(tile)")
        try expectRefusal(["convert", "expected", "a.pmtiles", "--force"], naming: tile)
        try expectRefusal(
            ["convert", "expected", "expected/.tilewright/a.pmtiles"], naming: ".tilewright/a.pmtiles")
        // An archive may be in a folder, and a folder next to an archive.
        try workshop.build(to: "b.mbtiles")
        try expectRefusal(
            ["convert", "b.mbtiles", "./b.mbtiles", "--force"], naming: "b.mbtiles", status: 64)
        try manager.linkItem(at: workshop.file("b.mbtiles"), to: workshop.file("c.mbtiles"))
        try expectRefusal(["convert", "b.mbtiles", "c.mbtiles", "--force"], naming: "b.mbtiles", status: 64)
        try Program.succeed(["convert", "b.mbtiles", ".", "--force"], in: workshop.url)
        try Program.succeed(["convert", "expected", "expected/all.pmtiles"], in: workshop.url)
        #expect(try workshop.run(["verify", "b.mbtiles"]).status == 0)
    }

    @Test("A job, its shards and its sources", .long)
    func job() throws {
        try copyPlan(to: "job/job.json")
        let place = ["--bounds", Workshop.bounds]
        try expectRefusal(
            ["split", "job/job.json", "--shards", "2", "-o", "job"] + place, naming: "job/job.json")
        try copyPlan(to: "work/plan.png")
        try Program.succeed(
            ["split", "work/plan.png", "--shards", "2", "-o", "work"] + place, in: workshop.url)
        for index in ["0", "1"] { try Program.succeed(["shard", "work", index], in: workshop.url) }
        let shards = try manager.contentsOfDirectory(atPath: workshop.path("work/shards")).sorted()
        let shard = "work/shards/\(try #require(shards.first))"
        try link("a.pmtiles", to: shard)
        try expectRefusal(["merge", "work", "-o", "a.pmtiles", "--force"], naming: shard)
        try link("b.pmtiles", to: "work/job.json")
        try expectRefusal(["merge", "work", "-o", "b.pmtiles", "--force"], naming: "work/job.json")
        // The source has the name of a shard in a job that was changed.
        let json = try String(contentsOf: workshop.file("work/job.json"), encoding: .utf8)
        try manager.removeItem(at: workshop.file(shard))
        try copyPlan(to: shard)
        try workshop.write(json.replacing("work/plan.png", with: shard).utf8, to: "work/job.json")
        try expectRefusal(["shard", "work", "0"], naming: shard)
    }

    @Test("Pictures, pages and points")
    func singleFiles() throws {
        let place = ["--bounds", Workshop.bounds]
        try manager.linkItem(at: workshop.file("plan.png"), to: workshop.file("hard.png"))
        let address = String(tile.prefix { $0 != "." })
        try expectRefusal(
            ["tile", "plan.png", address, "-o", "hard.png"] + place, naming: "plan.png", status: 64)
        try expectRefusal(
            ["snapshot", "plan.png", "--zoom", "16", "--target", "2.001,48.001", "-o", "hard.png"] + place,
            naming: "plan.png", status: 64)
        try workshop.write(([SavedRows.header] + SavedRows.rows).joined(separator: "\n").utf8, to: "plan.pgw")
        try expectRefusal(
            ["fit", "plan.png", "--gcps", "plan.pgw", "-o", "plan.pgw"], naming: "plan.pgw", status: 64)
        try link("points.png", to: "plan.pgw")
        try expectRefusal(
            ["fit", "plan.png", "--gcps", "plan.pgw", "--plot", "points.png"], naming: "plan.pgw", status: 64)
        try link("page.html", to: "plan.png")
        try expectRefusal(
            ["place", "plan.png", "-o", "page.html", "--force"], naming: "page.html", status: 64)
        try expectRefusal(
            ["viewer", "expected", "-o", "page.html", "--force"],
            naming: workshop.url.resolvingSymlinksInPath().appending(path: "plan.png").path, status: 64)
        try link("plan.png.points", to: "plan.png")
        try workshop.write(
            ([SavedRows.header] + SavedRows.rows).joined(separator: "\n").utf8, to: "saved.points")
        try expectRefusal(
            ["place", "plan.png", "--take", "saved.points", "--force"], naming: "plan.png.points")
    }
}

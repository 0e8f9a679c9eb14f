import Foundation
import TestSupport
import Testing

/// What `snapshot` draws and says, and how it ends.
struct SnapshotCommandTests {
    private static let view = ["--target", "2.0015,48.001", "--zoom", "17.4", "--size", "200x120@1.5"]

    private func draw(
        _ arguments: [String], to name: String = "view.png", in workshop: Workshop
    ) throws -> Picture {
        try Program.succeed(["snapshot"] + arguments + ["-o", name], in: workshop.url)
        return try Picture(contentsOf: workshop.path(name))
    }

    @Test("The same view is drawn of a tileset in any container, and nearly the same of its image")
    func containers() throws {
        let workshop = try Workshop()
        for output in ["out", "plan.pmtiles", "plan.mbtiles"] { try workshop.build(to: output) }
        let picture = try draw(["out"] + Self.view, in: workshop)
        #expect((picture.width, picture.height) == (300, 180))
        #expect(picture[150, 90].alpha == 255)
        for archive in ["plan.pmtiles", "plan.mbtiles"] {
            #expect(try draw([archive] + Self.view, in: workshop) == picture)
        }
        let image = try draw(["plan.png", "--bounds", Workshop.bounds] + Self.view, in: workshop)
        #expect(image[150, 90].alpha == 255 && image.width == picture.width)
        // Options that say how tiles are stored are allowed for an image, and change nothing.
        let stored = ["--tile-size", "512", "--format", "webp", "--empty", "write"]
        let plan = ["plan.png", "--bounds", Workshop.bounds]
        #expect(try draw(plan + stored + Self.view, in: workshop) == image)
        // Those that say how the picture is stored count for it alone.
        let large = try draw(plan + ["--quality", "95"] + Self.view, to: "large.jpg", in: workshop)
        #expect(large.width == 300)
        _ = try draw(plan + ["--quality", "10"] + Self.view, to: "small.jpg", in: workshop)
        let sizes = try ["large.jpg", "small.jpg"].map { try Data(contentsOf: workshop.file($0)).count }
        #expect(sizes[1] < sizes[0] / 2)
    }

    @Test("Without a camera, the whole tileset is shown, and nothing beyond it")
    func whole() throws {
        let workshop = try Workshop(Picture(width: 300, height: 200, colour: (10, 200, 30, 255)))
        try workshop.build()
        let picture = try draw(["out"], in: workshop)
        #expect((picture.width, picture.height) == (780, 1688))
        let opaque = (0..<780).filter { picture[$0, 844].alpha == 255 }
        // 64 points of two pixels stay free.
        #expect(abs((opaque.first ?? 0) - 128) <= 1 && abs((opaque.last ?? 0) - 651) <= 1)
        #expect(picture[390, 0].alpha == 0)
    }

    @Test("A tileset over an image, a background, and JPEG")
    func layers() throws {
        let workshop = try Workshop()
        try workshop.build()
        try Picture(width: 300, height: 200, colour: (10, 200, 30, 255)).write(to: workshop.path("green.png"))
        try workshop.build(of: "green.png", to: "green")
        let contents = ["plan.png", "green", "--bounds", Workshop.bounds]
        let picture = try draw(contents + Self.view, to: "view.jpg", in: workshop)
        #expect(abs(Int(picture[150, 90].green) - 200) < 4)
        let empty = ["--target", "50,0", "--zoom", "10", "--size", "40x30"]
        let blue = try draw(["out", "--background", "#0000ff"] + empty, in: workshop)
        #expect(blue == Picture(width: 40, height: 30, colour: (0, 0, 255, 255)))
        #expect(try draw(["out"] + empty, in: workshop) == Picture(width: 40, height: 30))
        #expect(try draw(["out"] + empty, to: "v.jpeg", in: workshop)[5, 5] == (255, 255, 255, 255))
    }

    @Test("One line describes the picture, a bar shows progress, and --quiet prints nothing")
    func words() throws {
        let workshop = try Workshop()
        try workshop.build()
        let arguments = ["snapshot", "out", "-o", "view.png"] + Self.view
        let errors = try Program.succeed(arguments, in: workshop.url).errors
        #expect(errors.wholeMatch(of: /300 x 180 pixels, [0-9.]+ [kM]?B, \d+\.\d s\n/) != nil, "\(errors)")
        let json = try Program.succeed(arguments + ["--progress", "json"], in: workshop.url).errors
        #expect(json.contains(/"partsDone":(\d+),"partsTotal":\1\}/), "\(json)")
        let quiet = try Program.succeed(arguments + ["-q"], in: workshop.url)
        #expect(quiet.errors.isEmpty && quiet.output.isEmpty)
    }

    @Test("A floor of several")
    func floors() throws {
        let workshop = try Workshop()
        try Picture(width: 300, height: 200, colour: (10, 200, 30, 255)).write(to: workshop.path("green.png"))
        for (floor, image) in [("0", "plan.png"), ("1", "green.png")] {
            try workshop.build(
                ["--floor", floor, "--template", "L{floor}_{z}_{x}_{y}.{ext}"], of: image, to: "floors")
        }
        let picture = try draw(["floors", "--floor", "1"] + Self.view, in: workshop)
        #expect(picture[150, 90] == (10, 200, 30, 255))
        #expect(try draw(["floors", "--floor", "0"] + Self.view, in: workshop) != picture)
    }

    @Test(
        "Each error is one line, without an output file",
        arguments: [
            (["out"], "view.gif", 64, "PNG or JPEG"),
            (["out", "--quality", "80"], "view.png", 64, "--png-level"),
            (["out", "--png-level", "fast"], "view.jpg", 64, "--jpeg-level"),
            (["out", "--jpeg-level", "small"], "view.png", 64, "--png-level"),
            (["out", "--quality", "0"], "view.jpg", 64, "between 1 and 100"),
            (["out", "--resampling", "cubic"], "view.png", 64, "already made"),
            (["out", "--bounds", "1,2,3,4"], "view.png", 64, "already made"),
            (["plan.png", "--bounds", Workshop.bounds, "--floor", "1"], "view.png", 64, "is an image"),
            (["out", "--size", "30000x30000@4"], "view.png", 64, "--memory"),
            (["out", "--size", "0x10"], "view.png", 64, "0x10"),
            (["out"], "out/view.png", 64, "part of the tileset"),
            (["plan.png", "--bounds", Workshop.bounds], "plan.png", 64, "is an input"),
            (["out"], "none/view.png", 73, "no folder"),
            (["none.pmtiles"], "view.png", 66, "none.pmtiles"),
            (["none.png"], "view.png", 66, "none.png"),
            (["plan.png"], "view.png", 65, "plan.png"),
        ].some(5))
    func refusals(arguments: [String], name: String, status: Int, words: String) throws {
        let workshop = try Workshop()
        try workshop.build()
        let before = try Data(contentsOf: workshop.file("plan.png"))
        let outcome = try workshop.run(["snapshot"] + arguments + ["-o", name])
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("error: ") && outcome.output.isEmpty)
        #expect(name == "plan.png" || !workshop.has(name))
        #expect(try Data(contentsOf: workshop.file("plan.png")) == before)
    }

    @Test("A damaged tile is named, and the old picture stays")
    func damage() throws {
        let workshop = try Workshop()
        try workshop.build()
        _ = try draw(["out"] + Self.view, in: workshop)
        let before = try Data(contentsOf: workshop.file("view.png"))
        let folder = workshop.file("out/17")
        for column in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let rows = folder.appending(path: column)
            for row in try FileManager.default.contentsOfDirectory(atPath: rows.path) {
                let tile = rows.appending(path: row)
                try Data(contentsOf: tile).prefix(100).write(to: tile)
            }
        }
        let outcome = try workshop.run(["snapshot", "out", "-o", "view.png"] + Self.view)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(#/cannot read tile 17/\d+/\d+\.png of 'out': /#), "\(outcome.errors)")
        #expect(try Data(contentsOf: workshop.file("view.png")) == before)
    }
}

import Foundation
import TestSupport
import Testing

/// How much of a far image is asked for, and how often.
@Suite(.needs("gdal_translate", "gdaladdo", "python3"))
struct FarRequestTests {
    /// What `sparse_tiff.py` says of the file that it has written.
    private struct SparseFile: Decodable {
        struct Group: Decodable { var tile: String }
        var groups: [Group]

        init(_ options: [String], to path: String) throws {
            let script = SharedData.packageRoot
                .appending(path: "Tests/EndToEndTests/Support/Far/sparse_tiff.py").path
            let outcome = try Tool.run(Python.path() ?? "python3", [script, path] + options)
            self = try JSONDecoder().decode(Self.self, from: Data(outcome.output.utf8))
        }
    }

    @Test(
        "One tile of a file of 10 GB costs a few requests and little data",
        arguments: [
            ["--block", "256"], ["--block", "512", "--overviews"], ["--compression", "none"],
        ]
        .some(2))
    func oneTile(options: [String]) throws {
        let workshop = try Workshop()
        let sparse = try SparseFile(options, to: workshop.path("city.tif"))
        let server = try FarServer(of: workshop.url)
        for (index, group) in sparse.groups.enumerated() {
            let count = try server.requests(for: "city.tif").count
            let rest = [group.tile, "--zoom", "20", "--max-pixels", "100G", "-o"]
            try Program.succeed(["tile", "city.tif"] + rest + ["near\(index).png"], in: workshop.url)
            try Program.succeed(
                ["tile", server.url("city.tif")] + rest + ["far\(index).png"], in: workshop.url)
            let tile = try Data(contentsOf: workshop.file("far\(index).png"))
            #expect(try tile == Data(contentsOf: workshop.file("near\(index).png")))
            let requests = Array(try server.requests(for: "city.tif").dropFirst(count))
            #expect(requests.count <= 8, "\(requests)")
            #expect(requests.bytes <= 2_000_000, "\(requests)")
            #expect(requests.repeatedBytes == 0, "\(requests)")
            #expect(tile.count > 10_000)
        }
    }

    @Test("A build reads no byte twice, and only blocks", arguments: ["1", "4"], [[], ["2", "4"]])
    func wholeBuild(jobs: String, overviews: [String]) throws {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 3000, height: 2000)
        let blocks = try Data(contentsOf: workshop.file("site/noise.tif")).count
        // Overviews follow the blocks; none of them is needed for the zoom of the image's own pixels.
        if !overviews.isEmpty { try workshop.tool("gdaladdo", ["-q", "site/noise.tif"] + overviews) }
        let server = try FarServer(of: workshop.file("site"))
        try Program.succeed(
            [server.url("noise.tif"), "-z", "19-20", "--format", "jpeg", "-o", "out", "-j", jobs],
            in: workshop.url)
        let requests = try server.requests(for: "noise.tif")
        #expect(requests.repeatedBytes == 0)
        #expect(Double(requests.bytes) <= 1.02 * Double(blocks), "\(requests.bytes) for \(blocks)")
        // Blocks that lie together are one request, of up to half a MiB.
        #expect(requests.count < 50, "\(requests.count)")
    }

    @Test("A second run with nothing to do asks only whether the file is the same")
    func secondRun() throws {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 1500, height: 1000)
        try FarImage.worldFile.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        for name in ["noise.tif", "plan.png"] {
            let arguments = [server.url(name), "-z", "16-18", "-o", "out-\(name)/"]
            try Program.succeed(arguments, in: workshop.url)
            let first = try server.requests(for: name)
            let again = try Program.succeed(arguments, in: workshop.url)
            #expect(again.errors.hasPrefix("0 tiles written"), "\(again.errors)")
            let second = Array(try server.requests(for: name).dropFirst(first.count))
            // The head of a TIFF says enough; other images are fetched once in each run.
            let size = name == "plan.png" ? 250_000 : 70_000
            #expect(second.count <= 2 && second.bytes <= size, "\(second)")
        }
        // Another state of the file is other tiles.
        try Picture.plan(width: 310, height: 200).write(to: workshop.path("site/plan.png"))
        let changed = try Program.succeed(
            [server.url("plan.png"), "-z", "16-18", "-o", "out-plan.png/"], in: workshop.url)
        #expect(!changed.errors.hasPrefix("0 tiles written"), "\(changed.errors)")
    }

    @Test("A part of an image costs the blocks of that part")
    func part() throws {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 1500, height: 1000)
        let size = try Data(contentsOf: workshop.file("site/noise.tif")).count
        let server = try FarServer(of: workshop.file("site"))
        try Program.succeed(
            [server.url("noise.tif"), "--crop", "0,0,300,200", "-z", "19", "-o", "out"], in: workshop.url)
        #expect(try server.requests(for: "noise.tif").bytes < size / 4)
    }

    @Test("A dry run makes some tiles, and reads nothing twice for them")
    func dryRun() throws {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 1500, height: 1000)
        let size = try Data(contentsOf: workshop.file("site/noise.tif")).count
        let server = try FarServer(of: workshop.file("site"))
        try Program.succeed([server.url("noise.tif"), "--dry-run", "-o", "out"], in: workshop.url)
        let requests = try server.requests(for: "noise.tif")
        #expect(requests.bytes <= size && requests.repeatedBytes == 0)
        #expect(!workshop.has("out"))
    }

    @Test("Redirections are followed, and blocks are then read where they end")
    func redirection() throws {
        let workshop = try Workshop()
        try FarImage.cog.make(in: workshop)
        try Program.succeed(["site/plan.tif", "-z", "15-18", "-o", "near"], in: workshop.url)
        let server = try FarServer(of: workshop.file("site"))
        try Program.succeed([server.url("~redirect/plan.tif"), "-z", "15-18", "-o", "far"], in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("far")).tiles == Snapshot(of: workshop.file("near")).tiles)
        let requests = try server.requests()
        #expect(requests.count { $0.path == "/~redirect/plan.tif" } == 1)
        for place in ["loop", "file", "away"] {
            let outcome = try workshop.run([server.url("~\(place)/plan.tif"), "-o", "out"])
            #expect([64, 65, 66, 74].contains(outcome.status), "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("error: "), "\(outcome.errors)")
            #expect(!workshop.has("out"))
        }
    }
}

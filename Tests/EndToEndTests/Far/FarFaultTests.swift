import Foundation
import TestSupport
import Testing

/// Servers that fail, stall and lie: the tiles are right, or there are none.
@Suite(.needs("gdal_translate", "gdalwarp", "gdaladdo", "python3"))
struct FarFaultTests {
    private static let faults = [
        "status", "reset", "cut", "slow", "length", "short", "start", "hang",
    ]

    @Test("Tiles are the same if answers fail, break off, stall or lie", arguments: faults)
    func sameTiles(fault: String) throws {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 700, height: 500)
        try Program.succeed(["site/noise.tif", "-z", "16-18", "-o", "near"], in: workshop.url)
        let server = try FarServer(of: workshop.file("site"), ["--fault", fault, "--every", "3"])
        try Program.succeed(
            [server.url("noise.tif"), "-z", "16-18", "-o", "far", "-j", "4"],
            environment: ["TILEWRIGHT_TIMEOUT=2"],
            in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("far")).tiles == Snapshot(of: workshop.file("near")).tiles)
        #expect(try server.requests().contains { $0.fault == fault })
    }

    @Test(
        "So they are of an image that is fetched whole",
        arguments: ["status", "reset", "cut", "slow", "length", "short", "hang"])
    func sameTilesOfWhole(fault: String) throws {
        let workshop = try Workshop()
        try FarImage.worldFile.make(in: workshop)
        try Program.succeed(["site/plan.png", "-z", "16-17", "-o", "near"], in: workshop.url)
        // Every second request, so that the image's own is hit, or the one that goes on with it.
        let server = try FarServer(
            of: workshop.file("site"), ["--fault", fault, "--every", "2", "--only", ".png"])
        try Program.succeed(
            [server.url("plan.png"), "-z", "16-17", "-o", "far"], environment: ["TILEWRIGHT_TIMEOUT=2"],
            in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("far")).tiles == Snapshot(of: workshop.file("near")).tiles)
    }

    @Test(
        "Servers without ranges, tags or dates give the same tiles",
        arguments: [
            ["--no-ranges"], ["--etag", "weak"], ["--etag", "none"], ["--etag", "weak", "--no-date"],
            ["--etag", "none", "--no-date"], ["--no-date"], ["--no-conditions"],
        ])
    func poorServers(options: [String]) throws {
        let workshop = try Workshop()
        try FarImage.cog.make(in: workshop)
        try Program.succeed(["site/plan.tif", "-z", "15-18", "-o", "near"], in: workshop.url)
        let server = try FarServer(of: workshop.file("site"), options)
        try Program.succeed([server.url("plan.tif"), "-z", "15-18", "-o", "far"], in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("far")).tiles == Snapshot(of: workshop.file("near")).tiles)
    }

    @Test(
        "A source that changes while it is read is refused, and OUTPUT stays as it was",
        arguments: [[], ["--no-conditions"], ["--etag", "none"]])
    func changingSource(options: [String]) throws {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 3000, height: 2000)
        try Program.succeed(["plan.png", "--bounds", Workshop.bounds, "-o", "out"], in: workshop.url)
        let before = try Snapshot(of: workshop.file("out"))
        // After the first request, which has the head of the file, or after the first blocks.
        for after in ["1", "3"] {
            for output in ["out", "new"] {
                let server = try FarServer(of: workshop.file("site"), ["--replace-after", after] + options)
                let outcome = try workshop.run([
                    server.url("noise.tif"), "-z", "18-20", "--format", "jpeg", "-o", output, "--force",
                ])
                #expect(outcome.status == 65, "\(outcome.errors)")
                #expect(outcome.errors.contains("changed while it was read"), "\(outcome.errors)")
            }
            #expect(try Snapshot(of: workshop.file("out")).sideFiles == before.sideFiles)
            #expect(try Snapshot(of: workshop.file("out")).differences(from: before).isEmpty)
            #expect(!workshop.has("new/tilejson.json"))
        }
    }

    @Test("Answers that say another size, or are encoded, are refused", arguments: ["total", "encoded"])
    func lies(fault: String) throws {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 700, height: 500)
        let server = try FarServer(of: workshop.file("site"), ["--fault", fault, "--every", "2"])
        let outcome = try workshop.run([server.url("noise.tif"), "-z", "16-18", "-o", "out"])
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(!workshop.has("out/tilejson.json"))
    }

    @Test("A server that never answers ends the run within the time-out", .long)
    func silentServer() throws {
        let workshop = try Workshop()
        let server = try FarServer(of: workshop.url)
        let start = ContinuousClock.now
        let outcome = try Program.run(
            [server.url("~never/plan.png"), "--bounds", Workshop.bounds, "-o", "out"],
            environment: ["TILEWRIGHT_TIMEOUT=2"], in: workshop.url)
        #expect(outcome.status == 74, "\(outcome.errors)")
        // Six requests of 2 s, and the pauses between them.
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(!workshop.has("out"))
    }

    @Test("A server that is gone, or fails for ever, ends the run with 74", .long)
    func goneServer() throws {
        let workshop = try Workshop()
        let server = try FarServer(of: workshop.url, ["--fault", "status", "--every", "1"])
        for address in [
            server.url("plan.png"), "http://127.0.0.1:1/plan.png", server.url("~garbage/plan.png"),
        ] {
            let outcome = try workshop.run([address, "--bounds", Workshop.bounds, "-o", "out"])
            #expect(
                outcome.status == 74 || (outcome.status == 65 && address.contains("garbage")),
                "\(outcome.errors)")
            #expect(
                outcome.errors.hasPrefix("error: ") && outcome.errors.contains(address), "\(outcome.errors)")
        }
    }

    @Test("A missing or closed file is 66, with a way out")
    func missing() throws {
        let workshop = try Workshop()
        let server = try FarServer(of: workshop.url)
        let closed = try FarServer(of: workshop.url, ["--s3"])
        for address in [
            server.url("none.png"), server.url("none.tif"), server.url("~status/403/plan.png"),
            server.url("~status/401/plan.png"), server.url("~status/410/plan.png"), closed.url("none.tif"),
        ] {
            let outcome = try workshop.run([address, "--bounds", Workshop.bounds, "-o", "out"])
            #expect(outcome.status == 66, "\(outcome.errors)")
            #expect(outcome.errors.contains(address), "\(outcome.errors)")
        }
        // Sidecars that may not be looked for are taken for missing.
        try Program.succeed(
            [closed.url("plan.png"), "--bounds", Workshop.bounds, "-o", "out"], in: workshop.url)
    }

    @Test("Files that are not images, or are empty, are refused as local ones are")
    func notImages() throws {
        let workshop = try Workshop()
        try workshop.write([], to: "empty.tif")
        try workshop.write(Data("<html>Sign in</html>".utf8), to: "page.tif")
        try workshop.write(Data(contentsOf: workshop.file("plan.png")).prefix(2000), to: "cut.png")
        let server = try FarServer(of: workshop.url)
        for name in ["empty.tif", "page.tif", "cut.png"] {
            let options = ["--bounds", Workshop.bounds, "-o", "out"]
            let (near, far) = (
                try workshop.run([name] + options), try workshop.run([server.url(name)] + options)
            )
            #expect(far.status == near.status && far.status == 65, "\(far.errors)")
            #expect(far.errors.replacing(server.address + "/", with: "") == near.errors)
        }
    }
}

import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `-o plan.pmtiles` as a user sees it.
struct PMTilesOutputTests {
    private static let zooms = ["--zoom", "16-19"]

    @Test(
        "An archive has the tiles and the metadata of a tree",
        .long, .needsPython("pmtiles"))
    func sameTilesAsTree() throws {
        let workshop = try Workshop()
        let options = Self.zooms + ["--floor", "-1", "--attribution", "© us", "--name", "Basement"]
        try workshop.build(options, to: "out")
        try workshop.build(options, to: "plan.pmtiles")
        let outcome = try Python.run(
            """
            import json, os
            from pmtiles.reader import MmapSource, Reader, all_tiles
            source = MmapSource(open("plan.pmtiles", "rb"))
            count = 0
            for (zoom, column, row), data in all_tiles(source):
                assert open(f"out/{zoom}/{column}/{row}.png", "rb").read() == data
                count += 1
            metadata = Reader(source).metadata()
            tilejson = json.load(open("out/tilejson--1.json"))
            assert count == metadata["tileCount"] == sum(
                name.endswith(".png") and ".tilewright" not in folder
                for folder, _, names in os.walk("out") for name in names)
            for key in ["name", "attribution", "floor", "tileSize", "tileCount", "digest"]:
                assert metadata[key] == tilejson[key], key
            header = Reader(source).header()
            bounds = [header[key + "_e7"] for key in ["min_lon", "min_lat", "max_lon", "max_lat"]]
            assert bounds == [round(edge * 1e7) for edge in tilejson["bounds"]]
            center = [header["center_lon_e7"], header["center_lat_e7"]]
            assert center == [round(angle * 1e7) for angle in tilejson["center"][:2]]
            assert header["center_zoom"] == tilejson["center"][2]
            """, with: ["pmtiles"], in: workshop.url)
        #expect(outcome.errors == "")
    }

    @Test(
        "An archive has the same bytes, however the program runs",
        arguments: [["-j", "1"], ["-j", "4"], ["--tmpdir", "/tmp"], ["--fsync"]].some(1))
    func sameBytes(options: [String]) throws {
        let workshop = try Workshop()
        let first = try workshop.build(Self.zooms, to: "first.pmtiles")
        let second = try workshop.build(Self.zooms + options, to: "second.PMTiles")
        #expect(try Data(contentsOf: first) == Data(contentsOf: second))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workshop.url.path).sorted() == [
                "first.pmtiles", "plan.png", "second.PMTiles",
            ])
    }

    @Test("A file of another program is refused, and replaced with --force; tilewright's own is replaced")
    func ownership() throws {
        let workshop = try Workshop()
        let arguments =
            ["plan.png", "--bounds", Workshop.bounds, "-o", "x.pmtiles"] + Self.zooms
        try workshop.write([1, 2, 3], to: "x.pmtiles")
        let refused = try workshop.run(arguments)
        #expect(refused.status == 73)
        #expect(refused.errors.contains("cannot write 'x.pmtiles': the file there was not made"))
        #expect(try Data(contentsOf: workshop.file("x.pmtiles")) == Data([1, 2, 3]))
        #expect(try workshop.run(arguments + ["--force"]).status == 0)
        let again = try workshop.run(arguments)
        #expect(again.status == 0)
        let size = try Data(contentsOf: workshop.file("x.pmtiles")).count
        #expect(
            again.errors.contains("0 tiles written, ") && !again.errors.contains(", 0 unchanged"))
        #expect(size > 1000)
    }

    @Test("A stopped run leaves no new file, and keeps the old one")
    func interruption() throws {
        let workshop = try Workshop()
        let archive = try workshop.build(Self.zooms, to: "x.pmtiles")
        let before = try Data(contentsOf: archive)
        let run = try RunningProgram([
            workshop.path("plan.png"), "--bounds", Workshop.bounds, "--zoom", "18-22", "-o",
            archive.path,
        ])
        let isRunning = run.wait { workshop.has("x.pmtiles.tilewright-partial") }
        #expect(isRunning, "the run ended before it could be stopped")
        #expect(run.end(with: SIGINT) == 130)
        #expect(!workshop.has("x.pmtiles.tilewright-partial"))
        #expect(try Data(contentsOf: archive) == before)
    }
}

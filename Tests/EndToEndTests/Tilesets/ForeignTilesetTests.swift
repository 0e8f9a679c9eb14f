import Foundation
import TestSupport
import Testing

/// Tilesets that other programs made, and others that read ours.
struct ForeignTilesetTests {
    /// Makes a GeoTIFF of the plan with GDAL.
    private func prepared() throws -> Workshop {
        let workshop = try Workshop()
        let edges = Workshop.bounds.split(separator: ",").map(String.init)
        let outcome = try Tool.run(
            "gdal_translate",
            ["-q", "-a_srs", "EPSG:4326", "-a_ullr", edges[0], edges[3], edges[2], edges[1]]
                + ["plan.png", "plan.tif"], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return workshop
    }

    @Test(
        "Folders of gdal2tiles are read, rows counted as their files say", .long,
        .needs("gdal2tiles.py", "gdal_translate"))
    func gdal2tiles() throws {
        let workshop = try prepared()
        for (name, options) in [("xyz", ["--xyz"]), ("tms", [])] {
            let outcome = try Tool.run(
                "gdal2tiles.py", ["-q", "-z", "15-17"] + options + ["plan.tif", name], in: workshop.url)
            #expect(outcome.status == 0, "\(outcome.errors)")
            try Program.succeed(["verify", name], in: workshop.url)
            try Program.succeed(["convert", name, "\(name)-out"], in: workshop.url)
            try Program.succeed(["verify", "\(name)-out"], in: workshop.url)
        }
        let original = try Snapshot(of: workshop.file("xyz")).tiles
        #expect(try Snapshot(of: workshop.file("xyz-out")).tiles == original)
        #expect(try Snapshot(of: workshop.file("tms-out")).tiles == original)
        // Without the file that says it, the user has to.
        try FileManager.default.removeItem(at: workshop.file("tms/tilemapresource.xml"))
        let arguments = ["convert", "tms", "told", "--in-scheme", "tms"]
        try Program.succeed(arguments, in: workshop.url)
        #expect(try Snapshot(of: workshop.file("told")).tiles == original)
    }

    @Test(
        "MBTiles with tiles and bounds on either side of the equator are read as the user says, with a warning",
        .long,
        .needs("sqlite3"))
    func rowsFromTheNorth() throws {
        let workshop = try Workshop()
        try workshop.build(["--zoom", "16-18"])
        let original = try Snapshot(of: workshop.file("out")).tiles
        // As another program writes it.
        let plain =
            "DELETE FROM metadata WHERE name NOT IN ('name', 'format', 'bounds', 'minzoom', 'maxzoom');"
        let edges = Workshop.bounds.split(separator: ",")
        let negated = "\(edges[0]),-\(edges[3]),\(edges[2]),-\(edges[1])"
        let flip = "UPDATE tiles_shallow SET tile_row = (1 << zoom_level) - 1 - tile_row"
        for (name, sql) in [
            ("north", flip), ("stated", "\(flip); INSERT INTO metadata VALUES ('scheme', 'xyz')"),
            ("negated", "UPDATE metadata SET value = '\(negated)' WHERE name = 'bounds'"),
            ("away", "UPDATE metadata SET value = '51,8,51.1,8.1' WHERE name = 'bounds'"),
        ] {
            try workshop.build(["--zoom", "16-18"], to: "\(name).mbtiles")
            let changed = try Tool.run("sqlite3", ["\(name).mbtiles", plain + sql], in: workshop.url)
            try #require(changed.status == 0, "\(changed.errors)")
            let info = try workshop.run(["info", "\(name).mbtiles", "--json"])
            #expect(info.output.contains("bounds-elsewhere") == (name != "stated"), "\(info.output)")
            #expect(
                info.errors.contains(name == "away" ? "elsewhere" : "--in-scheme xyz") == (name != "stated"))
            let verified = try workshop.run(["verify", "\(name).mbtiles"])
            #expect(verified.output.contains("its bounds are") == (name != "stated"), "\(verified.output)")
            let copied = try workshop.run(["convert", "\(name).mbtiles", name])
            #expect(copied.status == 0 && copied.errors.hasPrefix("warning: ") == (name != "stated"))
            #expect((try Snapshot(of: workshop.file(name)).tiles == original) == (name != "north"))
        }
        let told = try workshop.run(["convert", "north.mbtiles", "told", "--in-scheme", "xyz"])
        #expect(told.status == 0 && !told.errors.contains("warning"), "\(told.errors)")
        #expect(try Snapshot(of: workshop.file("told")).tiles == original)
    }

    @Test(
        "MBTiles of GDAL are read: 512 pixels, which they do not name, in JPEG",
        .needs("gdal_translate"))
    func gdalMBTiles() throws {
        let workshop = try prepared()
        let outcome = try Tool.run(
            "gdal_translate",
            [
                "-q", "-b", "1", "-b", "2", "-b", "3", "-of", "MBTILES", "-co", "TILE_FORMAT=JPEG",
                "-co", "BLOCKSIZE=512", "plan.tif", "theirs.mbtiles",
            ], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        try Program.succeed(["verify", "theirs.mbtiles"], in: workshop.url)
        for output in ["out", "out.pmtiles"] {
            try Program.succeed(["convert", "theirs.mbtiles", output], in: workshop.url)
            try Program.succeed(["verify", output], in: workshop.url)
        }
        let text = try String(contentsOf: workshop.file("out/tilejson.json"), encoding: .utf8)
        #expect(text.contains("\"tileSize\": 512") && text.contains("\"format\": \"jpg\""))
        #expect(text.contains("\"name\": \"theirs\""))
    }

    @Test(
        "The reader of PMTiles for Python finds the tiles of a folder in the archive made of it",
        .long, .needsPython("pmtiles"))
    func pythonReader() throws {
        let workshop = try Workshop()
        try workshop.build(["--zoom", "15-18"])
        try Program.succeed(["convert", "out", "a.pmtiles"], in: workshop.url)
        let script = """
            import pathlib
            from pmtiles.reader import MmapSource, Reader, all_tiles
            with open("a.pmtiles", "rb") as file:
                found = {f"{z}/{x}/{y}": data for (z, x, y), data in all_tiles(MmapSource(file))}
            paths = {str(p.relative_to("out"))[:-4]: p for p in pathlib.Path("out").glob("*/*/*.png")}
            assert found == {name: path.read_bytes() for name, path in paths.items()}, found.keys()
            """
        let outcome = try Python.run(script, with: ["pmtiles"], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("All metadata of archives made from other programs' tilesets may be texts")
    func texts() throws {
        // What go-pmtiles makes of the rows of our MBTiles.
        let workshop = try Workshop()
        try workshop.build(["--zoom", "15-18", "--format", "auto", "--tile-size", "512"])
        let file = workshop.file("out/tilejson.json")
        let json = try String(contentsOf: file, encoding: .utf8)
            .replacing("\"tileSize\": 512", with: "\"tileSize\": \"512\"")
            .replacing(
                "[\"image/png\", \"image/jpeg\"]", with: "\"image/png,image/jpeg\"")
        try Data(json.utf8).write(to: file)
        try Program.succeed(["verify", "out"], in: workshop.url)
    }
}

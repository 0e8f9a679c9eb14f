import Foundation
import TestSupport
import Testing

/// `info` of finished tilesets, counted by other programs too.
struct TilesetInfoTests {
    /// What `info --json` says of tilesets.
    private struct Inventory: Decodable {
        struct Zoom: Decodable { var zoom, tiles, bytes: Int }
        struct Duplicates: Decodable {
            var tiles, contents, bytes: Int
            var storedOnce: Bool
        }
        struct Tileset: Decodable {
            var floor, label, name, compression, generator, template: String?
            var container, scheme: String
            var formats: [String]
            var schemeAssumed: Bool
            var tileSize: Int?
            var vectorLayers, images: [String]?
            var bounds: [Double]
            var zooms: [Zoom]
            var tiles, bytes, missing: Int
            var duplicates: Duplicates
        }
        struct Building: Decodable { var floors: [String] }
        var building: Building?
        var tilesets: [Tileset]
        var tiles, bytes: Int
    }

    /// What the files of a folder come to, counted by their names and contents.
    private struct Count {
        var zooms: [Int: (tiles: Int, bytes: Int)] = [:]
        var contents: [Data: Int] = [:]

        init(_ tiles: [String: Data]) {
            for (name, bytes) in tiles {
                let zoom = Int(name.prefix { $0 != "/" }) ?? -1
                zooms[zoom, default: (0, 0)].tiles += 1
                zooms[zoom, default: (0, 0)].bytes += bytes.count
                contents[bytes, default: 0] += 1
            }
        }

        var sharing: Int { contents.values.filter { $0 > 1 }.reduce(0, +) }
        var bytes: Int { zooms.values.reduce(0) { $0 + $1.bytes } }
        var contentBytes: Int { contents.keys.reduce(0) { $0 + $1.count } }
    }

    private func inventory(_ arguments: [String], in workshop: Workshop) throws -> Inventory {
        let outcome = try Program.succeed(["info"] + arguments + ["--json"], in: workshop.url)
        return try JSONDecoder().decode(Inventory.self, from: Data(outcome.output.utf8))
    }

    private func only(_ path: String, in workshop: Workshop) throws -> Inventory.Tileset {
        let all = try inventory([path], in: workshop)
        #expect(all.tilesets.count == 1 && all.tiles == all.tilesets.first?.tiles)
        return try #require(all.tilesets.first)
    }

    private func expect(
        _ tileset: Inventory.Tileset, toBe count: Count, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(tileset.zooms.map(\.zoom) == count.zooms.keys.sorted(), sourceLocation: sourceLocation)
        for zoom in tileset.zooms {
            #expect(zoom.tiles == count.zooms[zoom.zoom]?.tiles, sourceLocation: sourceLocation)
            #expect(zoom.bytes == count.zooms[zoom.zoom]?.bytes, sourceLocation: sourceLocation)
        }
        #expect(tileset.bytes == count.bytes, sourceLocation: sourceLocation)
        #expect(tileset.duplicates.contents == count.contents.count, sourceLocation: sourceLocation)
        #expect(tileset.duplicates.tiles == count.sharing, sourceLocation: sourceLocation)
        #expect(tileset.duplicates.bytes == count.bytes - count.contentBytes, sourceLocation: sourceLocation)
    }

    @Test(
        "A folder and both archives of a plan with plain areas have the counts of the folder's files", .long)
    func containers() throws {
        let workshop = try Workshop(Picture(width: 2000, height: 1500, colour: (170, 200, 230, 255)))
        for output in ["out", "out.mbtiles", "out.pmtiles"] {
            try workshop.build(["-z", "17-19"], to: output)
        }
        let tiles = try Snapshot(of: workshop.file("out")).tiles
        let count = Count(tiles)
        #expect(count.sharing > 4)
        for (output, container) in [
            ("out", "directory"), ("out.mbtiles", "mbtiles"), ("out.pmtiles", "pmtiles"),
        ] {
            let tileset = try only(output, in: workshop)
            expect(tileset, toBe: count)
            #expect(tileset.container == container && tileset.formats == ["png"] && tileset.tileSize == 256)
            #expect(tileset.duplicates.storedOnce == (container != "directory"))
            #expect(tileset.generator == "tilewright" && tileset.images == ["plan.png"])
            #expect(!tileset.schemeAssumed && tileset.missing == 0)
        }
        // A copy without the list of files is counted by its files.
        try FileManager.default.removeItem(at: workshop.file("out/.tilewright"))
        expect(try only("out", in: workshop), toBe: count)
    }

    @Test("Deleted tiles are counted as missing")
    func missing() throws {
        let workshop = try Workshop()
        try workshop.build(["-z", "17-18"])
        var tiles = try Snapshot(of: workshop.file("out")).tiles
        let name = try #require(tiles.keys.sorted().last)
        try FileManager.default.removeItem(at: workshop.file("out/\(name)"))
        tiles[name] = nil
        let tileset = try only("out", in: workshop)
        expect(tileset, toBe: Count(tiles))
        #expect(tileset.missing == 1)
        let text = try Program.succeed(["info", "out"], in: workshop.url).output
        #expect(text.contains("missing    1 tile (or of the wrong length)"))
    }

    @Test("The floors of a folder are listed from the lowest, and one is described alone")
    func floors() throws {
        let workshop = try Workshop()
        try workshop.drawFloors()
        try workshop.write(Workshop.house(zoom: "16-17").utf8, to: "house.yaml")
        try Program.succeed(["house.yaml"], in: workshop.url)
        let names = try FileManager.default.contentsOfDirectory(atPath: workshop.path("tiles"))
        let all = try inventory(["tiles"], in: workshop)
        #expect(all.building?.floors == ["B1", "0", "1"])
        #expect(all.tilesets.map(\.floor) == ["B1", "0", "1"])
        #expect(all.tilesets.map(\.label) == ["Basement", "Ground floor", "First floor"])
        for tileset in all.tilesets {
            let start = "L\(tileset.floor ?? "")_"
            #expect(tileset.tiles == names.filter { $0.hasPrefix(start) && $0.hasSuffix(".png") }.count)
            #expect(tileset.template == "\(start){z}_{x}_{y}.png")
        }
        #expect(try inventory(["tiles", "--floor", "B1"], in: workshop).tilesets.map(\.floor) == ["B1"])
        let text = try Program.succeed(["info", "tiles"], in: workshop.url).output
        #expect(text.contains("building   House, from 'house.yaml', 3 floors"))
        // The manifest still tells what would be built.
        #expect(try Program.succeed(["info", "house.yaml"], in: workshop.url).output.contains("off by"))
    }

    @Test("The folders of a campus' buildings are listed, and each is described")
    func campus() throws {
        let workshop = try Workshop()
        try workshop.drawFloors()
        for name in ["a", "b"] {
            let house = Workshop.house(zoom: "16").replacing("output: tiles", with: "output: all/\(name)")
                .replacing("name: House", with: "name: \(name)")
            try workshop.write(house.utf8, to: "\(name).yaml")
        }
        let campus = "name: Campus\noutput: all\nbuildings:\n  - a.yaml\n  - b.yaml\n"
        try workshop.write(campus.utf8, to: "campus.yaml")
        try Program.succeed(["campus.yaml"], in: workshop.url)
        let text = try Program.succeed(["info", "all"], in: workshop.url).output
        #expect(text.contains("campus     Campus, 2 buildings") && text.contains("all/a\n"))
        #expect(try inventory(["all"], in: workshop).tilesets.isEmpty)
        #expect(try inventory(["all/b"], in: workshop).tilesets.count == 3)
    }

    @Test(
        "Other programs' folders: rows count from the south if a file says so, otherwise the order is unknown"
    )
    func foreign() throws {
        let workshop = try Workshop()
        try workshop.build(["-z", "16-17"])
        for name in ["theirs", "south"] {
            try FileManager.default.copyItem(at: workshop.file("out"), to: workshop.file(name))
            for file in [".tilewright", "tilejson.json", "metadata.json"] {
                try FileManager.default.removeItem(at: workshop.file("\(name)/\(file)"))
            }
        }
        let document = "<TileMap><Title>a &amp; b.tif</Title><TileSets profile=\"mercator\"/></TileMap>"
        try workshop.write(document.utf8, to: "south/tilemapresource.xml")
        let theirs = try only("theirs", in: workshop)
        #expect(theirs.schemeAssumed && theirs.scheme == "xyz" && theirs.generator == nil)
        expect(
            theirs,
            toBe: Count(try Snapshot(of: workshop.file("theirs")).tiles.filter { $0.key.hasSuffix(".png") }))
        let south = try only("south", in: workshop)
        #expect(!south.schemeAssumed && south.scheme == "tms" && south.name == "a & b.tif")
        // The rows are mirrored at the equator.
        #expect(
            abs(south.bounds[1] + theirs.bounds[3]) < 1e-9 && abs(south.bounds[3] + theirs.bounds[1]) < 1e-9)
        let text = try Program.succeed(["info", "theirs"], in: workshop.url).output
        #expect(
            text.contains("does not say") && text.contains("if they count from the south (tms): "))
    }

    @Test(
        "A folder of gdal2tiles has the tiles that are there", .long,
        .needs("gdal2tiles.py", "gdal_translate"))
    func gdal2tiles() throws {
        let workshop = try Workshop()
        let place = ["-a_srs", "EPSG:4326", "-a_ullr", "2", "48.002", "2.003", "48"]
        _ = try Tool.run("gdal_translate", ["-q"] + place + ["plan.png", "plan.tif"], in: workshop.url)
        let made = try Tool.run(
            "gdal2tiles.py", ["-q", "-z", "15-17", "plan.tif", "theirs"], in: workshop.url)
        #expect(made.status == 0, "\(made.errors)")
        let tileset = try only("theirs", in: workshop)
        #expect(tileset.scheme == "tms" && !tileset.schemeAssumed && tileset.name == "plan.tif")
        let tiles = try Snapshot(of: workshop.file("theirs")).tiles.filter { $0.key.hasSuffix(".png") }
        expect(tileset, toBe: Count(tiles))
    }

    @Test("MBTiles with vector tiles by tippecanoe are described", .needs("python3"))
    func vectorTiles() throws {
        let workshop = try Workshop()
        let script = """
            import gzip, sqlite3
            database = sqlite3.connect("a.mbtiles")
            database.executescript('''
                CREATE TABLE metadata (name text, value text);
                CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
                CREATE TABLE images (zoom_level INTEGER, tile_data BLOB, tile_id TEXT);
                CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, tile_column, tile_row, tile_data
                    FROM map JOIN images
                    ON images.tile_id = map.tile_id AND images.zoom_level = map.zoom_level;
            ''')
            rows = [("format", "pbf"), ("generator", "tippecanoe v2.49.0"),
                ("json", '{"vector_layers": [{"id": "roads"}]}')]
            database.executemany("INSERT INTO metadata VALUES (?, ?)", rows)
            tile = gzip.compress(b"\\x1a\\x05roads")
            database.executemany("INSERT INTO images VALUES (?, ?, 'a')", [(0, tile), (2, tile)])
            places = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (2, 1, 1)]
            database.executemany("INSERT INTO map VALUES (?, ?, ?, 'a')", places)
            database.commit()
            print(database.execute("SELECT sum(length(tile_data)) FROM tiles").fetchone()[0])
            """
        let made = try Python.run(script, in: workshop.url)
        #expect(made.status == 0, "\(made.errors)")
        let tileset = try only("a.mbtiles", in: workshop)
        #expect(tileset.formats == ["mvt"] && tileset.compression == "gzip" && tileset.tileSize == nil)
        #expect(tileset.vectorLayers == ["roads"] && tileset.generator == "tippecanoe v2.49.0")
        #expect(tileset.zooms.map(\.tiles) == [1, 3])
        #expect("\(tileset.bytes)\n" == made.output)
        // Contents are stored once within a zoom.
        #expect(tileset.duplicates.contents == 2 && tileset.duplicates.tiles == 3)
    }

    @Test("PMTiles with vector tiles by another writer are described", .long, .needsPython("pmtiles"))
    func vectorArchive() throws {
        let workshop = try Workshop()
        let script = """
            import gzip
            from pmtiles.tile import Compression, TileType, zxy_to_tileid
            from pmtiles.writer import write
            with write("a.pmtiles") as writer:
                for z, x, y in [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1)]:
                    writer.write_tile(zxy_to_tileid(z, x, y), gzip.compress(b"\\x1a\\x05roads", mtime=0))
                header = dict(tile_type=TileType.MVT, tile_compression=Compression.GZIP, center_zoom=0,
                    min_lon_e7=0, min_lat_e7=0, max_lon_e7=10, max_lat_e7=10, center_lon_e7=0, center_lat_e7=0)
                writer.finalize(header, {"vector_layers": [{"id": "roads"}]})
            """
        let made = try Python.run(script, with: ["pmtiles"], in: workshop.url)
        #expect(made.status == 0, "\(made.errors)")
        let tileset = try only("a.pmtiles", in: workshop)
        #expect(tileset.formats == ["mvt"] && tileset.compression == "gzip")
        #expect(tileset.vectorLayers == ["roads"] && tileset.zooms.map(\.tiles) == [1, 3])
        #expect(tileset.duplicates.contents == 1 && tileset.duplicates.tiles == 4)
    }

    @Test(
        "An option that does not apply to a tileset, or a damaged tileset, is one clear line",
        arguments: [
            (["out", "-z", "16"], 64, "--zoom does not apply to 'out'"),
            (["out", "--anchor", "1,1,2,48"], 64, "--anchor does not apply to 'out'"),
            (["out", "--crop", "0,0,9,9"], 64, "--crop does not apply to 'out'"),
            (["out", "plan.png"], 64, "'out' is a tileset and cannot be combined with 'plan.png'"),
            (["out", "--floor", "9"], 66, "it has no floor '9'"),
            (["out.pmtiles", "--floor", "9"], 64, "an archive holds one tileset"),
            (["empty"], 65, "cannot read 'empty'"), (["cut.pmtiles"], 65, "beyond the end of the file"),
            (["none.mbtiles"], 66, "no such file"),
        ].some(2))
    func refusals(arguments: [String], status: Int, words: String) throws {
        let workshop = try Workshop()
        try workshop.build(["-z", "17"])
        let archive = try Data(contentsOf: workshop.build(["-z", "17"], to: "out.pmtiles"))
        try workshop.write(archive.dropLast(9), to: "cut.pmtiles")
        try FileManager.default.createDirectory(
            at: workshop.file("empty"), withIntermediateDirectories: false)
        let outcome = try workshop.run(["info"] + arguments)
        #expect(outcome.status == Int32(status) && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }.count == 1)
    }
}

import Foundation
import TestSupport
import Testing

/// A tileset in one SQLite database, as other programs see it.
struct MBTilesTests {
    /// Takes a database apart into a tree, and prints its metadata.
    private static let extraction = """
        import os, sqlite3, sys
        database = sqlite3.connect(sys.argv[1])
        assert database.execute('PRAGMA integrity_check').fetchall() == [('ok',)]
        for zoom, column, row, data in database.execute('SELECT zoom_level, tile_column, tile_row,'
                ' tile_data FROM tiles'):
            folder = f'{sys.argv[2]}/{zoom}/{column}'
            os.makedirs(folder, exist_ok=True)
            with open(f'{folder}/{2 ** zoom - 1 - row}.png', 'xb') as file:
                file.write(data)
        for name, value in database.execute('SELECT name, value FROM metadata'):
            assert isinstance(value, str)
            print(f'{name}={value}')
        """

    @Test(
        "The tiles are those of a folder, whatever the number of jobs",
        .needs("python3"))
    func tilesAreThoseOfAFolder() throws {
        let workshop = try Workshop(.plan(width: 700, height: 500))
        let options = ["--floor", "1", "--name", "Plan"]
        let tree = try workshop.build(options, to: "tree")
        let once = try workshop.build(options + ["-j", "1"], to: "once.mbtiles")
        let again = try workshop.build(options + ["-j", "4"], to: "new/again.MBTiles")
        #expect(try Data(contentsOf: once) == Data(contentsOf: again))

        let outcome = try Python.run(
            Self.extraction, [once.path, "extracted"], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let tiles = try Snapshot(of: workshop.file("extracted")).tiles
        #expect(try tiles == Snapshot(of: tree).tiles)
        #expect(tiles.count > 12)

        // The lowest pixels of the plan are transparent: there are no tiles south of the edge between
        // rows 91124 and 91125 of zoom 18, at 48.00003067321042 degrees, as mercantile has it.
        let rows = Set(outcome.output.split(separator: "\n").map(String.init))
        #expect(
            rows.isSuperset(of: [
                "name=Plan", "format=png", "version=1", "floor=1",
                "bounds=2,48.0000306,2.003,48.002",
                "tileCount=\(tiles.count)", "tileSize=256", "generator=tilewright",
            ]))
        #expect(!rows.contains { $0.hasPrefix("scheme=") }, "rows count from the south")
    }

    @Test(
        "GDAL finds the plan at its position, in its colours", .long,
        .needs("gdalinfo", "gdallocationinfo"))
    func readByGDAL() throws {
        var plan = Picture(width: 300, height: 200, colour: (250, 250, 250, 255))
        plan.fill(0..<150, 0..<100, (200, 10, 20, 255))
        plan.fill(150..<300, 0..<100, (10, 200, 20, 255))
        plan.fill(0..<150, 100..<200, (10, 20, 200, 255))
        let workshop = try Workshop(plan)
        try workshop.build(["--zoom", "14-17"], to: "plan.mbtiles")

        let info = try gdal("gdalinfo", ["-json", "plan.mbtiles"], in: workshop)
        let report = try JSONDecoder().decode(Info.self, from: Data(info.utf8))
        #expect(report.driverShortName == "MBTiles")
        #expect(report.metadata[""]?["ZOOM_LEVEL"] == "17")
        let ring = try #require(report.wgs84Extent.coordinates.first)
        // To a pixel of zoom 17 and what the digits of the bounds leave.
        let pixel = 360 / Double(256 << 17) + 1e-7
        #expect(abs((ring.map { $0[0] }.min() ?? 0) - 2) < pixel)
        #expect(abs((ring.map { $0[0] }.max() ?? 0) - 2.003) < pixel)
        #expect(abs((ring.map { $0[1] }.min() ?? 0) - 48) < pixel)
        #expect(abs((ring.map { $0[1] }.max() ?? 0) - 48.002) < pixel)

        for (place, colour) in [
            (["2.0005", "48.0015"], [200, 10, 20]), (["2.0025", "48.0015"], [10, 200, 20]),
            (["2.0005", "48.0005"], [10, 20, 200]), (["2.0025", "48.0005"], [250, 250, 250]),
            // Three pixels on either side of the middle.
            (["2.00147", "48.00103"], [200, 10, 20]), (["2.00153", "48.00097"], [250, 250, 250]),
        ] {
            let values = try gdal(
                "gdallocationinfo", ["-valonly", "-wgs84", "plan.mbtiles"] + place, in: workshop)
            #expect(values.split(separator: "\n").prefix(3).compactMap { Int($0) } == colour)
        }
    }

    /// What gdalinfo says.
    private struct Info: Decodable {
        struct Polygon: Decodable { var coordinates: [[[Double]]] }
        var driverShortName: String
        var metadata: [String: [String: String]]
        var wgs84Extent: Polygon
    }

    private func gdal(_ tool: String, _ arguments: [String], in workshop: Workshop) throws -> String {
        let outcome = try Tool.run(tool, arguments, in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test("A file of another program is refused, and replaced with --force")
    func foreignFile() throws {
        let workshop = try Workshop()
        try workshop.write("mine".utf8, to: "plan.mbtiles")
        let arguments = ["plan.png", "--bounds", Workshop.bounds, "-o", "plan.mbtiles"]
        let outcome = try workshop.run(arguments)
        #expect(outcome.status == 73)
        #expect(try Data(contentsOf: workshop.file("plan.mbtiles")) == Data("mine".utf8))
        #expect(try workshop.run(arguments + ["--force"]).status == 0)
        #expect(try workshop.run(arguments).status == 0)
    }

    @Test("A faulty input leaves no new file, and the old one unchanged")
    func damagedInput() throws {
        let workshop = try Workshop()
        try workshop.build(to: "plan.mbtiles")
        let before = try Data(contentsOf: workshop.file("plan.mbtiles"))
        let image = try Data(contentsOf: workshop.file("plan.png"))
        try workshop.write(image.prefix(image.count / 2), to: "plan.png")
        for output in ["plan.mbtiles", "other.mbtiles"] {
            let outcome = try workshop.run(
                ["plan.png", "--bounds", Workshop.bounds, "-o", output])
            #expect(outcome.status == 65)
        }
        #expect(try Data(contentsOf: workshop.file("plan.mbtiles")) == before)
        #expect(!workshop.has("other.mbtiles"))
        #expect(!workshop.has("plan.mbtiles.tilewright-partial"))
        #expect(!workshop.has("other.mbtiles.tilewright-partial"))
    }
}

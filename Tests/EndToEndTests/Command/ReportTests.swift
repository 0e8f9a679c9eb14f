import Foundation
import TestSupport
import Testing

/// What the program says of a build, before, meanwhile and afterwards.
struct ReportTests {
    private static let position = ["plan.png", "--bounds", Workshop.bounds]

    @Test("A palette's colours are counted first, in memory that is planned for")
    func paletteIsAnnounced() throws {
        let workshop = try Workshop()
        func memory(_ options: [String]) throws -> Int {
            let info = ["info", "--json", "-j", "2"] + Self.position + options
            return try Report(Program.succeed(info, in: workshop.url).output).estimate.memory
        }
        #expect(try memory(["--palette", "8"]) - memory([]) == 2 * 16 << 20)
        let outcome = try Program.succeed(
            Self.position + ["-o", "out", "--palette", "8", "--progress", "json"],
            in: workshop.url)
        let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
        let isCounting = lines.map { $0.hasPrefix(#"{"phase":"colours","tilesDone":"#) }
        #expect(isCounting.first == true && isCounting.last == false)
        #expect(isCounting.sorted { $0 && !$1 } == isCounting)
    }

    @Test("What info announces is what is built")
    func infoAgreesWithBuild() throws {
        let workshop = try Workshop()
        let report = try Report(
            Program.succeed(["info", "--json"] + Self.position, in: workshop.url).output)
        let tree = try workshop.build()
        #expect((report.image.width, report.image.height, report.image.bands) == (300, 200, 4))
        for (found, given) in zip(report.position.bounds, [2, 48, 2.003, 48.002]) {
            #expect(abs(found - given) < 1e-9)
        }
        // 0.003 degrees on a parallel of the ellipsoid, and 0.002 on a meridian.
        let place = Place(longitude: 2.0015, latitude: 48.001)
        let unit = place.moved(east: 1, north: 1)
        let width = 0.003 / (unit.longitude - place.longitude) / 300
        let height = 0.002 / (unit.latitude - place.latitude) / 200
        #expect(abs(report.cellSize / (width * height).squareRoot() - 1) < 1e-4)
        let zoomCell = World.cellSize(zoom: 0) * cos(48.001 * .pi / 180)
        #expect(abs(report.position.nativeZoom - log2(zoomCell / report.cellSize)) < 0.01)
        var tiles = 0
        for zoom in report.zooms {
            let addresses = try Mosaic(of: tree, zoom: zoom.zoom).tiles
            tiles += zoom.tiles
            #expect(addresses.count == zoom.tiles)
            let (columns, rows) = (addresses.map { $0[0] }, addresses.map { $0[1] })
            #expect(zoom.limits.map(\.columns) == [[columns.min() ?? -1, columns.max() ?? -1]])
            #expect(zoom.limits.map(\.rows) == [[rows.min() ?? -1, rows.max() ?? -1]])
        }
        #expect(tiles == report.estimate.tiles)
        #expect(tiles == (try Snapshot(of: tree)).tiles.count)
    }

    @Test(
        "The kernels left open follow the file type, and nearest and mode the maximum zoom",
        arguments: [
            // The image's own zoom is 16.5.
            ("--zoom 16", "area", "area"), ("--zoom 18", "cubic", "area"),
            ("--zoom 16 --format jpeg", "cubic", "cubic"),
            ("--zoom 16 --resampling mode", "mode", "mode"),
            ("--zoom 16 --resampling lanczos", "lanczos", "area"),
        ])
    func kernelsLeftOpen(options: String, finest: String, overviews: String) throws {
        struct Kernels: Decodable { var resampling, overviewResampling: String }
        let workshop = try Workshop()
        let output = try Program.succeed(
            ["info", "--json"] + Self.position + options.split(separator: " ").map(String.init),
            in: workshop.url
        ).output
        let kernels = try JSONDecoder().decode(Kernels.self, from: Data(output.utf8))
        #expect(kernels.resampling == finest && kernels.overviewResampling == overviews)
    }

    @Test("A dry run prints what info prints, and writes nothing")
    func dryRunWritesNothing() throws {
        let workshop = try Workshop()
        let before = try Snapshot(of: workshop.url)
        let dry = try Program.succeed(Self.position + ["-o", "out", "--dry-run"], in: workshop.url)
        let info = try Program.succeed(["info"] + Self.position, in: workshop.url)
        #expect(dry.output == info.output && dry.errors.isEmpty && !dry.output.isEmpty)
        #expect(try Snapshot(of: workshop.url) == before && !workshop.has("out"))
    }

    @Test("A run ends with one line on standard error")
    func closingLine() throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(Self.position + ["-o", "out"])
        let tiles = try Snapshot(of: workshop.file("out")).tiles
        let form =
            /(\d+) tiles written, 0 unchanged, 0 removed, 0 skipped, [\d.]+ kB, [\d.]+ s\n/
        let match = try #require(outcome.errors.wholeMatch(of: form))
        #expect(Int(match.1) == tiles.count)
        #expect(outcome.output.isEmpty)
    }

    @Test("A quiet run says nothing")
    func quietRunIsSilent() throws {
        let workshop = try Workshop()
        // Warned of otherwise: three zooms beyond the image's own.
        let options = ["--zoom", "20", "-o", "out"]
        #expect(try workshop.run(Self.position + options).errors.hasPrefix("warning: zoom 20"))
        let outcome = try workshop.run(Self.position + options + ["-q", "--progress", "json"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output.isEmpty)
    }

    @Test("Progress as JSON is a line at a time, up to all tiles")
    func progressIsJSON() throws {
        struct Line: Decodable { var tilesDone, tilesTotal: Int }
        let workshop = try Workshop()
        let outcome = try workshop.run(
            Self.position + ["-o", "out", "--zoom", "16-18", "--progress", "json"])
        let lines = try outcome.errors.split(separator: "\n").dropLast().map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(!lines.isEmpty && lines.map(\.tilesDone) == lines.map(\.tilesDone).sorted())
        #expect(Set(lines.map(\.tilesTotal)).count == 1)
        #expect(lines.last.map { $0.tilesDone == $0.tilesTotal } == true)
    }

    @Test("TileJSON names the zooms, the bounds and an address that is there")
    func tileJSONIsTrue() throws {
        struct TileJSON: Decodable {
            var name, attribution: String
            var tiles: [String]
            var minzoom, maxzoom: Int
            var bounds: [Double]
        }
        let workshop = try Workshop()
        let tree = try workshop.build([
            "--zoom", "15-17", "--url", "https://example.com/a/", "--name", "-1 Parking",
            "--attribution", "- us -",
        ])
        let json = try JSONDecoder().decode(
            TileJSON.self, from: Data(contentsOf: tree.appending(path: "tilejson.json")))
        #expect((json.minzoom, json.maxzoom) == (15, 17))
        #expect((json.name, json.attribution) == ("-1 Parking", "- us -"))
        #expect(json.tiles == ["https://example.com/a/{z}/{x}/{y}.png"])
        for (found, given) in zip(json.bounds, [2, 48, 2.003, 48.002]) {
            #expect(abs(found - given) < 1e-6)
        }
    }
}

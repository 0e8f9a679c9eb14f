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
        // Of two jobs, each with 13 MB of boxes in the place of an encoder.
        #expect(try 16 << 20..<26 << 20 ~= memory(["--palette", "8"]) - memory([]))
        let outcome = try Program.succeed(
            Self.position + ["-o", "out", "--palette", "8", "--progress", "json"],
            in: workshop.url)
        let lines = outcome.errors.split(separator: "\n").filter { $0.contains(#""event":"progress""#) }
        let isCounting = lines.map { $0.contains(#","phase":"colours","tilesDone":"#) }
        #expect(isCounting.first == true && isCounting.last == false)
        #expect(isCounting.sorted { $0 && !$1 } == isCounting)
    }

    @Test("The build matches the plan of info")
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
        let outcome = try workshop.run(Self.position + ["-o", "out", "--url", "https://a.example/t"])
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
            Self.position + ["-o", "out.pmtiles", "--zoom", "16-18", "--progress", "json"])
        let events = outcome.errors.split(separator: "\n")
        #expect(events.allSatisfy { $0.hasPrefix("{\"event\":\"") && $0.hasSuffix("}") })
        let lines = try events.filter { $0.contains("\"progress\"") }.map {
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

    /// Options of `info`, and a line of what it says.
    static let infoLines = [
        ("--bounds=-10,-60,10,75", "pixel      23.44 km on the ground; native zoom "),
        ("--memory 1M --zoom 20 --bounds \(Workshop.bounds)", " and a scratch file of "),
        ("--bounds \(Workshop.bounds) --memory 1G", "MB of memory, "),
        ("--rescale 10,200 --bounds \(Workshop.bounds)", "sample values from 10 to 200 become 0 to 255"),
    ]

    @Test("Info describes an image and its tiles", arguments: infoLines)
    func infoLine(options: String, line: String) throws {
        let words = options.split(separator: " ").map(String.init)
        let workshop = try Workshop()
        let outcome = try Program.succeed(["info", "plan.png"] + words, in: workshop.url)
        #expect(outcome.output.contains(line), "\(outcome.output)")
    }

    @Test("Info reports that an image is turned, and that it is read at a reduced size")
    func turnedImage() throws {
        let workshop = try Workshop()
        let jpeg = try JPEGFile(.noise(width: 1024, height: 1024))
        try workshop.write(jpeg.bytes(orientation: 6), to: "turned.jpg")
        func info(_ zoom: String) throws -> String {
            try Program.succeed(
                ["info", "turned.jpg", "--zoom", zoom, "--bounds", Workshop.bounds], in: workshop.url
            ).output
        }
        let output = try info("12")
        #expect(output.contains("1024 x 1024 pixels, 3 bands, as stored; orientation tag 6\n"))
        #expect(output.contains(" of its width and height, which is enough for these tiles\n"), "\(output)")
        #expect(try !info("18-19").contains("which is enough for these tiles"))
    }

    @Test(
        "Info says what becomes of an image's colours",
        arguments: [
            (ICCProfile.displayP3, ["--keep-colors"], "colours    Display P3, read as sRGB\n"),
            (.srgb, [], ", which is sRGB\n"),
        ])
    func colours(profile: ICCProfile, options: [String], line: String) throws {
        let workshop = try Workshop()
        try workshop.write(workshop.plan.png(profile: profile), to: "plan.png")
        let outcome = try Program.succeed(["info"] + Self.position + options, in: workshop.url)
        #expect(outcome.output.contains(line), "\(outcome.output)")
    }

    @Test("Only the first of many images are listed, and their sample range is printed once")
    func manyImages() throws {
        let workshop = try Workshop()
        for number in 0..<23 {
            let name = "sheet\(number)"
            try workshop.plan.write(to: workshop.path(name + ".png"))
            try workshop.write("1e-5\n0\n0\n-1e-5\n2.00\(number + 10)\n48.002\n".utf8, to: name + ".pgw")
        }
        let names = (0..<23).map { "sheet\($0).png" }
        let outcome = try Program.succeed(
            ["info", "--crs", "EPSG:4326", "--rescale", "10,200"] + names, in: workshop.url)
        let lines = outcome.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.first == "images     23, each over the ones before it")
        #expect(lines.filter { $0.hasPrefix("sheet") }.count == 20)
        #expect(lines.contains("and 3 more"))
        #expect(lines.filter { $0.hasPrefix("sample values from 10 to 200 become 0 to 255") }.count == 1)
    }

    @Test("fit warns of control points next to the image")
    func strayPoints() throws {
        let points = ["0,0,2,48.002", "320,0,2.0032,48.002", "0,200,2,48"].flatMap { ["--gcp", $0] }
        let workshop = try Workshop()
        let outcome = try Program.succeed(["fit", "plan.png"] + points, in: workshop.url)
        #expect(outcome.errors.hasPrefix("warning: 1 of 3 control points is outside 'plan.png'"))
        #expect(outcome.output.hasPrefix("affine transform, 3 control points\n"))
    }
}

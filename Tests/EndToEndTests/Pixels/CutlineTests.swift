import Foundation
import TestSupport
import Testing

/// Images cut to polygons: `--cutline`.
struct CutlineTests {
    /// A polygon with a hole and a second one, over the workshop's plan.
    private static let cut = #"""
        {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [
        [[2.0002, 48.0003], [2.0016, 48.0001], [2.0018, 48.0014], [2.0007, 48.0018], [2.0002, 48.0003]],
        [[2.0008, 48.0008], [2.0009, 48.0012], [2.0014, 48.0007], [2.0008, 48.0008]]]}},
        {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [
        [[2.0021, 48.0002], [2.0035, 48.0005], [2.0022, 48.0017], [2.0024, 48.0009], [2.0021, 48.0002]]]}}]}
        """#

    private static let options = ["--cutline", "cut.geojson"]

    /// A plan of one colour: what is cut shows in its alpha alone.
    private static func workshop(_ text: String = cut) throws -> Workshop {
        let workshop = try Workshop(Picture(width: 300, height: 200, colour: (200, 80, 40, 255)))
        try workshop.write(text.utf8, to: "cut.geojson")
        return workshop
    }

    @Test("Alpha agrees with polygons burnt 16 times finer to 45 dB", .long, .needs("gdal_rasterize"))
    func alpha() throws {
        let workshop = try Self.workshop()
        let whole = try Mosaic(of: workshop.build(["--zoom", "17"], to: "whole"), zoom: 17)
        let cut = try Mosaic(of: workshop.build(["--zoom", "17"] + Self.options, to: "cut"), zoom: 17)
        let finer = try Self.burnt(whole, in: workshop, timesFiner: 16)
        let picture = cut.picture(like: whole)
        var (sum, partial) = (0.0, 0)
        for index in 0..<picture.width * picture.height {
            let (column, row) = (index % picture.width, index / picture.width)
            var inside = 0
            for y in row * 16..<(row + 1) * 16 {
                let start = y * picture.width * 16 + column * 16
                inside += finer[start..<start + 16].reduce(0) { $0 + ($1 == 0 ? 0 : 1) }
            }
            if 0 < inside && inside < 256 { partial += 1 }
            let expected = Double(whole.picture[column, row].alpha) * Double(inside) / 256
            let error = Double(picture[column, row].alpha) - expected
            sum += error * error
        }
        let decibels = 10 * log10(255 * 255 / (sum / Double(picture.width * picture.height)))
        #expect(partial > 300)
        #expect(decibels > 45, "\(decibels) dB")
    }

    /// The polygons as GDAL draws them on a mosaic's pixels, so many times finer: a byte for each.
    private static func burnt(_ mosaic: Mosaic, in workshop: Workshop, timesFiner factor: Int) throws
        -> [UInt8]
    {
        let half = 20_037_508.342789244
        let metres = 2 * half / Double(256 << 17)
        let (left, top) = (
            Double(mosaic.origin.column) * metres - half, half - Double(mosaic.origin.row) * metres
        )
        let (width, height) = (mosaic.picture.width, mosaic.picture.height)
        let extent = [
            left, top - Double(height) * metres, left + Double(width) * metres, top,
        ].map { "\($0)" }
        let made = try Tool.run(
            "ogr2ogr", ["-t_srs", "EPSG:3857", "metres.geojson", "cut.geojson"], in: workshop.url)
        #expect(made.status == 0, "\(made.errors)")
        let drawn = try Tool.run(
            "gdal_rasterize",
            ["-q", "-burn", "255", "-ot", "Byte", "-of", "ENVI", "-te"] + extent + [
                "-ts", "\(width * factor)", "\(height * factor)", "metres.geojson", "burnt.img",
            ], in: workshop.url)
        #expect(drawn.status == 0, "\(drawn.errors)")
        return [UInt8](try Data(contentsOf: workshop.file("burnt.img")))
    }

    @Test("Tiles are the same with any number of jobs and any memory, and one by one", .long)
    func sameBytes() throws {
        try Self.workshop().expectSameTiles(["--zoom", "15-18"] + Self.options, atLeast: 9)
    }

    @Test("Under nearest, pixels are there or not, and keep their colour")
    func hardEdges() throws {
        let workshop = try Self.workshop()
        let options = ["--zoom", "17-18", "--resampling", "nearest"] + Self.options
        let tree = try workshop.build(options)
        for zoom in [17, 18] {
            let picture = try Mosaic(of: tree, zoom: zoom).picture
            let alphas = Set((0..<picture.width * picture.height).map { picture.rgba[4 * $0 + 3] })
            #expect(alphas == [0, 255])
        }
    }

    @Test("The plan follows: fewer tiles, the polygons' bounds, and none without them")
    func plan() throws {
        let workshop = try Self.workshop()
        func report(_ options: [String]) throws -> [String: Any] {
            let outcome = try workshop.run(
                ["info", "plan.png", "--bounds", Workshop.bounds, "--zoom", "20", "--json"] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            return try #require(value as? [String: Any])
        }
        func tiles(_ report: [String: Any]) throws -> Int {
            try #require((report["zooms"] as? [[String: Any]])?.first?["tiles"] as? Int)
        }
        let (whole, cut) = try (report([]), report(Self.options))
        #expect(try tiles(cut) < tiles(whole) * 3 / 4)
        let cutline = try #require(cut["cutline"] as? [String: Any])
        #expect(cutline["polygons"] as? Int == 2)
        let bounds = try #require(cutline["bounds"] as? [Double])
        for (edge, expected) in zip(bounds, [2.0002, 48.0001, 2.003, 48.0018]) {
            #expect(abs(edge - expected) < 1e-9)
        }
        try workshop.build(["--zoom", "20"] + Self.options)
        let written = try Mosaic(of: workshop.file("out"), zoom: 20).tiles.count
        #expect(try written <= tiles(cut) && written > tiles(cut) * 3 / 4)
        let json = try JSONSerialization.jsonObject(
            with: Data(contentsOf: workshop.file("out/tilejson.json")))
        let stated = try #require((json as? [String: Any])?["bounds"] as? [Double])
        for (edge, expected) in zip(stated, [2.0002, 48.0001, 2.003, 48.0018]) {
            #expect(abs(edge - expected) < 1e-6)
        }
    }

    @Test("A changed cutline builds anew, and make is told of it")
    func changes() throws {
        let workshop = try Self.workshop()
        let options = ["--zoom", "17", "--depfile", "plan.d"] + Self.options
        try workshop.build(options)
        let before = try Snapshot(of: workshop.file("out")).tiles
        let dependencies = try String(contentsOf: workshop.file("plan.d"), encoding: .utf8)
        #expect(dependencies.contains("cut.geojson"))
        try workshop.write(Self.cut.replacing("2.0016", with: "2.0012").utf8, to: "cut.geojson")
        try workshop.build(options)
        #expect(try Snapshot(of: workshop.file("out")).tiles != before)
        try workshop.write(Self.cut.utf8, to: "cut.geojson")
        try workshop.build(options)
        #expect(try Snapshot(of: workshop.file("out")).tiles == before)
    }

    @Test("A view of the image is cut like its tiles, straight, turned and tilted", .long)
    func views() throws {
        let workshop = try Self.workshop()
        try workshop.build(["--zoom", "15-21"] + Self.options)
        let place = ["--bounds", Workshop.bounds]
        for camera in [[], ["--bearing", "40"], ["--bearing", "-20", "--tilt", "50"]] {
            let view = ["--size", "400x300", "--target", "2.0015,48.001", "--zoom", "17.3"] + camera
            try Program.succeed(
                ["snapshot", "plan.png", "-o", "a.png"] + place + Self.options + view, in: workshop.url)
            try Program.succeed(["snapshot", "out", "-o", "b.png"] + view, in: workshop.url)
            let (image, tiles) = try (
                Picture(contentsOf: workshop.path("a.png")), Picture(contentsOf: workshop.path("b.png"))
            )
            var (sum, seen) = (0.0, 0)
            for index in 0..<image.width * image.height {
                let (alpha, other) = (Double(image.rgba[4 * index + 3]), Double(tiles.rgba[4 * index + 3]))
                sum += (alpha - other) * (alpha - other)
                if alpha > 0 { seen += 1 }
            }
            let decibels = 10 * log10(255 * 255 / (sum / Double(image.width * image.height)))
            #expect(seen > 5000 && decibels > 40, "\(camera): \(decibels) dB")
        }
    }

    @Test("Several images are cut as a whole", .long)
    func severalImages() throws {
        let workshop = try Self.workshop()
        for (name, west) in [("west", 2.0), ("east", 2.0015)] {
            try Picture(width: 150, height: 200, colour: (200, 80, 40, 255)).write(
                to: workshop.path("\(name).png"))
            let world = "0.00001\n0\n0\n-0.00001\n\(west + 0.000005)\n48.001995\n"
            try workshop.write(world.utf8, to: "\(name).pgw")
        }
        let options = ["--zoom", "19", "--crs", "EPSG:4326"] + Self.options
        try Program.succeed(["west.png", "east.png", "-o", "both"] + options, in: workshop.url)
        let both = try Mosaic(of: workshop.file("both"), zoom: 19)
        let one = try Mosaic(of: workshop.build(["--zoom", "19"] + Self.options), zoom: 19)
        let picture = one.picture(like: both)
        let worst = zip(both.picture.rgba, picture.rgba).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(worst <= 1)
    }

    @Test("An unusable cutline is an error of one line")
    func refusals() throws {
        let away = Self.cut.replacing("[2.00", with: "[9.00")
        let workshop = try Self.workshop(away)
        func failure(_ arguments: [String]) throws -> (status: Int32, text: String) {
            let outcome = try workshop.run(arguments)
            return (outcome.status, outcome.errors)
        }
        let build = ["plan.png", "--bounds", Workshop.bounds, "-o", "out"]
        let (status, text) = try failure(build + Self.options)
        #expect(status == 65 && text.contains("no polygon of --cutline touches the image"), "\(text)")
        #expect(!workshop.has("out"))
        let missing = try failure(build + ["--cutline", "none.geojson"])
        #expect(missing.status == 66 && missing.text.contains("none.geojson"), "\(missing.text)")
        try workshop.build()
        let beside = try failure(["snapshot", "out", "-o", "a.png"] + Self.options)
        #expect(beside.status == 64 && beside.text.contains("--cutline does not apply"), "\(beside.text)")
        try workshop.write(Self.cut.utf8, to: "cut.geojson")
        let over = try failure(
            ["snapshot", "out", "plan.png", "--bounds", Workshop.bounds, "-o", "a.png"] + Self.options)
        #expect(over.status == 64 && over.text.contains("--cutline does not apply"), "\(over.text)")
        let itself = try failure(
            ["tile", "plan.png", "--bounds", Workshop.bounds, "17/66264/45180", "-o", "cut.geojson"]
                + Self.options)
        #expect(itself.status == 64 && itself.text.contains("cut.geojson"), "\(itself.text)")
    }
}

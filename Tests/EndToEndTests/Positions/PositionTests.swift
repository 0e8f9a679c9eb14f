import Foundation
import TestSupport
import Testing

/// The ways to say where an image lies, against arithmetic of our own.
struct PositionTests {
    @Test("A plan whose north arrow leans 30 degrees right of up has bearing 330", .long)
    func leaningNorthArrow() throws {
        // The anchor, and two dots: 100 pixels away along the north arrow, and to its right.
        var plan = Picture(width: 300, height: 240, colour: (255, 255, 255, 255))
        let (anchor, scale) = ((120.5, 160.5), 0.5)
        let lean = 30 * Double.pi / 180
        let north = (anchor.0 + 100 * sin(lean), anchor.1 - 100 * cos(lean))
        let east = (anchor.0 + 100 * cos(lean), anchor.1 + 100 * sin(lean))
        let colours: [Picture.Colour] = [(255, 0, 0, 255), (0, 180, 0, 255), (0, 0, 255, 255)]
        for (dot, colour) in zip([anchor, north, east], colours) {
            for row in 0..<240 {
                for column in 0..<300 {
                    let (x, y) = (Double(column) + 0.5 - dot.0, Double(row) + 0.5 - dot.1)
                    if x * x + y * y < 36 { plan[column, row] = colour }
                }
            }
        }
        let workshop = try Workshop(plan)
        let place = Place(longitude: 11.5, latitude: 48.1)
        try Program.succeed(
            [
                "plan.png", "--anchor", "120.5,160.5,11.5,48.1", "--scale", "0.5", "--bearing",
                "-30", "--zoom", "19", "--resampling", "area", "-o", "minus",
            ], in: workshop.url)
        try Program.succeed(
            [
                "plan.png", "--anchor", "120.5,160.5,11.5,48.1", "--scale", "0.5", "--bearing",
                "330", "--zoom", "19", "--resampling", "area", "-o", "out",
            ], in: workshop.url)
        let mosaic = try Mosaic(of: workshop.file("out"), zoom: 19)
        #expect(mosaic.picture == (try Mosaic(of: workshop.file("minus"), zoom: 19)).picture)
        let places = [
            place, place.moved(east: 0, north: 100 * scale),
            place.moved(east: 100 * scale, north: 0),
        ]
        for (place, colour) in zip(places, colours) {
            let (x, y) = place.pixel(zoom: 19)
            let centre = Self.centre(of: colour, in: mosaic)
            #expect(abs(centre.x - x) < 0.2 && abs(centre.y - y) < 0.2)
        }
    }

    /// The centroid of what has a dot's hue, in pixels of the matrix.
    private static func centre(of colour: Picture.Colour, in mosaic: Mosaic) -> (
        x: Double, y: Double
    ) {
        let hue = [colour.red, colour.green, colour.blue]
        let channel = hue.firstIndex { $0 > 0 } ?? 0
        var (sum, x, y) = (0.0, 0.0, 0.0)
        let picture = mosaic.picture
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                let pixel = picture[column, row]
                if pixel.alpha < 255 { continue }
                let channels = [pixel.red, pixel.green, pixel.blue].map(Double.init)
                let others = (channels.reduce(0, +) - channels[channel]) / 2
                let weight = max(0, channels[channel] - others)
                sum += weight
                x += weight * (Double(column) + 0.5)
                y += weight * (Double(row) + 0.5)
            }
        }
        return (
            x / sum + Double(mosaic.origin.column), y / sum + Double(mosaic.origin.row)
        )
    }

    @Test("The corners of an anchored plan are where its scale and bearing put them")
    func cornersOfAnchor() throws {
        let workshop = try Workshop()
        let outcome = try Program.succeed(
            [
                "info", "plan.png", "--json", "--anchor", "-20,30,-3.7,-40.4", "--scale", "0.25",
                "--bearing", "77",
            ], in: workshop.url)
        let report = try Report(outcome.output)
        let anchor = Place(longitude: -3.7, latitude: -40.4)
        let bearing = 77 * Double.pi / 180
        for (pixel, corner) in zip([(0, 0), (300, 0), (300, 200), (0, 200)], report.corners) {
            let (right, up) = (Double(pixel.0 + 20) * 0.25, Double(30 - pixel.1) * 0.25)
            let offset = anchor.offset(to: corner)
            #expect(abs(offset.east - (up * sin(bearing) + right * cos(bearing))) < 0.005)
            #expect(abs(offset.north - (up * cos(bearing) - right * sin(bearing))) < 0.005)
        }
    }

    /// Where row 0 and column 0 of the stored image are when it is seen upright: the table of the
    /// EXIF specification, tag 274.
    static let orientations: [(tag: UInt8, row: String, column: String)] = [
        (1, "top", "left"), (2, "top", "right"), (3, "bottom", "right"), (4, "bottom", "left"),
        (5, "left", "top"), (6, "right", "top"), (7, "right", "bottom"), (8, "left", "bottom"),
    ]

    /// The picture as a camera stores it that was held in some way.
    private func stored(_ upright: Picture, row: String, column: String) -> Picture {
        let isTurned = row == "left" || row == "right"
        let (width, height) = (upright.width, upright.height)
        var stored = Picture(width: isTurned ? height : width, height: isTurned ? width : height)
        for r in 0..<stored.height {
            for c in 0..<stored.width {
                let (x, y) = isTurned ? (r, c) : (c, r)
                stored[c, r] =
                    upright[
                        row == "right" || column == "right" ? width - 1 - x : x,
                        row == "bottom" || column == "bottom" ? height - 1 - y : y]
            }
        }
        return stored
    }

    @Test("A photograph is turned upright as its tag says", arguments: orientations.some(1))
    func orientationCounts(tag: UInt8, row: String, column: String) throws {
        let workshop = try Workshop()
        let stored = stored(workshop.plan, row: row, column: column)
        try stored.write(to: workshop.path("stored.png"), orientation: tag)
        try stored.write(to: workshop.path("bare.png"))
        func mosaic(_ image: String, _ options: [String] = []) throws -> Picture {
            let tree = try workshop.build(["--zoom", "17"] + options, of: image, to: "\(UUID())")
            return try Mosaic(of: tree, zoom: 17).picture
        }
        let upright = try mosaic("plan.png")
        for options in [[], ["--orient", "yes"]] {
            #expect(try mosaic("stored.png", options).psnr(against: upright) > 50)
        }
        let ignored = try mosaic("stored.png", ["--orient", "no"])
        #expect(ignored == (try mosaic("bare.png")))
        #expect(tag == 1 || ignored.psnr(against: upright) < 30)
    }

    @Test("A world file is for the image as it is stored, with a warning")
    func worldFileIsForTheStoredImage() throws {
        let workshop = try Workshop()
        try workshop.plan.write(to: workshop.path("photo.png"), orientation: 6)
        try workshop.write("1e-5\n0\n0\n-1e-5\n2\n48\n".utf8, to: "photo.pgw")
        try workshop.write("1e-5\n0\n0\n-1e-5\n2\n48\n".utf8, to: "plan.pgw")
        let warned = try Program.succeed(
            ["photo.png", "--crs", "EPSG:4326", "-o", "photo"], in: workshop.url)
        #expect(warned.errors.hasPrefix("warning: 'photo.png' has an orientation tag"))
        try Program.succeed(["plan.png", "--crs", "EPSG:4326", "-o", "plan"], in: workshop.url)
        let (photo, plan) = (
            try Snapshot(of: workshop.file("photo")), try Snapshot(of: workshop.file("plan"))
        )
        #expect(photo.tiles == plan.tiles)
    }

    @Test("A fit's world file places the image like its control points")
    func fitCanBeKept() throws {
        let workshop = try Workshop()
        let points = [
            "--gcp", "10,20,2.1,48.2", "--gcp", "290,15,2.10371,48.20051", "--gcp",
            "280,190,2.10402,48.19871", "--gcp", "12,185,2.10041,48.19822",
        ]
        let fit = try Program.succeed(
            ["fit", "plan.png", "-o", "kept.pgw"] + points, in: workshop.url)
        #expect(fit.output.contains("affine transform, 4 control points"))
        #expect(workshop.has("kept.pgw") && workshop.has("kept.prj"))
        let fitted = try Report(
            Program.succeed(["info", "plan.png", "--json"] + points, in: workshop.url).output)
        let kept = try Report(
            Program.succeed(
                ["info", "plan.png", "--json", "--world-file", "kept.pgw"], in: workshop.url
            ).output)
        for (before, after) in zip(fitted.corners, kept.corners) {
            let offset = before.offset(to: after)
            #expect(max(abs(offset.east), abs(offset.north)) < 0.01 * fitted.cellSize)
        }
    }

    @Test("Bounds across the antimeridian have tiles on both sides")
    func antimeridianIsCrossed() throws {
        let workshop = try Workshop()
        try Program.succeed(
            ["plan.png", "--bounds", "179.9,-0.1,-179.9,0.1", "--zoom", "12", "-o", "out"],
            in: workshop.url)
        let tiles = try Snapshot(of: workshop.file("out")).tiles.keys
        // A tenth of a degree is 1.14 tiles.
        let columns = Set(tiles.map { $0.split(separator: "/")[1] })
        #expect(columns == ["4094", "4095", "0", "1"])
        #expect(tiles.count == 16)
    }
}

import Foundation
import TestSupport
import Testing

/// What `camera` prints, and how it ends.
struct CameraCommandTests {
    /// The JSON of a view.
    private struct View: Decodable {
        struct Tiles: Decodable {
            var zoom: Int
            var columns: [Int]
            var rows: [Int]
        }

        var target: [Double]
        var zoom: Double
        var bearing: Double
        var tilt: Double
        var size: [Int]
        var bounds: [Double]
        var corners: [[Double]]
        var tiles: Tiles
    }

    private func view(_ options: [String], in directory: URL? = nil) throws -> View {
        let outcome = try Program.succeed(["camera", "--json"] + options, in: directory)
        return try JSONDecoder().decode(View.self, from: Data(outcome.output.utf8))
    }

    @Test("A camera's values are the nearest valid ones")
    func values() throws {
        let view = try view(
            ["--target", "480,100", "--zoom", "9", "--bearing", "-90", "--tilt", "80"])
        #expect(view.target == [120, 85])
        #expect((view.zoom, view.bearing, view.tilt) == (9, 270, 30))
        #expect(view.size == [390, 844])
    }

    // 1024 points are the world at zoom 2: 360 degrees, and columns 0 to 3.
    @Test("JSON has its members in order, and the visible area")
    func json() throws {
        let options = ["--target", "0,0", "--zoom", "2", "--size", "512x512"]
        let text = try Program.succeed(["camera", "--json"] + options).output
        let names = text.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { $0.element }
        #expect(
            names == [
                "target", "zoom", "bearing", "tilt", "size", "bounds", "corners", "tiles", "zoom",
                "columns", "rows",
            ])
        let view = try view(options)
        let north = 66.513260443
        #expect(view.bounds == [-90, -north, 90, north])
        #expect(view.corners == [[-90, north], [90, north], [90, -north], [-90, -north]])
        #expect((view.tiles.zoom, view.tiles.columns, view.tiles.rows) == (2, [1, 2], [1, 2]))
        #expect(!text.contains("-0,") && !text.contains("e-"))
    }

    @Test("Across the antimeridian the west is greater than the east, and the first column than the last")
    func antimeridian() throws {
        let view = try view(["--target", "180,0", "--zoom", "4", "--size", "512x512"])
        #expect(view.bounds[0] == 157.5 && view.bounds[2] == -157.5)
        #expect(view.tiles.columns == [15, 0])
    }

    @Test("Updates follow in order")
    func updates() throws {
        let view = try view([
            "--target", "10,0", "--zoom", "12", "--bearing", "90", "--update", "scrollBy:0,-100",
            "--update", "zoomBy:2", "--update", "zoomOut",
        ])
        #expect(abs(view.target[0] - 10 - 360.0 * 100 / 1_048_576) < 2e-9)
        #expect(view.zoom == 13)
    }

    @Test("A tileset, and the image that it is made of, are shown whole by default")
    func things() throws {
        let workshop = try Workshop()
        try workshop.build(to: "plan.pmtiles")
        try workshop.build()
        let position = ["--bounds", Workshop.bounds]
        let image = try view(["plan.png"] + position, in: workshop.url)
        // log2((390 - 2 * 64) / 256 * 360 / 0.003)
        #expect(abs(image.zoom - 16.906098) < 1e-5)
        #expect(abs(image.target[0] - 2.0015) < 1e-7)
        #expect(image.tiles.zoom == 17)
        for thing in ["plan.pmtiles", "out"] {
            let tileset = try view([thing], in: workshop.url)
            #expect(abs(tileset.zoom - image.zoom) < 1e-3)
            // Its highest zoom is 17.
            #expect(try view([thing, "--zoom", "21"], in: workshop.url).tiles.zoom == 17)
        }
    }

    @Test("An anchor's bearing is not the camera's")
    func anchor() throws {
        let workshop = try Workshop()
        let anchor = ["--anchor", "0,0,2,48", "--scale", "0.5"]
        let straight = try view(["plan.png", "--zoom", "17"] + anchor, in: workshop.url)
        let back = ["--anchor-bearing", "180"]
        let turned = try view(["plan.png", "--zoom", "17"] + anchor + back, in: workshop.url)
        #expect(straight.target[0] > 2 && straight.target[1] < 48)
        #expect(turned.target[0] < 2 && turned.target[1] > 48)
        #expect(turned.bearing == 0)
    }

    @Test("The text has the same values")
    func text() throws {
        let outcome = try Program.succeed(
            ["camera", "--target", "180,0", "--zoom", "4", "--size", "512x512@2", "--bearing", "0"])
        #expect(
            outcome.output == """
                camera     target -180, 0, zoom 4, bearing 0, tilt 0
                view       512 x 512 points, 1024 x 1024 pixels
                corners    (longitude, latitude)
                           top left        157.5000000, 21.9430455
                           top right      -157.5000000, 21.9430455
                           bottom right   -157.5000000, -21.9430455
                           bottom left     157.5000000, -21.9430455
                bounds     157.5, -21.9430455, -157.5, 21.9430455, across the antimeridian
                tiles      zoom 4: columns 15-0 across the antimeridian, rows 7-8, 4 tiles

                """)
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        "Each client has code, with the tiles' limits",
        arguments: [
            ("ios-swift", "setMinZoom(16, maxZoom: 17)"), ("ios-objc", "setMinZoom:16 maxZoom:17"),
            ("android-kotlin", "setMaxZoomPreference(17.0f)"), ("google-js", "maxZoom: 17,"),
            ("mapkit-swift", "distance(zoom: 16, at: target.latitude, in: mapView)"),
            ("maplibre", "setMaxZoom(16)"),
            ("leaflet", "setMaxZoom(17)"), ("openlayers", "maxZoom: 17,"),
        ].some(3))
    func clients(client: String, limit: String) throws {
        let workshop = try Workshop()
        try workshop.build(["--zoom", "16-17"], to: "plan.pmtiles")
        let code = try Program.succeed(["camera", "plan.pmtiles", "--for", client], in: workshop.url)
        #expect(code.output.contains(limit))
        #expect(code.output.hasPrefix("// A camera for "))
        #expect(!code.output.hasSuffix("\n\n"))
    }

    @Test(
        "Each error has its status, one line and a remedy",
        arguments: ([
            (64, "", "the camera has no position"), (64, "--target 1,2", "no position"),
            (64, "--zoom 3", "no position"), (64, "--target 1 --zoom 3", "'1' is not LON,LAT"),
            (64, "--target 1,2 --zoom nan", "--zoom is not a number"),
            (64, "--target 1,2 --zoom x", "'x' is invalid"),
            (64, "--fit 1,2,3", "is not W,S,E,N"), (64, "--fit 1,5,3,4", "their south above"),
            (64, "--fit 1,2,3,4 --zoom 3", "--fit and --zoom"),
            (64, "--fit 1,2,3,4 --padding 200", "the padding leaves nothing"),
            (64, "--fit -180,-80,180,80 --size 300x300", "no zoom shows these bounds"),
            (64, "--fit 1,2,3,4 --padding -5", "negative"),
            (64, "--target 1,2 --zoom 3 --update spin", "'spin' is not an update"),
            (64, "--target 1,2 --zoom 3 --update fit:1,2,3,4,300", "the padding leaves nothing"),
            (64, "--target 1,2 --zoom 3 --size 1x1@9", "the size '1x1@9'"),
            (64, "--target 1,2 --zoom 3 --min-zoom 9 --max-zoom 8", "--min-zoom 9 is greater"),
            (64, "--target 1,2 --zoom 3 --json --for leaflet", "--json and --for"),
            (64, "--target 1,2 --zoom 3 --for gopher", "'gopher' is invalid"),
            (64, "--target 1,2 --zoom 3 --nodata 1,2,3", "--nodata does not apply"),
            (64, "--target 1,2 --zoom 3 --floor 1", "--floor does not apply"),
            (64, "plan.png --bounds 2,48,2.003,48.002 --floor 1", "--floor does not apply"),
            (64, "plan.png --bounds 2,48,2.003,48.002 --anchor-bearing 3", "--anchor-bearing"),
            (65, "plan.png", "plan.png"), (66, "missing.pmtiles", "missing.pmtiles"),
            (66, "missing.png", "missing.png"),
        ] as [(Int32, String, String)]).some(13))
    func refused(status: Int32, command: String, says: String) throws {
        let workshop = try Workshop()
        let words = command.split(separator: " ").map(String.init)
        let outcome = try workshop.run(["camera"] + words)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(says), "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("error: ") && outcome.output.isEmpty)
    }
}

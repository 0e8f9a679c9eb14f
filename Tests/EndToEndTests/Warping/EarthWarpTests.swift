import Foundation
import TestSupport
import Testing

/// Images whose corners are no places on the Earth, against GDAL's warper with its exact transformer.
///
/// GDAL writes them too: a world of soft colours, none of them dark, before black space.
@Suite(.needs("gdalwarp", "gdal_translate"))
struct EarthWarpTests {
    struct Scene: Sendable, CustomTestStringConvertible {
        let crs: String
        /// West, south, east and north in the system's metres.
        let box: [Int]
        let size: [Int]
        var zoom = 2
        /// The least PSNR where kernels see nothing of space.
        var decibels = 45.0
        /// Whether GDAL has written all pixels whose centre is on the Earth; some that the limb cuts stay black.
        var isFilled = true
        var testDescription: String { crs }
    }

    static let scenes = [
        Scene(
            crs: "+proj=geos +h=35785831 +lon_0=0 +datum=WGS84",
            box: [-5_500_000, -5_500_000, 5_500_000, 5_500_000], size: [500, 500], zoom: 3),
        Scene(
            crs: "+proj=ortho +lat_0=40 +lon_0=10 +datum=WGS84",
            box: [-6_500_000, -6_500_000, 6_500_000, 6_500_000], size: [400, 400]),
        Scene(
            crs: "+proj=moll +datum=WGS84",
            box: [-18_100_000, -9_100_000, 18_100_000, 9_100_000], size: [724, 364]),
        Scene(
            crs: "+proj=robin +datum=WGS84",
            box: [-17_100_000, -8_700_000, 17_100_000, 8_700_000], size: [684, 348]),
    ]

    static let moreScenes = [
        // The image's edges touch the limb, and cut off a tenth of a pixel of it.
        Scene(
            crs: "+proj=geos +h=35785831 +lon_0=0 +datum=WGS84",
            box: [-5_434_178, -5_413_511, 5_422_284, 5_416_145], size: [405, 404], zoom: 3),
        // A sector: the limb cuts one corner, and the other edges lie on the Earth.
        Scene(
            crs: "+proj=geos +h=35785831 +lon_0=-75 +sweep=x +datum=WGS84",
            box: [-5_500_000, 2_000_000, 1_000_000, 5_500_000], size: [650, 350], zoom: 3, isFilled: false),
        // Across the antimeridian, on a sphere.
        Scene(
            crs: "+proj=ortho +lat_0=0 +lon_0=180 +R=6371000",
            box: [-6_400_000, -6_400_000, 6_400_000, 6_400_000], size: [400, 400], zoom: 3),
        // Around a pole.
        Scene(
            crs: "+proj=ortho +lat_0=-90 +lon_0=10 +datum=WGS84",
            box: [-6_500_000, -6_500_000, 6_500_000, 6_500_000], size: [400, 400]),
        // The seam runs through the Atlantic.
        Scene(
            crs: "+proj=moll +lon_0=150 +datum=WGS84",
            box: [-18_100_000, -9_100_000, 18_100_000, 9_100_000], size: [724, 364]),
        Scene(
            crs: "+proj=laea +lat_0=45 +lon_0=10 +datum=WGS84",
            box: [-12_800_000, -12_800_000, 12_800_000, 12_800_000], size: [512, 512], decibels: 40),
        Scene(
            crs: "+proj=aeqd +lat_0=90 +datum=WGS84",
            box: [-20_100_000, -20_100_000, 20_100_000, 20_100_000], size: [500, 500], decibels: 40),
        // Interrupted: seams within, and space between lobes.
        Scene(
            crs: "+proj=igh +datum=WGS84",
            box: [-20_100_000, -8_700_000, 20_100_000, 8_700_000], size: [804, 348], isFilled: false),
        Scene(
            crs: "+proj=nsper +h=3000000 +lat_0=20 +datum=WGS84",
            box: [-5_000_000, -5_000_000, 5_000_000, 5_000_000], size: [400, 400], zoom: 3, isFilled: false),
    ]

    /// Writes the image that GDAL makes of a world, and one that is white where it shows the Earth.
    private func write(_ scene: Scene, to scratch: TemporaryDirectory) throws -> (
        image: String, earth: String
    ) {
        var world = Picture(width: 720, height: 360)
        for row in 0..<world.height {
            for column in 0..<world.width {
                // Whole waves around the world, so that nothing jumps at the antimeridian.
                let (x, y) = (Double(column) * .pi / 60, Double(row) * .pi / 45)
                world[column, row] = (
                    UInt8(170 + 70 * sin(x)), UInt8(170 + 70 * cos(y)), UInt8(170 + 70 * sin(3 * x + 2 * y)),
                    255
                )
            }
        }
        try world.write(to: scratch.path("world.png"))
        _ = try scratch.write("0.5\n0\n0\n-0.5\n-179.75\n89.75\n", to: "world.pgw")
        try warp(
            scratch.path("world.png"), to: scratch.path("all.tif"),
            ["-s_srs", "EPSG:4326", "-t_srs", scene.crs, "-dstalpha"], scene.box, scene.size)
        let (image, earth) = (scratch.path("image.tif"), scratch.path("earth.tif"))
        try run(
            "gdal_translate", ["-q", "-b", "1", "-b", "2", "-b", "3", scratch.path("all.tif"), image])
        try run(
            "gdal_translate",
            ["-q", "-b", "4", "-b", "4", "-b", "4", "-colorinterp", "red,green,blue"]
                + [scratch.path("all.tif"), earth])
        return (image, earth)
    }

    private func run(_ tool: String, _ arguments: [String]) throws {
        let run = try Tool.run(tool, arguments)
        try #require(run.status == 0, "\(tool): \(run.errors)")
    }

    private func warp(
        _ image: String, to result: String, _ options: [String], _ box: [some Any], _ size: [Int]
    ) throws {
        try run(
            "gdalwarp",
            ["-q", "-r", "bilinear", "-et", "0", "-wo", "SAMPLE_GRID=YES", "-te"] + box.map { "\($0)" }
                + ["-ts"] + size.map { "\($0)" } + options + [image, result])
    }

    /// What GDAL makes of an image of the whole world of a zoom.
    private func warped(_ image: String, zoom: Int, in scratch: TemporaryDirectory) throws -> Picture {
        let (half, size) = (World.halfWidth, 256 << zoom)
        try warp(
            image, to: scratch.path("warped.tif"), ["-overwrite", "-dstalpha", "-t_srs", "EPSG:3857"],
            [-half, -half, half, half], [size, size])
        try run(
            "gdal_translate",
            ["-q", "-of", "PNG", scratch.path("warped.tif"), scratch.path("warped.png")])
        return try Picture(contentsOf: scratch.path("warped.png"))
    }

    @Test("An image of the Earth before space is what gdalwarp makes of it", .long, arguments: scenes)
    func isAsGDALWarpsIt(scene: Scene) throws { try check(scene) }

    @Test("So is one in other projections", .long, arguments: moreScenes)
    func otherProjection(scene: Scene) throws { try check(scene) }

    private func check(_ scene: Scene) throws {
        let scratch = try TemporaryDirectory()
        let (image, earth) = try write(scene, to: scratch)
        try Program.succeed(
            [image, "-o", scratch.path("tiles"), "--zoom", "\(scene.zoom)", "--resampling", "bilinear"])
        let mosaic = try Mosaic(of: scratch.url.appending(path: "tiles"), zoom: scene.zoom)
        let size = 256 << scene.zoom
        let ours = mosaic.picture.part(
            -mosaic.origin.column..<size - mosaic.origin.column,
            -mosaic.origin.row..<size - mosaic.origin.row)
        let reference = try warped(image, zoom: scene.zoom, in: scratch)
        let inside = try warped(earth, zoom: scene.zoom, in: scratch)
        // Pixels whose kernels see nothing but the Earth.
        var (one, other) = (ours, reference)
        var count = 0
        for pixel in stride(from: 0, to: ours.rgba.count, by: 4) {
            let isInside = inside.rgba[pixel] == 255 && inside.rgba[pixel + 3] == 255
            count += isInside ? 1 : 0
            if !isInside || ours.rgba[pixel + 3] < 255 || reference.rgba[pixel + 3] < 255 {
                for channel in pixel..<pixel + 4 { (one.rgba[channel], other.rgba[channel]) = (0, 0) }
            }
        }
        #expect(count > size * size / 20)
        // The PSNR counts all pixels; those that are inside have the whole error.
        let share = 10 * log10(Double(count) / Double(size * size))
        #expect(one.psnr(against: other) + share >= scene.decibels)
        #expect(ours.pixelsBeyond(reference) == 0)
        #expect(reference.pixelsBeyond(ours) == 0)
        #expect(!scene.isFilled || ours.darkest > 60, "space shines through")
    }

    @Test("An image that shows only space is an error with a message", .long)
    func onlySpace() throws {
        let scratch = try TemporaryDirectory()
        let image = scratch.path("space.png")
        try Picture(width: 40, height: 40, colour: (0, 0, 0, 255)).write(to: image)
        let run = try Program.run(
            ["build", image, "-o", scratch.path("tiles"), "--crs"]
                + [
                    "+proj=geos +h=35785831 +lon_0=0 +datum=WGS84", "--bounds",
                    "5000000,5000000,6000000,6000000",
                ])
        #expect(run.status == 65)
        #expect(run.errors.contains("the image is nowhere on the map"), "\(run.errors)")
    }

    @Test("info gives no numbers for corners that are not on the Earth", .long)
    func corners() throws {
        let scratch = try TemporaryDirectory()
        let image = scratch.path("disk.png")
        try Picture(width: 100, height: 100, colour: (90, 90, 90, 255)).write(to: image)
        let arguments = [
            image, "--crs", "+proj=ortho +lat_0=0 +lon_0=0 +R=6371000",
            "--bounds", "-6400000,0,0,6400000",
        ]
        let text = try Program.run(["info"] + arguments)
        #expect(text.output.contains("top left        is not on the Earth"), "\(text.output)")
        let json = try Program.run(["info", "--json"] + arguments)
        let corners = try #require(
            (JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])?.position?[
                "corners"]
                as? [Any])
        #expect(corners[0] is NSNull)
        #expect((corners[2] as? [Double])?.allSatisfy { abs($0) < 1e-6 } == true)
    }
}

extension [String: Any] {
    fileprivate var position: [String: Any]? { self["position"] as? [String: Any] }
}

extension Picture {
    /// How many pixels of which at least half is seen have no such pixel of another picture next to them.
    fileprivate func pixelsBeyond(_ other: Picture) -> Int {
        func isSeen(_ picture: Picture, _ column: Int, _ row: Int) -> Bool {
            picture[column, row].alpha >= 128
        }
        var count = 0
        for row in 0..<height {
            for column in 0..<width where isSeen(self, column, row) && !isSeen(other, column, row) {
                let isNear = (row - 1...row + 1).contains { row in
                    (column - 1...column + 1).contains { isSeen(other, $0, row) }
                }
                if !isNear { count += 1 }
            }
        }
        return count
    }

    /// The smallest sample of a pixel that is seen.
    fileprivate var darkest: UInt8 {
        stride(from: 0, to: rgba.count, by: 4).filter { rgba[$0 + 3] > 0 }
            .map { min(rgba[$0], rgba[$0 + 1], rgba[$0 + 2]) }.min() ?? 255
    }
}

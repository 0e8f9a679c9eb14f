import Rendering
import Tiling
import Codecs
import Platform
import Foundation
import TestSupport
import Testing

@testable import TilewrightKit

/// The content of a view: missing zooms, repeated worlds, and layers on top of each other.
struct SnapshotContentTests {
    private func view(
        _ width: Int, _ height: Int, zoom: Double, bearing: Double = 0, tilt: Double = 0,
        at target: Point = ViewScene.middle
    ) throws -> CameraView {
        CameraView(
            CameraPosition(target: target, zoom: zoom, bearing: bearing, tilt: tilt),
            size: try #require(ViewSize(width: width, height: height)))
    }

    private func bytes(
        _ contents: [MapContent], _ view: CameraView, _ request: SnapshotRequest = SnapshotRequest()
    ) async throws -> [UInt8] {
        try await Snapshot(of: contents, in: view, request: request).picture { _, _ in }.pixels
    }

    private func bytes(_ path: String, _ view: CameraView) async throws -> [UInt8] {
        try await bytes([.tileset(StoredTileset(path))], view)
    }

    /// The largest difference of samples over white.
    private func difference(_ one: [UInt8], _ other: [UInt8]) -> Int {
        func overWhite(_ pixels: [UInt8], _ first: Int, _ sample: Int) -> Int {
            let alpha = Int(pixels[first + 3])
            return (Int(pixels[first + sample]) * alpha + 255 * (255 - alpha)) / 255
        }
        return stride(from: 0, to: one.count, by: 4).flatMap { first in
            (0..<3).map { abs(overWhite(one, first, $0) - overWhite(other, first, $0)) }
        }.max() ?? 0
    }

    // Zooms

    @Test(
        "Instead of a missing zoom, the next finer one is averaged, and below all zooms the lowest", .long
    )
    func missingZooms() async throws {
        let (all, some) = (try await ViewScene(), try await ViewScene(zooms: 20...20))
        for (zoom, bearing) in [(17.2, 0.0), (17.2, 33), (15.6, 10)] {
            let view = try view(160, 120, zoom: zoom, bearing: bearing)
            let pixels = try await (bytes(all.tiles, view), bytes(some.tiles, view))
            #expect(pixels.0.contains { $0 != 0 && $0 != 255 })
            #expect(difference(pixels.0, pixels.1) <= 3, "zoom \(zoom)")
        }
    }

    @Test("Beyond all zooms, the finest is enlarged, whichever zooms are missing below", .long)
    func beyondZooms() async throws {
        let (all, some) = (try await ViewScene(), try await ViewScene(zooms: 20...20))
        let view = try view(160, 120, zoom: 22.5, bearing: 20)
        let pixels = try await (bytes(all.tiles, view), bytes(some.tiles, view))
        #expect(pixels.0 == pixels.1 && pixels.0.contains { $0 != 0 && $0 != 255 })
    }

    // The world

    /// A tileset of the whole world at zooms 0 to 2.
    private func world() async throws -> (site: Site, path: String) {
        let site = try Site()
        try site.draw("world.png", width: 512, height: 256)
        var request = BuildRequest(
            site.image(
                "world.png",
                at: PositionRequest(.bounds(BoundingBox(minX: -180, minY: -90, maxX: 180, maxY: 90)))),
            pyramid: PyramidRequest(zoom: ZoomRange(0...2)), output: OutputRequest(site.path("world")))
        request.pyramid.background = nil
        _ = try await TilesetBuild(request).run()
        return (site, site.path("world"))
    }

    @Test("The world repeats to the east and to the west", arguments: [0.0, 0.4])
    func copies(zoom: Double) async throws {
        let (site, path) = try await world()
        let contents: [[MapContent]] = try [
            [.tileset(StoredTileset(path))],
            [
                .image(
                    PlacedImage(
                        site.image(
                            "world.png",
                            at: PositionRequest(
                                .bounds(BoundingBox(minX: -180, minY: -90, maxX: 180, maxY: 90))))))
            ],
        ]
        let turn = 256 * pow(2, zoom)
        for contents in contents {
            let view = try view(900, 300, zoom: zoom, at: Point(x: 170, y: 10))
            let pixels = try await bytes(contents, view)
            // Rows inside the world have no hole, and the pixels repeat after a whole turn.
            for row in [120, 150, 180] {
                for column in 0..<900 {
                    #expect(pixels[(row * 900 + column) * 4 + 3] == 255, "\(column)")
                }
            }
            guard turn == turn.rounded() else { continue }
            for column in 0..<900 - Int(turn) {
                let (here, there) = ((150 * 900 + column) * 4, (150 * 900 + column + Int(turn)) * 4)
                #expect(pixels[here..<here + 4] == pixels[there..<there + 4], "\(column)")
            }
            // At zoom 0 the world is 256 points high; beyond it there is nothing.
            #expect(pixels[3] == 0 || zoom > 0.2)
        }
    }

    @Test(
        "The world also repeats in turned and tilted views", arguments: [(90.0, 0.0), (3, 0), (0, 7)])
    func turnedCopies(bearing: Double, tilt: Double) async throws {
        let (site, path) = try await world()
        defer { withExtendedLifetime(site) {} }
        // The world is 256 points wide: six of them, and no more than its height.
        let size = bearing == 90 ? (80, 1500) : (1500, 80)
        let view = try view(size.0, size.1, zoom: 0, bearing: bearing, tilt: tilt, at: Point(x: 30, y: 20))
        let pixels = try await bytes(path, view)
        #expect(stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 })
    }

    @Test("An image that is much finer than the view is averaged while it is read", arguments: [0.0, 30])
    func muchFiner(bearing: Double) async throws {
        let site = try Site()
        let image = try PlacedImage(site.image())
        // 300 pixels on 2.2 points.
        let view = try view(400, 300, zoom: 10, bearing: bearing)
        let cell = view.metresPerPoint
        let (layer, open) = try image.viewLayer(forCell: cell, resampling: .area)
        #expect(layer.info.width < 16)
        #expect(try open().info.width == layer.info.width)
        let pixels = try await bytes([.image(image)], view)
        // The pixels that it covers, and nothing next to them.
        let cover = stride(from: 3, to: pixels.count, by: 4).reduce(0.0) { $0 + Double(pixels[$1]) / 255 }
        let box = BoundingBox(around: Site.corners.map(WebMercator.metres))
        let area = (box?.width ?? 0) * (box?.height ?? 0) / (cell * cell)
        #expect(abs(cover / area - 1) < 0.02, "\(cover) of \(area)")
    }

    @Test("A tileset across the antimeridian is one piece, from either side")
    func antimeridian() async throws {
        let site = try Site()
        try site.draw("plan.png", width: 400, height: 200)
        let bounds = BoundingBox(minX: 179.999, minY: 10, maxX: -179.999, maxY: 10.001)
        let position = PositionRequest(.bounds(bounds))
        _ = try await TilesetBuild(
            BuildRequest(
                site.image(at: position), pyramid: PyramidRequest(zoom: ZoomRange(16...18)),
                output: OutputRequest(site.path("out")))
        ).run()
        for bearing in [0.0, 25] {
            let east = try view(200, 80, zoom: 17.3, bearing: bearing, at: Point(x: 179.99999, y: 10.0005))
            let west = try view(200, 80, zoom: 17.3, bearing: bearing, at: Point(x: -179.99999, y: 10.0005))
            for contents: [MapContent] in try [
                [.tileset(StoredTileset(site.path("out")))], [.image(PlacedImage(site.image(at: position)))],
            ] {
                let pixels = try await (bytes(contents, east), bytes(contents, west))
                // Around the middle of the view there is no hole.
                for column in 60..<140 {
                    #expect(pixels.0[(40 * 200 + column) * 4 + 3] == 255, "\(column)")
                    #expect(pixels.1[(40 * 200 + column) * 4 + 3] == 255, "\(column)")
                }
            }
        }
    }

    // Layers on top of each other

    @Test("Later layers cover earlier ones, which are visible where the later ones are transparent")
    func layers() async throws {
        let site = try Site()
        func build(_ name: String, _ color: [UInt8]) async throws -> MapContent {
            let pixels = (0..<60_000).flatMap { index -> [UInt8] in index % 300 < 150 ? color : [0, 0, 0, 0] }
            try site.write(PNGImage.encode(rgba: pixels, width: 300, height: 200), to: name + ".png")
            _ = try await TilesetBuild(
                BuildRequest(
                    site.image(name + ".png"), pyramid: PyramidRequest(zoom: ZoomRange(15...17)),
                    output: OutputRequest(site.path(name)))
            ).run()
            return .tileset(try StoredTileset(site.path(name)))
        }
        try site.draw("plan.png", width: 300, height: 200)
        _ = try await TilesetBuild(site.request("below")).run()
        let below = MapContent.tileset(try StoredTileset(site.path("below")))
        let above = try await build("above", [255, 0, 0, 255])
        for (zoom, bearing) in [(17.0, 0.0), (17, 30), (16.4, 0)] {
            // On the corner of a pixel, so that pixels coincide at zoom 17.
            let matrix = TileMatrix(zoom: 17, tileSize: 256)
            let middle = matrix.pixel(ofMercator: WebMercator.metres(ViewScene.middle))
            let corner = WebMercator.lonLat(
                matrix.mercator(ofPixel: Point(x: middle.x.rounded(), y: middle.y.rounded())))
            let view = try view(100, 80, zoom: zoom, bearing: bearing, at: corner)
            let both = try await bytes([below, above], view)
            let under = try await bytes([below], view)
            let (left, right) = ((40 * 100 + 20) * 4, (40 * 100 + 80) * 4)
            #expect(Array(both[left..<left + 4]) == [255, 0, 0, 255])
            #expect(both[right..<right + 4] == under[right..<right + 4])
            let inverse = try await bytes([above, below], view)
            #expect(inverse[left..<left + 4] == under[left..<left + 4])
        }
    }

    @Test(
        "An image is drawn as the tiles that are built of it", .long,
        arguments: [(18.3, 0.0, 0.0), (18.3, 30, 0), (17.1, 30, 50)])
    func image(zoom: Double, bearing: Double, tilt: Double) async throws {
        let scene = try await ViewScene()
        let view = try view(140, 110, zoom: zoom, bearing: bearing, tilt: tilt)
        let image = try PlacedImage(
            ImageRequest(scene.site.path("drawing.png"), at: PositionRequest(.bounds(Site.box))))
        let picture = try await Snapshot(of: [.image(image)], in: view).picture { _, _ in }
        let decibels = scene.decibels(picture, view)
        #expect(decibels > 40, "\(decibels) dB")
    }

    @Test("Jobs, memory and the container do not change a byte", .long)
    func determinism() async throws {
        let scene = try await ViewScene()
        let archive = scene.site.path("tiles.pmtiles")
        _ = try TilesetConversion(ConversionRequest(scene.tiles, to: archive)).run()
        let image = try PlacedImage(
            ImageRequest(scene.site.path("drawing.png"), at: PositionRequest(.bounds(Site.box))))
        let view = try view(300, 300, zoom: 18.2, bearing: 50, tilt: 40)
        for contents: [MapContent] in try [
            [.tileset(StoredTileset(scene.tiles))], [.tileset(StoredTileset(archive))], [.image(image)],
        ] {
            var files: Set<[UInt8]> = []
            for (jobs, memory) in [(1, 1 << 30), (3, 1 << 30), (2, 24 << 20)] {
                var request = SnapshotRequest()
                (request.resources.jobs, request.resources.memory) = (jobs, memory)
                request.resources.scratchDirectory = scene.site.path("")
                files.insert(try await Snapshot(of: contents, in: view, request: request).draw())
            }
            #expect(files.count == 1)
        }
    }

    // Backgrounds and faults

    /// The place of the corner of a pixel of zoom 17, near the middle.
    private var cornerOfPixel: Point {
        let matrix = TileMatrix(zoom: 17, tileSize: 256)
        let middle = matrix.pixel(ofMercator: WebMercator.metres(ViewScene.middle))
        return WebMercator.lonLat(
            matrix.mercator(ofPixel: Point(x: middle.x.rounded(), y: middle.y.rounded())))
    }

    @Test("Tiles over an image are copied where their pixels are those of the view")
    func tilesOverImage() async throws {
        let site = try Site()
        _ = try await TilesetBuild(site.request("tiles")).run()
        let white = [UInt8](repeating: 255, count: 300 * 200 * 4)
        try site.write(PNGImage.encode(rgba: white, width: 300, height: 200), to: "white.png")
        let image = MapContent.image(try PlacedImage(site.image("white.png")))
        let tiles = MapContent.tileset(try StoredTileset(site.path("tiles")))
        let view = try view(100, 80, zoom: 17, at: cornerOfPixel)
        let copied = try await bytes([tiles], view)
        #expect(try await bytes([image, tiles], view) == copied)
        #expect(Set(try await bytes([tiles, image], view)) == [255])
    }

    @Test("A view that is turned by a quarter has the same pixels as one that is not, turned")
    func quarterTurn() async throws {
        let site = try Site()
        _ = try await TilesetBuild(site.request("tiles")).run()
        let upright = try await bytes(site.path("tiles"), view(100, 80, zoom: 17, at: cornerOfPixel))
        let turned = try await bytes(
            site.path("tiles"), view(80, 100, zoom: 17, bearing: 90, at: cornerOfPixel))
        // East is up, and south on the right.
        let expected = (0..<100).flatMap { row in
            (0..<80).flatMap { column -> ArraySlice<UInt8> in
                let first = (column * 100 + 99 - row) * 4
                return upright[first..<first + 4]
            }
        }
        #expect(turned == expected)
    }

    @Test("The level of a picture changes the size of its file")
    func levels() async throws {
        let site = try Site()
        let image = MapContent.image(try PlacedImage(site.image()))
        let view = try view(200, 100, zoom: 17.3, bearing: 20)
        func file(_ format: SnapshotRequest.Format) async throws -> [UInt8] {
            try await Snapshot(of: [image], in: view, request: SnapshotRequest(format)).draw()
        }
        let pngs = [try await file(.png(.fast)), try await file(.png()), try await file(.png(.small))]
        #expect(pngs[0].count > pngs[1].count && pngs[1].count > pngs[2].count)
        let jpegs = [try await file(.jpeg()), try await file(.jpeg(quality: 85, .small))]
        #expect(jpegs[0].count > jpegs[1].count)
        #expect(pngs.allSatisfy { TileFormat(signatureOf: $0) == .png })
        #expect(jpegs.allSatisfy { TileFormat(signatureOf: $0) == .jpeg })
    }

    @Test(
        "A background is behind everything, and JPEG always has one",
        arguments: [(17.0, 0.0), (17.3, 20)])
    func background(zoom: Double, bearing: Double) async throws {
        let site = try Site()
        _ = try await TilesetBuild(site.request("out")).run()
        let matrix = TileMatrix(zoom: 17, tileSize: 256)
        let middle = matrix.pixel(ofMercator: WebMercator.metres(ViewScene.middle))
        let corner = WebMercator.lonLat(
            matrix.mercator(ofPixel: Point(x: middle.x.rounded(), y: middle.y.rounded())))
        let view = try view(600, 500, zoom: zoom, bearing: bearing, at: corner)
        let contents = [MapContent.tileset(try StoredTileset(site.path("out")))]
        var request = SnapshotRequest()
        #expect(try await bytes(contents, view, request)[0..<4] == [0, 0, 0, 0])
        request.background = RGBColor(red: 1, green: 2, blue: 3)
        let pixels = try await bytes(contents, view, request)
        #expect(Array(pixels[0..<4]) == [1, 2, 3, 255])
        #expect(stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 })
        request = SnapshotRequest(.jpeg(quality: 95))
        #expect(Array(try await bytes(contents, view, request)[0..<4]) == [255, 255, 255, 255])
        let file = try await Snapshot(of: contents, in: view, request: request).draw()
        #expect(TileFormat(signatureOf: file) == .jpeg)
        // A view away from everything is only its background.
        let empty = try self.view(30, 20, zoom: 17.3, at: Point(x: 100, y: 10))
        #expect(try await Set(bytes(contents, empty, request)) == [255])
    }

    @Test("A damaged tile is named", arguments: [17.0, 17.3])
    func damage(zoom: Double) async throws {
        let site = try Site()
        _ = try await TilesetBuild(site.request("out")).run()
        let stored = try StoredTileset(site.path("out"))
        let tile = TileCoordinate(of: ViewScene.middle, zoom: 17)
        for limits in stored.metadata.limits where limits.zoom == 17 {
            for row in limits.rows {
                for column in limits.columns {
                    try site.write([1, 2, 3], to: "out/17/\(column)/\(row).png")
                }
            }
        }
        _ = tile
        let view = try view(100, 80, zoom: zoom)
        let failure = await #expect(throws: Failure.self) {
            try await bytes([.tileset(stored)], view)
        }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("tile 17/") == true)
    }

    @Test("A picture that does not fit into the memory is refused, and so is an impossible quality")
    func refusals() throws {
        let contents: [MapContent] = []
        let large = CameraView(
            CameraPosition(target: ViewScene.middle, zoom: 10),
            size: try #require(ViewSize(width: 30_000, height: 30_000, scale: 4)))
        expectRefusal(.usage, "--memory allows") { try Snapshot(of: contents, in: large) }
        expectRefusal(.usage, "JPEG has at most") {
            try Snapshot(of: contents, in: large, request: SnapshotRequest(.jpeg()))
        }
        expectRefusal(.usage, "between 1 and 100") {
            try Snapshot(of: contents, in: view(10, 10, zoom: 3), request: SnapshotRequest(.jpeg(quality: 0)))
        }
    }
}

import Platform
import Foundation
import TestSupport
import Testing
import TilewrightKit
import Tiling

/// Single tiles of images, without a plan of all of them.
struct TilesOnDemandTests {
    private let site: Site

    init() throws { site = try Site() }

    /// Half a turn around the Earth in Mercator metres.
    private static let half = Double.pi * 6_378_137

    /// The centre of a tile of zoom 17 in Mercator metres.
    private static func middle(of tile: TileCoordinate) -> (x: Double, y: Double) {
        let edge = 256 * BlockImage.cell
        return (
            (Double(tile.column) + 0.5) * edge - half, half - (Double(tile.row) + 0.5) * edge
        )
    }

    private static let tile = TileCoordinate(zoom: 17, column: 67_000, row: 45_000)

    private func tiles(_ name: String, _ request: PyramidRequest = PyramidRequest()) throws -> TilesOnDemand {
        try TilesOnDemand(images: PlacedImages([ImageRequest(site.path(name))]).all, request: request)
    }

    @Test(
        "Each tile is byte for byte that of a build, and there are no other tiles", .long,
        arguments: ["upright", "turned", "UTM"],
        [(TileFormat.png, PyramidRequest.TileSize.standard), (.jpeg, .double)])
    func sameBytes(image: String, form: (format: TileFormat, size: PyramidRequest.TileSize)) async throws {
        let file =
            switch image {
            case "upright": BlockImage(middle: (471_234.5, 6_130_123.4))
            case "turned": BlockImage(turned: 33, middle: (471_234.5, 6_130_123.4))
            default: BlockImage(code: 32632, middle: (483_210, 5_412_345), cell: 0.8)
            }
        try site.write(file.bytes, to: "image.tif")
        var request = site.request(encoding: TileEncoding(form.format))
        request.images = [ImageRequest(site.path("image.tif"))]
        request.pyramid.zoom = ZoomRange()
        request.pyramid.tileSize = form.size
        let summary = try await TilesetBuild(request).run()
        let (stored, single) = try (StoredTileset(site.path("out")), tiles("image.tif", request.pyramid))
        var count = 0
        for limits in single.limits {
            for row in limits.rows {
                for column in limits.columns {
                    let address = TileCoordinate(zoom: limits.zoom, column: column, row: row)
                    let bytes = try await single.tile(at: address)
                    #expect(try bytes == stored.tile(at: address), "\(address)")
                    count += bytes == nil ? 0 : 1
                }
            }
        }
        #expect(count == summary.tileCount && single.zooms.count > 1)
    }

    @Test(
        "If an image has blocks, only those under the tile are read",
        arguments: [0.0, 30].some(1))
    func blocks(turned: Double) async throws {
        // The tile covers pixels 448 to 703 of 1024, or, turned, on 401 to 750: in blocks 3 to 5 of 8.
        var image = BlockImage(turned: turned, anchor: 576, middle: Self.middle(of: Self.tile))
        try site.write(image.bytes, to: "whole.tif")
        image.sound = 3..<6
        try site.write(image.bytes, to: "damaged.tif")
        let request = PyramidRequest(zoom: ZoomRange(16...17))
        let (whole, damaged) = try (tiles("whole.tif", request), tiles("damaged.tif", request))
        let expected = try #require(try await whole.tile(at: Self.tile))
        #expect(try await damaged.tile(at: Self.tile) == expected)
        // The damage is real.
        for other in [
            TileCoordinate(zoom: 17, column: Self.tile.column + 1, row: Self.tile.row),
            TileCoordinate(zoom: 16, column: Self.tile.column / 2, row: Self.tile.row / 2),
        ] {
            #expect(try await whole.tile(at: other) != nil)
            let failure = await #expect(throws: Failure.self) { try await damaged.tile(at: other) }
            #expect(failure?.kind == .badInput)
        }
    }

    @Test("If an image is read from the top, no rows below the tile are read")
    func rows() async throws {
        var random = SplitMix(seed: 7)
        try site.draw("plan.png", width: 300, height: 1200) { _, _ in UInt8(truncatingIfNeeded: random.next())
        }
        let bytes = try site.bytes("plan.png")
        try site.write(bytes.prefix(bytes.count / 2), to: "cut.png")
        let box = BoundingBox(minX: 2, minY: 47.99, maxX: 2.003, maxY: 48.002)
        func tiles(_ name: String) throws -> TilesOnDemand {
            try TilesOnDemand(
                images: [PlacedImage(site.image(name, at: PositionRequest(.bounds(box))))],
                request: PyramidRequest(zoom: ZoomRange(zoom: 17)))
        }
        let (whole, cut) = try (tiles("plan.png"), tiles("cut.png"))
        let (north, south) = (
            TileCoordinate(of: Point(x: 2.0015, y: 48.0015), zoom: 17),
            TileCoordinate(of: Point(x: 2.0015, y: 47.9905), zoom: 17)
        )
        let expected = try #require(try await whole.tile(at: north))
        #expect(try await cut.tile(at: north) == expected)
        #expect(try await whole.tile(at: south) != nil)
        await #expect(throws: Failure.self) { try await cut.tile(at: south) }
    }

    @Test("--max-tiles does not apply, but --max-pixels does")
    func limits() async throws {
        var resources = BuildResources()
        resources.maxTiles = 1
        let images = try PlacedImages([site.image()]).all
        let request = PyramidRequest(zoom: ZoomRange(15...17))
        let single = try TilesOnDemand(images: images, request: request, resources: resources)
        let tile = TileCoordinate(of: Point(x: 2.0015, y: 48.001), zoom: 17)
        #expect(try await single.tile(at: tile) != nil)
        expectRefusal(.usage, "--max-tiles allows 1") {
            try TilesetPlan(images: images, request: request, resources: resources)
        }
        resources.maxPixels = 100
        expectRefusal(.usage, "--max-pixels allows 100") {
            try TilesOnDemand(images: images, request: request, resources: resources)
        }
    }

    @Test(
        "There is no tile at an address outside the world",
        arguments: [(31, 0, 0), (64, 0, 0), (-1, 0, 0), (17, 0, 1 << 17), (17, 0, -1)].some(2))
    func beyondTheWorld(zoom: Int, column: Int, row: Int) async throws {
        try site.write(BlockImage(middle: (0, 0)).bytes, to: "image.tif")
        var tile = TileCoordinate(zoom: 0, column: 0, row: 0)
        (tile.zoom, tile.column, tile.row) = (zoom, column, row)
        #expect(try await tiles("image.tif").tile(at: tile) == nil)
    }

    @Test("A tile does not overwrite its image or its tileset")
    func places() async throws {
        try site.write([], to: "list")
        let image = site.image()
        for name in ["plan.png", "list", "./plan.png"] {
            expectRefusal(.usage, "is an input") {
                try TileFile(site.path(name), of: [image], others: [site.path("list")])
            }
        }
        expectRefusal(.outputRefused, "there is no folder") {
            try TileFile(site.path("no/tile.png"), of: [image])
        }
        _ = try await TilesetBuild(site.request()).run()
        let stored = try StoredTileset(site.path("out"))
        for name in ["out/17/tile.png", "out"] {
            expectRefusal(.usage, "a part of the tileset") { try TileFile(site.path(name), of: stored) }
        }
        let file = try TileFile(site.path("tile.png"), of: stored)
        try file.write([1, 2])
        #expect(try site.bytes("tile.png") == [1, 2])
    }
}

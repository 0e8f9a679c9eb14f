import Platform
import Foundation
import Testing
import TilewrightKit
import Tiling

/// Single tiles, rendered into memory.
struct PlanTilesTests {
    private let site: Site

    init() throws { site = try Site() }

    @Test(
        "A tile, and the tiles of a rectangle, are byte for byte those of a build",
        arguments: [TileEncoding(.png), TileEncoding(.jpeg), TileEncoding(.webp), TileEncoding(.auto)])
    func sameBytes(encoding: TileEncoding) async throws {
        let build = try TilesetBuild(site.request(encoding: encoding))
        _ = try await build.run()
        let stored = try StoredTileset(site.path("out"))
        var count = 0
        for limits in build.plan.limits {
            let tiles = try await build.plan.onDemand.tiles(in: limits)
            #expect(tiles.count == limits.columns.count * limits.rows.count)
            count += tiles.count
            for tile in tiles {
                #expect(tile.coordinate.zoom == limits.zoom)
                #expect(try stored.tile(at: tile.coordinate) == tile.bytes)
                #expect(try await build.plan.onDemand.tile(at: tile.coordinate) == tile.bytes)
            }
        }
        #expect(count == build.plan.tileCount)
    }

    @Test("Outside the zooms and the image, there are no tiles")
    func none() async throws {
        let plan = try TilesetBuild(site.request()).plan
        let tile = TileCoordinate(of: Point(x: 2.0015, y: 48.001), zoom: 17)
        #expect(try await plan.onDemand.tile(at: tile) != nil)
        for other in [
            TileCoordinate(of: Point(x: 2.0015, y: 48.001), zoom: 18),
            TileCoordinate(of: Point(x: 2.0015, y: 48.001), zoom: 14),
            TileCoordinate(zoom: 17, column: tile.column + 9, row: tile.row),
            TileCoordinate(zoom: 17, column: tile.column, row: tile.row - 9),
        ] {
            #expect(try await plan.onDemand.tile(at: other) == nil)
        }
    }

    @Test("A wholly transparent tile is left out unless it is requested")
    func transparent() async throws {
        try site.draw("plan.png", width: 300, height: 200) { column, _ in column < 100 ? 255 : 0 }
        var request = site.request(zoom: 19...19)
        let east = TileCoordinate(of: Point(x: 2.0025, y: 48.001), zoom: 19)
        #expect(try await TilesetBuild(request).plan.onDemand.tile(at: east) == nil)
        request.pyramid.empty = .write
        #expect(try await TilesetBuild(request).plan.onDemand.tile(at: east) != nil)
    }

    @Test("A single tile cannot have a palette, which depends on all tiles")
    func palette() async throws {
        var encoding = TileEncoding()
        encoding.palette = 16
        let plan = try TilesetBuild(site.request(encoding: encoding)).plan
        let failure = await #expect(throws: Failure.self) {
            try await plan.onDemand.tiles(in: plan.limits[0])
        }
        #expect(failure?.kind == .usage)
        #expect(failure?.message.contains("a single tile cannot have a palette") == true)
    }
}

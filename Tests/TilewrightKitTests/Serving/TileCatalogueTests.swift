import Platform
import Foundation
import Synchronization
import Testing
import Tiling
import TilewrightKit

/// The tilesets of a server, by name and in the current state of their files.
struct TileCatalogueTests {
    private let site: Site
    /// The centre of the plan at its native zoom.
    private let middle = TileCoordinate(of: Point(x: 2.0015, y: 48.001), zoom: 17)

    init() throws { site = try Site() }

    private func build(_ output: String, zoom: ClosedRange<Int> = 15...17) async throws {
        _ = try await TilesetBuild(site.request(output, zoom: zoom)).run()
    }

    private func request(_ things: String...) throws -> ServingRequest {
        var request = ServingRequest(
            things.map { text in
                let parts = text.split(separator: "=").map(String.init)
                return parts.count == 2
                    ? ServedInput(site.path(parts[1]), name: parts[0]) : ServedInput(site.path(text))
            })
        request.image = site.image("")
        request.pyramid.zoom = ZoomRange(15...17)
        return request
    }

    private func tile(_ name: String, of catalogue: TileCatalogue, at tile: TileCoordinate) async throws
        -> [UInt8]?
    {
        let tileset = try #require(await catalogue.tileset(name))
        return try await tileset.tile(at: tile).bytes
    }

    @Test("a folder, both archives and the image itself give the same tiles")
    func sameTiles() async throws {
        for output in ["out", "a.mbtiles", "b.pmtiles"] { try await build(output) }
        let catalogue = try await TileCatalogue(request("out", "a.mbtiles", "b.pmtiles", "plan.png"))
        #expect(catalogue.tilesets.map(\.name) == ["out", "a", "b", "plan"])
        let stored = try StoredTileset(site.path("out"))
        var count = 0
        for limits in stored.metadata.limits {
            for column in limits.columns {
                for row in limits.rows {
                    let address = TileCoordinate(zoom: limits.zoom, column: column, row: row)
                    let expected = try stored.tile(at: address)
                    count += expected == nil ? 0 : 1
                    for name in ["out", "a", "b", "plan"] {
                        #expect(
                            try await tile(name, of: catalogue, at: address) == expected, "\(name) \(address)"
                        )
                    }
                }
            }
        }
        #expect(count > 5)
    }

    @Test("a tileset that is built again, or replaced, shows its new tiles at the next request")
    func rebuilt() async throws {
        let names = ["out", "a.mbtiles", "b.pmtiles"]
        for output in names { try await build(output) }
        let catalogue = try await TileCatalogue(request("out", "a.mbtiles", "b.pmtiles", "plan.png"))
        let before = try await tile("plan", of: catalogue, at: middle)
        try site.draw("plan.png", width: 300, height: 200) { _, _ in 128 }
        let after = try await tile("plan", of: catalogue, at: middle)
        #expect(after != before && after != nil)
        for output in names { try await build(output, zoom: 16...17) }
        for name in ["out", "a", "b"] {
            #expect(try await tile(name, of: catalogue, at: middle) == after, "\(name)")
            let lowest = TileCoordinate(of: Point(x: 2.0015, y: 48.001), zoom: 15)
            #expect(try await tile(name, of: catalogue, at: lowest) == nil, "\(name)")
            #expect(try await catalogue.tileset(name)?.metadata().limits.map(\.zoom) == [16, 17])
        }
    }

    @Test("an image whose position changes is served at the new position")
    func moved() async throws {
        try site.write("0.00001\n0\n0\n-0.00001\n2.000005\n48.001995\n".utf8, to: "plan.pgw")
        var request = try request("plan.png")
        request.image.position = PositionRequest(crs: "EPSG:4326")
        let catalogue = try await TileCatalogue(request)
        #expect(try await abs(#require(catalogue.tileset("plan")).metadata().bounds.minX - 2) < 1e-6)
        try site.write("0.00001\n0\n0\n-0.00001\n3.000005\n48.001995\n".utf8, to: "plan.pgw")
        #expect(try await abs(#require(catalogue.tileset("plan")).metadata().bounds.minX - 3) < 1e-6)
    }

    @Test("a tileset that is gone is an error, and is found again when it is back")
    func gone() async throws {
        try await build("a.pmtiles")
        let catalogue = try await TileCatalogue(request("a.pmtiles"))
        let there = try await tile("a", of: catalogue, at: middle)
        try FileManager.default.moveItem(atPath: site.path("a.pmtiles"), toPath: site.path("b"))
        await #expect(throws: (any Error).self) { _ = try await tile("a", of: catalogue, at: middle) }
        try FileManager.default.moveItem(atPath: site.path("b"), toPath: site.path("a.pmtiles"))
        #expect(try await tile("a", of: catalogue, at: middle) == there)
    }

    @Test("a folder that is gone during a refresh is still treated as a folder")
    func goneFolder() async throws {
        try await build("out")
        let catalogue = try await TileCatalogue(request("out"))
        let there = try await tile("out", of: catalogue, at: middle)
        try FileManager.default.moveItem(atPath: site.path("out"), toPath: site.path("away"))
        await catalogue.refresh()
        #expect(await catalogue.tileset("nothing") == nil)
        await #expect(throws: (any Error).self) { _ = try await tile("out", of: catalogue, at: middle) }
        try FileManager.default.moveItem(atPath: site.path("away"), toPath: site.path("out"))
        #expect(try await tile("out", of: catalogue, at: middle) == there)
    }

    @Test("options of images apply to each image")
    func drawnAlike() async throws {
        try site.write(site.bytes("plan.png"), to: "first.png")
        let catalogue = try await TileCatalogue(request("plan.png", "first.png"))
        let plan = try await tile("plan", of: catalogue, at: middle)
        #expect(try await tile("first", of: catalogue, at: middle) == plan && plan != nil)
    }

    @Test("two sources with one name are refused, even an index and a tileset")
    func names() async throws {
        for output in ["out", "out.pmtiles"] { try await build(output) }
        await expectRefusal(.usage, "two inputs have the name 'out'") {
            try await TileCatalogue(request("out", "out.pmtiles"))
        }
        let catalogue = try await TileCatalogue(request("out", "archive=out.pmtiles"))
        #expect(catalogue.tilesets.map(\.name) == ["out", "archive"])
        await expectRefusal(.usage, "nothing to serve") { try await TileCatalogue(ServingRequest([])) }
    }

    @Test("the text before an equals sign is the name, unless a file has the whole text as its name")
    func equals() async throws {
        #expect(try ServedInput(parsing: "a=b/c=d.png") == ServedInput("b/c=d.png", name: "a"))
        let whole = site.path("a=b.png")
        try site.write([], to: "a=b.png")
        #expect(try ServedInput(parsing: whole) == ServedInput(whole))
        for text in ["=a", "..=a", "a/b=c"] {
            expectRefusal(.usage, "an address cannot contain the name") {
                try ServedInput(parsing: text)
            }
        }
        expectRefusal(.usage, "there is no input after '='") { try ServedInput(parsing: "a=") }
        await expectRefusal(.usage, "an address cannot contain the name") {
            try await TileCatalogue(request("a\nb.pmtiles"))
        }
    }

    @Test("the working folder has its own name")
    func dots() async throws {
        try await build("out")
        for path in ["out/", "out/.", "out/../out/17/.."] {
            let catalogue = try await TileCatalogue(ServingRequest([ServedInput(site.path("./") + path)]))
            #expect(catalogue.tilesets.map(\.name) == ["out"], "\(path)")
        }
    }

    @Test("a file that is not a tile is reported, and read no further than the longest tile")
    func noTile() async throws {
        try await build("out")
        let catalogue = try await TileCatalogue(request("out"))
        let name = site.path("out/17/\(middle.column)/\(middle.row).png")
        #expect(truncate(name, 3 << 30) == 0)
        await #expect(throws: Failure.self) { _ = try await tile("out", of: catalogue, at: middle) }
    }

    @Test("an image without a position is refused, as by a build")
    func unplaced() async throws {
        var request = try request("plan.png")
        request.image.position = PositionRequest()
        await expectRefusal(.badInput, "it has no position") { try await TileCatalogue(request) }
    }
}

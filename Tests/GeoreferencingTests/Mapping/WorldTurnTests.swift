import Georeferencing
import Testing
import Tiling

/// Images that lead once around the world.
@Suite struct WorldTurnTests {
    private func mapping(
        _ crs: String, _ west: Double, _ south: Double, _ east: Double, _ north: Double,
        width: Int = 720, height: Int = 360
    ) throws -> ImageMapping {
        let box = BoundingBox(minX: west, minY: south, maxX: east, maxY: north)
        return try ImageMapping(
            .bounds(box, crs: CRS(crs), width: width, height: height), width: width, height: height)
    }

    @Test(
        "an image whose right edge meets its left edge has the columns of a turn",
        arguments: [
            ("EPSG:4326", -180.0, -90.0, 180.0, 90.0, 720), ("EPSG:4326", 0, -90, 360, 90, 720),
            ("EPSG:4326", -180.25, -90, 179.75, 90, 720), ("EPSG:4326", -180, 10, 180, 20, 720),
            // An eighth of a pixel of half a degree is 0.06 degrees.
            ("EPSG:4326", -180, -90, 179.95, 90, 720), ("EPSG:4269", -180, -90, 180, 90, 720),
            ("EPSG:4807", -200, -100, 200, 100, 720),
            ("EPSG:4087", -20_037_508.34, -5_000_000, 20_037_508.34, 5_000_000, 720),
            ("EPSG:3857", -20_037_508.34, -20_037_508.34, 20_037_508.34, 20_037_508.34, 720),
            // Two columns of half a degree more than the world has.
            ("EPSG:4326", -180.5, -90, 180.5, 90, 722),
        ])
    func turns(
        crs: String, west: Double, south: Double, east: Double, north: Double, width: Int
    ) throws {
        let mapping = try mapping(crs, west, south, east, north, width: width)
        #expect(mapping.columnsPerTurn == 720)
        let box = try #require(BoundingBox(around: mapping.outline))
        #expect(abs(box.width - 2 * WebMercator.halfWorld) < 1e-6)
        #expect(box.minX >= -WebMercator.halfWorld)
    }

    @Test(
        "other images have no turn",
        arguments: [
            ("EPSG:4326", -180.0, -90.0, 179.9, 90.0), ("EPSG:4326", -180, -90, 179, 90),
            ("EPSG:4326", 170, -20, -170, 20),
            ("EPSG:25832", 400_000, 5_000_000, 500_000, 5_050_000),
            ("EPSG:3995", -3_000_000, -3_000_000, 3_000_000, 3_000_000),
            ("EPSG:4087", -20_037_508.34, -5_000_000, 19_900_000, 5_000_000),
        ])
    func noTurn(crs: String, west: Double, south: Double, east: Double, north: Double) throws {
        #expect(try mapping(crs, west, south, east, north).columnsPerTurn == nil)
    }

    @Test("the corners of a world are at its two ends", arguments: ["EPSG:4326", "EPSG:4269"])
    func corners(crs: String) throws {
        let corners = try mapping(crs, -180, -80, 180, 80).lonLatCorners()
        for (corner, expected) in zip(corners, [-180.0, 180, 180, -180]) {
            #expect(abs(corner.x - expected) < 1e-9)
        }
    }

    @Test("in larger pixels a world has fewer columns, or none if they do not fit")
    func largerPixels() throws {
        let mapping = try mapping("EPSG:4326", -180, -90, 180, 90)
        func inPixels(_ size: Double, from first: Double = 0) -> ImageMapping {
            mapping.inPixels(
                AffineTransform(a: 1 / size, b: 0, c: first, d: 0, e: 1 / size, f: 0))
        }
        #expect(inPixels(4).columnsPerTurn == 180)
        #expect(inPixels(7).columnsPerTurn == nil)
        #expect(inPixels(4, from: 0.25).columnsPerTurn == nil)
    }
}

import Foundation
import Georeferencing
import Rendering
import Testing
import Tiling

/// The tiles of an image whose edges are not those of tiles.
@Suite struct TurnedFootprintTests {
    /// Whether a convex polygon and a tile overlap by more than a sliver: no axis perpendicular to
    /// an edge of either keeps them apart (the separating axis theorem).
    private static func overlap(_ polygon: [Point], column: Int, row: Int) -> Bool {
        let (x, y) = (Double(column), Double(row))
        let tile = [
            Point(x: x, y: y), Point(x: x + 1, y: y), Point(x: x + 1, y: y + 1),
            Point(x: x, y: y + 1),
        ]
        let axes =
            [Point(x: 1, y: 0), Point(x: 0, y: 1)]
            + polygon.indices.map { index in
                let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
                return Point(x: (b.y - a.y) / a.distance(to: b), y: (a.x - b.x) / a.distance(to: b))
            }
        return axes.allSatisfy { axis in
            let first = polygon.map { $0.x * axis.x + $0.y * axis.y }
            let second = tile.map { $0.x * axis.x + $0.y * axis.y }
            let (low, high) = (
                max(first.min() ?? 0, second.min() ?? 0), min(first.max() ?? 0, second.max() ?? 0)
            )
            return high - low > 1e-6
        }
    }

    /// Tiles of a zoom that a polygon in Mercator metres overlaps.
    private static func tiles(_ outline: [Point], zoom: Int) -> [TileCoordinate] {
        let matrix = TileMatrix(zoom: zoom, tileSize: 1)
        let polygon = outline.map(matrix.pixel(ofMercator:))
        let columns = polygon.map { Int($0.x.rounded(.down)) }
        let rows = polygon.map { Int($0.y.rounded(.down)) }
        return ((rows.min() ?? 0)...(rows.max() ?? 0)).flatMap { row in
            ((columns.min() ?? 0)...(columns.max() ?? 0)).filter {
                overlap(polygon, column: $0, row: row)
            }.map { TileCoordinate(zoom: zoom, column: $0, row: row) }
        }
    }

    @Test(
        "a turned square has the tiles that it overlaps, and no others",
        arguments: [45.0, 13, 1, 89.5, -30, 217], [256, 512])
    func turned(degrees: Double, tileSize: Int) throws {
        let matrix = TileMatrix(zoom: 16, tileSize: 256)
        let mapping = try Placement.turned(
            matrix, around: Point(x: 9_000_100.3, y: 6_000_200.7), degrees: degrees, scale: 1,
            width: 2000, height: 2000)
        let plan = try PyramidPlan(
            mapping, width: 2000, height: 2000, zooms: 10...17, tileSize: tileSize)
        for zoom in 10...17 {
            let tiles = plan.tiles.filter { $0.zoom == zoom }
            #expect(tiles.sorted() == Self.tiles(mapping.outline, zoom: zoom).sorted())
        }
    }

    @Test("a diamond on the corners of tiles does not touch the corners of its box")
    func diamond() throws {
        // 4 tiles of zoom 16 from its centre, a corner of tiles, to each of its own corners.
        let matrix = TileMatrix(zoom: 16, tileSize: 256)
        let side = 4 * 256 * 2.0.squareRoot()
        let mapping = try Placement.turned(
            matrix, around: Point(x: 256 * 35_000, y: 256 * 23_000), degrees: 45,
            scale: side / 1000, width: 1000, height: 1000)
        let plan = try PyramidPlan(mapping, zooms: 16...16)
        // Rows of 2, 4, 6, 8, 8, 6, 4 and 2 tiles.
        let level = try #require(plan.levels.last)
        #expect(level.tileRows == 22_996..<23_004)
        #expect(
            level.tileRows.map { level.tileColumns(inRow: $0).joined().count } == [
                2, 4, 6, 8, 8, 6, 4, 2,
            ])
        #expect(plan.tileCount == 40)
    }

    @Test("a footprint with curved edges has the tiles under its pixels")
    func curved() throws {
        let (width, height) = (600, 400)
        let transform = AffineTransform(a: 900, b: 120, c: 300_000, d: 130, e: -880, f: 5_700_000)
        let mapping = try ImageMapping(
            Georeference(crs: CRS("EPSG:25833"), pixelToCRS: .affine(transform)), width: width,
            height: height)
        let plan = try PyramidPlan(mapping, width: width, height: height, zooms: 9...9)
        // Tiles in which a grid of points of the image lies, its edges included.
        var points = (0...4 * width).flatMap { x in
            (0...40).map { Point(x: Double(x) / 4, y: Double($0 * height) / 40) }
        }
        points += (0...4 * height).flatMap { y in
            (0...60).map { Point(x: Double($0 * width) / 60, y: Double(y) / 4) }
        }
        mapping.mercatorPoints(ofImage: &points)
        let matrix = TileMatrix(zoom: 9, tileSize: 1)
        let touched = Set(
            points.map(matrix.pixel(ofMercator:)).map {
                TileCoordinate(zoom: 9, column: Int($0.x), row: Int($0.y))
            })
        #expect(touched.count > 40)
        #expect(Set(plan.tiles) == touched)
    }
}

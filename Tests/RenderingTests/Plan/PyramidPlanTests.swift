import Georeferencing
import Rendering
import Testing
import Tiling
import TestSupport

@Suite struct PyramidPlanTests {
    /// Tiles of a zoom: columns, perhaps in two runs, and rows.
    struct Limits: Sendable {
        let zoom: Int
        let columns: [ClosedRange<Int>]
        let rows: ClosedRange<Int>

        init(_ zoom: Int, _ columns: ClosedRange<Int>..., rows: ClosedRange<Int>) {
            self.zoom = zoom
            self.columns = columns
            self.rows = rows
        }
    }

    // mercantile.tiles(west, south, east, north, zooms=[zoom])
    static let boxes: [(String, [Double], [Limits])] = [
        (
            "a building", [8.5461, 47.3752, 8.5489, 47.3779],
            [
                Limits(14, 8580...8581, rows: 5737...5737),
                Limits(15, 17161...17162, rows: 11474...11475),
                Limits(16, 34323...34324, rows: 22949...22950),
                Limits(17, 68647...68648, rows: 45898...45900),
                Limits(18, 137295...137297, rows: 91797...91800),
                Limits(19, 274590...274594, rows: 183595...183601),
            ]
        ),
        (
            "a city", [-0.13, 51.4, 0.1, 51.6],
            [
                Limits(6, 31...32, rows: 21...21), Limits(7, 63...64, rows: 42...42),
                Limits(8, 127...128, rows: 85...85), Limits(9, 255...256, rows: 170...170),
                Limits(10, 511...512, rows: 340...340), Limits(11, 1023...1024, rows: 680...681),
            ]
        ),
        (
            "the southern hemisphere", [-70.71, -33.52, -70.58, -33.41],
            [
                Limits(8, 77...77, rows: 153...153), Limits(9, 155...155, rows: 306...306),
                Limits(10, 310...311, rows: 612...613), Limits(11, 621...622, rows: 1225...1226),
                Limits(12, 1243...1244, rows: 2451...2453),
            ]
        ),
        (
            "across the antimeridian", [179.5, -17.3, -179.4, -16.2],
            [
                Limits(0, 0...0, rows: 0...0), Limits(1, 0...1, rows: 1...1),
                Limits(2, 0...0, 3...3, rows: 2...2), Limits(3, 0...0, 7...7, rows: 4...4),
                Limits(4, 0...0, 15...15, rows: 8...8), Limits(5, 0...0, 31...31, rows: 17...17),
                Limits(6, 0...0, 63...63, rows: 34...35),
                Limits(7, 0...0, 127...127, rows: 69...70),
                Limits(8, 0...0, 255...255, rows: 139...140),
                Limits(9, 0...0, 511...511, rows: 279...280),
            ]
        ),
        (
            "a wide box across the antimeridian", [100, -60, -20, 60],
            [
                Limits(0, 0...0, rows: 0...0), Limits(1, 0...1, rows: 0...1),
                Limits(2, 0...1, 3...3, rows: 1...2), Limits(3, 0...3, 6...7, rows: 2...5),
                Limits(4, 0...7, 12...15, rows: 4...11),
            ]
        ),
        (
            "nearly the world, from the middle of a tile", [100, -60, 95, 60],
            [
                Limits(0, 0...0, rows: 0...0), Limits(1, 0...1, rows: 0...1),
                Limits(2, 0...3, rows: 1...2), Limits(3, 0...7, rows: 2...5),
            ]
        ),
        (
            "the world", [-180, -85.051129, 180, 85.051129],
            [
                Limits(0, 0...0, rows: 0...0), Limits(1, 0...1, rows: 0...1),
                Limits(2, 0...3, rows: 0...3), Limits(3, 0...7, rows: 0...7),
            ]
        ),
        (
            "beyond the map's northern edge", [10, 80, 20, 89],
            [
                Limits(2, 2...2, rows: 0...0), Limits(3, 4...4, rows: 0...0),
                Limits(4, 8...8, rows: 0...1), Limits(5, 16...17, rows: 0...3),
                Limits(6, 33...35, rows: 0...7),
            ]
        ),
        (
            "the south pole", [-30, -90, -20, -84],
            [
                Limits(2, 1...1, rows: 3...3), Limits(3, 3...3, rows: 7...7),
                Limits(4, 6...7, rows: 15...15), Limits(5, 13...14, rows: 31...31),
                Limits(6, 26...28, rows: 62...63), Limits(7, 53...56, rows: 124...127),
            ]
        ),
        // mercantile.bounds of 6/34/22 and of 14/8715/5733: edges of tiles.
        (
            "just a tile", [11.25, 45.089035564831015, 16.875, 48.92249926375824],
            [
                Limits(5, 17...17, rows: 11...11), Limits(6, 34...34, rows: 22...22),
                Limits(7, 68...69, rows: 44...45), Limits(9, 272...279, rows: 176...183),
            ]
        ),
        (
            "just a small tile",
            [11.49169921875, 47.42808726171426, 11.513671875, 47.44294999517949],
            [
                Limits(10, 544...544, rows: 358...358), Limits(14, 8715...8715, rows: 5733...5733),
                Limits(15, 17430...17431, rows: 11466...11467),
                Limits(20, 557760...557823, rows: 366912...366975),
            ]
        ),
    ]

    @Test("a box in degrees has mercantile's tiles, each once", arguments: boxes)
    func tileRanges(name: String, box: [Double], limits: [Limits]) throws {
        let mapping = try Placement.degrees(box[0], box[1], box[2], box[3])
        for limits in limits {
            let plan = try PyramidPlan(mapping, zooms: limits.zoom...limits.zoom)
            let expected = limits.rows.flatMap { row in
                limits.columns.joined().map {
                    TileCoordinate(zoom: limits.zoom, column: $0, row: row)
                }
            }
            #expect(plan.tiles.sorted() == expected.sorted())
            #expect(plan.tileCount == expected.count)
        }
    }

    @Test("a range of zooms has the tiles of its zooms", arguments: boxes)
    func zoomRange(name: String, box: [Double], limits: [Limits]) throws {
        let mapping = try Placement.degrees(box[0], box[1], box[2], box[3])
        let last = try #require(limits.last).zoom
        let plan = try PyramidPlan(mapping, zooms: 0...last)
        for limits in limits {
            let single = try PyramidPlan(mapping, zooms: limits.zoom...limits.zoom)
            #expect(plan.tiles.filter { $0.zoom == limits.zoom }.sorted() == single.tiles.sorted())
        }
        #expect(plan.tileCount == plan.tiles.count)
        #expect(plan.levels.map(\.matrix.zoom) == Array((0...last).reversed()))
    }

    @Test("tiles of 512 pixels have the same addresses", arguments: boxes)
    func largeTiles(name: String, box: [Double], limits: [Limits]) throws {
        let mapping = try Placement.degrees(box[0], box[1], box[2], box[3])
        for limits in limits {
            let zooms = limits.zoom...limits.zoom
            let small = try PyramidPlan(mapping, zooms: zooms)
            let large = try PyramidPlan(mapping, zooms: zooms, tileSize: 512)
            #expect(small.tiles.sorted() == large.tiles.sorted())
        }
    }

    @Test("an image smaller than a pixel has a tile at every zoom, in every place", .long)
    func speck() throws {
        var random = SplitMix(seed: 41)
        let matrix = TileMatrix(zoom: 12, tileSize: 256)
        for trial in 0..<200 {
            // Up to half a pixel of zoom 12, near a tile's edge in three trials of four.
            let nearEdge = trial % 4 != 0
            let corner = Double(1 << Int.random(in: 8...19, using: &random))
            let x = nearEdge ? corner + .random(in: -1...1, using: &random) : 700_000.3
            let y = nearEdge ? corner + .random(in: -1...1, using: &random) : 300_000.4
            let size = Double.random(in: 0.0001...0.5, using: &random)
            let mapping = try Placement.pixels(
                matrix, x: x...x + size, y: y...y + size, width: 10, height: 10)
            for zoom in [0, 5, 11, 12, 20] {
                let plan = try PyramidPlan(
                    mapping, width: 10, height: 10, zooms: min(zoom, 3)...zoom)
                for zoom in min(zoom, 3)...zoom {
                    let center = plan.center(zoom: zoom, x: x + size / 2, y: y + size / 2)
                    #expect(plan.tiles.contains(center), "\(center), \(x), \(y), \(size)")
                }
            }
        }
    }

    @Test("under a strong perspective no more pixels are rendered than the image is worth")
    func perspective() throws {
        let corners = [
            Point(x: 8, y: 47), Point(x: 8.001, y: 47), Point(x: 8.000_000_1, y: 46.999),
            Point(x: 8, y: 46.999),
        ]
        let mapping = try ImageMapping(
            .corners(corners, width: 1000, height: 1000), width: 1000, height: 1000)
        let finest = try #require(PyramidPlan(mapping, zooms: 16...16).levels.first)
        // A level is at most twice as fine as it must be; the footprint fills half of its box.
        #expect(finest.window.width * finest.window.height < 2 * 4 * 4 * 1000 * 1000)
    }
}

extension PyramidPlan {
    /// The tile of a zoom in which a pixel position of zoom 12 lies.
    fileprivate func center(zoom: Int, x: Double, y: Double) -> TileCoordinate {
        let world = Double(256 << 12)
        let edge = Double(1 << zoom)
        return TileCoordinate(
            zoom: zoom, column: Int(x / world * edge), row: Int(y / world * edge))
    }
}

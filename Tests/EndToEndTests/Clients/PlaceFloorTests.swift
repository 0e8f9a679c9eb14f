import Foundation
import TestSupport
import Testing

/// A floor of a real shopping centre is placed over the tiles of the floor below, by two lifts and a stair.
@Suite(
    .long, .needsSharedData,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash"))
struct PlaceFloorTests {
    /// Middles of shafts that both floors have, to the tenth of a metre in which their vectors are written:
    /// the corners' mean of the boxes around them.
    private static let shafts = [
        (
            "lift A", Place(longitude: 120.0750865, latitude: 30.29393),
            Place(longitude: 120.0750865, latitude: 30.29393)
        ),
        (
            "lift B", Place(longitude: 120.0760335, latitude: 30.2929905),
            Place(longitude: 120.0760335, latitude: 30.29299)
        ),
        (
            "stair", Place(longitude: 120.0755565, latitude: 30.293142),
            Place(longitude: 120.0755565, latitude: 30.293142)
        ),
    ]

    private let scratch: TemporaryDirectory
    private let below: GeoJSON
    private let floor: GeoJSON
    private let size: (width: Double, height: Double)

    init() throws {
        scratch = try TemporaryDirectory()
        below = try GeoJSON(contentsOf: SharedData.url("data/mall/F1-geojson_map.json"))
        floor = try GeoJSON(contentsOf: SharedData.url("data/mall/F2-geojson_map.json"))
        let image = try SharedData.url("data/mall/F2-floor_image.png")
        try FileManager.default.copyItem(at: image, to: scratch.url.appending(path: "F2.png"))
        let picture = try Picture(contentsOf: image.path)
        size = (Double(picture.width), Double(picture.height))
    }

    @Test("with two lifts and a stair, the whole floor is within 0.3 m of its place")
    func placed() throws {
        let image = try SharedData.url("data/mall/F1-floor_image.png").path
        let bounds = below.bounds.map { "\($0)" }.joined(separator: ",")
        try Program.succeed([image, "--bounds", bounds, "-o", "F1.pmtiles"], in: scratch.url)
        try Program.succeed(
            [
                "place", "F2.png", "--over", "F1.pmtiles", "--basemap", "none", "--viewer-assets",
                MapLibraries.leaflet?.path ?? "",
            ], in: scratch.url)
        let points = Self.shafts.map { name, below, above in
            ["name": name, "pixel": pixel(above), "place": [below.longitude, below.latitude]] as [String: Any]
        }
        try JSONSerialization.data(withJSONObject: points)
            .write(to: scratch.url.appending(path: "points.json"))
        let done = try Browser.act(
            "Placing/place_floor.py", on: scratch.url.appending(path: "F2.html"),
            [scratch.url.path] + Browser.screenshots("floor"))
        #expect(done["problems"] as? [String] == [])
        #expect(done["line"] as? String == "tilewright F2.png -o tiles")

        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "Downloads"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: scratch.url.appending(path: "F2.png.points"),
            to: scratch.url.appending(path: "Downloads/F2.png.points"))
        try Program.succeed(["place", "F2.png", "--take", "Downloads/F2.png.points"], in: scratch.url)
        try Program.succeed(["F2.png", "-o", "tiles", "--zoom", "20"], in: scratch.url)
        try checkPoints()
        try checkTiles()
    }

    /// A place as a pixel of the floor's image, whose edges are those of its vectors.
    private func pixel(_ place: Place) -> [Double] {
        let edges = floor.bounds
        return [
            (place.longitude - edges[0]) / (edges[2] - edges[0]) * size.width,
            (edges[3] - place.latitude) / (edges[3] - edges[1]) * size.height,
        ]
    }

    /// What three points say of every corner of every wall, against where it is.
    private func checkPoints() throws {
        let text = try String(contentsOf: scratch.url.appending(path: "F2.png.points"), encoding: .utf8)
        let rows = text.split(separator: "\n").drop { !$0.hasPrefix("mapX") }.dropFirst().map { row in
            row.split(separator: ",").compactMap { Double($0) }
        }
        try #require(rows.count == 3)
        let (a, b, c) = (rows[0], rows[1], rows[2])
        // Barycentric: an affine map is linear between three points.
        let whole = (b[2] - a[2]) * (c[3] - a[3]) - (c[2] - a[2]) * (b[3] - a[3])
        let misses = floor.rings.joined().map { place in
            let at = pixel(place)
            let (x, y) = (at[0] - a[2], -at[1] - a[3])
            let shareB = (x * (c[3] - a[3]) - (c[2] - a[2]) * y) / whole
            let shareC = ((b[2] - a[2]) * y - x * (b[3] - a[3])) / whole
            let put = [0, 1].map { a[$0] + shareB * (b[$0] - a[$0]) + shareC * (c[$0] - a[$0]) }
            let miss = Place(longitude: put[0], latitude: put[1]).offset(to: place)
            return hypot(miss.east, miss.north)
        }
        let farthest = misses.max() ?? .infinity
        #expect(farthest < 0.3, "a wall is \(farthest) m from its place")
    }

    /// Where the walls lie in the tiles, in each quarter of the building: a pixel is 0.13 m.
    private func checkTiles() throws {
        let mosaic = try Mosaic(of: scratch.url.appending(path: "tiles"), zoom: 20)
        let edges = floor.bounds
        let middle = ((edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2)
        let rings = zip(floor.rings, floor.pixels(zoom: 20))
        for isEast in [false, true] {
            for isNorth in [false, true] {
                let quarter = rings.filter { ring, _ in
                    ring.allSatisfy {
                        ($0.longitude > middle.0) == isEast && ($0.latitude > middle.1) == isNorth
                    }
                }
                try #require(quarter.count > 3)
                let alignment = Alignment(of: quarter.map(\.1), on: mosaic) {
                    mosaic.picture.darkness($0, $1)
                }
                #expect(hypot(Double(alignment.column), Double(alignment.row)) * 0.13 < 0.3)
                #expect(alignment.contrast > 1.05)
            }
        }
    }
}

import Platform
import Foundation
@testable import Georeferencing
import TestSupport
import Testing
import Tiling

/// Polygons of GeoJSON files, and where they lie.
struct CutlineTests {
    private let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    private func cutline(_ text: String) throws -> Cutline {
        try text.write(toFile: scratch.path("cut.geojson"), atomically: true, encoding: .utf8)
        return try Cutline(file: scratch.path("cut.geojson"))
    }

    private static let square = "[[1,2],[3,2],[3,4],[1,4],[1,2]]"
    private static let polygon = #"{"type":"Polygon","coordinates":[\#(square)]}"#

    @Test("polygons are found in everything that may contain them")
    func holders() throws {
        let points = [Point(x: 1, y: 2), Point(x: 3, y: 2), Point(x: 3, y: 4), Point(x: 1, y: 4)]
        let feature = #"{"type":"Feature","properties":{"name":"A"},"geometry":\#(Self.polygon)}"#
        let line = #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
        let texts = [
            Self.polygon, feature,
            #"{"type":"MultiPolygon","coordinates":[[\#(Self.square)]]}"#,
            #"{"type":"GeometryCollection","geometries":[\#(line),\#(Self.polygon)]}"#,
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null},\#(feature)]}"#,
            // A ring that is not closed, one with heights, and a place twice.
            #"{"type":"Polygon","coordinates":[[[1,2],[3,2],[3,4],[1,4]]]}"#,
            #"{"type":"Polygon","coordinates":[[[1,2,9],[3,2,9],[3,2,9],[3,4,9],[1,4,9],[1,2,9]]]}"#,
            // As QGIS writes it.
            #"""
            {"type":"FeatureCollection","name":"cut","crs":{"type":"name","properties":
            {"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},"features":[\#(feature)]}
            """#,
        ]
        for text in texts {
            #expect(try cutline(text).polygons.map(\.rings) == [[points]], "\(text)")
        }
        let both = try cutline(
            #"{"type":"MultiPolygon","coordinates":[[\#(Self.square),\#(Self.square)],[\#(Self.square)]]}"#)
        #expect(both.polygons.map(\.rings) == [[points, points], [points]])
    }

    @Test(
        "an invalid cutline is refused in one line that says why",
        arguments: [
            ("{", "not GeoJSON"), ("[]", "not GeoJSON"), (#"{"type":"Tile"}"#, "not GeoJSON"),
            (#"{"type":"Polygon","coordinates":[[1,2],[3,4]]}"#, "not GeoJSON"),
            (#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#, "no polygon"),
            (#"{"type":"FeatureCollection","features":[]}"#, "no polygon"),
            (#"{"type":"Polygon","coordinates":[]}"#, "no ring"),
            (#"{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}"#, "2 different places"),
            (#"{"type":"Polygon","coordinates":[[[1],[3,4],[1,2]]]}"#, "1 numbers"),
            (
                #"{"type":"Polygon","coordinates":[[[192525,6142000],[192600,6142000],[192600,6142100]]]}"#,
                "192525.000000, 6142000.000000 is not a longitude"
            ),
            (
                #"{"type":"Polygon","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}},"#
                    + #""coordinates":[[[1,2],[3,2],[3,4]]]}"#, "EPSG::25832"
            ),
        ])
    func refusals(text: String, reason: String) throws {
        let failure = #expect(throws: Failure.self) { try cutline(text) }
        let message = try #require(failure).message
        #expect(failure?.kind == .badInput)
        #expect(message.hasPrefix("cannot read the cutline '") && message.contains(reason), "\(message)")
        #expect(!message.contains("\n"))
    }

    @Test("a file that is not there is missing")
    func missing() {
        let failure = #expect(throws: Failure.self) { try Cutline(file: scratch.path("none.geojson")) }
        #expect(failure?.kind == .missingInput)
    }

    @Test("edges are straight in degrees: points along them lie where interpolation puts them")
    func straightInDegrees() throws {
        let cutline = try cutline(#"{"type":"Polygon","coordinates":[[[0,0],[40,60],[0,60]]]}"#)
        let world = BoundingBox(minX: -2e7, minY: -2e7, maxX: 2e7, maxY: 2e7)
        let ring = try #require(cutline.rings(seenIn: world, cellSize: 1000).first?.first)
        #expect(ring.count > 50)
        // From each chord's middle, the edge is at most a 32nd of a pixel away along the north.
        for (start, end) in zip(ring, ring.dropFirst()) where start.x < end.x {
            let middle = Point(x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
            let longitude = WebMercator.lonLat(middle).x
            let edge = WebMercator.metres(latitude: longitude * 60 / 40)
            #expect(abs(edge - middle.y) <= 1000 / 32.0 + 1e-6)
        }
    }

    @Test("beyond the map a polygon is cut, and its edges keep their direction")
    func poles() throws {
        let cutline = try cutline(
            #"{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90]]]}"#)
        let world = BoundingBox(minX: -2e7, minY: -2e7, maxX: 2e7, maxY: 2e7)
        let rings = cutline.rings(seenIn: world, cellSize: 1e5)
        let box = try #require(BoundingBox(around: rings[0][0]))
        #expect(abs(box.maxX - WebMercator.halfWorld) < 1e-6 && abs(box.minX + WebMercator.halfWorld) < 1e-6)
        #expect(box.maxY > WebMercator.halfWorld && box.maxY < 1.1 * WebMercator.halfWorld)
        let slanted = try self.cutline(#"{"type":"Polygon","coordinates":[[[0,80],[10,90],[10,80]]]}"#)
        let cut = try #require(slanted.rings(seenIn: world, cellSize: 1e7).first?.first)
        let places = cut.map { WebMercator.lonLat($0) }
        let meeting = places.filter { abs($0.x - 6) < 1e-9 && abs($0.y - 86) < 1e-9 }
        #expect(meeting.count == 1, "\(places)")
    }

    @Test("a polygon across the antimeridian is visible from both sides")
    func antimeridian() throws {
        let text = #"""
            {"type":"MultiPolygon","coordinates":[[[[179,-18],[180,-18],[180,-16],[179,-16],[179,-18]]],
            [[[-180,-18],[-179,-18],[-179,-16],[-180,-16],[-180,-18]]]]}
            """#
        let cutline = try cutline(text)
        let box = cutline.box(within: BoundingBox(minX: 178, minY: -20, maxX: 182, maxY: -10))
        #expect(box == BoundingBox(minX: 179, minY: -18, maxX: 181, maxY: -16))
        #expect(cutline.box(within: BoundingBox(minX: 0, minY: -20, maxX: 9, maxY: -10)) == nil)
        let degree = WebMercator.metres(longitude: 1)
        let window = BoundingBox(minX: 178 * degree, minY: -3e6, maxX: 182 * degree, maxY: 0)
        let middles = cutline.rings(seenIn: window, cellSize: 1e3).map { rings in
            (rings[0].reduce(0) { $0 + $1.x } / Double(rings[0].count) / degree).rounded()
        }
        #expect(middles == [180, 181] || middles == [179, 180], "\(middles)")
    }
}

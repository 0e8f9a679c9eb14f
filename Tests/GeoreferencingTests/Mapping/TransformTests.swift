import Platform
import TestSupport
import Testing
import Tiling

@testable import Georeferencing

/// Transforms between pixels and a plane.
@Suite struct TransformTests {
    @Test("A transform that flattens the plane has no inverse")
    func flat() {
        #expect(AffineTransform(a: 1, b: 2, c: 0, d: 2, e: 4, f: 0).inverse == nil)
        #expect(ProjectiveTransform((1, 2, 3), (2, 4, 6), (0, 0, 1)).inverse == nil)
        let tangent = TangentMap(
            value: .nowhere, alongX: Point(x: 1, y: 2), alongY: Point(x: 2, y: 4))
        #expect(tangent.step(for: Point(x: 1, y: 1)) == nil)
    }

    @Test("A projective transform follows a shift of its pixels")
    func precededProjective() throws {
        let projective = ProjectiveTransform((2, 0, 1), (0, 3, 1), (0.5, 0, 1))
        let moved = PixelTransform.projective(projective).preceded(by: .translation(x: 1, y: 2))
        // (2 * 2 + 1) / (0.5 * 2 + 1), (3 * 2 + 1) / (0.5 * 2 + 1)
        #expect(moved(Point(x: 1, y: 0)) == Point(x: 2.5, y: 3.5))
        #expect(moved(Point(x: -4, y: 0)).x.isNaN)
    }

    @Test("The inverse of the inverse is the transform")
    func doubleInverse() throws {
        let points = (0..<9).map { index -> Point in
            let (column, row) = (Double(index % 3), Double(index / 3))
            return Point(x: column * 50, y: row * 50)
        }
        let places = points.map { Point(x: 2 * $0.x + 0.001 * $0.x * $0.x, y: -2 * $0.y) }
        let there = try TransformModel.polynomial2.fit(points, to: places)
        let again = try #require(there.inverse?.inverse)
        let pixel = Point(x: 20, y: 30)
        #expect(again(pixel) == there(pixel))
        #expect(there(pixel).distance(to: Point(x: 40.4, y: -60)) < 0.05)
    }

    @Test("Places continue across the antimeridian; an empty list stays empty")
    func unwrapped() {
        let places = [Point(x: 179, y: 1), Point(x: -179, y: 2)]
        #expect(places.unwrapped == [Point(x: 179, y: 1), Point(x: 181, y: 2)])
        #expect([Point]().unwrapped == [])
    }

    @Test("A horizon through the image is refused")
    func horizon() throws {
        // The denominator is 1 at the left edge, and -1 at the right one.
        let transform = ProjectiveTransform((1, 0, 0), (0, 1, 0), (-0.02, 0, 1))
        let failure = #expect(throws: Failure.self) {
            try ImageMapping(
                Georeference(crs: .wgs84, pixelToCRS: .projective(transform)), width: 100, height: 50)
        }
        #expect(failure?.message == "the projective transform's horizon passes through the image")
    }

    @Test(
        "An image that is moved around the world is a turn further east",
        arguments: ["EPSG:3857", "EPSG:4326", "EPSG:32632"])
    func movedEast(code: String) throws {
        let (scale, corner) =
            code == "EPSG:4326" ? (1e-4, Point(x: 9, y: 48)) : (10, Point(x: 500_000, y: 5_300_000))
        let transform = AffineTransform(a: scale, b: 0, c: corner.x, d: 0, e: -scale, f: corner.y)
        let mapping = try ImageMapping(
            Georeference(crs: CRS(code), pixelToCRS: .affine(transform)), width: 100, height: 80)
        let moved = mapping.movedEast(turns: 1)
        let pixels = [Point(x: 0, y: 0), Point(x: 73, y: 41)]
        var (here, there) = (pixels, pixels)
        mapping.mercatorPoints(ofImage: &here)
        moved.mercatorPoints(ofImage: &there)
        for (one, other) in zip(here, there) {
            // EPSG:3857 is 2 * pi * 6378137 m wide.
            #expect(abs(other.x - one.x - 2 * .pi * 6_378_137) < 1e-6 && abs(other.y - one.y) < 1e-6)
        }
        moved.imagePoints(ofMercator: &there)
        for (pixel, back) in zip(pixels, there) { #expect(pixel.distance(to: back) < 1e-2) }
    }

    @Test("An image that is off the globe is refused", .long)
    func offGlobe() throws {
        // Seen from far above 45 degrees north: the disc has the Earth's radius, 6378 km.
        let transform = AffineTransform(a: 20_000, b: 0, c: 5_000_000, d: 0, e: -20_000, f: 8_000_000)
        let crs = try CRS("+proj=ortho +lat_0=45 +lon_0=-100 +datum=WGS84")
        let failure = #expect(throws: Failure.self) {
            try ImageMapping(
                Georeference(crs: crs, pixelToCRS: .affine(transform)), width: 100, height: 100)
        }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("nowhere") == true, "\(String(describing: failure))")
    }

    @Test("A world beyond the edge of Web Mercator is nowhere on the map")
    func polarRing() {
        let transform = AffineTransform(a: 0.5, b: 0, c: -180, d: 0, e: -0.1, f: 90)
        let failure = #expect(throws: Failure.self) {
            try ImageMapping(
                Georeference(crs: .wgs84, pixelToCRS: .affine(transform)), width: 720, height: 40)
        }
        #expect(failure?.message.contains("Web Mercator ends at") == true)
    }

    @Test("Points of a file that are not places are named")
    func noPlace() throws {
        let points = [(0.0, 0.0, 8.0, 47.0), (9, 0, 600, 47), (0, 9, 8, 46)].map {
            MapPoint(pixel: Point(x: $0.0, y: $0.1), map: Point(x: $0.2, y: $0.3), name: "at \($0.2)")
        }
        let position = try StoredPosition(
            source: "tags", form: .points(points), crs: .wgs84, keepsPoints: true)
        let failure = #expect(throws: Failure.self) { try position.controlPoints() }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message == "at 600.0 is at 600.0, 47.0, which is not a place in WGS 84")
    }
}

import Platform
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct CRSProjectionTests {
    private func project(_ definition: String, _ place: Point) throws -> Point {
        var points = [place]
        try CRS(definition).project(&points)
        return points[0]
    }

    @Test(
        "a place in the underlying geographic system is projected on its own datum",
        .needs("cs2cs"),
        arguments: [
            ("EPSG:4267", "EPSG:26717", -79.4, 43.65), ("EPSG:4314", "EPSG:31467", 9.1, 49.6),
            ("EPSG:4277", "EPSG:27700", -0.12, 51.5), ("EPSG:4269", "EPSG:2263", -74.01, 40.7),
            ("EPSG:4326", "EPSG:3857", 13.37, 52.52), ("EPSG:4326", "EPSG:32633", 13.37, 52.52),
        ])
    func ownDatum(base: String, projected: String, longitude: Double, latitude: Double) throws {
        // cs2cs takes the axes as the authority has them.
        let expected = try cs2cs(from: base, to: projected, ["\(latitude) \(longitude)"])[0]
        let isNorthFirst = projected == "EPSG:31467"
        let turned = isNorthFirst ? Point(x: expected.y, y: expected.x) : expected
        let found = try project(projected, Point(x: longitude, y: latitude))
        #expect(found.distance(to: turned) < 1e-6)
    }

    @Test("a shift to WGS 84 in the definition shifts nothing")
    func bound() throws {
        let plain = "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel"
        let place = Point(x: 9.1, y: 49.6)
        let expected = try project(plain, place)
        #expect(try project(plain + " +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7", place) == expected)
        #expect(expected.x > 3_507_000 && expected.x < 3_508_000)
    }

    @Test("heights with a projected system are ignored")
    func compound() throws {
        let place = Point(x: 9.1, y: 49.6)
        #expect(try project("EPSG:25832+5783", place) == project("EPSG:25832", place))
    }

    @Test("gons count from the meridian of the system")
    func gons() throws {
        // The origin of the zone: 52 gons, 0 gons from Paris.
        let found = try project("EPSG:27572", Point(x: 0, y: 52))
        #expect(found.distance(to: Point(x: 600_000, y: 2_200_000)) < 1e-6)
    }
}

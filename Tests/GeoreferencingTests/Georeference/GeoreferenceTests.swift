import Platform
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct GeoreferenceTests {
    private let box = BoundingBox(minX: 5, minY: 50, maxX: 6, maxY: 51)

    @Test("bounds are the outer edges of the image")
    func bounds() throws {
        let georeference = try Georeference.bounds(box, crs: .wgs84, width: 200, height: 100)
        #expect(georeference.pixelToCRS(Point(x: 0, y: 0)) == Point(x: 5, y: 51))
        #expect(georeference.pixelToCRS(Point(x: 200, y: 100)) == Point(x: 6, y: 50))
    }

    @Test(
        "invalid bounds are refused as a wrong command line",
        arguments: [
            BoundingBox(minX: 5, minY: 51, maxX: 6, maxY: 50),
            BoundingBox(minX: 5, minY: 50, maxX: 5, maxY: 51),
            BoundingBox(minX: 5, minY: 50, maxX: 6, maxY: 50),
            BoundingBox(minX: 5, minY: 50, maxX: 6, maxY: 93),
            BoundingBox(minX: 556597, minY: 6446275, maxX: 556697, maxY: 6446375),
            BoundingBox(minX: .nan, minY: 50, maxX: 6, maxY: 51),
            BoundingBox(minX: 5, minY: 50, maxX: .infinity, maxY: 51),
        ])
    func wrongBounds(box: BoundingBox) {
        let failure = #expect(throws: Failure.self) {
            try Georeference.bounds(box, crs: .wgs84, width: 10, height: 10)
        }
        #expect(failure?.kind == .usage)
        #expect(failure?.remedy != nil)
    }

    @Test("west beyond east is an error if there is no antimeridian")
    func projectedWestBeyondEast() {
        #expect(throws: Failure.self) {
            try Georeference.bounds(
                BoundingBox(minX: 100, minY: 0, maxX: -100, maxY: 10), crs: .webMercator,
                width: 10, height: 10)
        }
    }

    @Test("corners are where they were given", arguments: [3, 4])
    func corners(count: Int) throws {
        let given = [
            Point(x: 8.500, y: 47.401), Point(x: 8.504, y: 47.402), Point(x: 8.505, y: 47.399),
            Point(x: 8.5005, y: 47.398),
        ]
        let mapping = try ImageMapping(
            .corners(Array(given.prefix(count)), width: 300, height: 200), width: 300, height: 200)
        for (corner, place) in zip(mapping.lonLatCorners(), given.prefix(count)) {
            // 1e-10 degrees are a hundredth of a millimetre.
            #expect(corner.distance(to: place) < 1e-10)
        }
    }

    @Test("corners may lie on both sides of the antimeridian", arguments: [180.0, -180])
    func cornersAcrossAntimeridian(other: Double) throws {
        let east = 180.01 - 180 + (other < 0 ? -180 : 180)
        let given = [
            Point(x: 179.99, y: -16), Point(x: east, y: -16), Point(x: east, y: -16.01),
            Point(x: 179.99, y: -16.01),
        ]
        let mapping = try ImageMapping(
            .corners(given, width: 300, height: 200), width: 300, height: 200)
        let expected = [179.99, 180.01, 180.01, 179.99]
        for (corner, longitude) in zip(mapping.lonLatCorners(), expected) {
            #expect(abs(corner.x - longitude) < 1e-9)
        }
    }

    @Test(
        "corners that do not make an image are refused",
        arguments: [
            ("0,1 1,1", "2 corners"),
            ("0,1 1,1 0,0 1,0", "convex"),
            ("0,1 0,0 1,0 1,1", "mirrored"),
            ("0,1 0,0 1,0", "mirrored"),
            ("0,1 1,1 0.2,0.9 0,0", "convex"),
            ("0,1e-5 1e-5,1e-5 2e-5,1e-5 0,0", "line"),
            ("0,1 0,1 1,0 0,0", "each other"),
            ("0,1 0,1 0,1", "each other"),
            ("0,91 1,1 1,0", "not a place"),
            ("0,1 1,1 nan,0", "not a place"),
        ])
    func wrongCorners(text: String, reason: String) {
        let corners = text.split(separator: " ").map { corner in
            let numbers = corner.split(separator: ",").compactMap { Double($0) }
            return Point(x: numbers[0], y: numbers[1])
        }
        let failure = #expect(throws: Failure.self) {
            try Georeference.corners(corners, width: 100, height: 100)
        }
        #expect(failure?.kind == .usage)
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }

    @Test(
        "an anchored plan follows its scale and bearing",
        .needs("cs2cs"),
        arguments: [0.0, 330, 90, -45, 540])
    func anchor(bearing: Double) throws {
        let georeference = try Georeference.anchor(
            pixel: Point(x: 100, y: 200), lonLat: Point(x: 30, y: -30), metresPerPixel: 0.05,
            bearing: bearing)
        let mapping = try ImageMapping(georeference, width: 4000, height: 4000)
        // 2000 pixels up, and 2000 to the right, of the anchor: 100 m along two bearings by geod.
        var points = [
            Point(x: 100, y: 200), Point(x: 100, y: -1800), Point(x: 2100, y: 200),
        ]
        mapping.mercatorPoints(ofImage: &points)
        let places = points.map(WebMercator.lonLat)
        #expect(places[0].distance(to: Point(x: 30, y: -30)) < 1e-10)
        let expected = try [bearing, bearing + 90].map {
            try geod(from: Point(x: 30, y: -30), bearing: $0, metres: 100)
        }
        #expect(places[1].distance(to: expected[0]) < 1e-8)
        #expect(places[2].distance(to: expected[1]) < 1e-8)
        #expect(abs(mapping.groundCellSize - 0.05) < 1e-6)
    }

    @Test("an anchor may be very close to Greenwich and the equator")
    func anchorNearZero() throws {
        for place in [Point(x: 0.00001, y: -0.00002), Point(x: 0, y: 0), Point(x: -1e-7, y: 1e-9)] {
            let georeference = try Georeference.anchor(
                pixel: Point(x: 0, y: 0), lonLat: place, metresPerPixel: 1, bearing: 0)
            let mapping = try ImageMapping(georeference, width: 10, height: 10)
            #expect(mapping.lonLatCorners()[0].distance(to: place) < 1e-12)
        }
    }

    @Test("an anchor without a scale, a place or a direction is refused")
    func wrongAnchor() {
        let (pixel, place) = (Point(x: 0, y: 0), Point(x: 1, y: 2))
        for scale in [0, -1, Double.nan, .infinity] {
            #expect(throws: Failure.self) {
                try Georeference.anchor(
                    pixel: pixel, lonLat: place, metresPerPixel: scale, bearing: 0)
            }
        }
        #expect(throws: Failure.self) {
            try Georeference.anchor(
                pixel: pixel, lonLat: Point(x: 2, y: 95), metresPerPixel: 1, bearing: 0)
        }
        #expect(throws: Failure.self) {
            try Georeference.anchor(
                pixel: pixel, lonLat: place, metresPerPixel: 1, bearing: .nan)
        }
    }

    @Test("a projective transform whose horizon crosses the image is refused")
    func horizon() {
        let transform = ProjectiveTransform((1, 0, 0), (0, -1, 0), (-0.01, 0, 1))
        let georeference = Georeference(crs: .webMercator, pixelToCRS: .projective(transform))
        #expect(throws: Failure.self) { try ImageMapping(georeference, width: 200, height: 50) }
        #expect(throws: Never.self) { try ImageMapping(georeference, width: 90, height: 50) }
    }

    @Test("the inverse of a projective transform excludes points behind the horizon")
    func behindHorizon() throws {
        let transform = ProjectiveTransform((1, 0, 0), (0, -1, 0), (-0.01, 0, 1))
        let inverse = try #require(transform.inverse)
        let seen = transform(Point(x: 50, y: 20))
        #expect(seen == Point(x: 100, y: -40))
        #expect(inverse(seen).distance(to: Point(x: 50, y: 20)) < 1e-12)
        // (150, 20) would be mapped to (-300, 40) from behind.
        #expect(transform(Point(x: 150, y: 20)).x.isNaN)
        #expect(inverse(Point(x: -300, y: 40)).x.isNaN)
    }

    @Test("Feet of a drawing are those of its CRS, and other units are converted")
    func unitsOfCoordinates() throws {
        let place = Point(x: 986_000, y: 212_000)
        func eastings(_ metresPerUnit: Double?) throws -> Double {
            try Georeference.coordinates(.identity, metresPerUnit: metresPerUnit, in: CRS("EPSG:2263"))
                .pixelToCRS(place).x
        }
        #expect(
            try eastings(0.3048) == 986_000 && eastings(1200 / 3937) == 986_000 && eastings(nil) == 986_000)
        #expect(try abs(eastings(1) - 986_000 * 3937 / 1200) < 1e-6)
    }

    @Test(
        "The unit of map coordinates is one that puts them into the area of the map",
        arguments: [
            // Metres, in a drawing that says millimetres, or survey feet that are said to be inches.
            ("EPSG:25832", Point(x: 565_000, y: 5_932_000), 100, 0.001, 1),
            ("EPSG:27700", Point(x: 400_000, y: 300_000), 100, 0.001, 1),
            ("EPSG:3857", Point(x: 1_113_000, y: 7_000_000), 100, 0.001, 1),
            ("EPSG:2193", Point(x: 1_750_000, y: 5_430_000), 100, 0.001, 1),
            ("EPSG:2263", Point(x: 1_000_000, y: 200_000), 100, 0.0254, 1200 / 3937),
            // Millimetres, in a drawing that says metres, or nothing.
            ("EPSG:25832", Point(x: 565e6, y: 5932e6), 50_000, 1, 0.001),
            ("EPSG:25832", Point(x: 565e6, y: 5932e6), 50_000, nil, 0.001),
            ("EPSG:25832", Point(x: 565e5, y: 5932e5), 50_000, 1, 0.01),
            // What it says, which may be feet in a system of metres.
            ("EPSG:25832", Point(x: 565e6, y: 5932e6), 50_000, 0.001, 0.001),
            ("EPSG:25832", Point(x: 565_000, y: 5_932_000), 100, nil, 1),
            ("EPSG:27700", Point(x: 1_600_000, y: 900_000), 100, 0.3048, 0.3048),
            // What nothing explains: a local drawing, degrees, or a system that has no area.
            ("EPSG:6677", Point(x: 15_000, y: 8_000), 30_000, 0.001, nil),
            ("EPSG:25832", Point(x: 20, y: 30), 100, 0.001, nil),
            ("EPSG:4326", Point(x: 10, y: 53), 100, 0.001, nil),
            ("+proj=tmerc +lat_0=53 +lon_0=10", Point(x: 20_000, y: 30_000), 100, 0.001, nil),
        ] as [(String, Point, Double, Double?, Double?)])
    func unitOfCoordinates(
        system: String, middle: Point, size: Double, stated: Double?, expected: Double?
    ) throws {
        let ends = [-size / 2, size / 2].map { Point(x: middle.x + $0, y: middle.y) }
        let unit = try Georeference.unit(
            ofCoordinates: #require(BoundingBox(around: ends)), stated: stated, in: CRS(system))
        #expect(unit.map { ($0 * 1e9).rounded() } == expected.map { ($0 * 1e9).rounded() })
    }
}

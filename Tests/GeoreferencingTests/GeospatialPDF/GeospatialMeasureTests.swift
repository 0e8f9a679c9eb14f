import Platform
import Georeferencing
import Testing
import Tiling

/// A page of 300 x 200 points whose map fills a box of 200 x 100, 50 from the left and 20 from below.
@Suite struct GeospatialMeasureTests {
    private static let page = AffineTransform(a: 1, b: 0, c: 0, d: 0, e: -1, f: 200)
    private static let corners = [0.0, 0, 0, 1, 1, 1, 1, 0]
    private static let degrees = [52.0, 13, 52.001, 13, 52.001, 13.002, 52, 13.002]
    private static let wgs84 = GeospatialMeasure.System(type: "GEOGCS", epsg: 4326)

    private func measure(
        box: [Double]? = [50, 20, 250, 120], bounds: [Double]? = nil, ground: [Double]? = degrees,
        square: [Double]? = corners, system: GeospatialMeasure.System = wgs84
    ) -> GeospatialMeasure {
        GeospatialMeasure(box: box, bounds: bounds, groundPoints: ground, boxPoints: square, system: system)
    }

    private func position(
        _ measure: GeospatialMeasure, pointsFromUnits: AffineTransform = page, crs: CRS? = nil
    ) throws -> GeospatialPDF {
        let part = GeospatialPart(name: "Hall", form: .measure(measure))
        let found = try GeospatialPDF([part], pointsFromUnits: pointsFromUnits, crs: crs)
        return try #require(found)
    }

    private func expect(_ place: Point, at point: Point, in position: GeospatialPDF) {
        let found = position.georeference.pixelToCRS(point)
        #expect(found.distance(to: place) < 1e-9, "\(found) is not \(place)")
    }

    @Test("the unit square is the box, latitude comes first")
    func square() throws {
        let position = try position(measure())
        #expect(position.georeference.crs == .wgs84)
        #expect(position.source == "viewport 'Hall'")
        #expect(position.warnings.isEmpty)
        expect(Point(x: 13, y: 52), at: Point(x: 50, y: 180), in: position)
        expect(Point(x: 13.002, y: 52.001), at: Point(x: 250, y: 80), in: position)
        let ring = [(50, 180), (250, 180), (250, 80), (50, 80)].map { Point(x: $0.0, y: $0.1) }
        #expect(position.neatline == ring)
    }

    @Test("units and boxes that do not begin at 0 are respected", arguments: [1, 2.5])
    func userUnit(unit: Double) throws {
        // A MediaBox from -10, -20 with a UserUnit.
        let page = AffineTransform(a: unit, b: 0, c: 10 * unit, d: 0, e: -unit, f: 180 * unit)
        let position = try position(measure(), pointsFromUnits: page)
        expect(Point(x: 13, y: 52), at: Point(x: 60 * unit, y: 160 * unit), in: position)
    }

    @Test("the first corner of the box is 0, 0, unless that makes a mirror image")
    func orderOfCorners() throws {
        let opposite = try position(measure(box: [250, 120, 50, 20]))
        expect(Point(x: 13, y: 52), at: Point(x: 250, y: 80), in: opposite)
        let upperLeft = try position(measure(box: [50, 120, 250, 20]))
        expect(Point(x: 13, y: 52), at: Point(x: 50, y: 180), in: upperLeft)
        #expect(upperLeft.warnings.isEmpty)
        let fromUpperLeft = try position(
            measure(box: [50, 120, 250, 20], square: [0, 1, 0, 0, 1, 0, 1, 1]))
        expect(Point(x: 13, y: 52), at: Point(x: 50, y: 180), in: fromUpperLeft)
    }

    @Test("a mirrored map stays mirrored, with a warning")
    func mirror() throws {
        let position = try position(measure(square: [0, 1, 0, 0, 1, 0, 1, 1]))
        expect(Point(x: 13, y: 52), at: Point(x: 50, y: 80), in: position)
        #expect(position.warnings == ["its viewport 'Hall' mirrors the map"])
    }

    @Test("places without points in the box are those of the neatline, if it has as many")
    func withoutPoints() throws {
        // As ArcMap writes it: the upper left corner of the box first.
        let position = try position(
            measure(box: [50, 120, 250, 20], bounds: [0, 1, 0, 0, 1, 0, 1, 1], square: nil))
        expect(Point(x: 13, y: 52), at: Point(x: 50, y: 180), in: position)
        expect(Point(x: 13.002, y: 52.001), at: Point(x: 250, y: 80), in: position)
        #expect(position.warnings == ["its viewport 'Hall' has no LPTS, so its Bounds are used"])
        #expect(throws: Failure.self) { try self.position(measure(bounds: [0, 0, 1, 1, 0, 1], square: nil)) }
    }

    @Test("the neatline is that of Bounds")
    func bounds() throws {
        let ring = try position(measure(bounds: [0, 0, 0.5, 1, 1, 0, 0, 0])).neatline
        #expect(ring == [(50, 180), (150, 80), (250, 180)].map { Point(x: $0.0, y: $0.1) })
    }

    @Test(
        "Bounds that are not a polygon are ignored with a warning",
        arguments: [
            [0.0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1, 0.5, 0.5], [0, 0, .nan, 1, 1, 0],
            [0, 0, 1e300, 1e300, 1e300, -1e300],
        ])
    func badBounds(bounds: [Double]) throws {
        let position = try position(measure(bounds: bounds))
        #expect(position.neatline?.count == 4)
        #expect(position.warnings == ["the Bounds of its viewport 'Hall' are not a polygon and are ignored"])
    }

    @Test("northings and eastings instead of degrees are recognised by their size, as in GDAL")
    func northings() throws {
        let utm = GeospatialMeasure.System(type: "PROJCS", epsg: 32633)
        let ground = [5_820_000.0, 392_000, 5_820_100, 392_000, 5_820_100, 392_200, 5_820_000, 392_200]
        let position = try position(measure(ground: ground, system: utm))
        let place = position.georeference.pixelToCRS(Point(x: 50, y: 180))
        #expect(place.distance(to: Point(x: 392_000, y: 5_820_000)) < 1e-6)
    }

    @Test("the user's system overrides the file's")
    func otherSystem() throws {
        let position = try position(
            measure(system: .init(type: "PROJCS", epsg: nil, wkt: "nonsense")), crs: try CRS("EPSG:32633"))
        #expect(try position.georeference.crs == CRS("EPSG:32633"))
    }

    @Test("Esri's numbers are understood; if a number is unknown or of the other type, the WKT is")
    func numbers() throws {
        let esri = GeospatialMeasure.System(type: "PROJCS", epsg: 102_100)
        #expect(try position(measure(system: esri)).georeference.crs == .webMercator)
        let lambert = try position(
            measure(
                ground: [48.8, 2.3, 48.801, 2.3, 48.801, 2.302, 48.8, 2.302], system: .init(epsg: 102_110)))
        #expect(lambert.georeference.crs.name == "RGF_1993_Lambert_93")
        let utm = "EPSG:32633"
        for epsg in [1, 4326] {
            let system = GeospatialMeasure.System(type: "PROJCS", epsg: epsg, wkt: utm)
            #expect(try position(measure(system: system)).georeference.crs == CRS(utm))
        }
    }

    private static let degreesOfEsri =
        "GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137.0,298.257223563]],"
        + "PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]"

    private static let utmOfEsri =
        "PROJCS[\"WGS_1984_UTM_Zone_33N\",\(degreesOfEsri),PROJECTION[\"Transverse_Mercator\"],"
        + "PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],"
        + "PARAMETER[\"Central_Meridian\",15.0],PARAMETER[\"Scale_Factor\",0.9996],"
        + "PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]"

    @Test(
        "the WKT of several programs means the same",
        arguments: [
            utmOfEsri,
            // ArcGIS, with heights.
            utmOfEsri + ",VERTCS[\"EGM96_Geoid\",VDATUM[\"EGM96_Geoid\"],PARAMETER[\"Vertical_Shift\",0.0],"
                + "PARAMETER[\"Direction\",1.0],UNIT[\"Meter\",1.0]]",
            utmOfEsri.replacing(",", with: ", \n  "), utmOfEsri + "\0",
            // GDAL's own words, and those of WKT 2.
            "PROJCS[\"UTM Zone 33, Northern Hemisphere\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\","
                + "6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],"
                + "PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],"
                + "PARAMETER[\"central_meridian\",15],PARAMETER[\"scale_factor\",0.9996],"
                + "PARAMETER[\"false_easting\",500000],PARAMETER[\"false_northing\",0],UNIT[\"Meter\",1]]",
            "PROJCRS[\"x\",BASEGEOGCRS[\"WGS 84\",DATUM[\"World Geodetic System 1984\",ELLIPSOID[\"WGS 84\",6378137,"
                + "298.257223563]]],CONVERSION[\"UTM zone 33N\",METHOD[\"Transverse Mercator\"],"
                + "PARAMETER[\"Latitude of natural origin\",0],PARAMETER[\"Longitude of natural origin\",15],"
                + "PARAMETER[\"Scale factor at natural origin\",0.9996],PARAMETER[\"False easting\",500000],"
                + "PARAMETER[\"False northing\",0]],CS[Cartesian,2],AXIS[\"(E)\",east],AXIS[\"(N)\",north],"
                + "LENGTHUNIT[\"metre\",1]]",
        ])
    func words(wkt: String) throws {
        let expected = try position(measure(system: .init(type: "PROJCS", epsg: 32633)))
        let found = try position(measure(system: .init(type: "PROJCS", wkt: wkt)))
        for corner in [Point(x: 50, y: 180), Point(x: 250, y: 80)] {
            let place = expected.georeference.pixelToCRS(corner)
            #expect(found.georeference.pixelToCRS(corner).distance(to: place) < 1e-5)
        }
    }

    @Test("a map on both sides of the antimeridian is one map", arguments: [4326, 3857])
    func antimeridian(epsg: Int) throws {
        let ground = [52, 179.999, 52.001, 179.999, 52.001, -179.999, 52, -179.999]
        let position = try position(measure(ground: ground, system: .init(epsg: epsg)))
        var places = [Point(x: 150, y: 100), Point(x: 250, y: 180)].map {
            position.georeference.pixelToCRS($0)
        }
        try CRSConversion(position.georeference.crs).lonLat(of: &places)
        #expect(abs(abs(places[0].x) - 180) < 1e-9)
        #expect(abs((places[1].x - 180.001).remainder(dividingBy: 360)) < 1e-9)
    }

    @Test("a sheet of degrees that is drawn in a plane is placed in a plane")
    func drawnInPlane() throws {
        // A quadrangle of USGS: 7.5 minutes of UTM 18, upright in the grid.
        var corners = [
            (500_000.0, 5_200_000.0), (500_000, 5_214_000), (510_000, 5_214_000), (510_000, 5_200_000),
        ]
        .map { Point(x: $0.0, y: $0.1) }
        try CRSConversion(CRS("EPSG:32618")).lonLat(of: &corners)
        let position = try position(
            measure(box: [0, 0, 1181.1, 1653.54], ground: corners.flatMap { [$0.y, $0.x] }))
        #expect(!position.georeference.crs.isGeographic)
        #expect(try #require(position.worstMiss) < 0.05)
    }

    @Test("large misses of control points cause a warning, and places that do not form a map are refused")
    func misses() throws {
        var ground = Self.degrees
        ground[0] += 0.00006
        let position = try position(measure(ground: ground))
        #expect(try #require(position.worstMiss) > 1)
        #expect(position.warnings.first?.contains(" within 1.") ?? false, "\(position.warnings)")
        #expect(throws: Failure.self) {
            try self.position(measure(ground: [52, 13, 52.001, 13.002, 52.001, 13, 52, 13.002]))
        }
    }
}

/// What is wrong, in one clause.
@Suite struct GeospatialRefusalTests {
    private static let page = AffineTransform(a: 1, b: 0, c: 0, d: 0, e: -1, f: 200)
    private static let good = GeospatialMeasure(
        box: [0, 0, 300, 200], groundPoints: [52, 13, 52.001, 13, 52.001, 13.002],
        boxPoints: [0, 0, 0, 1, 1, 1], system: .init(type: "GEOGCS", epsg: 4326))

    private static func changed(_ change: (inout GeospatialMeasure) -> Void) -> GeospatialMeasure {
        var measure = good
        change(&measure)
        return measure
    }

    static let cases: [(String, GeospatialMeasure)] = [
        ("BBox", changed { $0.box = nil }), ("BBox", changed { $0.box = [0, 0, 0, 200] }),
        ("BBox", changed { $0.box = [0, 0, .infinity, 200] }), ("BBox", changed { $0.box = [0, 0, 1] }),
        ("GPTS", changed { $0.groundPoints = nil }), ("LPTS", changed { $0.boxPoints = nil }),
        ("pairs", changed { $0.boxPoints = [0, 0, 1, 1] }), ("pairs", changed { $0.groundPoints = [1] }),
        (
            "control points instead of 3",
            changed { ($0.groundPoints, $0.boxPoints) = ([52, 13, 53, 14], [0, 0, 1, 1]) }
        ),
        (
            "control points instead of 3",
            changed {
                ($0.groundPoints, $0.boxPoints) = (
                    Array(repeating: 1, count: 40_000), Array(repeating: 1, count: 40_000)
                )
            }
        ),
        ("not numbers", changed { $0.groundPoints?[2] = .nan }),
        ("not numbers", changed { $0.boxPoints?[2] = .infinity }),
        ("line", changed { $0.boxPoints = [0, 0, 0.5, 0.5, 1, 1] }),
        ("line", changed { $0.boxPoints = [0, 0, 0, 0, 0, 0] }),
        ("line", changed { $0.groundPoints = [52, 13, 53, 14, 54, 15] }),
        ("not a latitude", changed { $0.groundPoints = [113, 52, 114, 52, 114, 53] }),
        ("no coordinate reference system", changed { $0.system = .init(type: "GEOGCS") }),
        ("EPSG:99999", changed { $0.system = .init(epsg: 99999) }),
        ("-7", changed { $0.system = .init(epsg: -7) }),
        ("nonsense", changed { $0.system = .init(wkt: "nonsense") }),
        ("too long", changed { $0.system = .init(wkt: String(repeating: "X[", count: 100_000)) }),
        ("neither geographic", changed { $0.system = .init(wkt: "LOCAL_CS[\"site\",UNIT[\"metre\",1]]") }),
        (
            "does not cover",
            changed {
                $0.system = .init(epsg: 2154)
                $0.groundPoints = [-90, 3, -89, 3, -89, 4]
            }
        ),
    ]

    @Test("bad values are refused in one clear clause", arguments: cases)
    func refusals(words: String, measure: GeospatialMeasure) throws {
        let part = GeospatialPart(form: .measure(measure))
        let failure = try #require(throws: Failure.self) {
            try GeospatialPDF([part], pointsFromUnits: Self.page)
        }
        #expect(failure.kind == .badInput)
        #expect(failure.message.contains(words), "\(failure)")
        #expect(!failure.message.contains("\n"))
        #expect(failure.message.count < 300)
    }

    @Test("a page that has no area has no position")
    func noArea() throws {
        let part = GeospatialPart(form: .measure(Self.good))
        for page in [0, Double.nan, .infinity] {
            #expect(throws: Failure.self) {
                try GeospatialPDF(
                    [part], pointsFromUnits: AffineTransform(a: page, b: 0, c: 0, d: 0, e: page, f: 0))
            }
        }
    }
}

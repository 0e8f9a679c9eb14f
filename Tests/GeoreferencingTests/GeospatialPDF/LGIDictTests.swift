import Platform
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct LGIDictTests {
    private static let page = AffineTransform(a: 1, b: 0, c: 0, d: 0, e: -1, f: 200)
    private static let matrix = [0.5, 0, 0, 0.5, 500_000, 4_500_000]

    private func position(_ dictionaries: LGIDict...) throws -> GeospatialPDF {
        let parts = dictionaries.map { GeospatialPart(form: .lgiDict($0)) }
        let found = try GeospatialPDF(parts, pointsFromUnits: Self.page)
        return try #require(found)
    }

    private static let utm = ["ProjectionType": "UT", "Datum": "WGE", "Zone": "18", "Hemisphere": "N"]

    @Test("the matrix converts units of the page to coordinates")
    func matrix() throws {
        let position = try position(
            LGIDict(matrix: Self.matrix, neatline: [10, 20, 290, 180], projection: Self.utm))
        #expect(try position.georeference.crs == CRS("EPSG:32618"))
        #expect(position.georeference.pixelToCRS(Point(x: 10, y: 180)) == Point(x: 500_005, y: 4_500_010))
        // Two points are opposite corners.
        #expect(
            position.neatline == [(10, 180), (290, 180), (290, 20), (10, 20)].map { Point(x: $0.0, y: $0.1) })
    }

    @Test("registered points replace a matrix")
    func registration() throws {
        let rows = [
            [0.0, 0, 500_000, 4_500_000], [300, 0, 500_150, 4_500_000], [0, 200, 500_000, 4_500_100],
        ]
        let position = try position(LGIDict(registration: rows, projection: Self.utm))
        let place = position.georeference.pixelToCRS(Point(x: 300, y: 0))
        #expect(place.distance(to: Point(x: 500_150, y: 4_500_100)) < 1e-6)
        #expect(position.neatline == nil)
    }

    /// Entries in addition to `Datum`, and the same in PROJ's words.
    static let systems: [([String: String], String)] = [
        (["ProjectionType": "UT", "Zone": "18", "Hemisphere": "S"], "+proj=utm +zone=18 +south"),
        (["ProjectionType": "UP", "Hemisphere": "N"], "+proj=ups"),
        (
            [
                "ProjectionType": "TC", "OriginLatitude": "0", "CentralMeridian": "-75",
                "ScaleFactor": "0.9996", "FalseEasting": "500000", "FalseNorthing": "10000000",
            ], "+proj=utm +zone=18 +south"
        ),
        (
            [
                "ProjectionType": "TC", "OriginLatitude": "40", "CentralMeridian": "-75",
                "FalseEasting": "1000", "Units": "FT",
            ], "+proj=tmerc +lat_0=40 +lon_0=-75 +x_0=304.8"
        ),
        (
            [
                "ProjectionType": "TC", "OriginLatitude": "40", "CentralMeridian": "75 30 0.0W",
                "ScaleFactor": "0.99", "FalseEasting": "1000", "FalseNorthing": "2000",
            ], "+proj=tmerc +lat_0=40 +lon_0=-75.5 +k=0.99 +x_0=1000 +y_0=2000"
        ),
        (
            [
                "ProjectionType": "TC", "OriginLatitude": "0", "CentralMeridian": "75 0 0.0W",
                "ScaleFactor": "0.9996", "FalseEasting": "500000", "FalseNorthing": "0",
            ], "+proj=utm +zone=18"
        ),
        (
            [
                "ProjectionType": "LE", "OriginLatitude": "40N", "CentralMeridian": "75W",
                "StandardParallelOne": "38 30N", "StandardParallelTwo": "42.5", "FalseEasting": "2000000",
                "Units": "USSF",
            ],
            "+proj=lcc +lat_0=40 +lon_0=-75 +lat_1=38.5 +lat_2=42.5 +x_0=609601.21920243840488 +y_0=0"
        ),
        (
            [
                "ProjectionType": "LC", "OriginLatitude": "40", "CentralMeridian": "-75",
                "ScaleFactor": "0.999",
            ],
            "+proj=lcc +lat_1=40 +lat_0=40 +lon_0=-75 +k_0=0.999"
        ),
        (
            [
                "ProjectionType": "AC", "OriginLatitude": "23", "CentralMeridian": "-96",
                "StandardParallelOne": "29.5", "StandardParallelTwo": "45.5",
            ], "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5"
        ),
        (
            ["ProjectionType": "AL", "OriginLatitude": "40", "CentralMeridian": "-75"],
            "+proj=aeqd +lat_0=40 +lon_0=-75"
        ),
        (
            ["ProjectionType": "BF", "OriginLatitude": "40", "CentralMeridian": "-75"],
            "+proj=bonne +lat_1=40 +lon_0=-75"
        ),
        (
            ["ProjectionType": "CP", "StandardParallel": "40", "CentralMeridian": "-75"],
            "+proj=eqc +lat_ts=40 +lon_0=-75"
        ),
        (
            ["ProjectionType": "CS", "OriginLatitude": "40", "CentralMeridian": "-75"],
            "+proj=cass +lat_0=40 +lon_0=-75"
        ),
        (["ProjectionType": "ED", "CentralMeridian": "-75"], "+proj=eck6 +lon_0=-75"),
        (["ProjectionType": "EF", "CentralMeridian": "-75"], "+proj=eck4 +lon_0=-75"),
        (
            ["ProjectionType": "GN", "OriginLatitude": "40", "CentralMeridian": "-75"],
            "+proj=gnom +lat_0=40 +lon_0=-75"
        ),
        (
            ["ProjectionType": "LI", "OriginLatitude": "40", "CentralMeridian": "-75"],
            "+proj=cea +lat_ts=40 +lon_0=-75"
        ),
        (
            ["ProjectionType": "MC", "OriginLatitude": "0", "CentralMeridian": "-75", "ScaleFactor": "0.99"],
            "+proj=merc +lon_0=-75 +k=0.99"
        ),
        (
            ["ProjectionType": "MC", "CentralMeridian": "-75", "StandardParallelOne": "40"],
            "+proj=merc +lon_0=-75 +lat_ts=40"
        ),
        (["ProjectionType": "MH", "CentralMeridian": "-75"], "+proj=mill +lon_0=-75"),
        (["ProjectionType": "MP", "CentralMeridian": "-75"], "+proj=moll +lon_0=-75"),
        (
            [
                "ProjectionType": "OC", "OriginLatitude": "40", "LatitudeOne": "39", "LongitudeOne": "-76",
                "LatitudeTwo": "42", "LongitudeTwo": "-74", "ScaleFactor": "1",
            ],
            "+proj=omerc +lat_0=40 +lat_1=39 +lon_1=-76 +lat_2=42 +lon_2=-74"
        ),
        (
            ["ProjectionType": "OD", "OriginLatitude": "40", "CentralMeridian": "-75"],
            "+proj=ortho +lat_0=40 +lon_0=-75"
        ),
        (
            ["ProjectionType": "PG", "LatitudeTrueScale": "71", "LongitudeDownFromPole": "-75"],
            "+proj=stere +lat_0=90 +lat_ts=71 +lon_0=-75"
        ),
        (
            ["ProjectionType": "PH", "OriginLatitude": "40", "CentralMeridian": "-75"],
            "+proj=poly +lat_0=40 +lon_0=-75"
        ),
        (["ProjectionType": "SA", "CentralMeridian": "-75"], "+proj=sinu +lon_0=-75"),
        (
            ["ProjectionType": "SD", "OriginLatitude": "40", "CentralMeridian": "-75"],
            "+proj=stere +lat_0=40 +lon_0=-75"
        ),
        (["ProjectionType": "VA", "CentralMeridian": "-75"], "+proj=vandg +lon_0=-75"),
    ]

    @Test("a projection means the same as its PROJ string", arguments: systems)
    func projections(entries: [String: String], words: String) throws {
        let expected = try CRS(words + " +datum=WGS84")
        var corner = [Point(x: -75.3, y: 40.2)]
        try CRSConversion(expected).coordinates(ofLonLat: &corner)
        let dictionary = LGIDict(
            matrix: [0.5, 0, 0, 0.5, corner[0].x, corner[0].y],
            projection: entries.merging(["Datum": "WGE"]) { $1 })
        let georeference = try position(dictionary).georeference
        var places = [Point(x: 0, y: 200), Point(x: 300, y: 0)].map { georeference.pixelToCRS($0) }
        var others = places
        try CRSConversion(georeference.crs).lonLat(of: &places)
        try CRSConversion(expected).lonLat(of: &others)
        #expect(places[0].distance(to: Point(x: -75.3, y: 40.2)) < 1e-8)
        #expect(places[1].distance(to: others[1]) < 1e-9)
    }

    /// Entries in addition to `Datum`, where a corner of the page is, and the same in PROJ's words.
    static let grids: [([String: String], place: Point, String)] = [
        (
            ["ProjectionType": "UT", "Zone": "18", "Hemisphere": "S"], Point(x: -75.3, y: -40.2),
            "+proj=utm +zone=18 +south"
        ),
        (
            ["ProjectionType": "UT", "Zone": "32", "Hemisphere": "N"], Point(x: 9.5, y: 50),
            "+proj=utm +zone=32"
        ),
        (["ProjectionType": "UP", "Hemisphere": "N"], Point(x: 20, y: 87), "+proj=ups"),
        (["ProjectionType": "UP", "Hemisphere": "S"], Point(x: 20, y: -87), "+proj=ups +south"),
    ]

    @Test("UTM and UPS on a datum without codes for them are the same grids", arguments: grids)
    func otherDatum(entries: [String: String], place: Point, words: String) throws {
        let expected = try CRS(words + " +ellps=GRS80 +towgs84=0,0,0")
        var corner = [place]
        try CRSConversion(expected).coordinates(ofLonLat: &corner)
        let datum = [
            "Datum.Ellipsoid": "RF", "Datum.ToWGS84.dx": "0", "Datum.ToWGS84.dy": "0",
            "Datum.ToWGS84.dz": "0",
        ]
        let dictionary = LGIDict(
            matrix: [0.5, 0, 0, 0.5, corner[0].x, corner[0].y], projection: entries.merging(datum) { $1 })
        let georeference = try position(dictionary).georeference
        var places = [georeference.pixelToCRS(Point(x: 0, y: 200))]
        try CRSConversion(georeference.crs).lonLat(of: &places)
        #expect(places[0].distance(to: place) < 1e-8)
    }

    @Test(
        "datums of GEOTRANS are those of EPSG",
        arguments: [
            ("WE", "EPSG:4326"), ("wge", "EPSG:4326"), ("NAS-C", "EPSG:4267"), ("NAR", "EPSG:4269"),
            ("EUR-M", "EPSG:4230"), ("TOY-B", "EPSG:4301"), ("OHA-M", "EPSG:4135"), ("GDS", "EPSG:4283"),
        ])
    func datums(name: String, crs: String) throws {
        let dictionary = LGIDict(
            matrix: [1e-5, 0, 0, 1e-5, 13, 52], projection: ["ProjectionType": "GEOGRAPHIC", "Datum": name])
        #expect(try position(dictionary).georeference.crs == CRS(crs))
    }

    @Test("an ellipsoid with a shift is a datum")
    func ellipsoid() throws {
        let entries = [
            "ProjectionType": "GEOGRAPHIC", "Datum.Description": "Herat North", "Datum.Ellipsoid": "IN",
            "Datum.ToWGS84.dx": "-333", "Datum.ToWGS84.dy": "-222", "Datum.ToWGS84.dz": "114",
        ]
        let spelledOut = entries.merging([
            "Datum.Ellipsoid.SemiMajorAxis": "6378388", "Datum.Ellipsoid.SemiMinorAxis": "6356911.946128",
        ]) { $1 }.filter { $0.key != "Datum.Ellipsoid" }
        var expected = [Point(x: 65, y: 35)]
        try CRSConversion(CRS("+proj=longlat +ellps=intl +towgs84=-333,-222,114")).lonLat(of: &expected)
        for projection in [entries, spelledOut] {
            let dictionary = LGIDict(matrix: [1e-5, 0, 0, 1e-5, 65, 35], projection: projection)
            var places = [Point(x: 65, y: 35)]
            try CRSConversion(position(dictionary).georeference.crs).lonLat(of: &places)
            #expect(places[0].distance(to: expected[0]) < 1e-9)
        }
    }

    @Test("the map of a sheet is called Map Layers, or is the largest; the others are named")
    func several() throws {
        func part(_ name: String?, _ size: Double) -> GeospatialPart {
            GeospatialPart(
                name: name,
                form: .lgiDict(
                    LGIDict(matrix: Self.matrix, neatline: [0, 0, size, size], projection: Self.utm)))
        }
        let parts = [part("Declination", 200), part("Map Layers", 100), part(nil, 50)]
        let named = try #require(try GeospatialPDF(parts, pointsFromUnits: Self.page))
        #expect(named.source == "LGIDict 'Map Layers'")
        #expect(
            named.warnings == [
                "the page has 3 maps: LGIDict 'Map Layers' is used, not LGIDict 'Declination', LGIDict"
            ])
        let largest = try #require(try GeospatialPDF([parts[2], parts[0]], pointsFromUnits: Self.page))
        #expect(largest.source == "LGIDict 'Declination'")
    }

    @Test("a viewport replaces an LGIDict that cannot be used")
    func fallback() throws {
        let measure = GeospatialMeasure(
            box: [0, 0, 300, 200], groundPoints: [52, 13, 52.001, 13, 52.001, 13.002],
            boxPoints: [0, 0, 0, 1, 1, 1], system: .init(epsg: 4326))
        let parts = [
            GeospatialPart(form: .measure(measure)),
            GeospatialPart(form: .lgiDict(LGIDict(matrix: Self.matrix, projection: ["Datum": "XYZ"]))),
        ]
        let found = try #require(try GeospatialPDF(parts, pointsFromUnits: Self.page))
        #expect(found.source == "viewport")
        #expect(found.warnings.count == 1 && found.warnings[0].contains("an unknown datum, 'XYZ'"))
    }

    private static func changed(_ changes: [String: String]) -> LGIDict {
        LGIDict(matrix: matrix, projection: utm.merging(changes) { $1 }.filter { !$0.value.isEmpty })
    }

    static let damages: [(String, LGIDict)] = [
        ("unknown datum, 'XX'", changed(["Datum": "XX"])),
        ("does not state the datum", changed(["Datum": ""])),
        ("zone 61", changed(["Zone": "61"])), ("zone 1.5", changed(["Zone": "1.5"])),
        ("zone 1e+300", changed(["Zone": "1e300"])), ("not a number, 'nan'", changed(["Zone": "nan"])),
        ("does not state the Zone", changed(["Zone": ""])),
        ("hemisphere 'X'", changed(["Hemisphere": "X"])),
        ("does not state the ProjectionType", changed(["ProjectionType": ""])),
        ("unknown projection, 'SPCS'", changed(["ProjectionType": "SPCS"])),
        ("does not state the OriginLatitude", changed(["ProjectionType": "TC"])),
        ("is not a longitude and a latitude", changed(["ProjectionType": "GEOGRAPHIC"])),
        ("not six numbers", LGIDict(matrix: [1, 0, 0, 1], projection: utm)),
        ("not six numbers", LGIDict(matrix: [1, 0, 0, 1, .nan, 0], projection: utm)),
        ("flattens", LGIDict(matrix: [1, 1, 1, 1, 0, 0], projection: utm)),
        ("neither CTM nor Registration", LGIDict(projection: utm)),
        ("not four numbers", LGIDict(registration: [[1, 2, 3]], projection: utm)),
        ("has 1 points", LGIDict(registration: [[1, 2, 3, 4]], projection: utm)),
        (
            "on one line",
            LGIDict(registration: [[1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]], projection: utm)
        ),
        (
            "not an ellipsoid of the Earth",
            changed(["Datum": "", "Datum.Ellipsoid.SemiMajorAxis": "1", "Datum.Ellipsoid.InvFlattening": "0"])
        ),
    ]

    @Test("bad values are refused in one clear clause", arguments: damages)
    func refusals(words: String, dictionary: LGIDict) throws {
        let failure = try #require(throws: Failure.self) { try self.position(dictionary) }
        #expect(failure.kind == .badInput)
        #expect(failure.message.contains(words), "\(failure)")
        #expect(!failure.message.contains("\n"))
    }
}

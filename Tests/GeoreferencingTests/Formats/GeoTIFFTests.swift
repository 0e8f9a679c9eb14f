import Platform
import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct GeoTIFFTests {
    /// A file for GDAL to write: its CRS, and the geotransform in GDAL's order.
    struct Sample: CustomTestStringConvertible {
        var crs: String
        var geotransform: [Double]

        init(_ crs: String, _ geotransform: [Double]) {
            self.crs = crs
            self.geotransform = geotransform
        }

        /// North up, by the top left corner and the size of a pixel.
        init(_ crs: String, at corner: (Double, Double), pixel: Double) {
            self.init(crs, [corner.0, pixel, 0, corner.1, 0, -pixel])
        }

        var testDescription: String { crs }
    }

    static let coded = [
        Sample("EPSG:32632", at: (500_000, 5_500_000), pixel: 10),
        Sample("EPSG:32723", at: (600_000, 7_400_000), pixel: 10),
        Sample("EPSG:27700", at: (400_000, 300_000), pixel: 5),
        Sample("EPSG:2154", at: (652_000, 6_862_000), pixel: 5),
        Sample("EPSG:3035", at: (4_321_000, 3_210_000), pixel: 25),
        Sample("EPSG:5070", at: (100_000, 1_900_000), pixel: 30),
        Sample("EPSG:3995", at: (-1_000_000, -1_000_000), pixel: 100),
        Sample("EPSG:2056", at: (2_600_000, 1_200_000), pixel: 1),
        Sample("EPSG:21781", at: (600_000, 200_000), pixel: 5),
        Sample("EPSG:4326", [8, 1e-4, 2e-5, 47, 2e-5, -1e-4]),
        Sample("EPSG:3857", [900_000, 10, 3, 6_000_000, 3, -10]),
        Sample("EPSG:4979", at: (8, 47), pixel: 1e-4),
        Sample("EPSG:25832+5783", at: (500_000, 5_500_000), pixel: 10),
        Sample("EPSG:26746", at: (1_500_000, 600_000), pixel: 10),
        Sample("EPSG:31468", at: (4_500_000, 5_400_000), pixel: 10),
        Sample("EPSG:27572", at: (600_000, 2_200_000), pixel: 10),
        Sample("EPSG:4807", at: (2, 52), pixel: 1e-4),
        Sample("EPSG:28992", at: (155_000, 463_000), pixel: 5),
        Sample("EPSG:5514", at: (-700_000, -1_100_000), pixel: 10),
        Sample("EPSG:2263", at: (980_000, 200_000), pixel: 5),
        Sample("EPSG:6543", at: (2_000_000, 700_000), pixel: 5),
        Sample("EPSG:2048", [-50_000, -10, 0, 3_700_000, 0, 10]),
        Sample("EPSG:900913", at: (900_000, 6_000_000), pixel: 10),
        Sample("ESRI:102113", at: (900_000, 6_000_000), pixel: 10),
        Sample("ESRI:102003", at: (100_000, 500_000), pixel: 10),
        Sample("ESRI:54030", at: (100_000, 5_000_000), pixel: 10),
    ]

    static let userDefined = [
        Sample(
            "+proj=tmerc +lat_0=40 +lon_0=5 +k=0.9999 +x_0=1000 +y_0=2000 +ellps=GRS80",
            at: (3000, 9000), pixel: 10),
        Sample(
            "+proj=tmerc +lat_0=40 +lon_0=-80 +k=0.9999 +x_0=1000 +y_0=2000 +datum=NAD27 +units=us-ft",
            at: (3000, 9000), pixel: 10),
        Sample(siteGrid, at: (3000, 9000), pixel: 0.1),
        Sample(
            "+proj=tmerc +lon_0=12 +x_0=4500000 +ellps=bessel "
                + "+towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
            at: (4_500_000, 5_400_000), pixel: 10),
        Sample(
            "+proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=2.5 +k_0=0.99987742 +x_0=600000 +y_0=2200000 "
                + "+a=6378249.2 +b=6356515 +towgs84=-168,-60,320", at: (600_000, 2_200_000),
            pixel: 10),
        Sample(
            "+proj=lcc +lat_1=45 +lat_2=49 +lat_0=47 +lon_0=13 +x_0=400000 +y_0=400000 +datum=WGS84",
            at: (400_000, 400_000), pixel: 10),
        Sample(
            "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84",
            at: (-1_000_000, -1_000_000), pixel: 100),
        Sample(
            "+proj=aeqd +lat_0=50 +lon_0=10 +x_0=1000 +y_0=-2000 +datum=WGS84",
            at: (3000, 9000), pixel: 10),
        Sample(
            "+proj=somerc +lat_0=46.9 +lon_0=7.4 +x_0=600000 +y_0=200000 +ellps=bessel "
                + "+towgs84=674.374,15.056,405.346", at: (600_000, 200_000), pixel: 5),
        Sample(
            "+proj=omerc +lat_0=40 +lonc=10 +alpha=30 +gamma=30 +k=0.9999 +x_0=100 +y_0=200 "
                + "+datum=WGS84", at: (5000, 9000), pixel: 10),
        Sample("+proj=moll +datum=WGS84", at: (100_000, 5_000_000), pixel: 10),
        Sample("+proj=sinu +R=6371007.181", at: (100_000, 5_000_000), pixel: 463),
        Sample("+proj=eqc +lat_ts=30 +datum=WGS84", at: (100_000, 5_000_000), pixel: 10),
        Sample(
            "+proj=merc +lat_ts=20 +lon_0=10 +ellps=bessel", at: (400_000, 3_000_000), pixel: 10),
        Sample(
            "+proj=merc +k_0=0.997 +lon_0=110 +x_0=3900000 +y_0=900000 +ellps=bessel "
                + "+towgs84=-377,681,-50", at: (4_000_000, 900_000), pixel: 10),
        Sample(
            "+proj=laea +lat_0=45 +lon_0=-100 +R=6370997", at: (100_000, 50_000), pixel: 10),
        Sample("+proj=ortho +lat_0=45 +lon_0=-100 +datum=WGS84", at: (100_000, 50_000), pixel: 10),
        Sample("+proj=gnom +lat_0=45 +lon_0=-100 +R=6371000", at: (100_000, 50_000), pixel: 10),
        Sample("+proj=vandg +R=6371000", at: (100_000, 5_000_000), pixel: 10),
        Sample("+proj=mill +R=6371000", at: (100_000, 5_000_000), pixel: 10),
        Sample("+proj=cea +lat_ts=30 +datum=WGS84", at: (100_000, 5_000_000), pixel: 10),
        Sample(
            "+proj=cass +lat_0=10 +lon_0=-61 +x_0=1000 +y_0=500 +ellps=clrk66", at: (4000, 3000),
            pixel: 10),
        Sample(
            "+proj=poly +lat_0=0 +lon_0=-54 +x_0=5000000 +y_0=10000000 +ellps=GRS80",
            at: (5_100_000, 9_000_000), pixel: 10),
        Sample(
            "+proj=sterea +lat_0=46 +lon_0=25 +k=0.99975 +x_0=500000 +y_0=500000 +ellps=krass",
            at: (500_000, 500_000), pixel: 10),
        Sample(
            "+proj=nzmg +lat_0=-41 +lon_0=173 +x_0=2510000 +y_0=6023150 +ellps=intl",
            at: (2_500_000, 6_000_000), pixel: 10),
        Sample(
            "+proj=eqdc +lat_0=40 +lon_0=-96 +lat_1=20 +lat_2=60 +datum=NAD83",
            at: (100_000, 500_000), pixel: 10),
        Sample(
            "+proj=longlat +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
            at: (8, 47), pixel: 1e-4),
        Sample(gonsFromParis, at: (2, 52), pixel: 1e-4),
        Sample(radians, at: (0.1, 0.8), pixel: 1e-6),
    ]

    @Test(
        "every pixel is where GDAL, which wrote the tags, puts it",
        .needs("gdal_translate", "gdaltransform"),
        arguments: (coded + userDefined).some(2))
    func agreesWithGDAL(sample: Sample) throws {
        let directory = try TemporaryDirectory()
        let file = try write(sample, in: directory)
        let tags = try GeoTIFFTags(ofTIFF: file)
        let form = try #require(try tags.positionForm())
        let crs = try #require(try CRS(geoTIFF: tags))
        let position = try StoredPosition(source: "GeoTIFF tags", form: form, crs: crs)
        let transform = try #require(position.georeference?.pixelToCRS)
        let pixels = [Point(x: 0, y: 0), Point(x: 40, y: 0), Point(x: 12.25, y: 30)]
        var places = pixels.map { transform($0) }
        try CRSConversion(crs).lonLat(of: &places)
        for (place, expected) in zip(places, try gdaltransform(file, pixels)) {
            #expect(Geodesy.metres(from: place, to: expected) < 1e-3, "\(place) \(expected) \(crs)")
        }
    }

    private func write(_ sample: Sample, in directory: TemporaryDirectory) throws -> String {
        let numbers = sample.geotransform.map { "\($0)" }.joined(separator: ",")
        let virtual = try directory.write(
            """
            <VRTDataset rasterXSize="40" rasterYSize="30"><GeoTransform>\(numbers)</GeoTransform>
            <VRTRasterBand dataType="Byte" band="1"/></VRTDataset>
            """, to: "sample.vrt")
        let file = directory.path("sample.tif")
        let outcome = try Tool.run(
            "gdal_translate", ["-q", "-a_srs", sample.crs, virtual, file])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return file
    }

    private func gdaltransform(_ file: String, _ pixels: [Point]) throws -> [Point] {
        let input = pixels.map { "\($0.x) \($0.y)\n" }.joined()
        let outcome = try Tool.run(
            "gdaltransform", ["-t_srs", "EPSG:4326", file], input: input)
        return outcome.output.split(separator: "\n").map { line in
            let fields = line.split(separator: " ").map { Double($0) ?? .nan }
            return Point(x: fields[0], y: fields[1])
        }
    }
}

extension GeoTIFFTests {
    /// Keys that stand in the directory itself.
    private static func tags(
        scale: [Double] = [], tiepoints: [Double] = [], matrix: [Double] = [],
        _ keys: [(UInt16, UInt16)], text: String = ""
    ) -> GeoTIFFTags {
        let directory: [UInt16] = keys.flatMap { [$0.0, 0, 1, $0.1] as [UInt16] }
        return GeoTIFFTags(
            pixelScale: scale, tiepoints: tiepoints, transformation: matrix,
            keyDirectory: [1, 1, 0, UInt16(keys.count)] + directory, asciiParameters: text)
    }

    private static let utm: [(UInt16, UInt16)] = [(1024, 1), (3072, 32632)]

    @Test(
        "tags of points differ from those of areas by half a pixel",
        arguments: [(UInt16(1), 0.0), (2, -0.5)])
    func rasterType(type: UInt16, shift: Double) throws {
        let keys = Self.utm + [(1025, type)]
        let scaled = Self.tags(
            scale: [2, 3, 0], tiepoints: [10, 20, 0, 1000, 5000, 0], keys)
        let expected = AffineTransform(
            a: 2, b: 0, c: 980 + 2 * shift, d: 0, e: -3, f: 5060 - 3 * shift)
        #expect(try scaled.positionForm() == .affine(expected))
        let matrix = Self.tags(
            matrix: [2, 0.5, 0, 980, 0.25, -3, 0, 5060, 0, 0, 0, 0, 0, 0, 0, 1], keys)
        #expect(
            try matrix.positionForm()
                == .affine(
                    AffineTransform(
                        a: 2, b: 0.5, c: 980 + 2.5 * shift, d: 0.25, e: -3, f: 5060 - 2.75 * shift))
        )
        let points = Self.tags(
            tiepoints: [10, 20, 0, 1000, 5000, 0, 30, 20, 0, 1040, 5000, 0], keys)
        #expect(
            try points.positionForm()
                == .points([
                    MapPoint(
                        pixel: Point(x: 10 - shift, y: 20 - shift), map: Point(x: 1000, y: 5000),
                        name: "tiepoint 1"),
                    MapPoint(
                        pixel: Point(x: 30 - shift, y: 20 - shift), map: Point(x: 1040, y: 5000),
                        name: "tiepoint 2"),
                ]))
    }

    @Test("one tiepoint without a scale is not a position, nor is a truncated matrix")
    func unplaced() throws {
        #expect(try Self.tags(tiepoints: [0, 0, 0, 0, 0, 0], Self.utm).positionForm() == nil)
        #expect(
            try Self.tags(scale: [0, 0, 0], tiepoints: [0, 0, 0, 9, 9, 0], Self.utm).positionForm()
                == nil)
        #expect(try Self.tags(matrix: [1, 0, 0, 0], Self.utm).positionForm() == nil)
        #expect(try GeoTIFFTags().positionForm() == nil)
    }

    @Test("a file's tags are found by their numbers; one of too many bits is 0")
    func fileTags() throws {
        let numbers = [33550: [1.0, 2, 3], 34735: [1, 1, 0, 70000]]
        let tags = GeoTIFFTags(numbers: { numbers[$0] ?? [] }, text: { $0 == 34737 ? "a|" : "" })
        #expect(
            tags
                == GeoTIFFTags(
                    pixelScale: [1, 2, 3], keyDirectory: [1, 1, 0, 0], asciiParameters: "a|"))
        #expect(GeoTIFFTags(numbers: { _ in [] }, text: { _ in "" }) == nil)
    }

    @Test("with a negative size in y, rows still run south, as in GDAL")
    func negativeScale() throws {
        let tags = Self.tags(scale: [2, -3, 0], tiepoints: [0, 0, 0, 7, 9, 0], Self.utm)
        let expected = AffineTransform(a: 2, b: 0, c: 7, d: 0, e: -3, f: 9)
        #expect(try tags.positionForm() == .affine(expected))
    }

    @Test("numbers that are not a position are refused")
    func badNumbers() {
        let flat = Self.tags(matrix: [1, 1, 0, 0, 1, 1, 0, 0] + .init(repeating: 0, count: 8), [])
        let infinite = Self.tags(scale: [.infinity, 1], tiepoints: [0, 0, 0, 0, 0, 0], [])
        for tags in [flat, infinite] {
            let failure = #expect(throws: Failure.self) { try tags.positionForm() }
            #expect(failure?.kind == .badInput)
        }
    }

    @Test("corners that an affine transform of their CRS meets are not fitted as control points")
    func exactTiepoints() throws {
        // Across 20 degrees: linear in degrees is far from linear on the ground.
        let corners = [
            0, 0, 0, 10, 60, 0, 400, 0, 0, 30, 60, 0, 400, 300, 0, 30, 45, 0, 0, 300, 0, 10, 45, 0,
        ]
        var tags = Self.tags(tiepoints: corners.map(Double.init), [(1024, 2), (2048, 4326)])
        let position = try StoredPosition(
            source: "GeoTIFF tags", form: #require(try tags.positionForm()), crs: .wgs84)
        let transform = try #require(position.georeference?.pixelToCRS)
        #expect(transform(Point(x: 100, y: 100)).distance(to: Point(x: 15, y: 55)) < 1e-9)
        #expect(try position.controlPoints() == nil)
        tags.tiepoints[9] += 0.06
        let bent = try StoredPosition(
            source: "GeoTIFF tags", form: #require(try tags.positionForm()), crs: .wgs84)
        #expect(bent.georeference == nil)
        #expect(try bent.controlPoints()?[1].lonLat == Point(x: 30.06, y: 60))
    }

    @Test("control points of files are turned into degrees")
    func controlPoints() throws {
        let points = [(0.0, 0.0, 500_000.0, 5_500_000.0), (100, 0, 501_000, 5_500_000)].map {
            MapPoint(pixel: Point(x: $0.0, y: $0.1), map: Point(x: $0.2, y: $0.3), name: "a")
        }
        let position = try StoredPosition(
            source: "tags", form: .points(points), crs: CRS("EPSG:32632"))
        let places = try #require(try position.controlPoints()).map(\.lonLat)
        // cs2cs EPSG:32632 EPSG:4326
        #expect(places[0].distance(to: Point(x: 9, y: 49.652_542_922)) < 1e-8)
        #expect(places[1].distance(to: Point(x: 9.013_853_821, y: 49.652_542_094)) < 1e-8)
    }

    @Test("latitudes beyond the poles are refused as longitudes")
    func interchanged() {
        let transform = AffineTransform(a: 0, b: -1e-5, c: 48, d: 1e-5, e: 0, f: 120)
        let failure = #expect(throws: Failure.self) {
            try StoredPosition(source: "GeoTIFF tags", form: .affine(transform), crs: .wgs84)
        }
        #expect(failure?.message.contains("swapped") == true)
        #expect(failure?.remedy?.contains("longitude first") == true)
    }

    @Test("tags without a system have none", arguments: [[], [(UInt16(1025), UInt16(1))]])
    func noSystem(keys: [(UInt16, UInt16)]) throws {
        #expect(try CRS(geoTIFF: Self.tags(keys)) == nil)
        #expect(try CRS(geoTIFF: GeoTIFFTags()) == nil)
    }

    @Test("a projected code is used even without a model type, and so are Esri's codes")
    func codes() throws {
        #expect(try CRS(geoTIFF: Self.tags([(3072, 3857)])) == .webMercator)
        #expect(try CRS(geoTIFF: Self.tags([(1024, 1), (3072, 3785)])) == .webMercator)
        #expect(try CRS(geoTIFF: Self.tags([(1024, 1), (3072, 32633)])) == CRS("EPSG:32633"))
        #expect(try CRS(geoTIFF: Self.tags([(1024, 1), (3072, 32633), (3076, 9003)])) != CRS("EPSG:32633"))
        #expect(try CRS(geoTIFF: Self.tags([(1024, 2), (2048, 4326)])) == .wgs84)
        #expect(try CRS(geoTIFF: Self.tags([(1024, 1), (3072, 54030)]))?.name == "World_Robinson")
    }

    @Test(
        "Web Mercator and WGS 84 by their codes are what the library makes of them",
        arguments: [
            ([(1024, 1), (3072, 3857)], true), ([(1024, 1), (3072, 3857), (3076, 9001)], true),
            ([(1024, 1), (3072, 3857), (3076, 9003)], false),
            ([(1024, 1), (2048, 4326), (2054, 9102), (3072, 3857), (3076, 9001)], true),
            ([(1024, 2), (2048, 4326), (2054, 9102)], true),
            ([(1024, 2), (2048, 4326), (2054, 9105)], false),
        ] as [([(UInt16, UInt16)], Bool)])
    func knownCodes(keys: [(UInt16, UInt16)], isKnown: Bool) throws {
        let expected: CRS = keys.contains { $0.0 == 3072 } ? .webMercator : .wgs84
        #expect(try (CRS(geoTIFF: Self.tags(keys)) == expected) == isKnown)
        // A key that stands twice leads through the library.
        let twice = try CRS(geoTIFF: Self.tags(keys + [(1024, keys[0].1)]))
        #expect((twice == expected) == isKnown)
    }

    @Test("the file's own unit overrides that of its code")
    func ownUnits() throws {
        // cs2cs EPSG:26941 EPSG:4326 of 2000000 600000
        let feet = try #require(
            try CRS(geoTIFF: Self.tags([(1024, 1), (3072, 26941), (3076, 9003)])))
        let metresPerFoot = 1200.0 / 3937
        var (there, here) = (
            [Point(x: 2_000_000 / metresPerFoot, y: 600_000 / metresPerFoot)],
            [Point(x: 2_000_000, y: 600_000)]
        )
        try CRSConversion(feet).lonLat(of: &there)
        try CRSConversion(CRS("EPSG:26941")).lonLat(of: &here)
        #expect(there[0].distance(to: here[0]) < 1e-9)
        let radians = try #require(
            try CRS(geoTIFF: Self.tags([(1024, 2), (2048, 4326), (2054, 9101)])))
        var place = [Point(x: 0.1, y: 0.8)]
        try CRSConversion(radians).lonLat(of: &place)
        #expect(place[0].distance(to: Point(x: 18 / .pi, y: 144 / .pi)) < 1e-9)
    }

    @Test("a citation of Esri's defines a projected system without a code")
    func citedProjection() throws {
        let wkt = "ESRI PE String = EPSG:25832|"
        let directory: [UInt16] = [
            1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32767, 3073, 34737, UInt16(wkt.utf8.count), 0,
        ]
        let tags = GeoTIFFTags(keyDirectory: directory, asciiParameters: wkt)
        #expect(try CRS(geoTIFF: tags) == CRS("EPSG:25832"))
    }

    @Test("values equivalent to WGS 84 are WGS 84, whatever the file calls them")
    func namedValues() throws {
        let name = "my degrees|"
        // The datum 6326 in degrees from Greenwich, without a code.
        let directory: [UInt16] = [
            1, 1, 0, 5, 1024, 0, 1, 2, 2048, 0, 1, 32767, 2049, 34737, UInt16(name.utf8.count), 0, 2050,
            0, 1, 6326, 2054, 0, 1, 9102,
        ]
        let tags = GeoTIFFTags(keyDirectory: directory, asciiParameters: name)
        #expect(try CRS(geoTIFF: tags)?.name == "WGS 84")
    }

    @Test("a geographic code in place of a projected one has no unit in metres")
    func degreesAsProjected() throws {
        #expect(try CRS(geoTIFF: Self.tags([(1024, 1), (3072, 4326), (3076, 9001)])) == .wgs84)
    }

    @Test(
        "tags that cannot be a position on a map are refused with a way out",
        arguments: [
            ([(1024, 3), (2048, 4326)], "geocentric"), ([(1024, 1), (3072, 1)], "EPSG:1"),
            ([(1024, 1), (3072, 32767), (2048, 4326), (3075, 2)], "projection"),
        ] as [([(UInt16, UInt16)], String)])
    func refused(keys: [(UInt16, UInt16)], word: String) {
        let failure = #expect(throws: Failure.self) { try CRS(geoTIFF: Self.tags(keys)) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains(word) == true, "\(String(describing: failure))")
        #expect(failure?.remedy != nil)
    }

    @Test("a directory that points beyond its tags is damaged", arguments: 0..<7)
    func damaged(index: Int) {
        let directories: [[UInt16]] = [
            [1], [1, 1, 0, 9], [1, 1, 0, 1, 1024, 0, 1],
            [1, 1, 0, 1, 2057, 34736, 1, 5], [1, 1, 0, 1, 2048, 34735, 1, 60_000],
            [1, 1, 0, 65535, 1024, 0, 1, 1], [1, 1, 0, 1, 1024, 34738, 1, 0],
        ]
        let tags = GeoTIFFTags(keyDirectory: directories[index], doubleParameters: [1, 2])
        let failure = #expect(throws: Failure.self) { try CRS(geoTIFF: tags) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.remedy?.contains("--crs") == true)
    }

    // libgeotiff gives bits of their address for their value.
    @Test("numbers at the end of the directory are read")
    func numbersOfDirectory() throws {
        let tags = GeoTIFFTags(keyDirectory: [
            1, 1, 0, 2, 1024, 0, 1, 1, 3072, 34735, 1, 12, 32632,
        ])
        #expect(try CRS(geoTIFF: tags)?.name == "WGS 84 / UTM zone 32N")
    }

    @Test("texts count bytes, and may be cut off", arguments: ["Gau\u{DF}", "Gau\u{FFFD}"])
    func texts(name: String) throws {
        let citation = "\(name)|"
        let bytes = UInt16(name.contains("\u{DF}") ? citation.utf8.count : citation.count)
        let wkt = "ESRI PE String = EPSG:32632|"
        let directory: [UInt16] = [
            1, 1, 0, 4, 1024, 0, 1, 32767, 1026, 34737, bytes, 0, 3073, 34737,
            UInt16(wkt.utf8.count), bytes, 2049, 34737, 500, 60_000,
        ]
        let tags = GeoTIFFTags(keyDirectory: directory, asciiParameters: citation + wkt)
        #expect(try CRS(geoTIFF: tags) == CRS("EPSG:32632"))
    }

    @Test("no tags at all crash the reader")
    func randomKeys() {
        var random = SplitMix(seed: 7)
        let codes: [UInt16] = [
            1024, 1025, 1026, 2048, 2050, 2054, 2056, 2057, 2059, 2062, 3072, 3074, 3075, 3076,
            3078, 3081, 3092,
        ]
        for _ in 0..<300 {
            let count = Int.random(in: 0...12, using: &random)
            var entries: [UInt16] = []
            for _ in 0..<count {
                entries.append(codes[Int.random(in: 0..<codes.count, using: &random)])
                entries.append(
                    [0, 0, 0, 34735, 34736, 34737][Int.random(in: 0..<6, using: &random)])
                entries.append(UInt16.random(in: 0...3, using: &random))
                entries.append(UInt16.random(in: 0...30, using: &random))
            }
            let tags = GeoTIFFTags(
                keyDirectory: [1, 1, 0, UInt16(count)] + entries,
                doubleParameters: [0, .nan, 1e300, -1, .infinity, 6_378_137],
                asciiParameters: "ESRI PE String = PROJCS[|\u{FC}|")
            do { _ = try CRS(geoTIFF: tags) } catch { #expect(error is Failure) }
        }
    }
}

private enum Geodesy {
    /// Metres between near places in degrees, on a sphere.
    static func metres(from one: Point, to other: Point) -> Double {
        let metresPerDegree = 6_371_000 * Double.pi / 180
        let east = (one.x - other.x).remainder(dividingBy: 360) * cos(one.y * .pi / 180)
        return (east * east + (one.y - other.y) * (one.y - other.y)).squareRoot()
            * metresPerDegree
    }
}

private let siteGrid = """
    PROJCS["site grid",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",\
    SPHEROID["GRS 1980",6378137,298.257222101,AUTHORITY["EPSG","7019"]],AUTHORITY["EPSG","6258"]],\
    PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4258"]],\
    PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",52.2],\
    PARAMETER["central_meridian",13.1],PARAMETER["scale_factor",1.00001],\
    PARAMETER["false_easting",5000],PARAMETER["false_northing",7000],UNIT["metre",1]]
    """

private let gonsFromParis = """
    GEOGCS["x",DATUM["y",SPHEROID["Clarke 1880 (IGN)",6378249.2,293.466021293627]],\
    PRIMEM["Paris",2.33722917],UNIT["grad",0.01570796326794897]]
    """

private let radians = """
    GEOGCS["x",DATUM["y",SPHEROID["sphere",6371000,0]],\
    PRIMEM["Greenwich",0],UNIT["radian",1]]
    """

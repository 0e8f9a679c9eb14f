import Platform
import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct PAMFileTests {
    private func file(_ text: String) throws -> PAMFile {
        try PAMFile(parsing: Array(text.utf8), path: "plan.png.aux.xml")
    }

    private func dataset(_ content: String) throws -> PAMFile {
        try file("<PAMDataset>\(content)</PAMDataset>")
    }

    private static let grid = PixelUnits(width: 100, height: 80, pixelsPerUnit: Point(x: 300, y: 250))
    private static let utm = "<SRS dataAxisToSRSAxisMapping=\"1,2\">EPSG:32632</SRS>"
    private static let numbers = [500_000.0, 0.25, 0.5, 5_500_000, 0.75, -0.25]
    private static let transform = AffineTransform(
        a: 0.25, b: 0.5, c: 500_000, d: 0.75, e: -0.25, f: 5_500_000)
    private static let geotransform =
        "<GeoTransform>  5.0e+05,  2.5e-01, 0.5,  5500000, 0.75,  -2.5e-01</GeoTransform>"

    @Test("a geotransform places the corners of pixels")
    func geotransform() throws {
        let pam = try dataset(Self.utm + Self.geotransform)
        #expect(try pam.eastFirstForm(on: Self.grid) == .affine(Self.transform))
        #expect(try pam.crs() == CRS("EPSG:32632"))
    }

    @Test(
        "coordinates in the order of the authority are interchanged",
        arguments: [("1,2", true), ("2,1", false)])
    func axisOrder(mapping: String, isTurned: Bool) throws {
        let srs = "<SRS dataAxisToSRSAxisMapping=\"\(mapping)\">EPSG:4326</SRS>"
        let pam = try dataset(srs + "<GeoTransform>47,0,-1e-5,8,1e-5,0</GeoTransform>")
        let turned = AffineTransform(a: 1e-5, b: 0, c: 8, d: 0, e: -1e-5, f: 47)
        let asWritten = AffineTransform(a: 0, b: -1e-5, c: 47, d: 1e-5, e: 0, f: 8)
        #expect(try pam.eastFirstForm(on: Self.grid) == .affine(isTurned ? turned : asWritten))
    }

    @Test("control points have a system of their own")
    func controlPoints() throws {
        let pam = try dataset(
            """
            <SRS>EPSG:4326</SRS><GCPList Projection="EPSG:32632" dataAxisToSRSAxisMapping="1,2">
            <GCP Id="NW" Pixel="0.5" Line="1.5" X="500000" Y="5500000" Z="3"/>
            <GCP Id="" Pixel="10" Line="20" X="5.1E5" Y="5400000"/></GCPList>
            """)
        #expect(
            try pam.eastFirstForm(on: Self.grid)
                == .points([
                    MapPoint(
                        pixel: Point(x: 0.5, y: 1.5), map: Point(x: 500_000, y: 5_500_000),
                        name: "control point NW"),
                    MapPoint(
                        pixel: Point(x: 10, y: 20), map: Point(x: 510_000, y: 5_400_000),
                        name: "control point 2"),
                ]))
        #expect(try pam.crs() == CRS("EPSG:32632"))
    }

    @Test("ArcGIS's control points count rows as negative numbers", arguments: [true, false])
    func esri(isRoot: Bool) throws {
        let xform = """
            <GeodataXform xsi:type='typens:PolynomialXform' xmlns:xsi='x'><PolynomialOrder>1</PolynomialOrder>
            <SpatialReference xsi:type='typens:ProjectedCoordinateSystem'><WKT>EPSG:32632</WKT></SpatialReference>
            <SourceGCPs><Double>0</Double><Double>-0</Double><Double>40</Double><Double>-30.5</Double></SourceGCPs>
            <TargetGCPs><Double>1</Double><Double>2</Double><Double>3</Double><Double>4</Double></TargetGCPs>
            </GeodataXform>
            """
        let pam =
            isRoot
            ? try file(xform)
            : try dataset("<Metadata domain=\"xml:ESRI\" format=\"xml\">\(xform)</Metadata>")
        #expect(
            try pam.eastFirstForm(on: Self.grid)
                == .points([
                    MapPoint(
                        pixel: Point(x: 0, y: 0), map: Point(x: 1, y: 2), name: "control point 1"),
                    MapPoint(
                        pixel: Point(x: 40, y: 30.5), map: Point(x: 3, y: 4),
                        name: "control point 2"),
                ]))
        #expect(try pam.crs() == CRS("EPSG:32632"))
    }

    private static let places = [(1.0, 2.0), (3, 4), (5, 1)]

    /// A GeodataXform of three points.
    private func xform(_ source: [(Double, Double)]) throws -> PAMFile {
        func list(_ name: String, _ points: [(Double, Double)]) -> String {
            "<\(name)>"
                + points.map { "<Double>\($0.0)</Double><Double>\($0.1)</Double>" }.joined() + "</\(name)>"
        }
        return try file(
            "<GeodataXform>\(list("SourceGCPs", source))\(list("TargetGCPs", Self.places))</GeodataXform>")
    }

    private func expect(_ form: StoredPosition.Form?, at pixels: [(Double, Double)]) {
        guard case .points(let points) = form, points.count == pixels.count else {
            Issue.record("\(String(describing: form))")
            return
        }
        for (point, pixel) in zip(points, pixels) {
            #expect(point.pixel.distance(to: Point(x: pixel.0, y: pixel.1)) < 1e-9, "\(point)")
        }
    }

    private static let pixels = [(4.0, 6.0), (96, 8), (3, 74)]

    // GDAL 3.6 reads points in inches and, from 3.7, in centimetres so.
    @Test(
        "ArcGIS's points may be on the paper, in the file's unit and from the lower left",
        arguments: [(300.0, 300.0), (118.11, 118.11), (600, 300)])
    func esriOnPaper(across: Double, down: Double) throws {
        let grid = PixelUnits(width: 100, height: 80, pixelsPerUnit: Point(x: across, y: down))
        let source = Self.pixels.map { ($0.0 / across, (80 - $0.1) / down) }
        try expect(xform(source).eastFirstForm(on: grid), at: Self.pixels)
        // Pixels are pixels, whatever the resolution.
        try expect(xform(Self.pixels.map { ($0.0, -$0.1) }).eastFirstForm(on: grid), at: Self.pixels)
        try expect(xform(Self.pixels).eastFirstForm(on: grid), at: Self.pixels)
    }

    @Test("ArcGIS's points may be on the map of the image's own tags", arguments: [0.0, -5_400_000])
    func esriOnMap(shift: Double) throws {
        let tags = GeoTIFFTags(pixelScale: [2, 2, 0], tiepoints: [0, 0, 0, 500_000, 5_300_000 + shift, 0])
        let grid = PixelUnits(width: 100, height: 80, pixelsPerUnit: Point(x: 72, y: 72), tags: tags)
        let source = Self.pixels.map { (500_000 + 2 * $0.0, 5_300_000 + shift - 2 * $0.1) }
        try expect(xform(source).eastFirstForm(on: grid), at: Self.pixels)
    }

    @Test("ArcGIS's points that are far from the image are refused")
    func esriElsewhere() throws {
        let far = try xform([(5000, 6), (96, 8), (3, 74)])
        let failure = #expect(throws: Failure.self) { try far.eastFirstForm(on: Self.grid) }
        #expect(failure?.kind == .badInput && failure?.message.contains("outside this image") == true)
    }

    @Test("ArcGIS's polynomial has the centre of the first pixel, and rows downwards as negative numbers")
    func esriPolynomial() throws {
        func polynomial(_ order: Int, _ x: [Double], _ y: [Double]) throws -> PAMFile {
            func list(_ numbers: [Double]) -> String { numbers.map { "<Double>\($0)</Double>" }.joined() }
            return try file(
                "<GeodataXform><PolynomialOrder>\(order)</PolynomialOrder>"
                    + "<CoeffX>\(list(x))</CoeffX><CoeffY>\(list(y))</CoeffY></GeodataXform>")
        }
        let upright = try polynomial(1, [500_000, 2, 0], [5_300_000, 0, 2]).eastFirstForm(on: Self.grid)
        #expect(upright == .affine(AffineTransform(a: 2, b: 0, c: 499_999, d: 0, e: -2, f: 5_300_001)))
        let turned = try polynomial(1, [10, 3, 1], [20, 1, -3]).eastFirstForm(on: Self.grid)
        #expect(turned == .affine(AffineTransform(a: 3, b: -1, c: 9, d: 1, e: 3, f: 18)))
        let curved = try polynomial(2, [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6])
        let failure = #expect(throws: Failure.self) { try curved.eastFirstForm(on: Self.grid) }
        #expect(failure?.message.contains("of order 2") == true)
        #expect(throws: Failure.self) {
            try polynomial(1, [1, 2, 4], [1, 1, 2]).eastFirstForm(on: Self.grid)
        }
    }

    @Test("the scale of samples is read from bands, if it is the same in all")
    func sampleScale() throws {
        func band(_ number: Int, _ content: String) -> String {
            "<PAMRasterBand band=\"\(number)\">\(content)</PAMRasterBand>"
        }
        let scale = try dataset(band(1, "<Offset>-500</Offset><Scale>0.1</Scale>")).sampleScale
        #expect(scale?.factor == 0.1 && scale?.offset == -500)
        #expect(
            try dataset(band(1, "<Scale>-2</Scale>") + band(2, "<Scale>-2</Scale>")).sampleScale?.factor == -2
        )
        #expect(try dataset(band(1, "<Scale>1</Scale>") + band(2, "<Scale>2</Scale>")).sampleScale == nil)
        #expect(try dataset(band(2, "<Scale>2</Scale>")).sampleScale == nil && dataset("").sampleScale == nil)
    }

    @Test(
        "statistics, a system alone, and the transform of an image without a position are not a position",
        arguments: [
            "<PAMRasterBand band=\"1\"><Metadata><MDI key=\"STATISTICS_MEAN\">7</MDI></Metadata></PAMRasterBand>",
            "<SRS>EPSG:4326</SRS>", "<GeoTransform>0,1,0,0,0,1</GeoTransform>",
            "<GeoTransform> 0, 1, 0, 0, 0, -1</GeoTransform>", "",
        ])
    func unplaced(content: String) throws {
        #expect(try dataset(content).eastFirstForm(on: Self.grid) == nil)
    }

    @Test("control points without a system of their own have that of the file")
    func systemOfFile() throws {
        let points = "<GCP Pixel=\"1\" Line=\"2\" X=\"47\" Y=\"8\"/>"
        for list in ["<GCPList>", "<GCPList Projection=\"\">"] {
            let pam = try dataset(Self.utm + list + points + "</GCPList>")
            #expect(try pam.crs() == CRS("EPSG:32632"))
        }
        // Latitude first, as the authority of EPSG:4326 has it.
        let turned = try dataset(
            "<SRS dataAxisToSRSAxisMapping=\"1,2\">EPSG:4326</SRS><GCPList>\(points)</GCPList>")
        #expect(
            try turned.eastFirstForm(on: Self.grid)
                == .points([
                    MapPoint(
                        pixel: Point(x: 1, y: 2), map: Point(x: 8, y: 47), name: "control point 1")
                ]))
    }

    @Test("axes in neither order are refused")
    func unknownAxes() throws {
        let pam = try dataset(
            "<SRS dataAxisToSRSAxisMapping=\"3,1\">EPSG:4326</SRS>" + Self.geotransform)
        let failure = #expect(throws: Failure.self) { try pam.eastFirstForm(on: Self.grid) }
        #expect(failure?.message == "its axes '3,1' are not supported")
    }

    @Test("ArcGIS's rows may be positive; a transform without points is not a position")
    func esriVariants() throws {
        func xform(_ source: String) throws -> PAMFile {
            try file(
                "<GeodataXform>\(source)<TargetGCPs><Double>1</Double><Double>2</Double></TargetGCPs>"
                    + "</GeodataXform>")
        }
        let positive = try xform("<SourceGCPs><Double>4</Double><Double>5.5</Double></SourceGCPs>")
        #expect(
            try positive.eastFirstForm(on: Self.grid)
                == .points([
                    MapPoint(
                        pixel: Point(x: 4, y: 5.5), map: Point(x: 1, y: 2), name: "control point 1")
                ]))
        #expect(try xform("").eastFirstForm(on: Self.grid) == nil)
        let failure = #expect(throws: Failure.self) {
            try xform("<SourceGCPs><Double>4</Double><Double>x</Double></SourceGCPs>")
        }
        #expect(failure?.message.contains("do not belong together") == true)
    }

    @Test("if a band has two nodata values, the first is used")
    func nodataTwice() throws {
        let bands = [7, 8].map {
            "<PAMRasterBand band=\"1\"><NoDataValue>\($0)</NoDataValue></PAMRasterBand>"
        }
        #expect(try dataset(bands.joined()).nodataValues == [7])
    }

    @Test("nodata values are read by band")
    func nodata() throws {
        let band = { (number: Int, value: String) in
            "<PAMRasterBand band=\"\(number)\"><NoDataValue> \(value) </NoDataValue></PAMRasterBand>"
        }
        #expect(try dataset(band(1, "2.55E+02")).nodataValues == [255])
        #expect(
            try dataset(band(3, "3") + band(2, "2") + band(1, "1")).nodataValues == [1, 2, 3])
        #expect(try dataset(band(2, "2")).nodataValues == nil)
    }

    @Test(
        "an invalid position is refused with the file's name",
        arguments: [
            "<GeoTransform>1,2,3</GeoTransform>", "<GeoTransform>0,1,1,0,1,1</GeoTransform>",
            "<GeoTransform>0,nan,1,0,1,1</GeoTransform>",
            "<GeoTransform>0,x,1,0,1,1</GeoTransform>",
            "<GCPList><GCP Pixel=\"1\" Line=\"2\" X=\"3\"/></GCPList>", "<GeoTransform>",
            "<GeodataXform><SourceGCPs><Double>1</Double></SourceGCPs><TargetGCPs/></GeodataXform>",
        ])
    func refused(content: String) {
        let failure = #expect(throws: Failure.self) { try dataset(content) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("'plan.png.aux.xml'") == true)
    }

    @Test("a system that PROJ does not know is refused with the file's name")
    func unknownSystem() throws {
        let pam = try dataset("<SRS>PROJCS[nonsense]</SRS>" + Self.geotransform)
        let failure = #expect(throws: Failure.self) { try pam.crs() }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("'plan.png.aux.xml'") == true)
    }

    @Test(
        "GDAL reads the same places out of the file",
        .needs("gdaltransform"),
        arguments: [
            "<SRS dataAxisToSRSAxisMapping=\"1,2\">EPSG:32632</SRS><GeoTransform>500000,3,1,5500000,1,-3</GeoTransform>",
            "<SRS dataAxisToSRSAxisMapping=\"2,1\">EPSG:4326</SRS><GeoTransform>8,1e-4,0,47,0,-1e-4</GeoTransform>",
            "<SRS dataAxisToSRSAxisMapping=\"1,2\">EPSG:4326</SRS><GeoTransform>47,0,-1e-4,8,1e-4,0</GeoTransform>",
            "<SRS dataAxisToSRSAxisMapping=\"2,1\">EPSG:31468</SRS><GeoTransform>4500000,3,0,5400000,0,-3</GeoTransform>",
            "<SRS dataAxisToSRSAxisMapping=\"1,2\">EPSG:31468</SRS><GeoTransform>5400000,0,-3,4500000,3,0</GeoTransform>",
            "<SRS>GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433],AUTHORITY[\"EPSG\",\"4326\"]]</SRS><GeoTransform>8,1e-4,0,47,0,-1e-4</GeoTransform>",
        ].some(3))
    func agreesWithGDAL(content: String) throws {
        let directory = try TemporaryDirectory()
        let gray = try directory.write("P5\n4 3\n255\nabcdefghijkl", to: "a.pgm")
        let image = directory.path("a.png")
        _ = try Tool.run("gdal_translate", ["-q", "-of", "PNG", gray, image])
        let path = try directory.write("<PAMDataset>\(content)</PAMDataset>", to: "a.png.aux.xml")
        let pam = try PAMFile(contentsOf: path)
        let position = try StoredPosition(
            source: "a", form: #require(try pam.eastFirstForm(on: Self.grid)),
            crs: #require(try pam.crs()))
        var places = [Point(x: 1.5, y: 2)].map {
            position.georeference?.pixelToCRS($0) ?? .init(x: 0, y: 0)
        }
        try CRSConversion(position.crs).lonLat(of: &places)
        let outcome = try Tool.run(
            "gdaltransform", ["-t_srs", "EPSG:4326", image], input: "1.5 2\n")
        let fields = outcome.output.split(separator: " ").compactMap { Double($0) }
        try #require(fields.count >= 2, "\(outcome.errors)")
        #expect(places[0].distance(to: Point(x: fields[0], y: fields[1])) < 1e-8)
    }
}

@Suite struct XMLTests {
    /// Any of the readers of XML: they share the parser.
    private func parse(_ bytes: [UInt8]) throws -> PAMFile {
        try PAMFile(parsing: bytes, path: "x.aux.xml")
    }

    private func reason(_ text: String) -> String? {
        reason(Array(text.utf8))
    }

    private func reason(_ bytes: [UInt8]) -> String? {
        do {
            _ = try parse(bytes)
            return nil
        } catch {
            return (error as? Failure)?.message
        }
    }

    @Test("entities are refused before they grow")
    func billionLaughs() {
        let entities = (1...9).map {
            "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">"
        }
        let bomb =
            "<!DOCTYPE x [<!ENTITY l0 \"ha\">\(entities.joined())]><PAMDataset>&l9;</PAMDataset>"
        #expect(reason(bomb)?.contains("entities") == true)
        let outside =
            "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><PAMDataset>&e;</PAMDataset>"
        #expect(reason(outside)?.contains("entities") == true)
    }

    @Test("nesting and the number of elements are bounded", .long)
    func bounds() {
        let deep = String(repeating: "<a>", count: 200_000)
        #expect(reason(deep)?.contains("nested too deeply") == true)
        let many = "<a>" + String(repeating: "<b/>", count: 1_000_001) + "</a>"
        #expect(reason(many)?.contains("too many elements") == true)
    }

    @Test(
        "invalid XML is refused with its line",
        arguments: ["", "   ", "<a>", "<a></b>", "<a/><b/>", "text", "<a \u{0}/>", "<a b=c/>"])
    func malformed(text: String) {
        #expect(reason(text)?.contains("is not XML") == true)
    }

    @Test("a document that is cut off anywhere is refused")
    func truncated() {
        let text = "<?xml version=\"1.0\"?><PAMDataset><SRS>EPSG:4326</SRS></PAMDataset>"
        for count in 0..<text.utf8.count { #expect(reason(Array(text.utf8.prefix(count))) != nil) }
        #expect(reason(text) == nil)
    }

    @Test("byte order marks, UTF-16 and single-byte encodings are read")
    func encodings() throws {
        let content = "<PAMDataset><GeoTransform>8,1,0,47,0,-1</GeoTransform></PAMDataset>"
        let utf16 = content.utf16.reduce(into: [0xFF, 0xFE] as [UInt8]) {
            $0 += [UInt8($1 & 255), UInt8($1 >> 8)]
        }
        let files: [[UInt8]] = [
            [0xEF, 0xBB, 0xBF] + Array(content.utf8), utf16, Array(("\n  " + content).utf8),
            Array(
                "<?xml version=\"1.0\" encoding=\"windows-1252\"?><!-- \u{80} -->".unicodeScalars
                    .map { UInt8(truncatingIfNeeded: $0.value) })
                + Array(content.utf8),
            Array("<?xml version=\"1.0\" encoding=\"ISO-8859-15\"?>".utf8) + Array(content.utf8),
        ]
        for bytes in files {
            #expect(try parse(bytes).eastFirstForm(on: PixelUnits(width: 100, height: 80)) != nil)
        }
    }

    @Test("wrong encodings are refused")
    func wrongEncodings() {
        #expect(reason([0x3C, 0x61, 0x3E, 0xFF, 0xC0, 0x3C, 0x2F, 0x61, 0x3E]) != nil)
        #expect(reason("<?xml version=\"1.0\" encoding=\"klingon\"?><a/>") != nil)
        #expect(reason("<?xml version=\"1.0\" encoding=\"UTF-16\"?><a/>") != nil)
    }
}

import Foundation
import TestSupport
import Testing

/// Documents as people have them, made by the programs that make them. What is expected of each was written down by
/// whoever made it, and compared with poppler's own tools and GDAL.
@Suite(.needsRenderer)
struct DrawnDocumentTests {
    /// What is expected of a document; see `make_documents.py`.
    struct Expectation: Decodable {
        struct Position: Decodable {
            var crs: String
            var topLeft: [Double]
            var metresPerPoint: Double
        }
        struct Layer: Decodable, Equatable {
            var name: String
            var isShown: Bool

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                name = try values.decode(String.self)
                isShown = try values.decode(Bool.self)
            }
        }

        var name: String
        var file: String?
        var width, height: Double?
        var pages: Int?
        /// Places in points, and the colours that are seen there.
        var marks: [[[Double]]]?
        var password: String?
        var position: Position?
        var lonLat: [[[Double]]]?
        /// The ring around the map, in points: a rectangle, from the top left corner on.
        var neatline: [[Double]]?
        var layers: [Layer]?
        var missingFonts: [String]?
        var picture: [Double]?
        var resolution: Double?
        var sheetColor: [Int]?
        var opens: Bool?
    }

    /// What `info --json` says of a page.
    struct PageReport: Decodable {
        struct Layer: Decodable { var name: String, isShown: Bool }
        struct Drawing: Decodable {
            var millimetres: [Double]
            var resolution: Double
            var picture: [Double]?
            var layers: [Layer]
            var sheetColor: String?
        }
        struct Image: Decodable {
            var pages: Int?
            var drawing: Drawing
        }

        var image: Image
    }

    @Test(
        "Documents from common writers are read correctly",
        arguments: [
            "plain", "rotate-90", "rotate-180", "rotate-270", "shifted-box", "user-unit", "layers",
            "annotations",
            "pages-300", "broken-xref", "font-missing", "font-type3", "transparency", "shadings",
            "white-sheet",
            "ivory-sheet", "hairlines", "texts", "geospatial-turned", "cut-off", "no-pages", "svg-points",
            "svg-pixels", "svg-view-box", "svg-millimetres", "svg-compressed", "svg-styles", "svg-broken",
        ].some(1))
    func writtenByHand(name: String) throws { try check(name) }

    @Test(
        "Documents with pictures, profiles and fax codes", .long, .needsPython("PIL"),
        arguments: ["colours", "image-jpx", "image-ccitt", "image-jbig2"])
    func withPictures(name: String) throws { try check(name, modules: ["PIL"]) }

    @Test("Encrypted documents", .long, .needs("qpdf"), arguments: ["encrypted-user", "encrypted-owner"])
    func encrypted(name: String) throws { try check(name) }

    @Test(
        "Geospatial documents lie where GDAL has written that they lie", .long,
        .needs("gdal_translate", "cs2cs"),
        .needsPython("osgeo.gdal", "numpy", "PIL"),
        arguments: ["geospatial", "geospatial-lgi", "geospatial-wkt"])
    func geospatial(name: String) throws { try check(name, modules: ["osgeo.gdal", "numpy", "PIL"]) }

    @Test("Documents by cairo", .long, .needsPython("cairo"), arguments: ["cairo", "svg-cairo"])
    func byCairo(name: String) throws { try check(name, modules: ["cairo"]) }

    @Test(
        "Documents by matplotlib", .long, .needsPython("matplotlib"),
        arguments: ["matplotlib", "svg-matplotlib"])
    func byMatplotlib(name: String) throws { try check(name, modules: ["matplotlib"]) }

    @Test("A document by reportlab", .long, .needsPython("reportlab"))
    func byReportlab() throws { try check("reportlab", modules: ["reportlab"]) }

    @Test("A scan by img2pdf", .long, .needsPython("img2pdf", "PIL"))
    func byScanner() throws { try check("scan", modules: ["img2pdf", "PIL"]) }

    @Test("Documents by Inkscape", .long, .needs("inkscape"), arguments: ["inkscape", "svg-inkscape"])
    func byInkscape(name: String) throws { try check(name) }

    @Test(
        "Documents by LibreOffice", .long, .needs("soffice"), arguments: ["libreoffice", "svg-libreoffice"])
    func byLibreOffice(name: String) throws { try check(name) }

    @Test("A document by Ghostscript", .long, .needs("gs"))
    func byGhostscript() throws { try check("ghostscript") }

    @Test("A document by TeX", .long, .needs("pdflatex"))
    func byTeX() throws { try check("tex") }

    // Pixels of zoom 19 to a point, from the corner of a tile on.
    private static let scale = 2.0
    private static let corner = (column: 265_600.0 * 256, row: 181_500.0 * 256)

    /// Makes a document, and compares what is said and drawn of it.
    private func check(_ name: String, modules: [String] = []) throws {
        let workshop = try Workshop()
        let script = SharedData.packageRoot.appending(
            path: "Tests/EndToEndTests/Support/Documents/make_documents.py")
        let python = try #require(Python.path(with: modules))
        let made = try Tool.run(python, [script.path, workshop.url.path, name])
        #expect(made.status == 0, "\(made.errors)")
        let list = try JSONDecoder().decode(
            [Expectation].self, from: Data(contentsOf: workshop.file("documents.json")))
        let expected = try #require(list.first { $0.name == name })
        let file = try #require(expected.file, "\(made.errors)")
        try checkRefusals(of: file, expected, in: workshop)
        if expected.opens == false { return }
        try checkReport(of: file, expected, in: workshop)
        try checkMarks(of: file, expected, in: workshop)
    }

    private func options(_ expected: Expectation, in workshop: Workshop) throws -> [String] {
        var options: [String] = []
        if let password = expected.password {
            try workshop.write(Data("\(password)\n".utf8), to: "password")
            options = ["--password-file", "password"]
        }
        if expected.position != nil || expected.lonLat != nil { return options }
        let cell = World.cellSize(zoom: 19)
        let (width, height) = (Self.scale * (expected.width ?? 0), Self.scale * (expected.height ?? 0))
        let (west, north) = (
            Self.corner.column * cell - World.halfWidth, World.halfWidth - Self.corner.row * cell
        )
        let edges = [west, north - height * cell, west + width * cell, north].map { "\($0)" }
        return options + ["--crs", "EPSG:3857", "--bounds", edges.joined(separator: ",")]
    }

    private func checkRefusals(of file: String, _ expected: Expectation, in workshop: Workshop) throws {
        if expected.opens == false || expected.password != nil {
            let outcome = try workshop.run(["info", file, "--bounds", Workshop.bounds])
            #expect(outcome.status == 65)
            #expect(outcome.errors.hasPrefix("error: cannot read '\(file)'"), "\(outcome.errors)")
            #expect(
                (expected.password != nil) == outcome.errors.contains("--password-file"), "\(outcome.errors)")
        }
    }

    private func checkReport(of file: String, _ expected: Expectation, in workshop: Workshop) throws {
        let outcome = try Program.succeed(
            ["info", file, "--json"] + options(expected, in: workshop), in: workshop.url)
        let image = try JSONDecoder().decode(PageReport.self, from: Data(outcome.output.utf8)).image
        let page = image.drawing
        for (millimetres, points) in zip(page.millimetres, [expected.width ?? 0, expected.height ?? 0]) {
            #expect(abs(millimetres - points * 25.4 / 72) < 0.02)
        }
        #expect(image.pages ?? 1 == expected.pages)
        #expect(page.resolution == expected.resolution ?? 150)
        #expect(page.layers.map(\.name) == (expected.layers ?? []).map(\.name))
        #expect(page.layers.map(\.isShown) == (expected.layers ?? []).map(\.isShown))
        #expect((page.picture != nil) == (expected.picture != nil))
        for (pixels, wanted) in zip(page.picture ?? [], expected.picture ?? []) {
            #expect(abs(pixels - wanted) <= 1)
        }
        let sheet = expected.sheetColor.map { "#" + $0.map { String(format: "%02x", $0) }.joined() }
        #expect(page.sheetColor == sheet)
        for font in expected.missingFonts ?? [] {
            #expect(
                outcome.errors.contains("does not embed its fonts") && outcome.errors.contains("'\(font)'"))
        }
        #expect(
            outcome.errors.contains("does not embed") == (expected.missingFonts != nil), "\(outcome.errors)")
        if expected.position != nil {
            try checkCorners(Report(outcome.output).corners, expected, in: workshop)
        }
    }

    /// Corners within a tenth of a pixel at 150 to the inch of where the document was written for.
    private func checkCorners(_ corners: [Place], _ expected: Expectation, in workshop: Workshop) throws {
        let (width, height) = (expected.width ?? 0, expected.height ?? 0)
        let points = [[0, 0], [width, 0], [width, height], [0, height]]
        let metres = (expected.position?.metresPerPoint ?? 0) * 72 / 150
        for (corner, place) in try zip(corners, places(of: points, expected)) {
            let offset = corner.offset(to: place)
            #expect(hypot(offset.east, offset.north) < 0.1 * metres, "\(corner) and \(place)")
        }
    }

    /// Where points of the page lie on the Earth.
    private func places(of points: [[Double]], _ expected: Expectation) throws -> [Place] {
        if let position = expected.position {
            let coordinates = points.map { point in
                let east = position.topLeft[0] + point[0] * position.metresPerPoint
                return "\(east) \(position.topLeft[1] - point[1] * position.metresPerPoint)"
            }
            let outcome = try Tool.run(
                "cs2cs", ["-f", "%.10f", position.crs, "EPSG:4326"],
                input: coordinates.joined(separator: "\n") + "\n")
            return outcome.output.split(separator: "\n").map { line in
                let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
                return Place(longitude: numbers[1], latitude: numbers[0])
            }
        }
        let known = try #require(expected.lonLat)
        // The first is an origin, the others lie along an axis each.
        let (origin, down, right) = (known[0], known[1], known[2])
        return points.map { point in
            let (x, y) = (point[0] / right[0][0], point[1] / down[0][1])
            func coordinate(_ index: Int) -> Double {
                origin[1][index] + x * (right[1][index] - origin[1][index]) + y
                    * (down[1][index] - origin[1][index])
            }
            return Place(longitude: coordinate(0), latitude: coordinate(1))
        }
    }

    private func checkMarks(of file: String, _ expected: Expectation, in workshop: Workshop) throws {
        let marks = try #require(expected.marks)
        let hasPlace = expected.position != nil || expected.lonLat != nil
        let zoom = hasPlace ? 20 : 19
        try Program.succeed(
            [file, "--zoom", "\(zoom)", "--background", "#ffffff", "-o", "out"]
                + options(expected, in: workshop),
            in: workshop.url)
        let mosaic = try Mosaic(of: workshop.file("out"), zoom: zoom)
        let places =
            hasPlace ? try places(of: marks.map { $0[0] }, expected).map { $0.pixel(zoom: zoom) } : []
        for (index, mark) in marks.enumerated() {
            let pixel =
                hasPlace
                ? places[index]
                : (Self.corner.column + Self.scale * mark[0][0], Self.corner.row + Self.scale * mark[0][1])
            let seen = mosaic.picture[Int(pixel.0) - mosaic.origin.column, Int(pixel.1) - mosaic.origin.row]
            // Tiles without anything on them are not written.
            let colours = seen.alpha == 0 ? [255, 255, 255] : [seen.red, seen.green, seen.blue]
            let wanted = expected.isMapped(mark[0]) ? mark[1] : [255, 255, 255]
            let difference = zip(colours, wanted).map { abs(Double($0) - $1) }.max() ?? 0
            // Fonts of libraries and JPEG are a little off.
            #expect(difference <= 12, "at \(mark[0]) there is \(seen), and not \(wanted)")
        }
    }
}

extension DrawnDocumentTests.Expectation {
    /// Whether a point lies within the neatline.
    fileprivate func isMapped(_ point: [Double]) -> Bool {
        guard let neatline else { return true }
        return neatline[0][0]...neatline[2][0] ~= point[0] && neatline[0][1]...neatline[2][1] ~= point[1]
    }
}

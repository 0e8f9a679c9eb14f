import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

@Suite struct ImageFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func failure(_ bytes: [UInt8], named name: String) throws -> Failure? {
        try Data(bytes).write(to: directory.url.appending(path: name))
        return #expect(throws: Failure.self) { try ImageFile.open(path: directory.path(name)) }
    }

    private static let types: [(String, [UInt8], String, String)] = [
        ("plan.pdf", Array("%PDF-1.7\n".utf8), "a PDF", "pdftoppm -r 300 -png"),
        ("plan.svg", Array("<?xml version=\"1.0\"?>\n<svg/>".utf8), "an SVG", "rsvg-convert"),
        ("plan.dwg", Array("AC1032\0\0".utf8), "a DWG", "plot it to a PDF"),
        ("plan.dxf", Array("  0\r\nSECTION\r\n  2\r\nHEADER".utf8), "a DXF", "plot it to a PDF"),
        (
            "comments.dxf", Array("\u{FEFF}999\nmade by hand\n 999\n\n0\nSECTION\n".utf8), "a DXF",
            "plot it to a PDF"
        ),
        (
            "long.dxf", Array(String(repeating: "999\n0123456789\n", count: 100).utf8), "a DXF",
            "plot it to a PDF"
        ),
        ("plan.gif", Array("GIF89a".utf8), "a GIF", "convert "),
        (
            "plan.bmp", Array("BM".utf8) + [54, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0], "a BMP",
            "convert "
        ),
        ("plan.jp2", [0, 0, 0, 12] + Array("jP  ".utf8), "a JPEG 2000", "convert "),
        ("plan.jxl", [0xFF, 0x0A, 0, 0], "a JPEG XL", "djxl"),
        ("plan.psd", Array("8BPS\0\u{1}".utf8), "a Photoshop", "convert "),
        ("plan.kmz", Array("PK\u{3}\u{4}".utf8), "ZIP", "unzip"),
        ("plan.ifc", Array("ISO-10303-21;".utf8), "an IFC model", "draw a plan of a floor as SVG or PDF"),
        ("heights.asc", Array("NCOLS 4\n".utf8), "an Esri ASCII grid", "gdal_translate -ot Float32 "),
        ("heights.vrt", Array("<VRTDataset>".utf8), "a virtual raster of GDAL", "gdal_translate "),
        (
            "plan.kml", Array("<?xml version=\"1.0\"?>\n<kml>".utf8), "a KML file",
            "give the image that it names, and add --kml "
        ),
        // The application of an SQLite database is named at byte 68.
        (
            "plan.gpkg",
            Array("SQLite format 3\0".utf8) + Array(repeating: 1, count: 52) + Array("GPKG".utf8),
            "a GeoPackage", "gdal_translate "
        ),
        (
            "plan.mbtiles", Array("SQLite format 3\0".utf8) + Array(repeating: 1, count: 52),
            "an SQLite database", "copy them: tilewright convert "
        ),
        ("plan.pmtiles", Array("PMTiles\u{3}".utf8), "a PMTiles archive", "copy them: tilewright convert "),
        ("plans.zip", Array("PK\u{3}\u{4}".utf8), "ZIP", "unzip"),
        ("plan.png.gz", [0x1F, 0x8B, 8, 0], "gzip", "gunzip"),
    ]

    @Test("a file of an unsupported type is named, with a way out", arguments: types)
    func unreadTypes(name: String, head: [UInt8], type: String, command: String) throws {
        let failure = try #require(try failure(head + Array(repeating: 0, count: 20), named: name))
        #expect(failure.kind == .badInput)
        #expect(failure.message.hasPrefix("cannot read '\(directory.path(name))': it is "))
        #expect(failure.message.contains(type))
        #expect(failure.remedy?.contains(command) == true)
        #expect(!failure.message.contains("\n"))
    }

    @Test("a name without an extension is the stem of output files")
    func noExtension() throws {
        let failure = try failure(Array("%PDF-1.4".utf8), named: "plan")
        let path = directory.path("plan")
        #expect(failure?.remedy?.hasSuffix("pdftoppm -r 300 -png \(path) \(path)") == true)
    }

    @Test("a file of overviews next to an image is read with it")
    func overviewsBeside() throws {
        let path = try directory.write("", to: "plan.tif")
        #expect(try ImageFile.paths(of: ImageReference(path)) == [path])
        let overviews = try directory.write("", to: "plan.tif.ovr")
        #expect(try ImageFile.paths(of: ImageReference(path)) == [path, overviews])
    }

    @Test("only the first image of a file is read")
    func pages() throws {
        let sample = try JPEGSample.named("gray")
        try sample.file.write(to: directory.url.appending(path: "photo.jpg"))
        let failure = #expect(throws: Failure.self) {
            try ImageFile.open(ImageReference(directory.path("photo.jpg"), page: 2))
        }
        #expect(failure?.message.hasSuffix("only the first image of a JPEG is read") == true)
    }

    @Test("the content decides, not the name")
    func wrongExtension() throws {
        let failure = try failure(Array("%PDF-1.4".utf8), named: "plan.png")
        #expect(failure?.message.contains("a PDF") == true)
        let sample = try JPEGSample.named("gray")
        try sample.file.write(to: directory.url.appending(path: "photo.png"))
        #expect(try ImageFile.open(path: directory.path("photo.png")).info.summary == "JPEG, gray")
    }

    @Test(
        "an image with an edge that is too long for positions is refused",
        arguments: [(1 << 22 + 1, 1), (1, 1 << 22 + 1), (1 << 31 - 1, 1 << 31 - 1)])
    func tooLarge(width: Int, height: Int) throws {
        var file = PNGBuilder(width: width, height: height, colorType: 6, interlaced: true)
        file.finish(rows: [])
        let failure = try failure(file.bytes, named: "strip.png")
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("\(width) x \(height) pixels") == true)
    }

    @Test("an image with the longest edge is opened")
    func longestEdge() throws {
        var file = PNGBuilder(width: 1 << 22, height: 1)
        file.finish(rows: [])
        try Data(file.bytes).write(to: directory.url.appending(path: "strip.png"))
        #expect(try ImageFile.open(path: directory.path("strip.png")).info.width == 4_194_304)
    }

    @Test("a name that the shell would split is quoted in the command")
    func quoting() throws {
        let failure = try failure(Array("%PDF-1.4".utf8), named: "1st floor's.pdf")
        let quoted = directory.path("1st floor").appending("'\\''s.pdf")
        #expect(failure?.remedy?.contains("'\(quoted)'") == true)
    }

    @Test(
        "empty files and unknown bytes are bad input",
        arguments: [[], [0x23, 0x21], [0x89, 0x50]])
    func unknown(bytes: [UInt8]) throws {
        #expect(try failure(bytes, named: "plan.png")?.kind == .badInput)
    }

    @Test("missing files, directories and devices are missing input")
    func missing() throws {
        for path in [directory.path("none.png"), directory.url.path, "/dev/null"] {
            let failure = #expect(throws: Failure.self) { try ImageFile.open(path: path) }
            #expect(failure?.kind == .missingInput)
            #expect(failure?.message.hasPrefix("cannot read '\(path)': ") == true)
        }
    }

    @Test(
        "a file without read permission is missing input",
        .enabled(if: getuid() != 0, "root may read every file"))
    func permission() throws {
        let path = try directory.write("x", to: "secret.png")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        let failure = #expect(throws: Failure.self) { try ImageFile.open(path: path) }
        #expect(failure == Failure(.missingInput, "cannot read '\(path)': permission denied"))
    }
}

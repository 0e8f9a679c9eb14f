import Foundation
import Platform
import TestSupport
import Testing
@testable import TilewrightKit
import Tiling

/// The pages of files, and their pictures.
@Suite struct SheetFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: folder.url.appending(path: name))
        return folder.path(name)
    }

    /// A PDF of four pages: A4, a turned A3, a page of other units, and one that is cropped.
    private func writeSet() throws -> String {
        var pdf = SheetDocument()
        pdf.pages = [
            "/MediaBox[0 0 595.276 841.89]", "/MediaBox[0 0 841.89 1190.551]/Rotate 90",
            "/MediaBox[0 0 100 50]/UserUnit 4", "/MediaBox[0 0 500 500]/CropBox[50 50 250 150]",
        ]
        // ISO 32000-1, 12.4.2 and 12.3.3: labels A-1, A-2, and then 1, 2; bookmarks of the pages 2 and 4.
        pdf.catalog = "/PageLabels<</Nums[0<</S/D/P(A-)>>2<</S/D>>]>>/Outlines 8 0 R"
        pdf.objects = [
            "<</First 9 0 R/Last 10 0 R/Count 2>>",
            "<</Title(Ground floor)/Parent 8 0 R/Next 10 0 R/Dest[5 0 R/Fit]>>",
            "<</Title(First floor)/Parent 8 0 R/Prev 9 0 R/Dest[7 0 R/Fit]>>",
        ]
        return try write(pdf.bytes, to: "set.pdf")
    }

    @Test("A PDF's pages are listed with their sizes, labels and bookmarks", .needsRenderer)
    func pages() throws {
        let file = try SheetFile(try writeSet())
        #expect(file.pageCount == 4 && file.pages.map(\.number) == [1, 2, 3, 4])
        // ISO 216: A4 is 210 x 297 mm, A3 is 297 x 420 mm. UserUnit 4: 400 x 200 points.
        let sizes = [(210.0, 297.0), (420, 297), (141.11, 70.56), (70.56, 35.28)]
        for (page, size) in zip(file.pages, sizes) {
            // 150 pixels to the inch.
            #expect(abs(Double(page.width) - size.0 / 25.4 * 150) < 1.1)
            #expect(abs(Double(page.height) - size.1 / 25.4 * 150) < 1.1)
        }
        #expect(file.pages.map(\.label) == ["A-1", "A-2", "1", "2"])
        #expect(file.pages.map(\.bookmark) == [nil, "Ground floor", nil, "First floor"])
    }

    @Test("Each page's size is that in which its crop counts", .needsRenderer)
    func sameSize() throws {
        let path = try writeSet()
        for page in try SheetFile(path).pages {
            var request = ImageRequest(path)
            request.page = page.number
            let info = try request.fileInfo()
            let picture = try SheetPicture(of: request, longestEdge: 100)
            #expect(page.width == info.width && page.height == info.height)
            #expect(picture.fullWidth == info.width && picture.fullHeight == info.height)
            #expect(max(picture.width, picture.height) == 100)
        }
    }

    @Test("A page is drawn at the picture's size, on white", .needsRenderer)
    func drawn() throws {
        var pdf = SheetDocument()
        // The left half is red, below it a hairline.
        pdf.contents = "1 0 0 rg 0 100 200 100 re f 0 0 1 RG 0 w 0 50 m 400 50 l S"
        pdf.pages = ["/MediaBox[0 0 400 200]"]
        let path = try write(pdf.bytes, to: "plan.pdf")
        let picture = try SheetPicture(of: ImageRequest(path), longestEdge: 200)
        #expect(picture.width == 200 && picture.height == 100)
        #expect(picture.fullWidth == 834 && picture.fullHeight == 417)
        func pixel(_ column: Int, _ row: Int) -> [UInt8] {
            Array(picture.rgba[4 * (row * 200 + column)..<4 * (row * 200 + column) + 4])
        }
        #expect(pixel(50, 25) == [255, 0, 0, 255])
        #expect(pixel(150, 25) == [255, 255, 255, 255])
        #expect(pixel(50, 90) == [255, 255, 255, 255])
        // The hairline is seen, though it has a hundredth of a pixel.
        #expect((73...76).contains { pixel(150, $0)[0] < 220 })
        #expect(try picture.png().prefix(4) == [0x89, 0x50, 0x4E, 0x47])
        #expect(try picture.encoded().mediaType == "image/png")
    }

    @Test("An encrypted document asks for its password", .needsRenderer, .needs("qpdf"))
    func encrypted() throws {
        let (plain, locked) = (try writeSet(), folder.path("locked.pdf"))
        let made = try Tool.run(
            "qpdf", ["--encrypt", "secret", "owner", "256", "--", plain, locked])
        try #require(made.status == 0, "\(made.errors)")
        let wrong = try folder.write("wrong\n", to: "wrong.txt")
        for password in [nil, wrong] {
            let failure = #expect(throws: Failure.self) { try SheetFile(locked, passwordFile: password) }
            #expect(failure?.asksForPassword == true)
            var request = ImageRequest(locked)
            request.passwordFile = password
            let drawn = #expect(throws: Failure.self) { try SheetPicture(of: request, longestEdge: 100) }
            #expect(drawn?.asksForPassword == true)
        }
        let right = try folder.write("secret\n", to: "right.txt")
        #expect(try SheetFile(locked, passwordFile: right).pageCount == 4)
    }

    @Test("Damaged, missing and foreign files are refused without asking for a password", .needsRenderer)
    func refused() throws {
        let paths = [
            try write(Array("%PDF-1.7\nrubbish".utf8), to: "rubbish.pdf"), folder.path("none.png"),
            try write(Array("hello".utf8), to: "hello.png"), try write([], to: "empty.pdf"),
        ]
        for path in paths {
            let failure = #expect(throws: Failure.self) { try SheetFile(path) }
            #expect(failure?.asksForPassword == false && failure?.message.contains(path) == true)
        }
    }

    // CSS 2.1: 96 pixels are an inch.
    @Test("An SVG is one page", .needsRenderer)
    func vectors() throws {
        let path = try folder.write(
            "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='192'><path d='M0 0h99v99z'/></svg>",
            to: "plan.svg")
        let file = try SheetFile(path)
        #expect(file.pageCount == 1 && file.pages.map(\.width) == [300] && file.pages.map(\.height) == [192])
        let picture = try SheetPicture(of: ImageRequest(path), longestEdge: 1200)
        #expect(picture.width == 300 && picture.height == 192 && picture.rgba[4 * (300 * 10 + 60)] == 0)
    }

    @Test("The pages of a TIFF are listed")
    func scan() throws {
        var scan = TIFFBuilder(width: 300, height: 200, data: [UInt8](repeating: 90, count: 60_000))
        scan.others = [scan.fields]
        let file = try SheetFile(try write(scan.bytes, to: "scan.tif"))
        #expect(file.pageCount == 2 && file.pages.map(\.width) == [300, 300])
    }

    // TIFF 6.0, Orientation: 6 is a quarter turn; the first row of the file is the right side.
    @Test("A turned photograph is shown as its file stores it")
    func turned() throws {
        var photo = TIFFBuilder(width: 3, height: 2, data: [10, 20, 30, 40, 50, 60])
        photo.set(274, .short, [6])
        let request = ImageRequest(try write(photo.bytes, to: "photo.tif"))
        func levels(_ picture: SheetPicture) -> [UInt8] {
            stride(from: 0, to: picture.rgba.count, by: 4).map { picture.rgba[$0] }
        }
        let stored = try SheetPicture(of: request, longestEdge: 100)
        #expect(stored.width == 3 && stored.fullHeight == 2)
        #expect(levels(stored) == [10, 20, 30, 40, 50, 60])
    }

    @Test("Transparent pixels are white, and images are reduced to averages")
    func reduced() throws {
        let levels: [UInt8] = [0, 0, 200, 200, 0, 0, 200, 200]
        let image = TIFFBuilder(width: 4, height: 2, data: levels)
        let picture = try SheetPicture(
            of: ImageRequest(try write(image.bytes, to: "image.tif")), longestEdge: 2)
        #expect(picture.width == 2 && picture.height == 1 && picture.fullWidth == 4)
        #expect(picture.rgba == [0, 0, 0, 255, 200, 200, 200, 255])
        var clear = TIFFBuilder(width: 2, height: 1, data: [100, 0, 100, 255])
        clear.setSamples(2, photometric: 1, extra: [2])
        let seen = try SheetPicture(
            of: ImageRequest(try write(clear.bytes, to: "clear.tif")), longestEdge: 9)
        #expect(seen.rgba == [255, 255, 255, 255, 100, 100, 100, 255])
    }
}

/// A PDF whose pages all show the same contents.
private struct SheetDocument {
    /// The entries of each page.
    var pages: [String] = []
    /// Entries of the catalog.
    var catalog = ""
    var contents = ""
    /// Objects after those of the pages, of which the first has the number 4.
    var objects: [String] = []

    var bytes: [UInt8] {
        let kids = pages.indices.map { "\($0 + 4) 0 R" }.joined(separator: " ")
        var all = [
            "<</Type/Catalog/Pages 2 0 R \(catalog)>>",
            "<</Type/Pages/Kids[\(kids)]/Count \(pages.count)>>",
            "<</Length \(contents.utf8.count)>>stream\n\(contents)\nendstream",
        ]
        all += pages.map { "<</Type/Page/Parent 2 0 R/Contents 3 0 R/Resources<<>>\($0)>>" } + objects
        var file = "%PDF-1.7\n"
        var table = "xref\n0 \(all.count + 1)\n0000000000 65535 f \n"
        for (index, object) in all.enumerated() {
            let place = String(file.utf8.count)
            table += String(repeating: "0", count: 10 - place.count) + place + " 00000 n \n"
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let end = "trailer<</Size \(all.count + 1)/Root 1 0 R>>\nstartxref\n\(file.utf8.count)\n%%EOF\n"
        return Array((file + table + end).utf8)
    }
}

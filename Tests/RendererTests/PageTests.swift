import Foundation
import RenderProtocol
import TestSupport
import Testing

/// What a renderer says of a page.
@Suite struct PageTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    // The numbers follow from ISO 32000: the crop box is what is seen, turned clockwise, in units of 1/72 inch
    // times UserUnit.
    @Test(
        "the page's size is that of its visible part: cropped, turned, in points",
        arguments: [
            (0, [1.0, 0, -10, 0, -1, 70]), (90, [0, 1, -20, 1, 0, -10]), (180, [-1, 0, 110, 0, 1, -20]),
            (270, [0, -1, 70, -1, 0, 110]), (-90, [0, -1, 70, -1, 0, 110]),
        ])
    func seen(degrees: Int, matrix: [Double]) throws {
        var pdf = PDFBuilder("1 0 0 rg 10 20 5 5 re f")
        pdf.page = "/CropBox[10 20 110 70]/Rotate \(degrees)"
        let document = try desk.open(pdf)
        let isTurned = degrees % 180 != 0
        #expect(document.page.width == (isTurned ? 50 : 100))
        #expect(document.page.height == (isTurned ? 100 : 50))
        #expect(document.page.pointsFromUnits == matrix)
        // The red square is where the matrix says.
        let (x, y) = (
            12.5 * matrix[0] + 22.5 * matrix[1] + matrix[2], 12.5 * matrix[3] + 22.5 * matrix[4] + matrix[5]
        )
        let drawn = try document.draw(0..<100, 0..<100)
        #expect(drawn[Int(x), Int(y)] == [255, 0, 0, 255])
        #expect(abs(drawn.ink - 25) < 0.1)
    }

    @Test("a sheet with a UserUnit has its true size")
    func userUnit() throws {
        var pdf = PDFBuilder("0 0 200 50 re f")
        pdf.page = "/UserUnit 2.5"
        let document = try desk.open(pdf)
        #expect(document.page.width == 500)
        #expect(document.page.height == 250)
        #expect(document.page.pointsFromUnits == [2.5, 0, 0, 0, -2.5, 250])
        let drawn = try document.draw(0..<500, 0..<250)
        #expect(drawn[499, 124] == [0, 0, 0, 0])
        #expect(drawn[499, 126] == [0, 0, 0, 255])
    }

    @Test("pages are counted from 1, and a document of hundreds opens as quickly")
    func pages() throws {
        var pdf = PDFBuilder("")
        pdf.pageCount = 700
        #expect(try desk.open(pdf, page: 700).page.pageCount == 700)
        for page in [0, 701, -1, Int.max] {
            let failure = #expect(throws: RendererFailure.self) { try desk.open(pdf, page: page) }
            #expect(failure?.cause == .noPage)
        }
    }

    @Test("sizes are those of pdfinfo", .needs("pdfinfo"))
    func pdfinfo() throws {
        var pdf = PDFBuilder("")
        pdf.mediaBox = "-7.5 3.25 834.39 1193.8"
        pdf.page = "/CropBox[0 0 600.5 2000]/Rotate 90"
        let page = try desk.open(pdf).page
        let told = try Tool.run("pdfinfo", [desk.folder.path("document.pdf")]).output
        let size = try #require(told.firstMatch(of: /Page size: +([0-9.]+) x ([0-9.]+)/))
        // Of the page before it is turned; to six digits.
        #expect(abs(page.height - (Double(size.1) ?? 0)) < 0.001)
        #expect(abs(page.width - (Double(size.2) ?? 0)) < 0.001)
    }

    @Test(
        "damaged documents are refused",
        arguments: ["", "%PDF-1.7\n", "hello", "%PDF-1.7\ntrailer<</Root 1 0 R>>"])
    func damaged(text: String) throws {
        let path = try desk.write(Array(text.utf8), to: "damaged.pdf")
        let failure = #expect(throws: RendererFailure.self) { try desk.open(path, .pdf) }
        #expect(failure?.cause == .damaged)
    }

    @Test("a document whose table of objects is wrong is read all the same")
    func brokenTable() throws {
        let bytes = PDFBuilder("0 0 200 50 re f").bytes
        let text = String(decoding: bytes, as: UTF8.self).replacing(
            "0000000000 65535", with: "0000000777 65535"
        )
        .replacing("startxref\n", with: "startxref\n9")
        let document = try desk.open(desk.write(Array(text.utf8), to: "broken.pdf"), .pdf)
        #expect(try document.draw(0..<200, 0..<100)[100, 75] == [0, 0, 0, 255])
    }

    @Test(
        "an encrypted document opens with either password", .needs("qpdf"), arguments: ["r6", "r4"].some(1))
    func encrypted(kind: String) throws {
        let plain = try desk.write(PDFBuilder("0 0 200 50 re f").bytes, to: "plain.pdf")
        let path = desk.folder.path("locked.pdf")
        // Revision 6 takes passwords as UTF-8, the older ones as Latin letters.
        let strength = kind == "r6" ? ["256"] : ["128", "--use-aes=y"]
        let made = try Tool.run(
            "qpdf", ["--allow-weak-crypto", "--encrypt", "Tür", "Dach"] + strength + ["--", plain, path])
        try #require(made.status == 0, "\(made.errors)")
        for password in [nil, "Tur", ""] {
            let failure = #expect(throws: RendererFailure.self) {
                try desk.open(path, .pdf, password: password)
            }
            #expect(failure?.cause == .encrypted)
        }
        for password in ["Tür", "Dach"] {
            let document = try desk.open(path, .pdf, password: password)
            #expect(try document.draw(0..<200, 0..<100)[100, 75] == [0, 0, 0, 255])
        }
    }

    @Test(
        "a layer's usage decides whether a screen shows it, unless layers are named",
        arguments: [
            ("/View<</ViewState/OFF>>/Print<</PrintState/ON>>", "/View", "/View", false),
            ("/View<</ViewState/ON>>/Print<</PrintState/OFF>>", "/View", "/View", true),
            ("/View<</ViewState/OFF>>", "/View", "/Print", true),
            ("/View<</ViewState/OFF>>", "/Print", "/View", true),
            ("/Print<</PrintState/OFF>>", "/View/Print", "/View", false),
            ("/View<</ViewState/ON>>/Export<</ExportState/OFF>>", "/View/Export", "/View", false),
            ("/View 7", "/View", "/View", true), ("/View<</ViewState(OFF)>>", "/View", "/View", true),
        ].some(4))
    func usages(usage: String, category: String, event: String, isShown: Bool) throws {
        var pdf = PDFBuilder("/OC /A BDC 0 0 100 100 re f EMC")
        pdf.resources = "/Properties<</A 5 0 R>>"
        pdf.objects = [Array("<</Type/OCG/Name(Grid)/Usage<<\(usage)>>>>".utf8)]
        pdf.catalog =
            "/OCProperties<</OCGs[5 0 R]/D<</Order[5 0 R]/AS[<</Event\(event)/Category[\(category)]/OCGs[5 0 R]>>]>>>>"
        let document = try desk.open(pdf)
        #expect(document.page.layers == [.init(name: "Grid", isShown: isShown)])
        #expect(try document.draw(0..<200, 0..<100)[50, 50][3] == (isShown ? 255 : 0))
        #expect(try desk.open(pdf, layers: ["Grid"]).draw(0..<200, 0..<100)[50, 50][3] == 255)
    }

    @Test("layers are listed with their visibility, and drawn as chosen")
    func layers() throws {
        var pdf = PDFBuilder("/OC /A BDC 0 0 100 100 re f EMC /OC /B BDC 100 0 100 100 re f EMC")
        pdf.resources = "/Properties<</A 5 0 R/B 6 0 R>>"
        pdf.objects = ["<</Type/OCG/Name(Walls)>>", "<</Type/OCG/Name(T\\374ren)>>"].map { Array($0.utf8) }
        pdf.catalog = "/OCProperties<</OCGs[5 0 R 6 0 R]/D<</Order[5 0 R 6 0 R]/OFF[6 0 R]>>>>"
        let (walls, doors) = ([50, 50], [150, 50])
        for (layers, shown) in [
            (nil, [walls]), (["Walls"], [walls]), (["Türen"], [doors]),
            (["Türen", "Walls"], [walls, doors]),
            ([], []),
        ] {
            let document = try desk.open(pdf, layers: layers)
            #expect(
                document.page.layers == [
                    .init(name: "Walls", isShown: true), .init(name: "Türen", isShown: false),
                ])
            let drawn = try document.draw(0..<200, 0..<100)
            for place in [walls, doors] {
                #expect(drawn[place[0], place[1]][3] == (shown.contains(place) ? 255 : 0))
            }
        }
        let failure = #expect(throws: RendererFailure.self) { try desk.open(pdf, layers: ["Walls", "Roof"]) }
        #expect(failure == RendererFailure(.noLayer, "there is no layer 'Roof': it has 'Walls', 'Türen'"))
    }

    @Test("fonts that a document does not contain are named")
    func fonts() throws {
        var pdf = PDFBuilder("BT /F 12 Tf (a) Tj ET")
        pdf.resources = """
            /Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>
            /G<</Type/Font/Subtype/TrueType/BaseFont/ABCDEF+Plan/FontDescriptor<</FontFile2 5 0 R>>>>>>
            """
        pdf.objects = [PDFBuilder.stream("", [])]
        #expect(try desk.open(pdf).page.missingFonts == ["Helvetica-Bold"])
    }
}

import Foundation
import RenderProtocol
import TestSupport
import Testing

/// The list of all pages of a document, whatever the document says of them.
@Suite struct PageListTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func list(_ pdf: PDFBuilder, page: Int = 1) throws -> [PageDescription.Entry]? {
        let path = try desk.write(pdf.bytes, to: "document.pdf")
        var request = OpenRequest(.pdf, page: page, memory: 1 << 31, seconds: 60)
        request.listsPages = true
        return try RendererProcess(path).open(request).pages
    }

    @Test("pages are listed only if the request asks for them")
    func asked() throws {
        var pdf = PDFBuilder("")
        pdf.pageCount = 3
        #expect(try desk.open(pdf).page.pages == nil)
        let entry = PageDescription.Entry(width: 200, height: 100)
        #expect(try list(pdf, page: 2) == [entry, entry, entry])
    }

    @Test("at most 10 000 pages are listed")
    func many() throws {
        var pdf = PDFBuilder("")
        pdf.pageCount = 10_020
        #expect(try list(pdf)?.count == 10_000)
    }

    // ISO 32000-1, 12.3.3: items of an outline are linked by Next and First.
    @Test("bookmarks that lead in circles or nowhere end, and long names are cut")
    func bookmarks() throws {
        let long = String(repeating: "x", count: 5000)
        var pdf = PDFBuilder("")
        pdf.catalog = "/Outlines 5 0 R/PageLabels<</Nums[0<</S/r/P(\(long))>>]>>"
        pdf.pageCount = 2
        pdf.objects = [
            "<</First 6 0 R/Last 7 0 R>>",
            "<</Title(\(long))/Dest[3 0 R/Fit]/Next 7 0 R/First 5 0 R>>",
            "<</Title(none)/Dest[99 0 R/Fit]/Next 6 0 R/First 6 0 R>>",
        ].map { Array($0.utf8) }
        let pages = try #require(try list(pdf))
        #expect(pages.count == 2)
        #expect(pages[0].bookmark == String(repeating: "x", count: 100) && pages[1].bookmark == nil)
        #expect(pages.allSatisfy { $0.label == String(repeating: "x", count: 100) })
    }

    @Test("names with other letters arrive as they are")
    func letters() throws {
        var pdf = PDFBuilder("")
        // UTF-16 with its mark: 一階, ISO 32000-1, 7.9.2.2.
        pdf.catalog = "/PageLabels<</Nums[0<</P<FEFF4E00968E>>>]>>"
        #expect(try list(pdf)?.map(\.label) == ["一階"])
    }
}

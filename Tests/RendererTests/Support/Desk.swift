import Foundation
import RenderProtocol
import TestSupport
import Tiling

/// A folder of documents, and renderers that open them.
struct Desk {
    /// Where the documents are.
    let folder: TemporaryDirectory

    /// An empty one.
    init() throws { folder = try TemporaryDirectory() }

    /// Writes a file, and gives its path.
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: folder.url.appending(path: name))
        return folder.path(name)
    }

    /// Opens a page of a PDF.
    func open(_ pdf: PDFBuilder, page: Int = 1, layers: [String]? = nil) throws -> OpenDocument {
        try open(write(pdf.bytes, to: "document.pdf"), .pdf, page: page, layers: layers)
    }

    /// Opens an SVG: the attributes of its first element, and its contents.
    func open(svg attributes: String, _ contents: String) throws -> OpenDocument {
        let text = "<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(contents)</svg>"
        return try open(write(Array(text.utf8), to: "document.svg"), .svg)
    }

    /// Opens a page of a document.
    func open(
        _ path: String, _ type: OpenRequest.DocumentType, page: Int = 1, layers: [String]? = nil,
        password: String? = nil, memory: Int = 1 << 31, seconds: Int = 60
    ) throws -> OpenDocument {
        let renderer = try RendererProcess(path)
        let request = OpenRequest(
            type, page: page, layers: layers, password: password, memory: memory, seconds: seconds)
        return OpenDocument(renderer: renderer, page: try renderer.open(request))
    }
}

/// A renderer with an open page.
struct OpenDocument {
    /// The process.
    let renderer: RendererProcess
    /// What it said of the page.
    let page: PageDescription

    /// Draws a window of the page at a number of pixels to the point, the page's corner at the grid's.
    func draw(
        _ columns: Range<Int>, _ rows: Range<Int>, scale: Double = 1, thinnest: Double = 0,
        palest: Double = 1,
        isOneOfMany: Bool = true, isAliased: Bool = false
    ) throws -> DrawnWindow {
        try draw(
            columns, rows, Tiling.AffineTransform(a: scale, b: 0, c: 0, d: 0, e: scale, f: 0),
            thinnest: thinnest,
            palest: palest, isOneOfMany: isOneOfMany, isAliased: isAliased)
    }

    /// Draws a window of the page by a matrix; of a part of it, if there is a clip.
    func draw(
        _ columns: Range<Int>, _ rows: Range<Int>, _ matrix: Tiling.AffineTransform,
        base: Tiling.AffineTransform? = nil, clip: BoundingBox? = nil,
        thinnest: Double = 0, palest: Double = 1, isOneOfMany: Bool = true, isAliased: Bool = false
    ) throws -> DrawnWindow {
        let all = BoundingBox(minX: 0, minY: 0, maxX: page.width, maxY: page.height)
        return try renderer.draw(
            DrawRequest(
                PixelWindow(columns: columns, rows: rows), by: matrix, base: base, clip: clip ?? all,
                thinnestLine: thinnest, palestLine: palest, isOneOfMany: isOneOfMany, isAliased: isAliased))
    }
}

import Codecs
import Platform
import Raster
import RenderProtocol

/// The pages of a file that may become floors: sheets of a PDF, directories of a TIFF, overlays of a KMZ, or
/// the only picture of another file.
package struct SheetFile: Sendable {
    /// A page in the list.
    package struct Page: Hashable, Sendable {
        /// Its number, counted from 1.
        package var number: Int
        /// Columns at the standard resolution, in which `ImageRequest.crop` counts; 0 if the page is damaged.
        package var width: Int
        /// Rows at the standard resolution; 0 if the page is damaged.
        package var height: Int
        /// The label that the document gives the page, such as `A-101`; nil if it is only the page's number.
        package var label: String?
        /// The title of the first bookmark that leads to the page.
        package var bookmark: String?
    }

    /// The number of pages of the file.
    package let pageCount: Int
    /// The pages, in the order of the file: at most `mostPages`.
    package let pages: [Page]

    /// The maximum number of pages that are listed.
    package static let mostPages = 10_000

    /// Lists the pages of a file.
    ///
    /// A PDF is opened once, whatever the number of its pages; takes a few hundredths of a second, and the
    /// time to read the document.
    ///
    /// - Parameter passwordFile: a file whose first line is the password of an encrypted PDF.
    /// - Throws: a `Failure` if the file cannot be read; its `asksForPassword` is true if the document is
    ///   encrypted, and the password is missing or wrong.
    package init(_ path: String, passwordFile: String? = nil) throws {
        var request = ImageRequest(path)
        request.passwordFile = passwordFile
        let drawn = try PageImage(
            request, limits: BuildResources().rendererLimits, scratch: ImageContent.temporaryDirectory,
            listsPages: true)
        if let drawn {
            pageCount = drawn.info.pageCount
            pages = try Self.pages(of: drawn, request)
        } else {
            (pageCount, pages) = try Self.images(request)
        }
    }

    private static func pages(of drawn: PageImage, _ request: ImageRequest) throws -> [Page] {
        guard let entries = drawn.drawing.page.pages else {
            if drawn.info.pageCount == 1 { return [Page(1, drawn.info)] }
            // A renderer of an older release does not list pages.
            return try (1...min(drawn.info.pageCount, mostPages)).map { try page($0, of: request) }
        }
        func pixels(_ points: Double) -> Int {
            guard points > 0, points.isFinite else { return 0 }
            let count = PageImage.pixels(ofPoints: points, resolution: drawn.resolution)
            return Int(min(count, Double(Int32.max)))
        }
        return entries.prefix(mostPages).enumerated().map { index, entry in
            Page(
                number: index + 1, width: pixels(entry.width), height: pixels(entry.height),
                label: entry.label, bookmark: entry.bookmark)
        }
    }

    /// The images of a file that is not drawn. The first one must be readable.
    private static func images(_ request: ImageRequest) throws -> (count: Int, pages: [Page]) {
        let first: Page
        let count: Int
        if try KMZFile.isKMZ(request.path) {
            count = try KMZFile(contentsOf: request.path).overlays.count
            first = try page(1, of: request)
        } else {
            let info = try request.fileInfo()
            (count, first) = (info.pageCount, Page(1, info))
        }
        guard count > 1 else { return (1, [first]) }
        let others = (2...min(count, mostPages)).map { number in
            // A damaged page does not hide the others.
            (try? page(number, of: request)) ?? Page(number: number, width: 0, height: 0)
        }
        return (count, [first] + others)
    }

    private static func page(_ number: Int, of request: ImageRequest) throws -> Page {
        var request = request
        request.page = number
        return Page(number, try request.fileInfo())
    }
}

extension SheetFile.Page {
    fileprivate init(_ number: Int, _ info: RasterInfo) {
        self.init(number: number, width: info.width, height: info.height)
    }
}

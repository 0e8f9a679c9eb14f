import CCodec
import Platform
package import Raster

/// Opens image files, whatever their extensions.
package enum ImageFile {
    /// Opens an image of any supported format and reads its header.
    ///
    /// The file's first bytes tell its format.
    ///
    /// - Parameter check: is called before any slow step, such as finding the range of a TIFF's data.
    /// - Throws: `.missingInput` if there is no regular file that can be read, `.badInput` if it is empty,
    ///   damaged, too large, of another type, or has no such page; the remedy is a command that makes a
    ///   PNG of it, if one is known.
    package static func open(
        _ image: ImageReference, options: ReadOptions = ReadOptions(),
        checkingSize check: SizeCheck = { _, _ in }
    ) throws -> any RasterSource {
        let format = try format(of: image)
        let source = try format.open(image, options: options) { width, height in
            guard max(width, height) <= RasterInfo.longestEdge else {
                throw Failure(
                    .badInput, cannot: "read \(image.title)",
                    "it is \(width) x \(height) pixels, but an edge can have "
                        + "at most \(RasterInfo.longestEdge)",
                    remedy: "cut it into parts, and build each into its own OUTPUT")
            }
            try check(width, height)
        }
        if format.hasPages { return source }
        return try MaskFile(nextTo: image).map { try MaskedSource(source, by: $0) } ?? source
    }

    /// Opens the first image of a file.
    package static func open(
        path: String, options: ReadOptions = ReadOptions(),
        checkingSize check: SizeCheck = { _, _ in }
    ) throws -> any RasterSource {
        try open(ImageReference(path), options: options, checkingSize: check)
    }

    private static func format(of image: ImageReference) throws -> ImageFormat {
        let head = try FileHead(path: image.path)
        if let format = ImageFormats.format(head: head.bytes) {
            if image.page == 1 || format.hasPages { return format }
            throw Failure(
                .badInput, cannot: "read \(image.title)",
                "only the first image of \(format.nameWithArticle) is read", remedy: "leave --page out")
        }
        if let type = UnreadType(head: head.bytes) { throw type.failure(of: image) }
        if head.bytes.isEmpty {
            throw Failure(.badInput, cannot: "read \(image.title)", "the file is empty")
        }
        throw Failure(
            .badInput, cannot: "read \(image.title)", "it is not an image of a known type",
            remedy: "\(ImageFormats.namesWithDocuments("and")) files are read")
    }

    /// The type of a document whose pages are drawn; nil for all other files, even if they cannot be opened.
    package static func pageFormat(of path: String) -> PageFormat? {
        guard let head = try? FileHead(path: path), ImageFormats.format(head: head.bytes) == nil else {
            return nil
        }
        return UnreadType(head: head.bytes)?.pages?(path)
    }

    /// The libraries that affect an image's pixels, with their versions: `libtiff 4.5.0, lcms 2.14`.
    ///
    /// libjpeg does not report its version.
    package static func libraries(of image: ImageReference) throws -> String {
        let all = [try format(of: image).library, CC_LCMS].compactMap(\.self)
        return all.map(\.nameAndVersion).joined(separator: ", ")
    }

    /// The names of files next to an image that may have pixels: overviews, and a mask with its overviews.
    package static func neighbours(of path: String) -> [String] {
        let mask = path + MaskFile.suffix
        return [path + TIFFDirectories.overviewExtension, mask, mask + TIFFDirectories.overviewExtension]
    }

    /// The files from which an image's pixels are read: the image, and for the first page also the files of
    /// overviews and of a mask next to it.
    package static func paths(of image: ImageReference) throws -> [String] {
        if image.page > 1 { return [image.path] }
        let overviews = try TIFFDirectories.overviewFiles(of: image.path)
        guard let mask = try MaskFile.path(nextTo: image) else { return [image.path] + overviews }
        return try [image.path] + overviews + [mask] + TIFFDirectories.overviewFiles(of: mask)
    }
}

/// The name of an image: a file, and which of its pages.
package struct ImageReference: Hashable, Sendable {
    /// The file.
    package var path: String
    /// The page of the file, counted from 1.
    package var page: Int
    /// Records the parts of the file that are read; nil if they need not be recorded.
    package var reads: FileReads?
    /// The name of the file for people, if the file is a copy.
    private let name: String?

    /// Names an image.
    ///
    /// - Parameter name: the name in messages, if the file is a temporary copy; nil for its path.
    package init(_ path: String, page: Int = 1, named name: String? = nil) {
        self.path = path
        self.page = page
        self.name = name
    }

    /// The name of the file in messages, without the page.
    var fileName: String { name ?? path }

    /// Whether the file is a copy of a file that people know by another name.
    var isCopy: Bool { name != nil }

    /// The name in messages: `'scan.tif'`, `page 2 of 'scan.tif'`.
    package var title: String {
        let file = "'\(name ?? path)'"
        return page == 1 ? file : "page \(page) of \(file)"
    }
}

/// A type of document whose pages are drawn.
package enum PageFormat: Sendable {
    case pdf, svg, dxf, dwg
}

/// The first bytes of a file: enough to tell its type.
struct FileHead {
    /// At most `FileHead.size` bytes; more if the text begins as XML.
    let bytes: [UInt8]

    /// Enough to tell the type of an image.
    static let size = 1024
    /// The size for XML: the root element of an SVG follows declarations and comments, such as licences.
    private static let markupSize = 1 << 16

    /// Reads the head of a regular file.
    ///
    /// - Throws: `.missingInput` if there is no such file, or the failure to read it.
    init(path: String) throws {
        do throws(SystemError) {
            let file = try FileDescriptor(reading: path)
            let head = try file.readBytes(at: 0, count: Self.size)
            bytes = Self.isMarkup(head) ? try file.readBytes(at: 0, count: Self.markupSize) : head
        } catch {
            guard error == .notRegular else { throw InputFile.unreadable(path, error) }
            let isDirectory = FileStatus(at: path)?.kind == .directory
            throw Failure(
                .missingInput, cannot: "read '\(path)'", isDirectory ? "it is a folder" : error.text)
        }
    }

    /// Whether a text begins with a tag, a declaration or a comment.
    static func isMarkup(_ head: [UInt8]) -> Bool {
        TextEncoding.utf8(head).first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}

/// Throws if an image of a size is not wanted. Called before any slow step.
package typealias SizeCheck = (_ width: Int, _ height: Int) throws -> Void

/// A supported format of image files: how to recognise it, and how to open it.
struct ImageFormat: Sendable {
    /// The usual name: `PNG`.
    let name: String
    /// The word before the name.
    var article = "a"
    /// The extensions of its files, without the dot, in lower case.
    let extensions: [String]
    /// The library whose version decides the pixels; nil if all versions give the same.
    var library: cc_library?
    /// Whether a file that begins with the given bytes is of the format.
    let fits: @Sendable (_ head: [UInt8]) -> Bool
    /// Opens a file that holds one image, whose samples are 8 bits once they are read; nil for TIFF, see
    /// `TIFFSource`.
    let rows: RowSource.Open?

    /// TIFF and BigTIFF files: byte order, then 42 or 43.
    static let tiff = ImageFormat(
        name: "TIFF", extensions: ["tif", "tiff"], library: CC_LIBTIFF,
        fits: { head in
            let signatures: [[UInt8]] = [
                [0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43],
            ]
            return signatures.contains { head.starts(with: $0) }
        }, rows: nil)

    /// The name with its article: `a PNG`.
    var nameWithArticle: String { "\(article) \(name)" }

    /// Whether a file may hold several images, its pages.
    var hasPages: Bool { rows == nil }

    /// Opens an image and reads its header.
    ///
    /// - Parameter options: how samples become pixels. For percentages of a range all of the image is read,
    ///   and it is opened again.
    /// - Throws: a `Failure` that names the file.
    func open(
        _ image: ImageReference, options: ReadOptions, checkingSize check: SizeCheck
    ) throws -> any RasterSource {
        guard let rows else { return try TIFFSource(image, options: options, checkingSize: check) }
        let source = try rows(image, options, check)
        let transparent: any RasterSource =
            source.nodata.map { ConvertedSource(source, nodata: $0.color) } ?? source
        guard source.info.sampleRange == nil, let range = options.range, range.values == nil else {
            return try ConvertedSource.applying(options, to: transparent, title: image.title)
        }
        let histogram = try SampleHistogram(readingAll: transparent, bands: options.bands, title: image.title)
        var options = options
        options.range = SampleRange(
            try range.found(in: image.title) { Double(histogram.index(ofShare: $0)) })
        return try open(image, options: options, checkingSize: check)
    }
}

/// The list of all supported formats, which help texts and messages use.
package enum ImageFormats {
    /// All formats; the first that fits a file reads it.
    static let all: [ImageFormat] = [.png, .jpeg, .tiff, .heic, .avif, .webp]

    /// The names of all formats in a sentence: `PNG, JPEG, TIFF, HEIC, AVIF or WebP`.
    ///
    /// - Parameter conjunction: the word before the last name.
    package static func names(_ conjunction: String) -> String {
        all.map { $0.name }.listed(conjunction)
    }

    /// The same with the documents whose pages are drawn.
    package static func namesWithDocuments(_ conjunction: String) -> String {
        (all.map { $0.name } + ["PDF", "SVG", "DXF", "DWG"]).listed(conjunction)
    }

    /// The extensions, without the dot, of files that are read and of documents whose pages are drawn.
    package static var extensions: [String] {
        all.flatMap { $0.extensions } + ["pdf", "svg", "svgz", "dxf", "dwg"]
    }

    /// The format of a file that begins with these bytes; nil if none fits.
    static func format(head: [UInt8]) -> ImageFormat? { all.first { $0.fits(head) } }
}

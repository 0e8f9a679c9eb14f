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
    case pdf, svg
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
            guard error == .notRegular else { throw InputFile.unreadable(path, error.code) }
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

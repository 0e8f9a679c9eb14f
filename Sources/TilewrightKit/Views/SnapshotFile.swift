public import Codecs
import Platform

/// The file that the picture of a view goes to.
public struct SnapshotFile: Sendable {
    /// Its path.
    public let path: String

    /// Whether it is a JPEG file; else it is a PNG file.
    public let isJPEG: Bool

    /// Names a file.
    ///
    /// - Parameters:
    ///   - path: ends in `.png`, `.jpg` or `.jpeg`.
    ///   - contents: what the view shows, which is not overwritten.
    ///   - others: other files that are read: lists that named it, a cutline.
    /// - Throws: a `Failure`: `usage` if the name has another ending or is one of those that are read,
    ///   `outputRefused` if no file can be written there.
    public init(_ path: String, of contents: [MapContent], others: [String] = []) throws {
        let name = path.lowercased()
        isJPEG = name.hasSuffix(".jpg") || name.hasSuffix(".jpeg")
        guard isJPEG || name.hasSuffix(".png") else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "the picture of a view is a PNG or JPEG file",
                remedy: "let its name end in .png or .jpg")
        }
        var images: [ImageRequest] = []
        for content in contents {
            switch content {
            case .tileset(let tileset): try OutputPicture.check(path, isOutside: tileset)
            case .image(let image): images.append(image.request)
            }
        }
        try OutputPicture.check(path, isNoneOf: images, others: others)
        try OutputFile.checkPlace(path)
        self.path = path
    }

    /// The folder of a file.
    public var folder: String { path.parentDirectory }

    /// The file type, as requests have it.
    ///
    /// - Parameters:
    ///   - quality: of JPEG; nil for 85.
    ///   - pngLevel: how hard to try on the size of PNG; nil for `standard`.
    ///   - jpegLevel: the same of JPEG.
    /// - Throws: `.usage` for one that means nothing for the type.
    public func format(
        quality: Int? = nil, pngLevel: PNGLevel? = nil, jpegLevel: JPEGLevel? = nil
    ) throws -> SnapshotRequest.Format {
        var encoding = TileEncoding(isJPEG ? .jpeg : .png, quality: quality)
        encoding.pngLevel = pngLevel
        encoding.jpegLevel = jpegLevel
        try encoding.check()
        return isJPEG
            ? .jpeg(quality: encoding.effectiveQuality, encoding.effectiveJPEGLevel)
            : .png(encoding.effectivePNGLevel)
    }

    /// Writes the picture, whole or not at all, in the place of what has the name.
    ///
    /// - Throws: a `Failure`: `outputRefused` if the file cannot be made, `inputOutput` if writing fails.
    public func write(_ bytes: [UInt8]) throws { try OutputFile.write(bytes, to: path) }
}

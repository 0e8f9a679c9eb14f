import Platform
public import Raster
public import Tiling

/// An image, the part of it that counts, and its position. A property that is nil means the same as an option
/// that is left out.
public struct ImageRequest: Hashable, Codable, Sendable {
    /// The file: PNG, JPEG, TIFF, HEIC, AVIF or WebP; a KMZ whose ground overlay shows one; or a PDF or SVG,
    /// whose pages the companion `tilewright-render` draws.
    public var path: String
    /// The page of a PDF or TIFF, or the ground overlay of a KMZ, counted from 1; nil for the first one,
    /// which must be the only one of a KMZ.
    public var page: Int?
    /// The layers of a PDF that are shown, by name; nil for those that the document shows.
    public var layers: [String]?
    /// A file whose first line is the password of an encrypted PDF.
    public var passwordFile: String?
    /// The position.
    public var position: PositionRequest
    /// The pixels that count, of the image as its position sees it; nil for all. The rest keeps its position.
    public var crop: PixelWindow?
    /// A colour, in sRGB, that becomes transparent before any filter; nil for what the file says.
    public var nodata: ColorKey?
    /// The colour, in sRGB, of the paper that a drawing is lifted off, before any filter: its pixels become
    /// transparent, and edges between it and ink become ink with partial alpha.
    public var paper: ColorKey?
    /// The bands to take, counted from 1: one for gray, or three, and one more for alpha; nil for the file's
    /// order.
    public var bands: [Int]?
    /// The sample values that become black and white; nil for the type's range up to 8 bits, and that of the
    /// data beyond.
    public var rescale: SampleRange?
    /// Whether the file's numbers are taken as sRGB, without its colour profile.
    public var keepColors = false

    /// Asks for all of an image; by default, its file or those beside it have the position.
    public init(_ path: String, at position: PositionRequest = PositionRequest()) {
        self.path = path
        self.position = position
    }

    /// The page, counted from 1.
    package var pageNumber: Int { page ?? 1 }

    /// Its name in messages: `'scan.tif'`, `page 2 of 'scan.tif'`.
    package var title: String { pageNumber == 1 ? "'\(path)'" : "page \(pageNumber) of '\(path)'" }

    /// Its name in lists: `scan.tif`, `scan.tif, page 2`.
    package var listName: String { pageNumber == 1 ? path : "\(path), page \(pageNumber)" }

    /// The name of its file without its ending; a later page has its number after it.
    ///
    /// - Parameter separator: between the two.
    package func stem(_ separator: String) -> String {
        pageNumber == 1 ? path.fileStem : "\(path.fileStem)\(separator)\(pageNumber)"
    }

    /// The same for several images.
    ///
    /// - Throws: `.usage` if there are several, and something is meant for one.
    package func repeated(for paths: [String]) throws(Failure) -> [ImageRequest] {
        let name = position.source.optionName ?? (crop == nil ? nil : "--crop")
        if paths.count > 1, let name {
            throw Failure(
                .usage, "\(name) is for one image, and there are \(paths.count)",
                remedy: position.source == .files
                    ? "cut the images first, or build each into an OUTPUT of its own"
                    : "put a world file, .points or another sidecar beside each of them")
        }
        return paths.map { path in
            var request = self
            request.path = path
            return request
        }
    }
}

import Platform
public import Raster
public import Tiling

/// An image, what of it counts, and where it lies.
///
/// What is left out means the same as an option that is left out of the command.
public struct ImageRequest: Hashable, Codable, Sendable {
    /// The file, of a format that is read: PNG, JPEG, TIFF, HEIC, AVIF or WebP; a KMZ whose ground overlay
    /// shows one; or a PDF or SVG, whose pages the companion `tilewright-render` draws.
    public var path: String
    /// The page of a PDF or a TIFF, or the ground overlay of a KMZ, counted from 1; nil for the first one,
    /// which must be the only one of a KMZ.
    public var page: Int?
    /// The layers of a PDF that are shown, by name; nil for those that the document shows.
    public var layers: [String]?
    /// A file whose first line is the password of an encrypted PDF.
    public var passwordFile: String?
    /// Where the image lies.
    public var position: PositionRequest
    /// The pixels that count, of the image as its position sees it; nil for all of them. The position of
    /// what remains does not change.
    public var crop: PixelWindow?
    /// A colour, in sRGB, that becomes transparent before any filter; nil for what the file says.
    public var nodata: ColorKey?
    /// The colour, in sRGB, of the sheet that a drawing is lifted off, before any filter: its pixels become
    /// transparent, and edges between it and ink become ink with partial alpha.
    public var paper: ColorKey?
    /// The bands to take, counted from 1: one for gray, or three, and one more for alpha; nil for the
    /// file's own order.
    public var bands: [Int]?
    /// The sample values that become black and white; nil for the type's range up to 8 bits, and for the
    /// range of the data beyond.
    public var rescale: SampleRange?
    /// Whether the file's numbers are taken as sRGB, whatever colours the file says that they are.
    public var keepColors = false

    /// Asks for all of an image.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - position: where it lies; by default what the file and those beside it say.
    public init(_ path: String, at position: PositionRequest = PositionRequest()) {
        self.path = path
        self.position = position
    }
}

extension ImageRequest {
    /// The page, counted from 1.
    package var pageNumber: Int { page ?? 1 }

    /// What messages call it: `'scan.tif'`, `page 2 of 'scan.tif'`.
    package var title: String { pageNumber == 1 ? "'\(path)'" : "page \(pageNumber) of '\(path)'" }

    /// What people read of it in a list: `scan.tif`, `scan.tif, page 2`.
    package var listName: String { pageNumber == 1 ? path : "\(path), page \(pageNumber)" }

    /// The name of its file without its ending; of a later page with the page's number behind it, by which
    /// it is told from the others.
    ///
    /// - Parameter separator: what stands between the two.
    package func stem(_ separator: String) -> String {
        pageNumber == 1 ? path.fileStem : "\(path.fileStem)\(separator)\(pageNumber)"
    }

    /// The same of several images.
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

import CCodec
import Platform
import Raster

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
        (all.map { $0.name } + ["PDF", "SVG"]).listed(conjunction)
    }

    /// The extensions, without the dot, of files that are read and of documents whose pages are drawn.
    package static var extensions: [String] { all.flatMap { $0.extensions } + ["pdf", "svg", "svgz"] }

    /// The format of a file that begins with these bytes; nil if none fits.
    static func format(head: [UInt8]) -> ImageFormat? { all.first { $0.fits(head) } }
}

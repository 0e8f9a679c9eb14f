import CCodec
import Platform
import Raster

/// A supported format of image files: how to recognise it, and how to open it.
///
/// To add a format, write such a type in a folder of its own, and list it in `ImageFormats`.
protocol ImageFormat {
    /// What people call it: `PNG`.
    static var name: String { get }

    /// The name with its article: `a PNG`, which is the default.
    static var nameWithArticle: String { get }

    /// The endings that names of its files have, without the dot, in lower case.
    static var extensions: [String] { get }

    /// Whether a file may hold several images, its pages.
    static var hasPages: Bool { get }

    /// Whether its reader takes the mask in a file beside the image by itself.
    static var readsMasks: Bool { get }

    /// The library whose version decides the pixels; nil if all versions give the same.
    static var library: cc_library? { get }

    /// Whether a file that begins with these bytes is of the format.
    static func fits(_ head: [UInt8]) -> Bool

    /// Opens an image and reads its header.
    ///
    /// - Parameters:
    ///   - options: how samples become pixels.
    ///   - environment: what the reader may use beside the file.
    ///   - check: throws if an image of that many columns and rows is not wanted. It is called before any
    ///     slow step.
    /// - Throws: a `Failure` that names the file.
    static func open(
        _ image: ImageReference, options: ReadOptions, in environment: ReaderEnvironment,
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws -> any RasterSource
}

/// The list of all supported formats. Helps and messages name what it holds.
package enum ImageFormats {
    /// The names of all formats in a sentence: `PNG, JPEG, TIFF, HEIC, AVIF or WebP`.
    ///
    /// - Parameter conjunction: the word before the last one.
    package static func names(_ conjunction: String) -> String {
        all.map { $0.name }.listed(conjunction)
    }

    /// The same with the documents whose pages are drawn.
    package static func namesWithDocuments(_ conjunction: String) -> String {
        (all.map { $0.name } + ["PDF", "SVG"]).listed(conjunction)
    }

    /// The endings of names of files that are read, without the dot, and of documents whose pages are drawn.
    package static var extensions: [String] { all.flatMap { $0.extensions } + ["pdf", "svg", "svgz"] }

    /// All formats; the first that fits a file reads it.
    static var all: [any ImageFormat.Type] {
        [
            PNGFormat.self, JPEGFormat.self, TIFFFormat.self, HEICFormat.self, AVIFFormat.self,
            WebPFormat.self,
        ]
    }

    /// The format of a file that begins with these bytes; nil if none fits.
    static func format(head: [UInt8]) -> (any ImageFormat.Type)? { all.first { $0.fits(head) } }
}

extension ImageFormat {
    static var hasPages: Bool { false }

    static var readsMasks: Bool { false }

    static var library: cc_library? { nil }

    static var nameWithArticle: String { "a \(name)" }

    /// Checks a source's size, makes its nodata pixels transparent, and applies the options.
    ///
    /// For percentages of a range all of the source is read, and the image is opened again.
    static func converted(
        _ source: some RasterSource, _ nodata: NodataLevel?, of image: ImageReference, options: ReadOptions,
        in environment: ReaderEnvironment, checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws -> any RasterSource {
        try check(source.info.width, source.info.height)
        let transparent: any RasterSource =
            nodata.map { ConvertedSource(source, nodata: $0.color) } ?? source
        guard source.info.sampleRange == nil, let range = options.range, range.values == nil else {
            return try ConvertedSource.applying(options, to: transparent, title: image.title)
        }
        let histogram = try SampleHistogram(readingAll: transparent, bands: options.bands, title: image.title)
        var options = options
        options.range = SampleRange(
            try range.found(in: image.title) { Double(histogram.index(ofShare: $0)) })
        return try open(image, options: options, in: environment, checkingSize: check)
    }
}

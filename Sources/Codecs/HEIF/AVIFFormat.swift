import CCodec
import Raster

/// AVIF files, as `HEIFSource` reads them.
enum AVIFFormat: ImageFormat {
    static let name = "AVIF"
    static let nameWithArticle = "an AVIF"
    static let extensions = ["avif"]
    static let library: cc_library? = CC_LIBHEIF

    static func fits(_ head: [UInt8]) -> Bool { HEIFBrands(head)?.isAVIF ?? false }

    static func open(
        _ image: ImageReference, options: ReadOptions, in environment: ReaderEnvironment,
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws -> any RasterSource {
        let source = try HEIFSource(image, options: options)
        return try converted(
            source, source.nodata, of: image, options: options, in: environment, checkingSize: check)
    }
}

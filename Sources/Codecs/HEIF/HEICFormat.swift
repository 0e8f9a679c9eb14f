import CCodec
import Raster

/// HEIC files, as `HEIFSource` reads them.
enum HEICFormat: ImageFormat {
    static let name = "HEIC"
    static let extensions = ["heic", "heif", "hif"]
    static let library: cc_library? = CC_LIBHEIF

    static func fits(_ head: [UInt8]) -> Bool { HEIFBrands(head)?.isHEIC ?? false }

    static func open(
        _ image: ImageReference, options: ReadOptions, in environment: ReaderEnvironment,
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws -> any RasterSource {
        let source = try HEIFSource(image, options: options)
        return try converted(
            source, source.nodata, of: image, options: options, in: environment, checkingSize: check)
    }
}

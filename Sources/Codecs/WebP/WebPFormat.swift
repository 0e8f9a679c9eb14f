import CCodec
import Raster
import Tiling

/// WebP files of a still image, as `WebPSource` reads them.
enum WebPFormat: ImageFormat {
    static let name = "WebP"
    static let extensions = ["webp"]
    static let library: cc_library? = CC_LIBWEBP

    static func fits(_ head: [UInt8]) -> Bool { TileFormat(signatureOf: head) == .webp }

    static func open(
        _ image: ImageReference, options: ReadOptions, in environment: ReaderEnvironment,
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws -> any RasterSource {
        let source = try WebPSource(image, options: options)
        return try converted(
            source, source.nodata, of: image, options: options, in: environment, checkingSize: check)
    }
}

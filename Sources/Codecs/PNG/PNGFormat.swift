import Raster
import Tiling

/// PNG files, as `PNGSource` reads them.
enum PNGFormat: ImageFormat {
    static let name = "PNG"
    static let extensions = ["png"]

    static func fits(_ head: [UInt8]) -> Bool { TileFormat(signatureOf: head) == .png }

    static func open(
        _ image: ImageReference, options: ReadOptions, in environment: ReaderEnvironment,
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws -> any RasterSource {
        let source = try PNGSource(image, options: options, checkingSize: check)
        return try converted(
            source, source.nodata, of: image, options: options, in: environment, checkingSize: check)
    }
}

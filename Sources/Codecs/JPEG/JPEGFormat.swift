import Raster
import Tiling

/// JPEG files, as `JPEGSource` reads them.
enum JPEGFormat: ImageFormat {
    static let name = "JPEG"
    static let extensions = ["jpg", "jpeg"]

    static func fits(_ head: [UInt8]) -> Bool { TileFormat(signatureOf: head) == .jpeg }

    static func open(
        _ image: ImageReference, options: ReadOptions, in environment: ReaderEnvironment,
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws -> any RasterSource {
        let source = try JPEGSource(image, options: options)
        return try converted(
            source, source.nodata, of: image, options: options, in: environment, checkingSize: check)
    }
}

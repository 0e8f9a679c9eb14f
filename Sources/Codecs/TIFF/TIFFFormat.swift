import CCodec
import Raster

/// TIFF and BigTIFF files, as `TIFFSource` reads them.
enum TIFFFormat: ImageFormat {
    static let name = "TIFF"
    static let extensions = ["tif", "tiff"]
    static let library: cc_library? = CC_LIBTIFF
    static let hasPages = true
    static let readsMasks = true

    /// Byte order, then 42 for TIFF or 43 for BigTIFF.
    private static let signatures: [[UInt8]] = [
        [0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42], [0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43],
    ]

    static func fits(_ head: [UInt8]) -> Bool { signatures.contains { head.starts(with: $0) } }

    static func open(
        _ image: ImageReference, options: ReadOptions, in environment: ReaderEnvironment,
        checkingSize check: (_ width: Int, _ height: Int) throws -> Void
    ) throws -> any RasterSource {
        try TIFFSource(image, options: options, checkingSize: check)
    }
}

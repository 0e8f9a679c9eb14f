import CCodec
import Raster

/// The handle of `cc_jpeg_writer_create`.
struct JPEGWriter: ~Copyable {
    private let handle: OpaquePointer

    /// Makes a writer.
    ///
    /// - Parameter quality: libjpeg's quality, 1 to 100.
    init(quality: Int) throws {
        handle = try opened("cannot encode JPEG tiles") {
            cc_jpeg_writer_create(Int32(quality), &$0, &$1)
        }
    }

    /// Encodes a tile; `cc_jpeg_write`.
    mutating func encode(_ pixels: TilePixels) throws -> [UInt8] {
        var message = cc_message()
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        let size = UInt32(pixels.size)
        try cc_jpeg_write(handle, pixels.bytes.baseAddress, size, size, &bytes, &count, &message)
            .check("cannot encode a JPEG tile", message)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    deinit { cc_jpeg_writer_destroy(handle) }
}

import CCodec
import Raster

/// The handle of `cc_webp_writer_create`.
struct WebPWriter: ~Copyable {
    private let handle: OpaquePointer

    /// Makes a writer.
    ///
    /// - Parameter quality: libwebp's quality, 1 to 100, or nil for lossless files.
    init(quality: Int?) throws {
        handle = try opened("cannot encode WebP tiles") {
            cc_webp_writer_create(quality == nil, Int32(quality ?? 0), &$0, &$1)
        }
    }

    /// Encodes a tile; `cc_webp_write`.
    mutating func encode(_ pixels: TilePixels) throws -> [UInt8] {
        var message = cc_message()
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        let size = UInt32(pixels.size)
        try cc_webp_write(
            handle, pixels.bytes.baseAddress, size, size, pixels.isOpaque, &bytes, &count, &message
        )
        .check("cannot encode a WebP tile", message)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    deinit { cc_webp_writer_destroy(handle) }
}

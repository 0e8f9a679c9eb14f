import CCodec
import Raster

/// The handle of `cc_png_writer_create`.
struct PNGWriter: ~Copyable {
    /// Pixels along the edge of the tiles that it encodes.
    let size: Int
    private let handle: OpaquePointer

    init(level: PNGLevel, size: Int) throws {
        let effort =
            switch level {
            case .fast: CC_PNG_FAST
            case .standard: CC_PNG_STANDARD
            case .small: CC_PNG_SMALL
            }
        var message = cc_message()
        var handle: OpaquePointer?
        try cc_png_writer_create(effort, UInt32(size), UInt32(size), &handle, &message)
            .check("cannot encode PNG tiles", message)
        guard let handle else { preconditionFailure("cc_png_writer_create gave no handle") }
        self.size = size
        self.handle = handle
    }

    mutating func encode(_ pixels: TilePixels) throws -> [UInt8] {
        var message = cc_message()
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try cc_png_write(handle, pixels.bytes.baseAddress, &bytes, &count, &message)
            .check("cannot encode a PNG tile", message)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    deinit { cc_png_writer_destroy(handle) }
}

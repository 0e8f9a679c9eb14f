import CCodec

/// The handle of `cc_jpeg_writer_create`.
struct JPEGWriter: ~Copyable {
    private let handle: OpaquePointer

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - quality: libjpeg's quality, 1 to 100.
    ///   - level: how hard to try for small files.
    init(quality: Int, level: JPEGLevel) throws {
        handle = try opened("cannot encode JPEG tiles") {
            cc_jpeg_writer_create(Int32(quality), level == .small, &$0, &$1)
        }
    }

    /// Encodes an image; `cc_jpeg_write`.
    ///
    /// - Parameters:
    ///   - rgba: rows without gaps; alpha is ignored.
    ///   - width: columns.
    ///   - height: rows.
    mutating func encode(
        _ rgba: UnsafeBufferPointer<UInt8>, width: Int, height: Int
    ) throws -> [UInt8] {
        precondition(rgba.count == width * height * 4, "an image has all its pixels")
        var message = cc_message()
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try cc_jpeg_write(
            handle, rgba.baseAddress, UInt32(width), UInt32(height), &bytes, &count, &message
        ).check("cannot encode JPEG", message)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    deinit { cc_jpeg_writer_destroy(handle) }
}

/// Whole images as JPEG files.
package enum JPEGImage {
    /// Encodes an image, as `JPEGTileEncoder` encodes tiles.
    ///
    /// - Parameters:
    ///   - rgba: rows without gaps; alpha is ignored.
    ///   - width: columns, at most 65500.
    ///   - height: rows, likewise.
    ///   - quality: libjpeg's quality, 1 to 100.
    ///   - level: how hard to try for a small file.
    package static func encode(
        rgba: UnsafeBufferPointer<UInt8>, width: Int, height: Int, quality: Int,
        level: JPEGLevel = .standard
    ) throws -> [UInt8] {
        var writer = try JPEGWriter(quality: quality, level: level)
        return try writer.encode(rgba, width: width, height: height)
    }
}

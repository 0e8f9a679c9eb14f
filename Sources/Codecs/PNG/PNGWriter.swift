import CCodec
import Platform

/// The handle of `cc_png_writer_create`.
struct PNGWriter: ~Copyable {
    /// The columns of each image.
    let width: Int
    /// The rows of each image.
    let height: Int
    private let handle: OpaquePointer

    /// Makes a writer of images of one size.
    init(level: PNGLevel, width: Int, height: Int) throws {
        handle = try opened("cannot encode PNG") {
            cc_png_writer_create(level.effort, UInt32(width), UInt32(height), &$0, &$1)
        }
        (self.width, self.height) = (width, height)
    }

    /// Encodes an image; `cc_png_write`.
    ///
    /// - Parameters:
    ///   - rgba: straight alpha, rows without gaps.
    ///   - isOpaque: whether every alpha is known to be 255.
    mutating func encode(_ rgba: UnsafeBufferPointer<UInt8>, isOpaque: Bool = false) throws -> [UInt8] {
        precondition(rgba.count == width * height * 4, "a writer's images have its size")
        var message = cc_message()
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try cc_png_write(handle, rgba.baseAddress, isOpaque, &bytes, &count, &message)
            .check("cannot encode PNG", message)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    deinit { cc_png_writer_destroy(handle) }
}

/// Whole images as PNG files.
package enum PNGImage {
    /// Encodes an image in the smallest form that holds its pixels exactly.
    ///
    /// - Parameters:
    ///   - rgba: straight alpha, rows without gaps.
    ///   - width: columns.
    ///   - height: rows.
    package static func encode(rgba: [UInt8], width: Int, height: Int) throws -> [UInt8] {
        try rgba.withUnsafeBufferPointer { try encode(rgba: $0, width: width, height: height) }
    }

    /// Encodes an image that stays where it is.
    package static func encode(
        rgba: UnsafeBufferPointer<UInt8>, width: Int, height: Int, level: PNGLevel = .standard
    ) throws -> [UInt8] {
        var writer = try PNGWriter(level: level, width: width, height: height)
        return try writer.encode(rgba)
    }

    /// Encodes the picture of a view, in half the time that `standard` takes for tiles.
    ///
    /// - Parameter rgba: straight alpha, rows without gaps, and behind them as many bytes more as there are
    ///   rows. The pixels are lost: they are compressed where they lie.
    package static func encode(
        consuming rgba: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int
    ) throws -> [UInt8] {
        precondition(rgba.count == width * height * 4 + height, "a picture has room for its filters")
        var message = cc_message()
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        try cc_png_write_view(
            rgba.baseAddress, UInt32(width), UInt32(height), &bytes, &count, &message
        ).check("cannot encode PNG", message)
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}

extension PNGLevel {
    /// As the C code takes it.
    var effort: cc_png_effort {
        switch self {
        case .fast: CC_PNG_FAST
        case .standard: CC_PNG_STANDARD
        case .small: CC_PNG_SMALL
        }
    }
}

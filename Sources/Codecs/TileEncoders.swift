import CCodec
import Platform
package import Raster

/// Encodes tiles with a writer of the C code. Tiles of a single colour are encoded once per colour: plans
/// have many such tiles, in few colours.
package class CachingTileEncoder: TileEncoder {
    /// The maximum number of tiles of a single colour that are kept: PNG files have about 130 bytes each, 270
    /// for tiles of 512, JPEG files a kilobyte or four.
    private static let mostUniformTiles = 64

    private struct UniformTile: Hashable {
        var color: UInt32
        var size: Int
    }

    private let makeWriter: (_ size: Int) throws -> ImageWriter
    private var writer: ImageWriter?
    private var uniformTiles: [UniformTile: [UInt8]] = [:]

    /// Makes an encoder; its memory is allocated with the first tile.
    ///
    /// - Parameter makeWriter: makes a writer of tiles with the given edge in pixels.
    init(_ makeWriter: @escaping (_ size: Int) throws -> ImageWriter) { self.makeWriter = makeWriter }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        guard let color = pixels.uniformColor else { return try write(pixels) }
        let key = UniformTile(color: color, size: pixels.size)
        if let bytes = uniformTiles[key] { return bytes }
        let bytes = try write(pixels)
        if uniformTiles.count < Self.mostUniformTiles { uniformTiles[key] = bytes }
        return bytes
    }

    private func write(_ pixels: TilePixels) throws -> [UInt8] {
        if writer?.width != pixels.size { writer = nil }
        let writer = try self.writer.take() ?? makeWriter(pixels.size)
        let bytes = try writer.encode(pixels.bytes, isOpaque: pixels.isOpaque)
        self.writer = consume writer
        return bytes
    }
}

extension TilePixels {
    /// The four bytes of the colour that all pixels have; nil if they differ.
    fileprivate var uniformColor: UInt32? {
        let bytes = UnsafeRawBufferPointer(bytes)
        guard let first = bytes.baseAddress, memcmp(first, first + 4, bytes.count - 4) == 0 else {
            return nil
        }
        return bytes.loadUnaligned(as: UInt32.self)
    }
}

/// Encodes a tile as JPEG if all its pixels are opaque, else as PNG.
package final class AutoTileEncoder: TileEncoder {
    private let opaque: JPEGTileEncoder
    private let translucent: PNGTileEncoder

    /// Makes an encoder of two others.
    package init(opaque: JPEGTileEncoder, translucent: PNGTileEncoder) {
        self.opaque = opaque
        self.translucent = translucent
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        pixels.isOpaque ? try opaque.encode(pixels) : try translucent.encode(pixels)
    }
}

/// The handle of a writer of the C code, for images of one size.
struct ImageWriter: ~Copyable {
    /// The library whose functions are called.
    enum Codec: String {
        case png = "PNG"
        case jpeg = "JPEG"
        case webp = "WebP"
    }

    /// The columns of each image.
    let width: Int
    /// The rows of each image.
    let height: Int
    private let codec: Codec
    private let handle: OpaquePointer

    /// Makes a writer; `cc_png_writer_create` and the like.
    init(
        _ codec: Codec, width: Int, height: Int,
        _ create: (_ handle: inout OpaquePointer?, _ message: inout cc_message) -> cc_status
    ) throws(Failure) {
        handle = try opened("cannot encode \(codec.rawValue)", create)
        (self.codec, self.width, self.height) = (codec, width, height)
    }

    /// Encodes an image; `cc_png_write` and the like.
    ///
    /// - Parameters:
    ///   - rgba: straight alpha, rows without gaps; for JPEG alpha is ignored.
    ///   - isOpaque: whether every alpha is known to be 255.
    func encode(_ rgba: UnsafeBufferPointer<UInt8>, isOpaque: Bool) throws(Failure) -> [UInt8] {
        precondition(rgba.count == width * height * 4, "a writer's images have its size")
        let (columns, rows) = (UInt32(width), UInt32(height))
        var (bytes, count) = (UnsafePointer<UInt8>?.none, 0)
        var message = cc_message()
        let status =
            switch codec {
            case .png: cc_png_write(handle, rgba.baseAddress, isOpaque, &bytes, &count, &message)
            case .jpeg: cc_jpeg_write(handle, rgba.baseAddress, columns, rows, &bytes, &count, &message)
            case .webp:
                cc_webp_write(handle, rgba.baseAddress, columns, rows, isOpaque, &bytes, &count, &message)
            }
        try status.check("cannot encode \(codec.rawValue)", message)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    deinit {
        switch codec {
        case .png: cc_png_writer_destroy(handle)
        case .jpeg: cc_jpeg_writer_destroy(handle)
        case .webp: cc_webp_writer_destroy(handle)
        }
    }
}

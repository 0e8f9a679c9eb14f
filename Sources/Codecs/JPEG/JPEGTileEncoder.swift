import CCodec
package import Raster

/// Encodes tiles as baseline JPEG; alpha is ignored, so that tiles should be opaque.
///
/// Chroma is halved both ways below quality 90 and whole from there on, as libvips does. A tile all
/// of whose pixels are gray has no chroma.
package final class JPEGTileEncoder: TileEncoder {
    private let quality: Int
    private var writer: JPEGWriter?

    /// Makes an encoder for libjpeg's `quality`, 1 to 100; its memory is allocated with the first
    /// tile.
    package init(quality: Int) {
        precondition((1...100).contains(quality), "quality is 1 to 100")
        self.quality = quality
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        var writer = try self.writer.take() ?? JPEGWriter(quality: quality)
        let bytes = try writer.encode(pixels)
        self.writer = consume writer
        return bytes
    }
}

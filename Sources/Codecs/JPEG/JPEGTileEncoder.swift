import CCodec
package import Raster

/// Encodes tiles as baseline JPEG. Alpha is ignored, so tiles should be opaque.
///
/// Below quality 90 chroma is halved both ways, from 90 on it is whole, as in libvips. A tile whose
/// pixels are all gray has no chroma.
package final class JPEGTileEncoder: TileEncoder {
    private let quality: Int
    private var writer: JPEGWriter?

    /// Makes an encoder; its memory is allocated with the first tile.
    ///
    /// - Parameter quality: libjpeg's quality, 1 to 100.
    package init(quality: Int) {
        precondition((1...100).contains(quality), "quality is 1 to 100")
        self.quality = quality
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        var writer = try self.writer.take() ?? JPEGWriter(quality: quality)
        let bytes = try writer.encode(pixels.bytes, width: pixels.size, height: pixels.size)
        self.writer = consume writer
        return bytes
    }
}

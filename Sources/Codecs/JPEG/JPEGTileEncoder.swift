import CCodec
package import Raster

/// Encodes tiles as baseline JPEG. Alpha is ignored, so tiles should be opaque.
///
/// Below quality 90 chroma is halved both ways, from 90 on it is whole, as in libvips. A tile whose
/// pixels are all gray has no chroma.
package final class JPEGTileEncoder: TileEncoder {
    private let quality: Int
    private var writer: JPEGWriter?
    private var uniformTiles = UniformTiles()

    /// Makes an encoder; its memory is allocated with the first tile.
    ///
    /// - Parameter quality: libjpeg's quality, 1 to 100.
    package init(quality: Int) {
        precondition((1...100).contains(quality), "quality is 1 to 100")
        self.quality = quality
    }

    /// Bytes that an encoder touches for tiles of `size * size` pixels.
    ///
    /// A buffer that doubles holds the file, which is a byte for each pixel of noise at the most; libjpeg keeps two rows
    /// of blocks with their surroundings, three components of 40 rows, and some 64 KiB of tables.
    package static func bytes(size: Int) -> Int { size * size + size * 3 * 40 + (64 << 10) }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        try uniformTiles.encode(pixels, otherwise: write)
    }

    private func write(_ pixels: TilePixels) throws -> [UInt8] {
        var writer = try self.writer.take() ?? JPEGWriter(quality: quality)
        let bytes = try writer.encode(pixels.bytes, width: pixels.size, height: pixels.size)
        self.writer = consume writer
        return bytes
    }
}

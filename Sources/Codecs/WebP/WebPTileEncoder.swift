import CCodec
package import Raster

/// Encodes tiles as WebP, lossy or lossless.
///
/// Alpha is always exact, and opaque tiles have none. In lossy files chroma is halved both ways,
/// whatever the quality. Tiles of a single colour are encoded once per colour.
package final class WebPTileEncoder: TileEncoder {
    private let quality: Int?
    private var writer: WebPWriter?
    private var uniformTiles = UniformTiles()

    /// Makes an encoder; its memory is allocated with the first tile.
    ///
    /// - Parameter quality: libwebp's quality, 1 to 100, or nil for lossless tiles.
    package init(quality: Int?) {
        precondition((1...100).contains(quality ?? 100), "quality is 1 to 100")
        self.quality = quality
    }

    /// Bytes that an encoder touches for tiles of `size * size` pixels.
    ///
    /// libwebp does not say it. By what builds took, it is 16 a pixel and 1 MiB, for both kinds of files: pixels, what they
    /// are predicted from, and all tokens, or hash chains, backward references and histograms.
    package static func bytes(size: Int) -> Int { size * size * 16 + (1 << 20) }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        try uniformTiles.encode(pixels) { pixels in
            var writer = try self.writer.take() ?? WebPWriter(quality: quality)
            let bytes = try writer.encode(pixels)
            self.writer = consume writer
            return bytes
        }
    }
}

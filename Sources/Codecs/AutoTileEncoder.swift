package import Raster

/// Encodes a tile as JPEG if all its pixels are opaque, else as PNG.
package final class AutoTileEncoder: TileEncoder {
    private let opaque: JPEGTileEncoder
    private let translucent: PNGTileEncoder

    /// Makes an encoder of two others.
    ///
    /// - Parameters:
    ///   - opaque: encodes the tiles in which every alpha is 255.
    ///   - translucent: encodes all others.
    package init(opaque: JPEGTileEncoder, translucent: PNGTileEncoder) {
        self.opaque = opaque
        self.translucent = translucent
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        pixels.isOpaque ? try opaque.encode(pixels) : try translucent.encode(pixels)
    }
}

package import Raster

/// Encodes tiles as JPEG where they are opaque, and as PNG where they are not.
///
/// Which it is depends on the tile's own pixels and nothing else.
package final class AutoTileEncoder: TileEncoder {
    private let opaque: JPEGTileEncoder
    private let translucent: PNGTileEncoder

    /// Makes an encoder of two others.
    ///
    /// - Parameters:
    ///   - opaque: encodes the tiles whose every alpha is 255.
    ///   - translucent: encodes all others.
    package init(opaque: JPEGTileEncoder, translucent: PNGTileEncoder) {
        self.opaque = opaque
        self.translucent = translucent
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        pixels.isOpaque ? try opaque.encode(pixels) : try translucent.encode(pixels)
    }
}

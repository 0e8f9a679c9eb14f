import Raster

/// A tile on which nothing is seen.
package enum TransparentTile {
    /// A PNG file.
    ///
    /// - Parameter size: pixels along an edge.
    package static func bytes(size: Int) throws -> [UInt8] {
        let pixels = [UInt8](repeating: 0, count: size * size * 4)
        return try pixels.withUnsafeBufferPointer { pixels in
            try TileEncoding(.png).makeEncoder(palette: nil)
                .encode(TilePixels(size: size, bytes: pixels, isOpaque: false))
        }
    }
}

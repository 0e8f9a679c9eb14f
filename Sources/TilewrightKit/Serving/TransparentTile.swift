import Raster
import Synchronization

/// A tile on which nothing is seen.
package enum TransparentTile {
    /// Those that were made, by their sizes: a map may ask for many.
    private static let made = Mutex<[Int: [UInt8]]>([:])

    /// A PNG file.
    ///
    /// - Parameter size: pixels along an edge.
    package static func bytes(size: Int) throws -> [UInt8] {
        if let bytes = made.withLock({ $0[size] }) { return bytes }
        let pixels = [UInt8](repeating: 0, count: size * size * 4)
        let bytes = try pixels.withUnsafeBufferPointer { pixels in
            try TileEncoding(.png).makeEncoder(palette: nil)
                .encode(TilePixels(size: size, bytes: pixels, isOpaque: false))
        }
        made.withLock { $0[size] = bytes }
        return bytes
    }
}

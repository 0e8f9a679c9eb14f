/// Turns the pixels of tiles into the bytes of image files. Each worker reuses one from tile to tile.
///
/// The same pixels give the same bytes, whatever was encoded before.
package protocol TileEncoder: AnyObject {
    /// Encodes a tile.
    func encode(_ pixels: TilePixels) throws -> [UInt8]
}

/// The finished pixels of one tile: square, RGBA, 8 bits, straight alpha, rows without gaps.
///
/// A pixel of alpha 0 is always (0, 0, 0, 0).
package struct TilePixels {
    /// Pixels along an edge.
    package var size: Int
    /// `size * size * 4` bytes, borrowed from the worker that rendered them.
    package var bytes: UnsafeBufferPointer<UInt8>
    /// Whether every alpha is 255.
    package var isOpaque: Bool
    /// The bytes of each pixel in the order of memory, if all are known to be the same.
    package var color: UInt32?

    /// Makes a tile of borrowed pixels.
    package init(size: Int, bytes: UnsafeBufferPointer<UInt8>, isOpaque: Bool, color: UInt32? = nil) {
        self.size = size
        self.bytes = bytes
        self.isOpaque = isOpaque
        self.color = color
    }
}

package import Tiling

/// A decoded piece of an image.
package final class PixelBlock: @unchecked Sendable {
    // Unchecked: its bytes are written before it is shared, and only read from then on.

    /// The columns and rows that it holds.
    package let window: PixelWindow

    private let slot: BlockPool.Slot
    private let pool: BlockPool
    private let bytesPerPixel: Int

    /// Decodes a window.
    ///
    /// - Parameters:
    ///   - byteCount: the bytes of a whole block, of which the window may be a part.
    ///   - pool: where its memory comes from, and goes to in the end.
    init(
        _ window: PixelWindow, of byteCount: Int, from reader: some WindowReader, format: PixelFormat,
        pool: BlockPool
    ) throws {
        self.window = window
        self.pool = pool
        bytesPerPixel = format.bytesPerPixel
        slot = try pool.take(byteCount)
        try reader.read(window, into: slot.start, stride: window.width * bytesPerPixel)
    }

    deinit { pool.give(slot) }

    /// The size of its pixels in bytes.
    var byteCount: Int { window.width * window.height * bytesPerPixel }

    /// The address of a pixel of the window; the next pixels of its row follow.
    package func pixel(column: Int, row: Int) -> UnsafeRawPointer {
        let index =
            (row - window.rows.lowerBound) * window.width + column - window.columns.lowerBound
        return UnsafeRawPointer(slot.start) + index * bytesPerPixel
    }
}

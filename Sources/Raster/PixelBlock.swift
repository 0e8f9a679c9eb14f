package import Tiling

/// A decoded piece of an image.
package final class PixelBlock: @unchecked Sendable {
    // Unchecked: its bytes are written before it is shared, and only read from then on.

    /// The columns and rows that it holds.
    package let window: PixelWindow

    private let slot: BlockPool.Slot
    private let pool: BlockPool
    /// The form of its pixels, which may take fewer bytes than the image's.
    package let format: PixelFormat

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
        slot = try pool.take(byteCount)
        self.format = try reader.read(window, of: format, into: slot.start)
    }

    deinit { pool.give(slot) }

    /// The memory that it takes in bytes.
    var byteCount: Int { slot.byteCount }

    /// The address of a pixel of the window; the next pixels of its row follow.
    package func pixel(column: Int, row: Int) -> UnsafeRawPointer {
        let index =
            (row - window.rows.lowerBound) * window.width + column - window.columns.lowerBound
        return UnsafeRawPointer(slot.start) + index * format.bytesPerPixel
    }
}

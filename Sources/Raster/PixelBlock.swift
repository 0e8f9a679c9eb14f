import Diagnostics
package import Tiling

/// A decoded piece of an image.
package final class PixelBlock: @unchecked Sendable {
    // Unchecked: its bytes are written before it is shared, and only read from then on.

    /// The columns and rows that it holds.
    package let window: PixelWindow

    private let bytes: UnsafeMutableRawBufferPointer
    private let bytesPerPixel: Int

    /// Decodes a window.
    init(_ window: PixelWindow, from reader: some WindowReader, format: PixelFormat) throws {
        self.window = window
        bytesPerPixel = format.bytesPerPixel
        let rowBytes = window.width * bytesPerPixel
        bytes = .allocate(byteCount: max(1, rowBytes * window.height), alignment: 16)
        try reader.read(
            window, into: bytes.baseAddress.certain("at least one byte is allocated"), stride: rowBytes)
    }

    deinit {
        bytes.deallocate()
    }

    /// The size of its pixels in bytes.
    var byteCount: Int { bytes.count }

    /// The address of a pixel of the window; the next pixels of its row follow.
    package func pixel(column: Int, row: Int) -> UnsafeRawPointer {
        let index =
            (row - window.rows.lowerBound) * window.width + column - window.columns.lowerBound
        let first = bytes.baseAddress.certain("at least one byte is allocated")
        return UnsafeRawPointer(first) + index * bytesPerPixel
    }
}

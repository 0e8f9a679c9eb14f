package import Tiling

/// A decoded piece of an image.
package final class PixelBlock: @unchecked Sendable {
    // Unchecked, because its bytes are written before anyone else has it, and only read from then on.

    /// The pixels that it holds.
    package let window: PixelWindow

    private let bytes: UnsafeMutableRawBufferPointer
    private let bytesPerPixel: Int

    /// Decodes a window.
    init(_ window: PixelWindow, from reader: some WindowReader, format: PixelFormat) throws {
        self.window = window
        bytesPerPixel = format.bytesPerPixel
        let rowBytes = window.width * bytesPerPixel
        bytes = .allocate(byteCount: max(1, rowBytes * window.height), alignment: 16)
        guard let first = bytes.baseAddress else { return }
        try reader.read(window, into: first, stride: rowBytes)
    }

    deinit {
        bytes.deallocate()
    }

    /// Bytes of its pixels.
    var byteCount: Int { bytes.count }

    /// Where a pixel of the window lies; those behind it in its row follow.
    package func pixel(column: Int, row: Int) -> UnsafeRawPointer {
        let index =
            (row - window.rows.lowerBound) * window.width + column - window.columns.lowerBound
        // Never nil: a byte at least is allocated.
        return UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped) + index * bytesPerPixel
    }
}

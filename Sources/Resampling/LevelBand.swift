internal import Raster
package import Tiling

/// The rows of one zoom that are in memory, as deep pixels; columns and rows are absolute pixels of
/// the zoom's tile matrix.
///
/// Beyond the window's left and right edge lie `LevelBand.margin` transparent pixels, so that
/// kernels need no special case there.
package struct LevelBand: Sendable {
    /// Transparent pixels before and behind each row: the widest halving kernel reaches 6 pixels
    /// beyond its pair, an odd edge adds one, padding of taps up to 3, and 16 is the next power.
    package static let margin = 16

    /// The pixels that the zoom has at all; everything beyond is transparent.
    package let window: PixelWindow

    private let band: RowBand

    private init(window: PixelWindow, band: RowBand) {
        self.window = window
        self.band = band
    }

    /// Allocates a band for some rows of a zoom.
    package init(window: PixelWindow, capacity: Int, scratchDirectory: String?) throws {
        self.window = window
        band = try RowBand(
            rowBytes: window.width * DeepPixel.bytes,
            marginBytes: Self.margin * DeepPixel.bytes,
            capacity: capacity, scratchDirectory: scratchDirectory)
    }

    /// The same memory for another window of the same width and height.
    package func moved(to window: PixelWindow) -> LevelBand {
        precondition(
            window.width == self.window.width && window.height == self.window.height,
            "a band keeps its size")
        return LevelBand(window: window, band: band)
    }

    /// Bytes that a band takes.
    package static func bytes(width: Int, capacity: Int) -> Int {
        (width + 2 * margin + 16) * DeepPixel.bytes * capacity
    }

    /// Where a pixel of a row that is in memory lies; the column may reach into the margin.
    package func pixel(column: Int, row: Int) -> DeepPixels {
        let pixels = band.row(row - window.rows.lowerBound).assumingMemoryBound(to: Int16.self)
        return pixels + (column - window.columns.lowerBound) * DeepPixel.channels
    }

    /// Makes a rectangle transparent.
    package func clear(_ part: PixelWindow) {
        for row in part.rows {
            pixel(column: part.columns.lowerBound, row: row)
                .update(repeating: 0, count: part.width * DeepPixel.channels)
        }
    }
}

package import Raster

/// The rows of a source image that are in memory, as they were decoded.
package struct SourceBand: Sendable {
    /// The rows, by their index in the source.
    package let band: RowBand
    /// The form of their pixels.
    package let format: PixelFormat
    /// Columns of the source.
    package let width: Int
    /// Rows of the source.
    package let height: Int

    /// Describes a band of decoded rows.
    package init(band: RowBand, format: PixelFormat, width: Int, height: Int) {
        self.band = band
        self.format = format
        self.width = width
        self.height = height
    }

    /// Unpacks a run of a row as deep pixels; what lies beyond the source is transparent.
    package func unpack(
        row: Int, columns: Range<Int>, into result: DeepPixels, with kernels: Kernels
    ) {
        let inside =
            rowExists(row)
            ? columns.clamped(to: 0..<width) : columns.lowerBound..<columns.lowerBound
        guard !inside.isEmpty else {
            result.update(repeating: 0, count: columns.count * DeepPixel.channels)
            return
        }
        let before = inside.lowerBound - columns.lowerBound
        let after = columns.upperBound - inside.upperBound
        result.update(repeating: 0, count: before * DeepPixel.channels)
        let pixels = band.row(row) + inside.lowerBound * format.bytesPerPixel
        let first = result + before * DeepPixel.channels
        kernels.unpack(pixels, as: format, into: first, count: inside.count)
        (first + inside.count * DeepPixel.channels)
            .update(repeating: 0, count: after * DeepPixel.channels)
    }

    private func rowExists(_ row: Int) -> Bool { row >= 0 && row < height }
}

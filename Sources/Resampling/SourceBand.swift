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
    /// The image's edges in pixels, where they do not lie between pixels: a pixel that one of them
    /// cuts is transparent for the part beyond.
    package var edges = (
        columns: -Double.infinity...Double.infinity, rows: -Double.infinity...Double.infinity
    )

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
        fade(row: row, columns: inside, of: first)
        (first + inside.count * DeepPixel.channels)
            .update(repeating: 0, count: after * DeepPixel.channels)
    }

    /// Makes the pixels of a run that an edge cuts transparent for the part beyond.
    private func fade(row: Int, columns: Range<Int>, of pixels: DeepPixels) {
        let share = edges.rows.part(ofPixel: row).length
        if share < 1 { Self.scale(pixels, by: share, count: columns.count) }
        fade(column: 0, columns: columns, of: pixels)
        if width > 1 { fade(column: width - 1, columns: columns, of: pixels) }
    }

    private func fade(column: Int, columns: Range<Int>, of pixels: DeepPixels) {
        guard columns.contains(column) else { return }
        let share = edges.columns.part(ofPixel: column).length
        let pixel = pixels + (column - columns.lowerBound) * DeepPixel.channels
        if share < 1 { Self.scale(pixel, by: share, count: 1) }
    }

    private static func scale(_ pixels: DeepPixels, by share: Double, count: Int) {
        for index in 0..<count * DeepPixel.channels {
            pixels[index] = Int16((Double(pixels[index]) * share).rounded())
        }
    }

    private func rowExists(_ row: Int) -> Bool { row >= 0 && row < height }
}

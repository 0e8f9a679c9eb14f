import CCodec
import Platform
import Raster

/// Whether an overview of a TIFF file holds averages of the image, or single pixels of it, as GDAL
/// makes them by default.
///
/// The few windows of the overview with the most detail are compared with the image. An image without detail
/// proves nothing, so its overviews are not used either.
struct TIFFOverviewCheck {
    /// The image.
    let full: TIFFReader
    /// The overview.
    let overview: TIFFReader
    /// The number of image pixels, along an edge, per pixel of the overview.
    let factor: Int
    /// The pixel format of both.
    let format: PixelFormat

    /// The largest factor of an overview that is used. Beyond it, comparing even a few pixels would mean
    /// reading very many of the image.
    static let largestFactor = 128
    /// Windows along each edge of the grid that is searched for detail, and windows that are compared.
    private static let (grid, compared) = (3, 2)
    /// The least detail: how far pixels are from the average around them, on a scale of 0 to 255.
    private static let leastDetail = 2.0
    /// How far an overview may be from the averages, relative to the image's own pixels. GDAL's
    /// averages give less than 0.1, other filters less than 0.5, single pixels 1.
    private static let mostError = 0.5

    /// Compares the overview with the image; decodes one or two dozen blocks.
    func isAverage() throws -> Bool {
        let (width, height) = (Int(overview.header.width), Int(overview.header.height))
        let size = min(max(Self.largestFactor / factor, 2), 32, width, height)
        var windows = try (0..<Self.grid * Self.grid).map { index in
            let column = (width - size) * (index % Self.grid) / (Self.grid - 1)
            let row = (height - size) * (index / Self.grid) / (Self.grid - 1)
            return try samples(overview, column..<column + size, row..<row + size)
        }
        windows.sort { $0.variance > $1.variance }
        var (detail, error) = (0.0, 0.0)
        for window in windows.prefix(Self.compared) {
            let parts = try compare(window)
            detail += parts.detail
            error += parts.error
        }
        let count = Double(Self.compared * size * size * 4)
        guard detail / count >= Self.leastDetail * Self.leastDetail else { return false }
        return error <= detail * Self.mostError * Self.mostError
    }

    /// Sums over the pixels of a window of the overview: `detail` sums the variances of the image pixels that
    /// each covers, `error` the squares of its difference from their average.
    private func compare(_ window: Samples) throws -> (detail: Double, error: Double) {
        let columns = window.columns.map { span($0, \.width) }
        let rows = window.rows.map { span($0, \.height) }
        let pixels = try samples(full, Self.whole(columns), Self.whole(rows))
        var (detail, error) = (0.0, 0.0)
        for (line, row) in rows.enumerated() {
            for (place, column) in columns.enumerated() {
                for channel in 0..<4 {
                    let (mean, variance) = pixels.moments(column, row, channel: channel)
                    let found = window.values[(line * columns.count + place) * 4 + channel]
                    detail += variance
                    error += (found - mean) * (found - mean)
                }
            }
        }
        return (detail, error)
    }

    /// The part of the image that a pixel of the overview covers along an axis. The outer edges of both
    /// coincide.
    private func span(_ index: Int, _ edge: KeyPath<cc_tiff_header, UInt32>) -> Span {
        let scale = Double(full.header[keyPath: edge]) / Double(overview.header[keyPath: edge])
        return Span(start: Double(index) * scale, end: Double(index + 1) * scale)
    }

    /// The pixels of all spans, which follow each other.
    private static func whole(_ spans: [Span]) -> Range<Int> {
        spans[0].pixels.lowerBound..<spans[spans.count - 1].pixels.upperBound
    }

    /// Pixels along an axis, the first and the last of which may count in part.
    private struct Span {
        var start: Double
        var end: Double

        var pixels: Range<Int> { Int(start.rounded(.down))..<Int((end - 1e-9).rounded(.up)) }

        func weight(_ pixel: Int) -> Double {
            min(end, Double(pixel + 1)) - max(start, Double(pixel))
        }
    }

    /// A window as premultiplied RGBA.
    private struct Samples {
        var columns: Range<Int>
        var rows: Range<Int>
        var values: [Double]

        /// How much the values differ: the sum of all channels' variances.
        var variance: Double {
            let count = Double(values.count / 4)
            return (0..<4).map { channel in
                let values = stride(from: channel, to: values.count, by: 4).map { self.values[$0] }
                let mean = values.reduce(0, +) / count
                return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
            }.reduce(0, +)
        }

        /// The weighted mean and variance of some pixels.
        func moments(
            _ columns: Span, _ rows: Span, channel: Int
        ) -> (mean: Double, variance: Double) {
            var (weights, sum, squares) = (0.0, 0.0, 0.0)
            for y in rows.pixels {
                for x in columns.pixels {
                    let weight = columns.weight(x) * rows.weight(y)
                    let place = (y - self.rows.lowerBound) * self.columns.count
                    let value = values[(place + x - self.columns.lowerBound) * 4 + channel]
                    weights += weight
                    sum += weight * value
                    squares += weight * value * value
                }
            }
            let mean = sum / weights
            return (mean, max(0, squares / weights - mean * mean))
        }
    }

    private func samples(
        _ reader: TIFFReader, _ columns: Range<Int>, _ rows: Range<Int>
    ) throws -> Samples {
        let bytes = format.bytesPerPixel
        var pixels = [UInt8](repeating: 0, count: columns.count * rows.count * bytes)
        try pixels.withAddress {
            try reader.read(columns: columns, rows: rows, into: $0, stride: columns.count * bytes)
        }
        let values = (0..<columns.count * rows.count * 4).map { index in
            let (pixel, channel) = (index / 4 * bytes, index % 4)
            let alpha = bytes == 4 ? Double(pixels[pixel + 3]) : 255
            if channel == 3 { return alpha }
            return Double(pixels[pixel + (bytes == 1 ? 0 : channel)]) * alpha / 255
        }
        return Samples(columns: columns, rows: rows, values: values)
    }
}

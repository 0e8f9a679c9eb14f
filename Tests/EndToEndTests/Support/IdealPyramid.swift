import Foundation

/// What the tiles of an upright image should hold, in doubles: the textbook's sums, without blocks,
/// fixed point or tiles.
struct IdealPyramid {
    /// How pixels are made of others.
    enum Method {
        /// The average of what a pixel covers.
        case area
        /// sinc(x) sinc(x / 3), widened if the image shrinks.
        case lanczos

        fileprivate func weight(_ x: Double) -> Double {
            let sinc = { (x: Double) in x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
            return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
        }
    }

    /// Premultiplied red, green, blue and alpha of each pixel, from 0 to 1.
    private(set) var planes: [[Double]]
    private(set) var width: Int
    private(set) var height: Int
    private let method: Method

    /// Resamples an image.
    ///
    /// - Parameters:
    ///   - origin: the source position of the result's top-left corner, in source pixels.
    ///   - scale: source pixels per pixel of the result.
    init(
        _ source: Picture, method: Method, width: Int, height: Int, origin: (x: Double, y: Double),
        scale: Double
    ) {
        self.method = method
        (self.width, self.height) = (width, height)
        let columns = Self.weights(method, count: width, origin: origin.x, scale: scale)
        let rows = Self.weights(method, count: height, origin: origin.y, scale: scale)
        planes = (0..<4).map { channel in
            let plane = (0..<source.width * source.height).map { pixel in
                let alpha = Double(source.rgba[pixel * 4 + 3]) / 255
                return channel == 3 ? alpha : alpha * Double(source.rgba[pixel * 4 + channel]) / 255
            }
            return Self.resampled(plane, (source.width, source.height), columns, rows)
        }
    }

    /// The next coarser zoom; the first pixel's column and row in the matrix must be even.
    mutating func halve() {
        let (w, h) = (width / 2, height / 2)
        let columns = Self.weights(method, count: w, origin: 0, scale: 2)
        let rows = Self.weights(method, count: h, origin: 0, scale: 2)
        planes = planes.map { Self.resampled($0, (width, height), columns, rows) }
        (width, height) = (w, h)
    }

    /// The pixels rounded to 8 bits, with straight alpha.
    ///
    /// A sharp kernel overshoots in colour and alpha alike: the colour is their quotient, also where
    /// alpha is beyond opaque.
    var picture: Picture {
        var picture = Picture(width: width, height: height)
        for pixel in 0..<width * height {
            let alpha = planes[3][pixel]
            let value = UInt8((min(max(alpha, 0), 1) * 255).rounded())
            if value == 0 { continue }
            for channel in 0..<3 {
                let colour = min(max(planes[channel][pixel] / alpha, 0), 1)
                picture.rgba[pixel * 4 + channel] = UInt8((colour * 255).rounded())
            }
            picture.rgba[pixel * 4 + 3] = value
        }
        return picture
    }

    private typealias Run = (first: Int, weights: [Double])

    /// For each pixel the source pixels and their weights; what lies beyond the source counts as
    /// transparent and keeps its share.
    private static func weights(
        _ method: Method, count: Int, origin: Double, scale: Double
    ) -> [Run] {
        (0..<count).map { pixel in
            let (left, right) = (
                origin + Double(pixel) * scale, origin + Double(pixel + 1) * scale
            )
            let reach = method == .area ? 0 : 3 * max(scale, 1) + 1
            let center = (left + right) / 2
            let first = Int((min(left, center - reach)).rounded(.down))
            let last = Int((max(right, center + reach)).rounded(.up))
            let weights = (first...last).map { source in
                switch method {
                case .area:
                    max(0, min(right, Double(source + 1)) - max(left, Double(source)))
                case .lanczos:
                    method.weight((Double(source) + 0.5 - center) / max(scale, 1))
                }
            }
            let sum = weights.reduce(0, +)
            return (first, weights.map { $0 / sum })
        }
    }

    private static func resampled(
        _ plane: [Double], _ size: (width: Int, height: Int), _ columns: [Run], _ rows: [Run]
    ) -> [Double] {
        var wide = [Double](repeating: 0, count: columns.count * size.height)
        for row in 0..<size.height {
            for (column, run) in columns.enumerated() {
                var sum = 0.0
                for (index, weight) in run.weights.enumerated() {
                    let source = run.first + index
                    if 0..<size.width ~= source { sum += weight * plane[row * size.width + source] }
                }
                wide[row * columns.count + column] = sum
            }
        }
        var result = [Double](repeating: 0, count: columns.count * rows.count)
        for (row, run) in rows.enumerated() {
            for (index, weight) in run.weights.enumerated() {
                let source = run.first + index
                guard 0..<size.height ~= source else { continue }
                for column in columns.indices {
                    result[row * columns.count + column] +=
                        weight * wide[source * columns.count + column]
                }
            }
        }
        return result
    }
}

import Raster
import Tiling

/// A number for each square part of an image, and their sums over boxes.
struct PartSums: Sendable {
    private let edge: Int
    private let width: Int
    private let columns: Int
    private let rows: Int
    private var counts: [UInt32]
    /// The sums over all parts above and to the left: one row and one column more than there are parts. Empty until all
    /// numbers are there.
    private var sums: [Double] = []

    /// Begins with zeros.
    ///
    /// - Parameter edge: of a part in pixels.
    init(_ info: RasterInfo, edge: Int) {
        (self.edge, width) = (edge, info.width)
        columns = (info.width + edge - 1) / edge
        rows = (info.height + edge - 1) / edge
        counts = Array(repeating: 0, count: columns * rows)
    }

    /// Adds what a row of pixels has, part by part.
    mutating func add(row: Int, _ count: (_ columns: Range<Int>) -> UInt32) {
        let (edge, width, columns) = (edge, width, columns)
        counts.withUnsafeMutableBufferPointer { counts in
            for column in 0..<columns {
                counts[row / edge * columns + column] &+= count(
                    column * edge..<min((column + 1) * edge, width))
            }
        }
    }

    /// Sums up, once all numbers are there.
    mutating func finish() {
        sums = Array(repeating: 0, count: (columns + 1) * (rows + 1))
        for row in 0..<rows {
            var line = 0.0
            for column in 0..<columns {
                line += Double(counts[row * columns + column])
                sums[(row + 1) * (columns + 1) + column + 1] = sums[row * (columns + 1) + column + 1] + line
            }
        }
        counts = []
    }

    /// The sum over the parts that a window touches, before all numbers are there.
    func sumSoFar(in window: PixelWindow) -> Double {
        let (x, y) = (parts(window.columns, columns), parts(window.rows, rows))
        var sum = 0.0
        for row in y {
            for column in x { sum += Double(counts[row * columns + column]) }
        }
        return sum
    }

    /// The sum over the parts that a window touches, when all numbers are there.
    func sum(in window: PixelWindow) -> Double {
        let (x, y) = (parts(window.columns, columns), parts(window.rows, rows))
        func sum(_ row: Int, _ column: Int) -> Double { sums[row * (columns + 1) + column] }
        return sum(y.upperBound, x.upperBound) - sum(y.lowerBound, x.upperBound)
            - sum(y.upperBound, x.lowerBound) + sum(y.lowerBound, x.lowerBound)
    }

    private func parts(_ range: Range<Int>, _ count: Int) -> Range<Int> {
        let first = range.lowerBound / edge
        return (first..<max(first, (range.upperBound + edge - 1) / edge)).clamped(to: 0..<count)
    }
}

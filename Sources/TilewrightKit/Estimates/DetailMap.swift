import Raster
import Tiling

/// How much there is to see in each part of an image: about proportional to the bytes that the part takes when it is
/// compressed.
struct DetailMap: Sendable {
    /// Pixels along the edge of a part.
    private static let cell = 32
    /// One row in so many is looked at, with the one above it.
    private static let rowStep = 8
    /// The first one. Rows come in numbers that are multiples of the step, mostly: so, the one above comes with it.
    private static let firstRow = 4
    /// A difference that is larger counts no more than this: codes grow with its logarithm.
    private static let mostDifference: UInt8 = 24

    private let samples: Int
    private let width: Int
    private let columns: Int
    private let cellRows: Int
    /// The sums over all parts above and to the left: one row and one column more than there are parts.
    private var sums: [Double]
    private var counts: [UInt32]

    /// Begins a map of an image of which nothing was seen yet.
    init(_ info: RasterInfo) {
        samples = info.pixelFormat.bytesPerPixel
        width = info.width
        columns = (info.width + Self.cell - 1) / Self.cell
        cellRows = (info.height + Self.cell - 1) / Self.cell
        counts = Array(repeating: 0, count: columns * cellRows)
        sums = []
    }

    /// Looks at rows that lie without gaps.
    mutating func add(_ rows: Range<Int>, _ pixels: UnsafeRawPointer) {
        let rowBytes = width * samples
        for row in rows.dropFirst() where row % Self.rowStep == Self.firstRow {
            let line = pixels + (row - rows.lowerBound) * rowBytes
            add(line.assumingMemoryBound(to: UInt8.self), above: rowBytes, in: row / Self.cell)
        }
    }

    /// Looks at a row, which has others above it: at the differences of its bytes to the pixel on the left, which for the
    /// first stands in the row above, and to the one above.
    private mutating func add(_ line: UnsafePointer<UInt8>, above: Int, in cellRow: Int) {
        let (end, step, samples) = (width * samples, Self.cell * samples, samples)
        counts.withUnsafeMutableBufferPointer { counts in
            for column in 0..<columns {
                var sum: UInt32 = 0
                for index in column * step..<min((column + 1) * step, end) {
                    let value = line[index]
                    sum &+= Self.difference(value, line[index - samples])
                    sum &+= Self.difference(value, line[index - above])
                }
                counts[cellRow * columns + column] &+= sum
            }
        }
    }

    @inline(__always)
    private static func difference(_ a: UInt8, _ b: UInt8) -> UInt32 {
        UInt32(min(max(a, b) &- min(a, b), mostDifference))
    }

    /// Sums up, once all rows were seen.
    mutating func finish() {
        sums = Array(repeating: 0, count: (columns + 1) * (cellRows + 1))
        for row in 0..<cellRows {
            var line = 0.0
            for column in 0..<columns {
                line += Double(counts[row * columns + column])
                sums[(row + 1) * (columns + 1) + column + 1] = sums[row * (columns + 1) + column + 1] + line
            }
        }
        counts = []
    }

    /// The detail in a box of the image, in whole parts.
    func detail(in box: PixelWindow) -> Double {
        func cells(_ range: Range<Int>, _ count: Int) -> Range<Int> {
            let first = range.lowerBound / Self.cell
            return (first..<max(first, (range.upperBound + Self.cell - 1) / Self.cell)).clamped(to: 0..<count)
        }
        let (x, y) = (cells(box.columns, columns), cells(box.rows, cellRows))
        func sum(_ row: Int, _ column: Int) -> Double { sums[row * (columns + 1) + column] }
        return sum(y.upperBound, x.upperBound) - sum(y.lowerBound, x.upperBound)
            - sum(y.upperBound, x.lowerBound) + sum(y.lowerBound, x.lowerBound)
    }
}

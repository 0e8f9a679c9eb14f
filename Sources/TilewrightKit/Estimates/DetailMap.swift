import Raster
import Tiling

/// The detail of each part of an image: about proportional to the bytes of the part when it is compressed.
struct DetailMap: Sendable {
    /// Pixels along the edge of a part.
    static let cell = 32
    /// One row in this many is compared with the row above it.
    private static let rowStep = 8
    /// The first row that is compared. Most groups of rows begin at a multiple of the step, so that a
    /// compared row and the one above arrive together.
    private static let firstRow = 4
    /// Larger differences count as this one, since compressed bytes grow only with their logarithm.
    private static let mostDifference: UInt8 = 24

    private let info: RasterInfo
    private var detail: PartSums
    /// Pixels that are not opaque.
    private var clear: PartSums

    /// Begins a map.
    init(_ info: RasterInfo) {
        self.info = info
        detail = PartSums(info, edge: Self.cell)
        clear = detail
    }

    /// Adds rows whose bytes follow each other without padding.
    mutating func add(_ rows: Range<Int>, _ pixels: UnsafeRawPointer) {
        let samples = info.pixelFormat.bytesPerPixel
        let (rowBytes, hasAlpha) = (info.width * samples, info.pixelFormat == .rgba8)
        for row in rows.dropFirst() where row % Self.rowStep == Self.firstRow {
            let line = (pixels + (row - rows.lowerBound) * rowBytes).assumingMemoryBound(to: UInt8.self)
            detail.add(row: row) { Self.detail(line, $0, samples: samples, above: rowBytes) }
            if hasAlpha { clear.add(row: row) { Self.clear(line, $0, samples: samples) } }
        }
    }

    /// The differences between a row's bytes and those of the pixel on the left and of the pixel above. For
    /// the first pixel of a row, the pixel on the left is the last one of the row above.
    private static func detail(
        _ line: UnsafePointer<UInt8>, _ columns: Range<Int>, samples: Int, above: Int
    ) -> UInt32 {
        var sum: UInt32 = 0
        for index in columns.lowerBound * samples..<columns.upperBound * samples {
            let value = line[index]
            sum &+= difference(value, line[index - samples])
            sum &+= difference(value, line[index - above])
        }
        return sum
    }

    private static func clear(_ line: UnsafePointer<UInt8>, _ columns: Range<Int>, samples: Int) -> UInt32 {
        var sum: UInt32 = 0
        for column in columns { sum &+= line[(column + 1) * samples - 1] < 255 ? 1 : 0 }
        return sum
    }

    @inline(__always)
    private static func difference(_ a: UInt8, _ b: UInt8) -> UInt32 {
        UInt32(min(max(a, b) &- min(a, b), mostDifference))
    }

    /// Sums up, once all rows are added.
    mutating func finish() {
        detail.finish()
        clear.finish()
    }

    /// The detail in a window whose rows were added, before `finish`. Parts count as a whole.
    func detailSoFar(in window: PixelWindow) -> Double { detail.sumSoFar(in: window) }

    /// The detail in a window of the image, after `finish`. Parts count as a whole.
    func detail(in window: PixelWindow) -> Double { detail.sum(in: window) }

    /// Whether every pixel of a window is opaque, in the rows that were compared. Parts count as a whole.
    func isOpaque(in window: PixelWindow) -> Bool { clear.sum(in: window) == 0 }
}

/// A number for each square part of an image, and their sums over windows.
struct PartSums: Sendable {
    private let edge: Int
    private let width: Int
    private let columns: Int
    private let rows: Int
    private var counts: [UInt32]
    /// The sums over all parts above and to the left: one row and one column more than the parts. Empty until
    /// all numbers are added.
    private var sums: [Double] = []

    /// Begins with zeros.
    ///
    /// - Parameter edge: the edge of a part in pixels.
    init(_ info: RasterInfo, edge: Int) {
        (self.edge, width) = (edge, info.width)
        columns = (info.width + edge - 1) / edge
        rows = (info.height + edge - 1) / edge
        counts = Array(repeating: 0, count: columns * rows)
    }

    /// Adds the numbers of a row of pixels, part by part.
    mutating func add(row: Int, _ count: (_ columns: Range<Int>) -> UInt32) {
        let (edge, width, columns) = (edge, width, columns)
        counts.withUnsafeMutableBufferPointer { counts in
            for column in 0..<columns {
                counts[row / edge * columns + column] &+= count(
                    column * edge..<min((column + 1) * edge, width))
            }
        }
    }

    /// Sums up, once all numbers are added.
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

    /// The sum over the parts that a window touches, before all numbers are added.
    func sumSoFar(in window: PixelWindow) -> Double {
        let (x, y) = (parts(window.columns, columns), parts(window.rows, rows))
        var sum = 0.0
        for row in y {
            for column in x { sum += Double(counts[row * columns + column]) }
        }
        return sum
    }

    /// The sum over the parts that a window touches, when all numbers are added.
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

package import Tiling

/// Rows of an image that were decoded before: they can be read any number of times and in any order.
package final class HeldPixels: RasterSource, WindowReader, @unchecked Sendable {
    // Unchecked: rows are stored before any are read.

    /// Columns and rows of the pieces in which it is read.
    private static let block = 256

    /// The image's, but for what its decoder needed.
    package let info: RasterInfo
    /// Columns and rows of the pieces in which it is read.
    package var blockSize: (width: Int, height: Int) { (Self.block, Self.block) }

    private let bands: [(rows: Range<Int>, memory: MappedMemory)]
    private let stride: Int
    /// The next row of those that are read from the top.
    private var row = 0

    /// Takes memory for rows of an image.
    ///
    /// - Parameters:
    ///   - info: the image.
    ///   - rows: bands of rows that are kept, from the top; they do not overlap.
    /// - Throws: a `Failure` if there is not enough memory.
    package init(_ info: RasterInfo, rows: [Range<Int>]) throws {
        var held = info
        (held.decoderBytes, held.decoderBytesPerTask, held.mostTasks) = (0, 0, .max)
        (held.reductions, held.secondsPerPixel) = ([], 0)
        self.info = held
        let stride = info.width * info.pixelFormat.bytesPerPixel
        self.stride = stride
        bands = try rows.map { ($0, try MappedMemory(max(1, $0.count * stride))) }
    }

    /// The bands of rows that are kept.
    package var rows: [Range<Int>] { bands.map(\.rows) }

    /// Keeps what belongs to a band of some rows, which lie without gaps.
    package func store(_ rows: Range<Int>, from pixels: UnsafeRawPointer) {
        for band in bands {
            let common = rows.clamped(to: band.rows)
            if common.isEmpty { continue }
            (band.memory.start + (common.lowerBound - band.rows.lowerBound) * stride).copyMemory(
                from: pixels + (common.lowerBound - rows.lowerBound) * stride,
                byteCount: common.count * stride)
        }
    }

    /// The pixels themselves: they can be read by windows.
    package var windows: (any WindowReader)? { self }

    /// Copies the next rows; see `RasterSource`.
    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        read(PixelWindow(columns: 0..<info.width, rows: row..<row + count), into: destination, stride: stride)
        row += count
    }

    /// Copies a window; rows that were not kept are zero.
    package func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) {
        let bytes = info.pixelFormat.bytesPerPixel
        for row in window.rows {
            let target = destination + (row - window.rows.lowerBound) * stride
            if let band = bands.first(where: { $0.rows.contains(row) }) {
                let start = band.memory.start + (row - band.rows.lowerBound) * self.stride
                target.copyMemory(
                    from: start + window.columns.lowerBound * bytes, byteCount: window.width * bytes)
            } else {
                target.initializeMemory(as: UInt8.self, repeating: 0, count: window.width * bytes)
            }
        }
    }
}

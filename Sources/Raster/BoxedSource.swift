import Tiling

/// A source whose pixels are the averages of squares of another source's pixels, weighted by alpha. The last
/// column and row may be averages of fewer pixels.
package final class BoxedSource: RasterSource {
    /// The other source's description, with its size in boxes.
    package let info: RasterInfo

    private let base: any RasterSource
    private let box: Int
    private var row = 0

    /// Makes a source of boxes.
    ///
    /// - Parameter box: the edge of a box in pixels of the other source.
    package init(_ base: any RasterSource, box: Int) {
        (self.base, self.box) = (base, box)
        info = Self.info(of: base.info, box: box)
    }

    /// The description of a source with averaged pixels.
    package static func info(of info: RasterInfo, box: Int) -> RasterInfo {
        var boxed = info
        boxed.width = (info.width + box - 1) / box
        boxed.height = (info.height + box - 1) / box
        return boxed
    }

    /// Columns and rows of the blocks in which boxes can be read in any order; nil if the other source has no
    /// blocks, or if they cut through boxes.
    package static func blockSize(
        of size: (width: Int, height: Int)?, box: Int
    ) -> (width: Int, height: Int)? {
        guard let size, size.width % box == 0, size.height % box == 0 else { return nil }
        return (size.width / box, size.height / box)
    }

    package func readRows(
        _ count: Int, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let rowBytes = base.info.width * info.pixelFormat.bytesPerPixel
        let line = UnsafeMutableRawPointer.allocate(byteCount: rowBytes, alignment: 16)
        defer { line.deallocate() }
        var sums = BoxSums(info.pixelFormat, width: base.info.width, box: box)
        for index in 0..<count {
            for _ in 0..<min(box, base.info.height - row) {
                try base.readRows(1, into: line, stride: rowBytes)
                sums.add(line)
                row += 1
            }
            sums.write(to: destination + index * stride)
        }
    }

    /// The other source's windows, in boxes.
    package var windows: (any WindowReader)? {
        guard let windows = base.windows,
            let blockSize = Self.blockSize(of: windows.blockSize, box: box)
        else { return nil }
        return BoxedWindows(base: windows, baseInfo: base.info, box: box, blockSize: blockSize)
    }
}

/// Windows of boxes.
private struct BoxedWindows: WindowReader {
    let base: any WindowReader
    let baseInfo: RasterInfo
    let box: Int
    let blockSize: (width: Int, height: Int)

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        // One block of the file at a time, so that none is decoded twice.
        let pixel = baseInfo.pixelFormat.bytesPerPixel
        for rows in window.rows.cut(every: blockSize.height) {
            for columns in window.columns.cut(every: blockSize.width) {
                try read(
                    PixelWindow(columns: columns, rows: rows),
                    to: destination + (rows.lowerBound - window.rows.lowerBound) * stride
                        + (columns.lowerBound - window.columns.lowerBound) * pixel, stride: stride)
            }
        }
    }

    func expect(_ windows: () -> [PixelWindow]) { base.expect { windows().map(pixels) } }

    private func pixels(of part: PixelWindow) -> PixelWindow {
        PixelWindow(
            columns: part.columns.multiplied(by: box), rows: part.rows.multiplied(by: box)
        ).intersection(baseInfo.window)
    }

    private func read(
        _ part: PixelWindow, to result: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let pixels = pixels(of: part)
        let rowBytes = pixels.width * baseInfo.pixelFormat.bytesPerPixel
        let scratch = UnsafeMutableRawPointer.allocate(
            byteCount: rowBytes * pixels.height, alignment: 16)
        defer { scratch.deallocate() }
        try base.read(pixels, into: scratch, stride: rowBytes)
        var sums = BoxSums(baseInfo.pixelFormat, width: pixels.width, box: box)
        for row in 0..<pixels.height {
            sums.add(scratch + row * rowBytes)
            if (row + 1) % box == 0 || row + 1 == pixels.height {
                sums.write(to: result + row / box * stride)
            }
        }
    }
}

/// The sums of a row of boxes.
private struct BoxSums {
    private let samples: Int
    private let width: Int
    private let box: Int
    /// For each sample of a row, its sum over the rows; for pixels with alpha, of colours times alpha, and of
    /// alpha.
    private var columns: [UInt32]
    private var rows = 0

    /// The maximum number of rows whose sums fit into 32 bits: 255 x 255 for each.
    private static let mostRows = 1 << 16

    init(_ format: PixelFormat, width: Int, box: Int) {
        precondition(box <= Self.mostRows, "sums of a box have 32 bits")
        (samples, self.width, self.box) = (format.bytesPerPixel, width, box)
        columns = Array(repeating: 0, count: width * samples)
    }

    /// Adds a row of pixels.
    mutating func add(_ line: UnsafeMutableRawPointer) {
        let line = UnsafePointer(line.assumingMemoryBound(to: UInt8.self))
        rows += 1
        let (count, hasAlpha) = (width * samples, samples == 4)
        // Plain loops over adjacent bytes, which become vectors.
        columns.withUnsafeMutableBufferPointer { columns in
            guard let sums = columns.baseAddress else { return }
            if hasAlpha {
                for pixel in 0..<count / 4 {
                    let (from, to) = (line + 4 * pixel, sums + 4 * pixel)
                    let alpha = UInt32(from[3])
                    to[0] &+= UInt32(from[0]) &* alpha
                    to[1] &+= UInt32(from[1]) &* alpha
                    to[2] &+= UInt32(from[2]) &* alpha
                    to[3] &+= alpha
                }
            } else {
                for index in 0..<count { sums[index] &+= UInt32(line[index]) }
            }
        }
    }

    /// Writes the averages of the rows that were added, and starts again.
    mutating func write(to result: UnsafeMutableRawPointer) {
        let result = result.assumingMemoryBound(to: UInt8.self)
        columns.withUnsafeBufferPointer { columns in
            // Loops are four times as fast if the number of samples is known at compile time.
            switch samples {
            case 1: writeOpaque(columns, samples: 1, to: result)
            case 3: writeOpaque(columns, samples: 3, to: result)
            default: writeTranslucent(columns, to: result)
            }
        }
        for index in columns.indices { columns[index] = 0 }
        rows = 0
    }

    @inline(__always)
    private func writeOpaque(
        _ columns: UnsafeBufferPointer<UInt32>, samples: Int, to result: UnsafeMutablePointer<UInt8>
    ) {
        for index in 0..<(width + box - 1) / box {
            let pixels = index * box..<min((index + 1) * box, width)
            let count = UInt64(rows * pixels.count)
            // Sums of boxes with an edge of up to 2^12 pixels fit into 32 bits, whose division takes a
            // quarter of the time.
            let isSmall = count < 1 << 24
            for sample in 0..<samples {
                var sum: UInt64 = 0
                for pixel in pixels { sum &+= UInt64(columns[pixel * samples + sample]) }
                result[index * samples + sample] =
                    isSmall
                    ? UInt8((UInt32(sum) + UInt32(count) / 2) / UInt32(count))
                    : UInt8((sum + count / 2) / count)
            }
        }
    }

    private func writeTranslucent(
        _ columns: UnsafeBufferPointer<UInt32>, to result: UnsafeMutablePointer<UInt8>
    ) {
        for index in 0..<(width + box - 1) / box {
            let pixels = index * box..<min((index + 1) * box, width)
            var sums = SIMD4<UInt64>.zero
            for pixel in pixels {
                let place = pixel * 4
                sums &+= SIMD4(
                    UInt64(columns[place]), UInt64(columns[place + 1]), UInt64(columns[place + 2]),
                    UInt64(columns[place + 3]))
            }
            let (count, weight) = (UInt64(rows * pixels.count), max(1, sums[3]))
            for sample in 0..<3 { result[index * 4 + sample] = UInt8((sums[sample] + weight / 2) / weight) }
            result[index * 4 + 3] = UInt8((sums[3] + count / 2) / count)
        }
    }
}

internal import Tiling

/// A source whose pixels are the averages of squares of another one's, each weighed by its alpha. The last
/// column and row may stand for fewer pixels.
package final class BoxedSource: RasterSource {
    /// The boxes' number; everything else is the other source's.
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

    /// What a source is whose pixels are averaged.
    package static func info(of info: RasterInfo, box: Int) -> RasterInfo {
        var boxed = info
        boxed.width = (info.width + box - 1) / box
        boxed.height = (info.height + box - 1) / box
        return boxed
    }

    /// Columns and rows of the pieces in which boxes can be read in any order; nil if the other source has no
    /// pieces, or they cut through boxes.
    package static func blockSize(
        of size: (width: Int, height: Int)?, box: Int
    ) -> (width: Int, height: Int)? {
        guard let size, size.width % box == 0, size.height % box == 0 else { return nil }
        return (size.width / box, size.height / box)
    }

    /// Decodes the next rows of boxes; see `RasterSource`.
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
        // A piece of the file at a time: none is decoded twice.
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

    private func read(
        _ part: PixelWindow, to result: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let all = PixelWindow(columns: 0..<baseInfo.width, rows: 0..<baseInfo.height)
        let pixels = PixelWindow(
            columns: part.columns.lowerBound * box..<part.columns.upperBound * box,
            rows: part.rows.lowerBound * box..<part.rows.upperBound * box
        ).intersection(all)
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
    /// Per box: of alpha, its sum, and those of the colours times alpha.
    private var sums: [UInt64]
    private var rows = 0

    init(_ format: PixelFormat, width: Int, box: Int) {
        (samples, self.width, self.box) = (format.bytesPerPixel, width, box)
        sums = Array(repeating: 0, count: (width + box - 1) / box * 4)
    }

    /// Adds a row of pixels.
    mutating func add(_ line: UnsafeMutableRawPointer) {
        let line = UnsafePointer(line.assumingMemoryBound(to: UInt8.self))
        rows += 1
        sums.withUnsafeMutableBufferPointer { sums in
            var column = 0
            while column < width {
                let end = min(column + box, width)
                let sum = column / box * 4
                var (first, second, third, alphas): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
                for index in column..<end {
                    let pixel = line + index * samples
                    switch samples {
                    case 1: first &+= UInt64(pixel[0])
                    case 3:
                        first &+= UInt64(pixel[0])
                        second &+= UInt64(pixel[1])
                        third &+= UInt64(pixel[2])
                    default:
                        let alpha = UInt64(pixel[3])
                        first &+= UInt64(pixel[0]) &* alpha
                        second &+= UInt64(pixel[1]) &* alpha
                        third &+= UInt64(pixel[2]) &* alpha
                        alphas &+= alpha
                    }
                }
                sums[sum] &+= first
                sums[sum + 1] &+= second
                sums[sum + 2] &+= third
                sums[sum + 3] &+= alphas
                column = end
            }
        }
    }

    /// Writes the averages of the rows that were added, and starts anew.
    mutating func write(to result: UnsafeMutableRawPointer) {
        let result = result.assumingMemoryBound(to: UInt8.self)
        for index in 0..<sums.count / 4 {
            let count = UInt64(rows * min(box, width - index * box))
            let weight = samples == 4 ? max(1, sums[index * 4 + 3]) : count
            for sample in 0..<min(samples, 3) {
                result[index * samples + sample] = UInt8(
                    (sums[index * 4 + sample] + weight / 2) / weight)
            }
            if samples == 4 {
                result[index * 4 + 3] = UInt8((sums[index * 4 + 3] + count / 2) / count)
            }
        }
        rows = 0
        for index in sums.indices { sums[index] = 0 }
    }
}

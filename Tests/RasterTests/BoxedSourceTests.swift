import Raster
import Testing
import Tiling

/// Averages of squares of pixels.
struct BoxedSourceTests {
    /// A source of samples in memory, in windows if they have a size.
    private final class Samples: RasterSource, WindowReader, @unchecked Sendable {
        let info: RasterInfo
        let samples: [UInt8]
        let blockSize: (width: Int, height: Int)
        private var row = 0

        init(_ format: PixelFormat, width: Int, height: Int, block: Int = 0) {
            info = RasterInfo(width: width, height: height, pixelFormat: format, summary: "")
            samples = (0..<width * height * format.bytesPerPixel).map {
                UInt8(truncatingIfNeeded: $0 &* $0 / 7)
            }
            blockSize = (block, block)
        }

        var windows: (any WindowReader)? { blockSize.width > 0 ? self : nil }

        func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
            try read(
                PixelWindow(columns: 0..<info.width, rows: row..<row + count), into: destination,
                stride: stride)
            row += count
        }

        func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) throws {
            let pixel = info.pixelFormat.bytesPerPixel
            for row in window.rows {
                let first = (row * info.width + window.columns.lowerBound) * pixel
                let place = destination + (row - window.rows.lowerBound) * stride
                let target = UnsafeMutableRawBufferPointer(start: place, count: window.width * pixel)
                target.copyBytes(from: samples[first..<first + window.width * pixel])
            }
        }
    }

    /// The averages, one by one.
    private func expected(_ source: Samples, box: Int) -> [UInt8] {
        let info = source.info
        return stride(from: 0, to: info.height, by: box).flatMap { top in
            stride(from: 0, to: info.width, by: box).flatMap { left in
                let rows = top..<min(top + box, info.height)
                let columns = left..<min(left + box, info.width)
                return average(source, PixelWindow(columns: columns, rows: rows))
            }
        }
    }

    private func average(_ source: Samples, _ box: PixelWindow) -> [UInt8] {
        let size = source.info.pixelFormat.bytesPerPixel
        var sums = [Double](repeating: 0, count: 4)
        var weights = 0.0
        for row in box.rows {
            for column in box.columns {
                let first = (row * source.info.width + column) * size
                let pixel = source.samples[first..<first + size].map(Double.init)
                let weight = size == 4 ? pixel[3] : 1
                for sample in 0..<min(size, 3) { sums[sample] += pixel[sample] * weight }
                weights += weight
            }
        }
        let colors = sums.prefix(min(size, 3)).map { UInt8(($0 / max(1, weights)).rounded()) }
        let alpha = UInt8((weights / Double(box.width * box.height)).rounded())
        return size == 4 ? colors + [alpha] : colors
    }

    private func read(_ source: BoxedSource, _ rows: Range<Int>) throws -> [UInt8] {
        let stride = source.info.width * source.info.pixelFormat.bytesPerPixel
        var bytes = [UInt8](repeating: 9, count: stride * rows.count)
        try bytes.withUnsafeMutableBytes { bytes in
            try source.readRows(rows.count, into: #require(bytes.baseAddress), stride: stride)
        }
        return bytes
    }

    @Test(
        "Rows are averages, even of the rest at the edges",
        arguments: [PixelFormat.gray8, .rgb8, .rgba8], [2, 4, 16])
    func rows(format: PixelFormat, box: Int) throws {
        let base = Samples(format, width: 37, height: 21)
        let source = BoxedSource(base, box: box)
        #expect((source.info.width, source.info.height) == ((37 + box - 1) / box, (21 + box - 1) / box))
        #expect(source.windows == nil)
        let some = try read(source, 0..<1)
        let rest = try read(source, 1..<source.info.height)
        #expect(some + rest == expected(base, box: box))
    }

    @Test("Windows are the same averages, and exist if boxes divide the blocks of the file")
    func windows() throws {
        let base = Samples(.rgba8, width: 70, height: 50, block: 16)
        #expect(BoxedSource(base, box: 32).windows == nil)
        let source = BoxedSource(base, box: 4)
        let reader = try #require(source.windows)
        #expect(reader.blockSize == (4, 4))
        let whole = expected(base, box: 4)
        let window = PixelWindow(columns: 3..<18, rows: 2..<13)
        var bytes = [UInt8](repeating: 0, count: window.width * window.height * 4)
        try bytes.withUnsafeMutableBytes { bytes in
            try reader.read(window, into: #require(bytes.baseAddress), stride: window.width * 4)
        }
        for (index, row) in window.rows.enumerated() {
            let first = (row * 18 + 3) * 4
            #expect(Array(bytes[index * 60..<(index + 1) * 60]) == Array(whole[first..<first + 60]))
        }
    }
}

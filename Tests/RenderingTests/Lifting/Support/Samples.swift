import Raster
import Tiling

/// An image in memory, by rows, and by windows if its pieces have a size.
final class Samples: RasterSource, WindowReader, @unchecked Sendable {
    let info: RasterInfo
    let samples: [UInt8]
    let blockSize: (width: Int, height: Int)
    // Tests read rows by one task.
    private var row = 0

    init(_ format: PixelFormat, width: Int, _ samples: [UInt8], block: Int = 0) {
        self.samples = samples
        info = RasterInfo(
            width: width, height: samples.count / width / format.bytesPerPixel, pixelFormat: format,
            summary: "")
        blockSize = (block, block)
    }

    var windows: (any WindowReader)? { blockSize.width > 0 ? self : nil }

    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) {
        read(
            PixelWindow(columns: 0..<info.width, rows: row..<row + count), into: destination,
            stride: stride)
        row += count
    }

    func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) {
        let pixel = info.pixelFormat.bytesPerPixel
        for row in window.rows {
            let first = (row * info.width + window.columns.lowerBound) * pixel
            let place = destination + (row - window.rows.lowerBound) * stride
            UnsafeMutableRawBufferPointer(start: place, count: window.width * pixel)
                .copyBytes(from: samples[first..<first + window.width * pixel])
        }
    }
}

extension RasterSource {
    /// All pixels, read by so many rows at a time.
    func pixels(rowsAtOnce: Int = .max) throws -> [UInt8] {
        let stride = info.width * info.pixelFormat.bytesPerPixel
        var bytes = [UInt8](repeating: 9, count: stride * info.height)
        try bytes.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            var row = 0
            while row < info.height {
                let count = min(rowsAtOnce, info.height - row)
                try readRows(count, into: start + row * stride, stride: stride)
                row += count
            }
        }
        return bytes
    }
}

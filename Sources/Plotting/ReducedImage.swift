package import Raster

/// A reduced image: each pixel is the mean of a box of the source's pixels, over white paper.
package struct ReducedImage {
    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int
    /// The edge of a box in pixels of the source.
    package let box: Int
    /// Red, green and blue, row by row.
    private(set) var rgb: [UInt8]

    /// Reads a source to its end, a row at a time.
    package init(_ source: any RasterSource, box: Int) throws {
        self.box = box
        width = (source.info.width + box - 1) / box
        height = (source.info.height + box - 1) / box
        rgb = []
        rgb.reserveCapacity(width * height * 3)
        var line = [UInt8](
            repeating: 0, count: source.info.width * source.info.pixelFormat.bytesPerPixel)
        for first in stride(from: 0, to: source.info.height, by: box) {
            let rows = min(box, source.info.height - first)
            var sums = [UInt32](repeating: 0, count: width * 3)
            for _ in 0..<rows {
                try line.withUnsafeMutableBytes {
                    guard let address = $0.baseAddress else { return }
                    try source.readRows(1, into: address, stride: $0.count)
                }
                ReducedImage.add(line, source.info, to: &sums, box: box)
            }
            for column in 0..<width {
                let columns = min(box, source.info.width - column * box)
                let count = UInt32(columns * rows)
                for channel in 0..<3 {
                    rgb.append(UInt8((sums[3 * column + channel] + count / 2) / count))
                }
            }
        }
    }

    /// Adds a row to the sums of its boxes.
    private static func add(_ line: [UInt8], _ info: RasterInfo, to sums: inout [UInt32], box: Int) {
        let samples = info.pixelFormat.bytesPerPixel
        let isGray = samples == 1
        line.withUnsafeBufferPointer { line in
            sums.withUnsafeMutableBufferPointer { sums in
                for column in 0..<info.width {
                    let (first, sum) = (column * samples, column / box * 3)
                    let alpha = samples == 4 ? UInt32(line[first + 3]) : 255
                    for channel in 0..<3 {
                        let value = UInt32(line[isGray ? first : first + channel])
                        sums[sum + channel] += 255 - (255 - value) * alpha / 255
                    }
                }
            }
        }
    }
}

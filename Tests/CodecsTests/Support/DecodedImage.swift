import Raster
import Testing

/// The pixels of a source, read to the end.
struct DecodedImage {
    var info: RasterInfo
    var pixels: [UInt8]

    /// The pixels as RGBA.
    var rgba: [UInt8] {
        let size = info.pixelFormat.bytesPerPixel
        return stride(from: 0, to: pixels.count, by: size).flatMap { i in
            switch info.pixelFormat {
            case .gray8: [pixels[i], pixels[i], pixels[i], 255]
            case .rgb8: [pixels[i], pixels[i + 1], pixels[i + 2], 255]
            case .rgba8: Array(pixels[i..<i + 4])
            }
        }
    }
}

extension RasterSource {
    /// Reads all rows, a few at a time, to a stride that is wider than a row.
    func readAll(atATime rows: Int = 5) throws -> DecodedImage {
        let width = info.width * info.pixelFormat.bytesPerPixel
        let stride = width + 7
        var pixels: [UInt8] = []
        var buffer = [UInt8](repeating: 0xA5, count: stride * rows)
        for first in Swift.stride(from: 0, to: info.height, by: rows) {
            let count = min(rows, info.height - first)
            try buffer.withUnsafeMutableBytes {
                try readRows(count, into: #require($0.baseAddress), stride: stride)
            }
            for row in 0..<count {
                pixels += buffer[row * stride..<row * stride + width]
                precondition(
                    buffer[row * stride + width..<(row + 1) * stride].allSatisfy { $0 == 0xA5 })
            }
        }
        return DecodedImage(info: info, pixels: pixels)
    }
}

/// The 64-bit FNV-1a hash.
func fnv1a(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

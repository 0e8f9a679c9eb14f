import Codecs
import Foundation
import Raster

/// A square picture of another program.
struct RGBPicture {
    private let size: Int
    private var rgba: [UInt8]

    /// Reads a PNG file without transparency.
    init(png path: String, size: Int) throws {
        self.size = size
        rgba = [UInt8](repeating: 0, count: size * size * 4)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        try rgba.withUnsafeMutableBytes { rgba in
            guard let start = rgba.baseAddress else { return }
            try TileDecoder.decode(bytes, size: size, into: start, stride: size * 4)
        }
    }

    /// A pixel: red, green, blue.
    subscript(column: Int, row: Int) -> [Int] {
        let start = (row * size + column) * 4
        return rgba[start..<start + 3].map(Int.init)
    }
}

import Codecs
import Palettes
import Raster
import Tilesets

/// A tile whose bytes tell versions of an encoder's library apart, and whose pixels those of a decoder's.
enum TestTile {
    /// Large enough for several blocks of deflate: each worker encodes it.
    private static let size = 128

    /// The hash of the pixels that libjpeg decodes of the tile, as it encodes it: its version it says to nobody.
    static func hashOfJPEG() throws -> String {
        let bytes = try pixels(true).withUnsafeBufferPointer {
            try JPEGTileEncoder(quality: 75).encode(TilePixels(size: size, bytes: $0, isOpaque: true))
        }
        let decoded = UnsafeMutableRawBufferPointer.allocate(byteCount: size * size * 4, alignment: 4)
        defer { decoded.deallocate() }
        try TileDecoder.decode(
            bytes, size: size, into: decoded.baseAddress.unwrapped("it has bytes"), stride: size * 4)
        return ContentHash(of: UnsafeRawBufferPointer(decoded)).hex
    }

    /// The hash of its file.
    static func hash(_ encoding: TileEncoding) throws -> String {
        try encoded(encoding).joined(separator: " ")
    }

    /// An opaque tile and a translucent one: `auto` takes another type for each.
    private static func encoded(_ encoding: TileEncoding) throws -> [String] {
        let encoder = encoding.makeEncoder(palette: nil)
        return try [true, false].map { isOpaque in
            let bytes = try pixels(isOpaque).withUnsafeBufferPointer {
                try encoder.encode(TilePixels(size: size, bytes: $0, isOpaque: isOpaque))
            }
            return ContentHash(of: bytes).hex
        }
    }

    /// Areas of one colour, ramps, and noise that repeats.
    private static func pixels(_ isOpaque: Bool) -> [UInt8] {
        (0..<size * size).flatMap { index -> [UInt8] in
            let (x, y) = (index % size, index / size)
            if !isOpaque, x + y < size / 2 { return [0, 0, 0, 0] }
            let noise = x > size / 2 ? (x &* 7919 ^ y &* 104_729) >> 3 & 63 : 0
            let alpha = isOpaque || x < size / 2 ? 255 : 128 + noise
            return [x & 0xC0 | noise, y, (x + y) / 2, alpha].map { UInt8(truncatingIfNeeded: $0) }
        }
    }
}

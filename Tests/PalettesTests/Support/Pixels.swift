import Palettes
import Raster
import TestSupport
import Testing

/// The pixels of a tile, RGBA, straight alpha.
struct Pixels: Equatable {
    /// Along an edge.
    var size: Int
    /// Bytes.
    var rgba: [UInt8]

    /// Paints a tile.
    init(size: Int = 64, color: (_ x: Int, _ y: Int) -> (Int, Int, Int, Int)) {
        self.size = size
        rgba = (0..<size * size).flatMap { i in
            let (r, g, b, a) = color(i % size, i / size)
            return a == 0 ? [0, 0, 0, 0] : [r, g, b, a].map { UInt8($0) }
        }
    }

    /// Random pixels; `alpha` makes each one's.
    static func noise(
        seed: UInt64, alpha: (inout SplitMix) -> Int = { _ in 255 }
    ) -> Pixels {
        var random = SplitMix(seed: seed)
        return Pixels(size: 24) { _, _ in
            let bits = Int(random.next() & 0xFF_FFFF)
            return (bits & 255, bits >> 8 & 255, bits >> 16, alpha(&random))
        }
    }

    /// A pixel's channels.
    subscript(_ index: Int) -> [Int] { rgba[4 * index..<4 * index + 4].map { Int($0) } }

    /// All pixels' channels.
    var colors: [[Int]] { (0..<size * size).map { self[$0] } }

    /// Lends them.
    func withPixels<T>(_ body: (TilePixels) throws -> T) rethrows -> T {
        try rgba.withUnsafeBufferPointer { bytes in
            let isOpaque = stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
            return try body(TilePixels(size: size, bytes: bytes, isOpaque: isOpaque))
        }
    }

    /// What is left of them with a palette.
    func rounded(to palette: Palette) throws -> Pixels {
        var result = self
        let encoder = PaletteTileEncoder(palette, before: CopyingEncoder())
        result.rgba = try withPixels { try encoder.encode($0) }
        return result
    }

    /// The palette of some tiles that one worker has counted, or several.
    static func palette(of tiles: [Pixels], size: Int, workers: Int = 1) throws -> Palette? {
        let parts = (0..<workers).map { _ in ColorCensus() }
        for (index, tile) in tiles.enumerated() {
            _ = try tile.withPixels { try parts[index % workers].encode($0) }
        }
        for (index, part) in parts.dropLast().enumerated() {
            // Some come from another machine.
            if index.isMultiple(of: 2) {
                #expect(parts[workers - 1].merge(part.bytes))
            } else {
                parts[workers - 1].merge(part)
            }
        }
        return try parts[workers - 1].palette(size: size)
    }
}

/// The bytes of a tile are its pixels.
private final class CopyingEncoder: TileEncoder {
    func encode(_ pixels: TilePixels) throws -> [UInt8] { Array(pixels.bytes) }
}

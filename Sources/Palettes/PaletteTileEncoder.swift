package import Raster

/// Rounds a tile's pixels to the colours of a palette, and has another encoder encode them.
///
/// Each pixel goes to the nearest colour, whatever its neighbours are: flat areas stay flat, and
/// tiles agree where they meet.
package final class PaletteTileEncoder: TileEncoder {
    private let encoder: any TileEncoder
    private var lookup: PaletteLookup
    private var rounded: [UInt32] = []

    /// Bytes that it takes for tiles of `size * size` pixels, beside the other encoder: rounded pixels, a range for each
    /// box of colours, and half a megabyte of candidates.
    package static func bytes(size: Int) -> Int {
        size * size * 4 + ColorBin.boxes * MemoryLayout<Range<Int32>>.stride + (1 << 19)
    }

    /// Makes an encoder before another.
    package init(_ palette: Palette, before encoder: any TileEncoder) {
        self.encoder = encoder
        lookup = PaletteLookup(palette)
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        let count = pixels.bytes.count / 4
        if rounded.count != count { rounded = [UInt32](repeating: 0, count: count) }
        lookup.round(UnsafeRawBufferPointer(pixels.bytes), into: &rounded)
        return try rounded.withUnsafeBytes { bytes in
            var result = pixels
            result.bytes = bytes.assumingMemoryBound(to: UInt8.self)
            return try encoder.encode(result)
        }
    }
}

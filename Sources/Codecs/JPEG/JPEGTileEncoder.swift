import CCodec
package import Raster

/// How hard to try for small JPEG files; they decode to the same pixels.
///
/// The figures are for encoding alone, on tiles of a plan and of an aerial photograph.
public enum JPEGLevel: String, CaseIterable, Codable, Sendable {
    /// A tenth of a millisecond for a tile of 256 pixels; a baseline file.
    case standard = "default"
    /// Photographs are 6 % smaller at quality 75, 11 % at 95, and drawings a sixth or more, in ten times the time.
    /// Files of photographs are mostly progressive ones.
    case small
}

/// Encodes tiles as JPEG. Alpha is ignored, so tiles should be opaque.
///
/// Below quality 90 chroma is halved both ways, from 90 on it is whole, as in libvips. A tile whose
/// pixels are all gray has no chroma.
package final class JPEGTileEncoder: TileEncoder {
    private let quality: Int
    private let level: JPEGLevel
    private var writer: JPEGWriter?
    private var uniformTiles = UniformTiles()

    /// Makes an encoder; its memory is allocated with the first tile.
    ///
    /// - Parameters:
    ///   - quality: libjpeg's quality, 1 to 100.
    ///   - level: how hard to try for small files.
    package init(quality: Int, level: JPEGLevel = .standard) {
        precondition((1...100).contains(quality), "quality is 1 to 100")
        self.quality = quality
        self.level = level
    }

    /// Bytes that an encoder touches for tiles of `size * size` pixels.
    ///
    /// A buffer that doubles holds the file, which is a byte for each pixel of noise at the most; libjpeg keeps two rows
    /// of blocks with their surroundings, three components of 40 rows, and some 64 KiB of tables. To try several forms,
    /// it keeps the coefficients, three of 16 bits for each pixel at the most, and there is a buffer more.
    package static func bytes(level: JPEGLevel, size: Int) -> Int {
        let form = size * size + size * 3 * 40 + (64 << 10)
        return level == .small ? form + size * size * (6 + 1) : form
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        try uniformTiles.encode(pixels, otherwise: write)
    }

    private func write(_ pixels: TilePixels) throws -> [UInt8] {
        var writer = try self.writer.take() ?? JPEGWriter(quality: quality, level: level)
        let bytes = try writer.encode(pixels.bytes, width: pixels.size, height: pixels.size)
        self.writer = consume writer
        return bytes
    }
}

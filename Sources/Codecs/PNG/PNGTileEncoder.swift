import CCodec
package import Raster

/// How hard to try for small PNG files; always lossless.
///
/// The figures are for encoding alone, on tiles of a plan and of an aerial photograph.
public enum PNGLevel: String, CaseIterable, Codable, Sendable {
    /// Drawings take a third of `standard`'s time and are an eighth larger; photographs are the same.
    case fast
    /// Half a millisecond for a tile of a drawing, three times that for a tile of a photograph.
    case standard = "default"
    /// Drawings are a twentieth smaller than with `standard` in sixty times the time, photographs a twelfth in
    /// ten to twenty times.
    case small
}

/// Encodes tiles as PNG, each in the smallest form that holds its pixels exactly: gray of 1 to 8
/// bits, a palette of 1 to 8 bits, gray with alpha, RGB, or RGBA.
///
/// Tiles of a single colour are encoded once per colour: plans have many.
package final class PNGTileEncoder: TileEncoder {
    private let level: PNGLevel
    private var writer: PNGWriter?
    private var uniformTiles = UniformTiles()

    /// Makes an encoder; its memory is allocated with the first tile.
    package init(level: PNGLevel = .standard) {
        self.level = level
    }

    /// Bytes that an encoder touches for tiles of `size * size` pixels; see `cc_png_writer_bytes`.
    package static func bytes(level: PNGLevel, size: Int) -> Int {
        Int(cc_png_writer_bytes(level.effort, UInt32(size), UInt32(size)))
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        try uniformTiles.encode(pixels, otherwise: write)
    }

    private func write(_ pixels: TilePixels) throws -> [UInt8] {
        if writer?.width != pixels.size { writer = nil }
        var writer =
            try self.writer.take()
            ?? PNGWriter(level: level, width: pixels.size, height: pixels.size)
        let bytes = try writer.encode(pixels.bytes, isOpaque: pixels.isOpaque)
        self.writer = consume writer
        return bytes
    }
}

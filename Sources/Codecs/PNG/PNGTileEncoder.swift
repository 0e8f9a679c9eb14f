import CCodec
package import Raster

/// How hard to try for small PNG files; always lossless.
///
/// The figures are those of encoding alone, on tiles of a plan and of an aerial photograph.
public enum PNGLevel: String, CaseIterable, Sendable {
    /// Drawings in two thirds of the time of `standard`, an eighth larger; photographs as there.
    case fast
    /// What is worth its time: half a millisecond for a tile of a drawing, three times that for one
    /// of a photograph.
    case standard = "default"
    /// Drawings a twentieth smaller than `standard`, photographs a twelfth, in ten to twenty times
    /// the time.
    case small
}

/// Encodes tiles as PNG, each in the smallest form that holds its pixels exactly: gray of 1 to 8
/// bits, a palette of 1 to 8 bits, gray with alpha, RGB, or RGBA.
///
/// A tile of a single colour is encoded once: plans have many, of few colours.
package final class PNGTileEncoder: TileEncoder {
    private let level: PNGLevel
    private var writer: PNGWriter?
    private var uniformTiles = UniformTiles()

    /// Makes an encoder; its memory is allocated with the first tile.
    package init(level: PNGLevel = .standard) {
        self.level = level
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        try uniformTiles.encode(pixels, otherwise: write)
    }

    private func write(_ pixels: TilePixels) throws -> [UInt8] {
        if writer?.width != pixels.size { writer = nil }
        var writer =
            try self.writer.take()
            ?? PNGWriter(
                level: level, width: pixels.size, height: pixels.size)
        let bytes = try writer.encode(pixels.bytes)
        self.writer = consume writer
        return bytes
    }
}

import CCodec
package import Raster

/// How hard to try for small PNG files; always lossless.
///
/// The figures are those of encoding alone, on tiles of a plan and of an aerial photograph.
package enum PNGLevel: String, CaseIterable, Sendable {
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
    /// The files of single colours that are kept: some 130 bytes each, 270 for tiles of 512.
    private static let mostUniformTiles = 64

    private let level: PNGLevel
    private var writer: PNGWriter?
    private var uniformTiles: [UInt32: [UInt8]] = [:]

    /// Makes an encoder; its memory is allocated with the first tile.
    package init(level: PNGLevel = .standard) {
        self.level = level
    }

    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        if writer?.width != pixels.size {
            writer = nil
            uniformTiles = [:]
        }
        guard let color = pixels.uniformColor else { return try write(pixels) }
        if let bytes = uniformTiles[color] { return bytes }
        let bytes = try write(pixels)
        if uniformTiles.count < Self.mostUniformTiles { uniformTiles[color] = bytes }
        return bytes
    }

    private func write(_ pixels: TilePixels) throws -> [UInt8] {
        var writer =
            try self.writer.take()
            ?? PNGWriter(
                level: level, width: pixels.size, height: pixels.size)
        let bytes = try writer.encode(pixels.bytes)
        self.writer = consume writer
        return bytes
    }
}

extension TilePixels {
    /// The four bytes of the colour that all pixels have, if they have one.
    fileprivate var uniformColor: UInt32? {
        guard cc_is_uniform(bytes.baseAddress, size * size) else { return nil }
        return UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt32.self)
    }
}

import CCodec
import Raster

/// The encoded tiles of a single colour. Plans have many such tiles, in few colours.
struct UniformTiles {
    /// The most that are kept: PNG files have about 130 bytes each, 270 for tiles of 512, JPEG files a kilobyte or
    /// four.
    private static let most = 64

    private var files: [Key: [UInt8]] = [:]

    private struct Key: Hashable {
        var color: UInt32
        var size: Int
    }

    /// Encodes a tile, unless a tile of the same single colour was encoded before.
    mutating func encode(
        _ pixels: TilePixels, otherwise write: (TilePixels) throws -> [UInt8]
    ) throws -> [UInt8] {
        guard let color = pixels.color ?? pixels.uniformColor else { return try write(pixels) }
        let key = Key(color: color, size: pixels.size)
        if let bytes = files[key] { return bytes }
        let bytes = try write(pixels)
        if files.count < Self.most { files[key] = bytes }
        return bytes
    }
}

extension TilePixels {
    /// The four bytes of the colour that all pixels have; nil if they differ.
    fileprivate var uniformColor: UInt32? {
        guard cc_is_uniform(bytes.baseAddress, size * size) else { return nil }
        return UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt32.self)
    }
}

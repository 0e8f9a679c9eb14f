import CCodec
import Raster

/// The files of tiles of a single colour, which plans have many of, in few colours.
struct UniformTiles {
    /// How many are kept: some 130 bytes each, 270 for tiles of 512.
    private static let most = 64

    private var files: [Key: [UInt8]] = [:]

    private struct Key: Hashable {
        var color: UInt32
        var size: Int
    }

    /// The file of a tile, which is encoded unless it has a single colour and was so before.
    mutating func encode(
        _ pixels: TilePixels, otherwise write: (TilePixels) throws -> [UInt8]
    ) throws -> [UInt8] {
        guard let color = pixels.uniformColor else { return try write(pixels) }
        let key = Key(color: color, size: pixels.size)
        if let bytes = files[key] { return bytes }
        let bytes = try write(pixels)
        if files.count < Self.most { files[key] = bytes }
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

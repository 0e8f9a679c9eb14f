import Raster
import Tiling

/// Packs the pixels of adjacent tiles. One per worker.
final class TilePacker {
    private let size: Int
    private let background: RGBColor?
    private let kernels: Kernels
    /// The pixels of all tiles that are packed at a time.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var tiles: [Tile] = []

    /// The state of a tile that is packed in parts.
    private struct Tile {
        let pixels: PackedWindow
        /// Whether all of its pixels exist; others are transparent.
        let isCovered: Bool
        var seen = AlphaSeen()
    }

    /// - Parameter count: the maximum number of tiles that are packed at a time.
    init(size: Int, count: Int, background: RGBColor?, kernels: Kernels) {
        (self.size, self.background, self.kernels) = (size, background, kernels)
        // Only the used part is touched.
        bytes = .allocate(capacity: count * size * size * 4)
    }

    deinit { bytes.deallocate() }

    /// Begins to pack tiles; the pixels of earlier tiles are lost.
    ///
    /// - Parameter tiles: the pixels of each tile, and whether all of them exist.
    func begin(_ tiles: [(window: PixelWindow, isCovered: Bool)]) {
        self.tiles = tiles.enumerated().map { index, tile in
            let count = size * size * 4
            let pixels = PackedWindow(
                tile.window,
                bytes: UnsafeMutableBufferPointer(rebasing: bytes[index * count..<(index + 1) * count]))
            if !tile.isCovered {
                pixels.fill(tile.window, with: .transparent, over: background, with: kernels)
            }
            return Tile(pixels: pixels, isCovered: tile.isCovered)
        }
    }

    /// Packs pixels into the tiles that contain them.
    func add(_ part: PixelWindow, of band: LevelBand) {
        for index in tiles.indices {
            let pixels = tiles[index].pixels
            let part = pixels.window.intersection(part)
            tiles[index].seen.add(pixels.pack(part, of: band, over: background, with: kernels))
        }
    }

    /// Finishes one of the tiles, by its index.
    ///
    /// - Returns: the pixels, which are valid until other tiles are begun; nil if all of them are transparent,
    ///   unless `keepsEmpty` is set.
    func finish(_ index: Int, keepsEmpty: Bool) -> TilePixels? {
        let tile = tiles[index]
        guard tile.seen.hasPixels || keepsEmpty else { return nil }
        return TilePixels(
            size: size, bytes: UnsafeBufferPointer(tile.pixels.bytes),
            isOpaque: background != nil || tile.isCovered && tile.seen.isOpaque)
    }
}

internal import Raster
internal import Resampling
internal import Tiling

/// Cuts finished tiles out of a level's band. One per worker.
final class TilePacker {
    private let size: Int
    private let background: RGBColor?
    private let kernels: Kernels
    /// Of all tiles that are packed row by row at a time.
    private let row: UnsafeMutableBufferPointer<UInt8>
    /// Of the first of them, or of the one tile that is packed at once.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter count: tiles that are packed row by row at a time, at most.
    init(size: Int, count: Int, background: RGBColor?, kernels: Kernels) {
        self.size = size
        self.background = background
        self.kernels = kernels
        // Only what is used is touched.
        row = .allocate(capacity: count * size * size * 4)
        bytes = UnsafeMutableBufferPointer(rebasing: row[..<(size * size * 4)])
    }

    deinit {
        row.deallocate()
    }

    /// The pixels of a tile, which stay valid until the next call, or nil if all of them are
    /// transparent and `keepsEmpty` is not set.
    func pack(
        column: Int, row: Int, of band: LevelBand, in matrix: TileMatrix, keepsEmpty: Bool
    ) -> TilePixels? {
        let parts = matrix.windows(ofTileIn: column, row).map {
            (tile: $0, inside: $0.intersection(band.window))
        }
        let coversTile = parts.reduce(0) { $0 + $1.inside.width * $1.inside.height } == size * size
        if !coversTile { fill() }
        var seen = AlphaSeen()
        var colors: Set<UInt32>? = coversTile ? [] : nil
        for part in parts where !part.inside.isEmpty {
            let split = UniformParts(of: part.inside, in: band)
            for (window, color) in split.uniform {
                let packed = packed(color)
                seen.add(packed.seen)
                colors?.insert(packed.pixel)
                fill(window, of: part.tile, with: packed.pixel)
            }
            if !split.mixed.isEmpty { colors = nil }
            for window in split.mixed { seen.add(pack(window, of: part.tile, from: band)) }
        }
        guard seen.hasPixels || keepsEmpty else { return nil }
        return TilePixels(
            size: size, bytes: UnsafeBufferPointer(bytes),
            isOpaque: background != nil || coversTile && seen.isOpaque,
            color: colors.flatMap { $0.count == 1 ? $0.first : nil })
    }

    /// Packs a row of pixels of a tile that lies in the band; all of them are opaque.
    ///
    /// - Parameter index: the tile's place among those that are packed at a time.
    func pack(row y: Int, of tile: PixelWindow, at index: Int, from band: LevelBand) {
        let rowsBefore = index * size + y - tile.rows.lowerBound
        let result = UnsafeMutableBufferPointer(rebasing: row[(rowsBefore * size * 4)...])
        _ = band.pack(tile.columns, ofRow: y, over: background, into: result, with: kernels)
    }

    /// A tile all rows of which have been packed, as it stays until the next call.
    func opaqueTile(_ index: Int) -> TilePixels {
        let count = size * size * 4
        return TilePixels(
            size: size, bytes: UnsafeBufferPointer(rebasing: row[index * count..<(index + 1) * count]),
            isOpaque: true)
    }

    /// A deep pixel as the four bytes of a tile's.
    private func packed(_ color: DeepColor) -> (pixel: UInt32, seen: AlphaSeen) {
        var pixel: UInt32 = 0
        let seen = withUnsafeMutableBytes(of: &pixel) { bytes in
            color.withPixel {
                kernels.pack($0, over: background, into: bytes.assumingMemoryBound(to: UInt8.self), count: 1)
            }
        }
        return (pixel, seen)
    }

    private func fill(_ part: PixelWindow, of tile: PixelWindow, with pixel: UInt32) {
        bytes.withMemoryRebound(to: UInt32.self) { pixels in
            for y in part.rows {
                let first =
                    (y - tile.rows.lowerBound) * size + part.columns.lowerBound - tile.columns.lowerBound
                UnsafeMutableBufferPointer(rebasing: pixels[first..<first + part.width])
                    .update(repeating: pixel)
            }
        }
    }

    private func pack(
        _ inside: PixelWindow, of tile: PixelWindow, from band: LevelBand
    ) -> AlphaSeen {
        var seen = AlphaSeen()
        for y in inside.rows {
            let offset =
                (y - tile.rows.lowerBound) * size + inside.columns.lowerBound
                - tile.columns.lowerBound
            let result = UnsafeMutableBufferPointer(rebasing: bytes[(offset * 4)...])
            seen.add(band.pack(inside.columns, ofRow: y, over: background, into: result, with: kernels))
        }
        return seen
    }

    /// Fills the tile with what is seen outside the images.
    private func fill() {
        guard let background else { return bytes.update(repeating: 0) }
        let color = (background.red, background.green, background.blue, UInt8.max)
        withUnsafeBytes(of: color) { color in
            bytes.withMemoryRebound(to: UInt32.self) { pixels in
                pixels.update(repeating: color.loadUnaligned(as: UInt32.self))
            }
        }
    }
}

extension TileMatrix {
    /// The pixels of a tile, and those of the same tile a turn further on: an image that comes around the world may end
    /// in the tile in which it begins.
    func windows(ofTileIn column: Int, _ row: Int) -> [PixelWindow] {
        [column, column + tilesPerEdge].map {
            PixelWindow(columns: pixels(ofTile: $0), rows: pixels(ofTile: row))
        }
    }
}

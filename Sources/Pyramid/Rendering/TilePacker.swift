import Raster
import Resampling
import Tiling

/// Packs the pixels of tiles. One per worker.
final class TilePacker {
    private let size: Int
    private let background: RGBColor?
    private let kernels: Kernels
    /// The pixels of all tiles that are packed at a time.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// These tiles.
    private var tiles: [Parts] = []
    /// A tile of one colour, and the colour.
    private let uniform: UnsafeMutableBufferPointer<UInt32>
    private var uniformColor: UInt32?

    /// The state of a tile that is packed in parts.
    private struct Parts {
        /// A single-coloured part. It is filled when the tile is finished, unless the whole tile has one
        /// colour.
        struct Uniform {
            let part: PixelWindow
            let color: UInt32
            let pixels: PackedWindow
        }

        let pixels: PackedWindow
        var seen = AlphaSeen()
        var uniform: [Uniform] = []
        var hasMixed = false
        let coversTile: Bool

        init(_ pixels: PackedWindow, coversTile: Bool) {
            (self.pixels, self.coversTile) = (pixels, coversTile)
        }

        /// The colour of the whole tile; nil if it has several, or if the colour is unknown.
        var color: UInt32? {
            guard coversTile, !hasMixed, let first = uniform.first?.color else { return nil }
            return uniform.allSatisfy { $0.color == first } ? first : nil
        }
    }

    /// - Parameter count: the maximum number of tiles that are packed at a time.
    init(size: Int, count: Int, background: RGBColor?, kernels: Kernels) {
        self.size = size
        self.background = background
        self.kernels = kernels
        // Only the used part is touched.
        bytes = .allocate(capacity: count * size * size * 4)
        uniform = .allocate(capacity: size * size)
    }

    deinit {
        bytes.deallocate()
        uniform.deallocate()
    }

    /// Begins to pack tiles that have pixels in a window; the pixels of earlier tiles are lost.
    func begin(_ tiles: [PixelWindow], of window: PixelWindow) {
        self.tiles = tiles.enumerated().map { index, tile in
            begin(tile, at: index, coversTile: tile.intersection(window) == tile)
        }
    }

    /// Packs rows of these tiles.
    func pack(_ rows: Range<Int>, of band: LevelBand) {
        for index in tiles.indices {
            let tile = tiles[index].pixels
            let part = tile.window.intersection(PixelWindow(columns: band.window.columns, rows: rows))
            add(part, to: &tiles[index], band.colors) {
                tile.pack($0, of: band, over: background, with: kernels)
            }
        }
    }

    /// Finishes one of these tiles, by its index.
    ///
    /// - Returns: the pixels, which are valid until another tile is finished or packed; nil if all of them
    ///   are transparent, unless `keepsEmpty` is set.
    func finish(_ index: Int, keepsEmpty: Bool) -> TilePixels? { finish(tiles[index], keepsEmpty) }

    /// Packs a tile from a band that contains all its pixels.
    ///
    /// - Returns: the pixels, which are valid until another tile is packed; nil as above.
    func pack(
        column: Int, row: Int, of band: LevelBand, in matrix: TileMatrix, keepsEmpty: Bool
    ) -> TilePixels? {
        let windows = matrix.windows(ofTileIn: column, row)
        let parts = windows.map { $0.intersection(band.window) }
        let area = parts.reduce(0) { $0 + $1.width * $1.height }
        var tile = begin(windows[0], at: 0, coversTile: area == size * size)
        for (window, part) in zip(windows, parts) {
            let pixels = PackedWindow(window, bytes: tile.pixels.bytes)
            add(part, to: &tile, band.colors, in: pixels) {
                pixels.pack($0, of: band, over: background, with: kernels)
            }
        }
        return finish(tile, keepsEmpty)
    }

    /// Packs a tile whose parts have all been gathered.
    ///
    /// - Returns: as above.
    func pack(column: Int, row: Int, of tiles: GatheredTiles, keepsEmpty: Bool) -> TilePixels? {
        let pixels = tiles.tile(column: column, row: row)
        let part = pixels.window.intersection(tiles.window)
        for rest in pixels.window.parts(around: part) { pixels.fill(rest, with: packed(.transparent).pixel) }
        var tile = Parts(pixels, coversTile: part == pixels.window)
        tile.seen = tiles.seen(inTileIn: column, row)
        // The pixels of cells with several colours are there already.
        add(part, to: &tile, tiles.colors) { _ in AlphaSeen() }
        return finish(tile, keepsEmpty)
    }

    /// Packs pixels of a band into the tiles that contain them.
    func gather(_ window: PixelWindow, of band: LevelBand, into tiles: GatheredTiles) {
        for (column, row) in tiles.tiles(of: window) {
            let place = tiles.window(ofTileIn: column, row)
            let parts = SolidRegions(of: window.intersection(place), in: band.colors)
            // A tile with only known single-coloured cells needs no memory.
            lazy var tile = tiles.tile(column: column, row: row)
            var seen = AlphaSeen()
            for (part, color) in parts.uniform {
                let packed = packed(color)
                seen.add(packed.seen)
                if tiles.colors?.note(part, color) ?? false { continue }
                tile.fill(part, with: packed.pixel)
            }
            for part in parts.mixed {
                seen.add(tile.pack(part, of: band, over: background, with: kernels))
            }
            tiles.add(seen, toTileIn: column, row)
        }
    }

    private func begin(_ tile: PixelWindow, at index: Int, coversTile: Bool) -> Parts {
        let pixels = PackedWindow(tile, bytes: bytes(ofTile: index))
        if !coversTile { pixels.fill(tile, with: packed(.transparent).pixel) }
        return Parts(pixels, coversTile: coversTile)
    }

    /// Adds a part to a tile.
    ///
    /// - Parameter pixels: the destination of the part, if it differs from the tile's own pixels.
    private func add(
        _ part: PixelWindow, to tile: inout Parts, _ colors: CellColors?, in pixels: PackedWindow? = nil,
        pack: (PixelWindow) -> AlphaSeen
    ) {
        if part.isEmpty { return }
        let parts = SolidRegions(of: part, in: colors)
        for (window, color) in parts.uniform {
            let packed = packed(color)
            tile.seen.add(packed.seen)
            tile.uniform.append(.init(part: window, color: packed.pixel, pixels: pixels ?? tile.pixels))
        }
        if !parts.mixed.isEmpty { tile.hasMixed = true }
        for window in parts.mixed { tile.seen.add(pack(window)) }
    }

    private func finish(_ tile: Parts, _ keepsEmpty: Bool) -> TilePixels? {
        guard tile.seen.hasPixels || keepsEmpty else { return nil }
        let color = tile.color
        if color == nil {
            for uniform in tile.uniform { uniform.pixels.fill(uniform.part, with: uniform.color) }
        }
        return TilePixels(
            size: size, bytes: UnsafeBufferPointer(color.map(bytes(of:)) ?? tile.pixels.bytes),
            isOpaque: background != nil || tile.coversTile && tile.seen.isOpaque, color: color)
    }

    /// The pixels of a single-coloured tile. Most such tiles of a drawing have the same colour.
    private func bytes(of color: UInt32) -> UnsafeMutableBufferPointer<UInt8> {
        if color != uniformColor { uniform.update(repeating: color) }
        uniformColor = color
        return UnsafeMutableBufferPointer(
            start: UnsafeMutableRawPointer(uniform.baseAddress.unsafelyUnwrapped)
                .assumingMemoryBound(to: UInt8.self),
            count: size * size * 4)
    }

    private func bytes(ofTile index: Int) -> UnsafeMutableBufferPointer<UInt8> {
        let count = size * size * 4
        return UnsafeMutableBufferPointer(rebasing: bytes[index * count..<(index + 1) * count])
    }

    private func packed(_ color: DeepColor) -> (pixel: UInt32, seen: AlphaSeen) {
        color.packed(over: background, with: kernels)
    }
}

extension TileMatrix {
    /// The pixels of a tile, and of the same tile a turn further on: an image that leads around the world may
    /// end in the tile in which it begins.
    func windows(ofTileIn column: Int, _ row: Int) -> [PixelWindow] {
        [column, column + tilesPerEdge].map {
            PixelWindow(columns: pixels(ofTile: $0), rows: pixels(ofTile: row))
        }
    }
}

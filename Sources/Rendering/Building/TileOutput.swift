import Platform
import Raster
import Tiling

/// Packs the tiles of a unit.
final class TileOutput: UnitOutput, @unchecked Sendable {
    // Unchecked: like a worker, it is used by one task at a time.

    private let packer: TilePacker
    private let keepsEmpty: Bool
    /// Room for the deep pixels of each tile; empty if they are not kept.
    private let squares: [TileSquare]
    private let keptZoom: Int?
    private var tiles: [TileCoordinate] = []
    private var windows: [PixelWindow] = []
    private var keeps = false

    /// Makes an output for units of a given number of tiles.
    ///
    /// - Parameter keptZoom: the zoom whose deep pixels are kept; nil if there is none.
    init(_ options: PyramidOptions, tilesPerUnit: Int, keptZoom: Int?, kernels: Kernels) {
        (self.keptZoom, keepsEmpty) = (keptZoom, options.writesEmptyTiles)
        packer = TilePacker(
            size: options.tileSize, count: tilesPerUnit, background: options.background, kernels: kernels)
        squares = keptZoom == nil ? [] : (0..<tilesPerUnit).map { _ in TileSquare(size: options.tileSize) }
    }

    func begin(_ columns: [Int], row: Int, of level: PyramidLevel) {
        tiles = columns.map { TileCoordinate(zoom: level.zoom, column: $0, row: row) }
        windows = columns.map { level.matrix.window(ofTileIn: $0, row) }
        packer.begin(windows.map { ($0, level.covers($0)) })
        keeps = level.zoom == keptZoom
        if keeps { squares.forEach { $0.clear() } }
    }

    func add(_ part: PixelWindow, of band: LevelBand) {
        packer.add(part, of: band)
        if !keeps { return }
        for (square, window) in zip(squares, windows) {
            square.copy(part.intersection(window), of: window, band, intoBand: false)
        }
    }

    func finish(with encoders: TileEncoders?) throws -> [UnitTile] {
        let encoders = encoders.unwrapped("tiles have an encoder")
        return try tiles.enumerated().map { index, tile in
            if encoders.staged.contains(tile) { return UnitTile(coordinate: tile, content: .staged) }
            let pixels = packer.finish(index, keepsEmpty: keepsEmpty)
            let kept = keeps && !squares[index].isClear ? try encoders.pack(squares[index]) : nil
            return UnitTile(
                coordinate: tile,
                content: try pixels.map { .encoded(try encoders.encoder.encode($0)) } ?? .empty,
                pixels: kept)
        }
    }
}

/// The encoders of one job.
struct TileEncoders {
    /// Encodes the pixels of a tile.
    let encoder: any TileEncoder
    /// Packs deep pixels that are kept; nil if none are.
    let packer: (any KeptPixels.Packer)?
    /// The tiles that an interrupted run has left.
    let staged: Set<TileCoordinate>

    fileprivate func pack(_ square: TileSquare) throws -> [UInt8]? {
        try packer?.pack(UnsafeBufferPointer(square.pixels))
    }
}

extension TileMatrix {
    /// The pixels of a tile.
    func window(ofTileIn column: Int, _ row: Int) -> PixelWindow {
        PixelWindow(columns: pixels(ofTile: column), rows: pixels(ofTile: row))
    }
}

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

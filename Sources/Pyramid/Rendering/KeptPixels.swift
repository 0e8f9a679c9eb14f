import Resampling
package import Tiling

/// The deep pixels of the tiles of a zoom, which one build keeps for others: the zooms below are halved from
/// them, exactly as if they had just been rendered.
package enum KeptPixels {
    /// Packs the pixels of a tile. One per worker.
    package protocol Packer: AnyObject {
        /// Packs pixels.
        ///
        /// - Parameter pixels: four values for each, row by row, without gaps.
        /// - Returns: bytes that depend only on the pixels.
        func pack(_ pixels: UnsafeBufferPointer<Int16>) throws -> [UInt8]
    }

    /// Returns the pixels of tiles. Safe to share.
    package protocol Source: Sendable {
        /// Unpacks the pixels of a tile.
        ///
        /// - Parameter tile: a tile whose column is inside the world.
        /// - Returns: false if there are none: then all pixels are transparent.
        /// - Throws: a `Failure` if they are damaged.
        func unpack(_ tile: TileCoordinate, into result: UnsafeMutableBufferPointer<Int16>) throws -> Bool
    }
}

/// Encodes tiles, and packs the pixels of those of the coarsest level. One per worker.
final class KeepingOutput: UnitOutput {
    private let plan: PyramidPlan
    private let tiles: TileOutput
    private let packer: any KeptPixels.Packer
    private let kernels: Kernels
    private let square: TileSquare

    init(plan: PyramidPlan, tiles: TileOutput, packer: any KeptPixels.Packer, kernels: Kernels) {
        self.plan = plan
        self.tiles = tiles
        self.packer = packer
        self.kernels = kernels
        square = TileSquare(size: plan.options.tileSize)
    }

    func finish(_ unit: WorkUnit, of stage: Stage, in band: LevelBand) throws -> [UnitTile] {
        var results = try tiles.finish(unit, of: stage, in: band)
        guard stage.level == plan.levels.count - 1 else { return results }
        let matrix = plan.levels[stage.level].matrix
        for index in results.indices {
            if case .staged = results[index].content { continue }
            let (column, row) = (results[index].column, results[index].coordinate.row)
            square.clear()
            for part in matrix.windows(ofTileIn: column, row) {
                square.copy(part.intersection(band.window), from: band, of: part, with: kernels)
            }
            if !square.isClear { results[index].pixels = try packer.pack(UnsafeBufferPointer(square.pixels)) }
        }
        return results
    }

    func gather(_ window: PixelWindow, ofLevel level: Int, from band: LevelBand) {
        tiles.gather(window, ofLevel: level, from: band)
    }

    func finishGathered(_ unit: WorkUnit, of stage: Stage) throws -> [UnitTile] {
        // The coarsest level has a ring.
        try tiles.finishGathered(unit, of: stage)
    }

    func tileRow(_ unit: WorkUnit, of stage: Stage) -> TileRow? {
        stage.level < plan.levels.count - 1 ? tiles.tileRow(unit, of: stage) : nil
    }
}

/// Puts kept pixels into the band of the finest level. One per worker.
final class KeptRenderer: FinestRenderer {
    private let matrix: TileMatrix
    private let source: any KeptPixels.Source
    private let square: TileSquare
    /// The tile whose pixels the square holds.
    private var held: TileCoordinate?

    init(matrix: TileMatrix, source: any KeptPixels.Source) {
        (self.matrix, self.source) = (matrix, source)
        square = TileSquare(size: matrix.tileSize)
    }

    func render(_ window: PixelWindow, into band: LevelBand) throws {
        for row in matrix.tiles(ofPixels: window.rows) {
            for column in matrix.tiles(ofPixels: window.columns) {
                let tile = TileCoordinate(zoom: matrix.zoom, column: column, row: row)
                if held != tile {
                    if try !source.unpack(tile, into: square.pixels) { square.clear() }
                    held = tile
                }
                let place = PixelWindow(
                    columns: matrix.pixels(ofTile: column), rows: matrix.pixels(ofTile: row))
                square.copy(place.intersection(window), to: band, of: place)
            }
        }
    }
}

/// The deep pixels of one tile.
private final class TileSquare {
    let pixels: UnsafeMutableBufferPointer<Int16>
    private let size: Int

    init(size: Int) {
        self.size = size
        pixels = .allocate(capacity: size * size * DeepPixel.channels)
        pixels.initialize(repeating: 0)
    }

    deinit { pixels.deallocate() }

    /// Whether all values are zero: transparent pixels without colours.
    var isClear: Bool { pixels.allSatisfy { $0 == 0 } }

    func clear() { pixels.update(repeating: 0) }

    /// Copies a part of a tile from a band.
    func copy(
        _ part: PixelWindow, from band: LevelBand, of tile: PixelWindow, with kernels: Kernels
    ) {
        for row in part.rows {
            band.copyPixels(
                part.columns, row: row, into: address(of: part.columns.lowerBound, row, in: tile),
                with: kernels)
        }
    }

    /// Copies a part of a tile into a band.
    func copy(_ part: PixelWindow, to band: LevelBand, of tile: PixelWindow) {
        for row in part.rows {
            band.pixel(column: part.columns.lowerBound, row: row).update(
                from: address(of: part.columns.lowerBound, row, in: tile),
                count: part.width * DeepPixel.channels)
        }
    }

    private func address(of column: Int, _ row: Int, in tile: PixelWindow) -> DeepPixels {
        let offset = (row - tile.rows.lowerBound) * size + column - tile.columns.lowerBound
        // A tile has pixels, so that the buffer has an address.
        return pixels.baseAddress.unsafelyUnwrapped + offset * DeepPixel.channels
    }
}

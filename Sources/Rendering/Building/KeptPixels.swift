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

/// Puts kept pixels into the band of the finest level. One per worker.
final class KeptRenderer: FinestRenderer {
    private let matrix: TileMatrix
    private let source: any KeptPixels.Source
    /// The tiles of the row of tiles that was rendered last, by column: a unit is rendered some rows at a time.
    private var held: [Int: TileSquare] = [:]
    private var row: Int?
    private var free: [TileSquare] = []

    init(matrix: TileMatrix, source: any KeptPixels.Source) { (self.matrix, self.source) = (matrix, source) }

    func render(_ window: PixelWindow, into band: LevelBand) throws {
        for row in matrix.tiles(ofPixels: window.rows) {
            for column in matrix.tiles(ofPixels: window.columns) {
                let place = matrix.window(ofTileIn: column, row)
                try square(column, row).copy(place.intersection(window), of: place, band, intoBand: true)
            }
        }
    }

    private func square(_ column: Int, _ row: Int) throws -> TileSquare {
        if self.row != row {
            free += held.values
            held.removeAll()
            self.row = row
        }
        if let square = held[column] { return square }
        let square = free.popLast() ?? TileSquare(size: matrix.tileSize)
        let tile = TileCoordinate(zoom: matrix.zoom, column: column, row: row)
        if try !source.unpack(tile, into: square.pixels) { square.clear() }
        held[column] = square
        return square
    }
}

/// The deep pixels of one tile.
final class TileSquare {
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

    /// Copies a part of a tile from a band, or into it.
    func copy(_ part: PixelWindow, of tile: PixelWindow, _ band: LevelBand, intoBand: Bool) {
        for row in part.rows where !part.isEmpty {
            let column = part.columns.lowerBound
            let offset = (row - tile.rows.lowerBound) * size + column - tile.columns.lowerBound
            // A tile has pixels, so that the buffer has an address.
            let own = pixels.baseAddress.unsafelyUnwrapped + offset * DeepPixel.channels
            let others = band.pixel(column: column, row: row)
            let (source, result) = intoBand ? (own, others) : (others, own)
            result.update(from: source, count: part.width * DeepPixel.channels)
        }
    }
}

import Codecs
import Platform
import Raster
import Tilesets
import Tiling

/// A rectangle of tiles of one zoom as an image that is read in windows. Missing tiles are transparent.
final class TileMosaic: RasterSource, WindowReader {
    let info: RasterInfo
    /// The tiles, in columns that may continue beyond the antimeridian.
    private let tiles: PixelWindow
    private let zoom: Int
    private let tileSize: Int
    private let lookups: TileLookups

    /// Describes a rectangle of tiles.
    ///
    /// - Parameter tiles: the columns and rows of at least one tile.
    init(_ lookups: TileLookups, zoom: Int, tiles: PixelWindow, tileSize: Int) {
        self.lookups = lookups
        (self.zoom, self.tiles, self.tileSize) = (zoom, tiles, tileSize)
        info = RasterInfo(
            width: tiles.width * tileSize, height: tiles.height * tileSize, pixelFormat: .rgba8,
            summary: "zoom \(zoom) of '\(lookups.reader.path)'")
    }

    /// The pixels of all tiles. Smaller tiles count like tiles of 256 pixels, since each tile is looked up.
    var pixelsRead: Double {
        let edge = Double(max(tileSize, 256))
        return Double(tiles.width) * Double(tiles.height) * edge * edge
    }

    var blockSize: (width: Int, height: Int) { (tileSize, tileSize) }

    var windows: (any WindowReader)? { self }

    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        preconditionFailure("tiles are read in windows")
    }

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let scratch = isWhole(window) ? nil : makeScratch()
        defer { scratch?.deallocate() }
        for rows in window.rows.cut(every: tileSize) {
            for columns in window.columns.cut(every: tileSize) {
                let (column, row) = (columns.lowerBound / tileSize, rows.lowerBound / tileSize)
                let result =
                    destination + (rows.lowerBound - window.rows.lowerBound) * stride
                    + (columns.lowerBound - window.columns.lowerBound) * 4
                guard let scratch else {
                    try decode(column, row, into: result, stride: stride)
                    continue
                }
                try decode(column, row, into: scratch, stride: tileSize * 4)
                let first = (rows.lowerBound % tileSize * tileSize + columns.lowerBound % tileSize) * 4
                for line in 0..<rows.count {
                    (result + line * stride).copyMemory(
                        from: scratch + first + line * tileSize * 4, byteCount: columns.count * 4)
                }
            }
        }
    }

    func read(
        _ window: PixelWindow, of format: PixelFormat, into destination: UnsafeMutableRawPointer
    ) throws -> PixelFormat {
        guard window.width == tileSize, window.height == tileSize, isWhole(window) else {
            try read(window, into: destination, stride: window.width * format.bytesPerPixel)
            return format
        }
        let (column, row) = (window.columns.lowerBound / tileSize, window.rows.lowerBound / tileSize)
        return try withBytes(column, row) { (bytes) throws(Failure) in
            try TileDecoder.decodeCompactly(bytes, size: tileSize, into: destination)
        } ?? clear(destination, stride: tileSize * 4)
    }

    /// Calls `body` with each existing tile: its column and row, which may continue beyond the antimeridian,
    /// and its pixels, without gaps.
    func forEachTile(
        _ body: (_ tile: (column: Int, row: Int), _ pixels: UnsafeMutableRawPointer) -> Void
    ) throws {
        let scratch = makeScratch()
        defer { scratch.deallocate() }
        let inWorld = tiles.rows.clamped(to: 0..<1 << zoom)
        for row in inWorld {
            for column in tiles.columns {
                let place = (column - tiles.columns.lowerBound, row - tiles.rows.lowerBound)
                if try decode(place.0, place.1, into: scratch, stride: tileSize * 4) {
                    body((column, row), scratch)
                }
            }
        }
    }

    /// Memory for the pixels of a tile.
    private func makeScratch() -> UnsafeMutableRawPointer {
        .allocate(byteCount: tileSize * tileSize * 4, alignment: 16)
    }

    private func isWhole(_ window: PixelWindow) -> Bool {
        let edges = [
            window.columns.lowerBound, window.columns.upperBound, window.rows.lowerBound,
            window.rows.upperBound,
        ]
        return edges.allSatisfy { $0 % tileSize == 0 }
    }

    /// Decodes a tile by its place in the rectangle.
    ///
    /// - Returns: whether it exists; otherwise its pixels are transparent.
    @discardableResult private func decode(
        _ column: Int, _ row: Int, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws -> Bool {
        let isThere: Void? = try withBytes(column, row) { (bytes) throws(Failure) in
            try TileDecoder.decode(bytes, size: tileSize, into: destination, stride: stride)
        }
        if isThere == nil { _ = clear(destination, stride: stride) }
        return isThere != nil
    }

    /// Calls `body` with the bytes of a tile by its place in the rectangle; nil if the tile is missing.
    /// Errors name the tile.
    private func withBytes<Result>(
        _ column: Int, _ row: Int, _ body: ([UInt8]) throws(Failure) -> Result
    ) throws -> Result? {
        let tile = TileCoordinate(
            zoom: zoom, column: tiles.columns.lowerBound + column, row: tiles.rows.lowerBound + row)
        guard let bytes = try lookups.tile(at: tile) else { return nil }
        do { return try body(bytes) } catch {
            let reader = lookups.reader
            throw Failure(
                error.kind, "cannot read \(reader.place(of: tile)) of '\(reader.path)': \(error.message)",
                remedy: error.remedy)
        }
    }

    private func clear(_ destination: UnsafeMutableRawPointer, stride: Int) -> PixelFormat {
        for row in 0..<tileSize {
            (destination + row * stride).initializeMemory(
                as: UInt8.self, repeating: 0, count: tileSize * 4)
        }
        return .rgba8
    }
}

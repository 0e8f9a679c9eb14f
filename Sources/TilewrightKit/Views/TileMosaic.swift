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
    private let halvings: Int
    private let lookups: TileLookups

    /// Describes a rectangle of tiles.
    ///
    /// - Parameters:
    ///   - tiles: the columns and rows of at least one tile.
    ///   - halvings: how often each tile is halved in size, for a coarser zoom.
    init(_ lookups: TileLookups, zoom: Int, tiles: PixelWindow, tileSize: Int, halvings: Int) {
        self.lookups = lookups
        (self.zoom, self.tiles, self.tileSize, self.halvings) = (zoom, tiles, tileSize, halvings)
        let edge = tileSize >> halvings
        info = RasterInfo(
            width: tiles.width * edge, height: tiles.height * edge, pixelFormat: .rgba8,
            summary: "zoom \(zoom) of '\(lookups.reader.path)'")
    }

    /// The pixels of all tiles. Smaller tiles count like tiles of 256 pixels, since each tile is looked up.
    var pixelsRead: Double {
        let edge = Double(max(tileSize, 256))
        return Double(tiles.width) * Double(tiles.height) * edge * edge
    }

    var blockSize: (width: Int, height: Int) { (tileSize >> halvings, tileSize >> halvings) }

    var windows: (any WindowReader)? { self }

    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        preconditionFailure("tiles are read in windows")
    }

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let edge = blockSize.width
        let scratch = halvings > 0 || !isWhole(window) ? TileScratch(size: tileSize) : nil
        for row in window.rows.lowerBound / edge...(window.rows.upperBound - 1) / edge {
            for column in window.columns.lowerBound / edge...(window.columns.upperBound - 1) / edge {
                let place = PixelWindow(
                    columns: column * edge..<(column + 1) * edge, rows: row * edge..<(row + 1) * edge)
                let part = place.intersection(window)
                let result =
                    destination + (part.rows.lowerBound - window.rows.lowerBound) * stride
                    + (part.columns.lowerBound - window.columns.lowerBound) * 4
                if let scratch {
                    try decode(column, row, into: scratch.pixels, stride: tileSize * 4)
                    scratch.halve(halvings)
                    let inside = PixelWindow(
                        columns: part.columns.moved(by: -place.columns.lowerBound),
                        rows: part.rows.moved(by: -place.rows.lowerBound))
                    scratch.copy(inside, edge: edge, to: result, stride: stride)
                } else {
                    try decode(column, row, into: result, stride: stride)
                }
            }
        }
    }

    func read(
        _ window: PixelWindow, of format: PixelFormat, into destination: UnsafeMutableRawPointer
    ) throws -> PixelFormat {
        guard halvings == 0, window.width == tileSize, window.height == tileSize, isWhole(window) else {
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
        let scratch = TileScratch(size: tileSize)
        let inWorld = tiles.rows.clamped(to: 0..<1 << zoom)
        for row in inWorld {
            for column in tiles.columns {
                let place = (column - tiles.columns.lowerBound, row - tiles.rows.lowerBound)
                guard try decode(place.0, place.1, into: scratch.pixels, stride: tileSize * 4) else {
                    continue
                }
                body((column, row), scratch.pixels)
            }
        }
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

/// The pixels of one tile, RGBA with straight alpha.
final class TileScratch {
    let pixels: UnsafeMutableRawPointer
    private let size: Int

    init(size: Int) {
        self.size = size
        pixels = .allocate(byteCount: size * size * 4, alignment: 16)
    }

    deinit { pixels.deallocate() }

    /// Averages squares with `2^halvings` pixels along each edge, weighted by alpha, into rows without gaps.
    func halve(_ halvings: Int) {
        if halvings == 0 { return }
        let (side, edge) = (1 << halvings, size >> halvings)
        let samples = pixels.assumingMemoryBound(to: UInt8.self)
        for row in 0..<edge {
            for column in 0..<edge {
                // The result overwrites only pixels that were already read.
                average(
                    samples + (row * side * size + column * side) * 4, side: side,
                    to: samples + (row * edge + column) * 4)
            }
        }
    }

    private func average(
        _ first: UnsafeMutablePointer<UInt8>, side: Int, to result: UnsafeMutablePointer<UInt8>
    ) {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for row in 0..<side {
            for column in 0..<side {
                let pixel = first + (row * size + column) * 4
                let weight = Int(pixel[3])
                red += Int(pixel[0]) * weight
                green += Int(pixel[1]) * weight
                blue += Int(pixel[2]) * weight
                alpha += weight
            }
        }
        let weight = max(1, alpha)
        result[0] = UInt8((red + weight / 2) / weight)
        result[1] = UInt8((green + weight / 2) / weight)
        result[2] = UInt8((blue + weight / 2) / weight)
        result[3] = UInt8((alpha + side * side / 2) / (side * side))
    }

    /// Copies a part of the pixels, in rows of `edge`.
    func copy(_ part: PixelWindow, edge: Int, to result: UnsafeMutableRawPointer, stride: Int) {
        for row in part.rows {
            (result + (row - part.rows.lowerBound) * stride).copyMemory(
                from: pixels + (row * edge + part.columns.lowerBound) * 4, byteCount: part.width * 4)
        }
    }
}

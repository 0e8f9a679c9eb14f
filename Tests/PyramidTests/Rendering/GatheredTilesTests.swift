import Raster
import TestSupport
import Testing
import Tiling

@testable import Pyramid
@testable import Resampling

/// Tiles that are gathered part by part are those that a band holds.
@Suite("Gathered tiles") struct GatheredTilesTests {
    private static let matrix = TileMatrix(zoom: 12, tileSize: 256)

    /// Cells of one colour and others, of a level that begins and ends inside of tiles.
    private struct Drawing {
        let level: PyramidLevel
        private var cells: [PixelWindow: [UInt32]] = [:]

        init(_ random: inout SplitMix) {
            let window = PixelWindow(
                columns: Int.random(in: 2000...2200, using: &random)..<3300,
                rows: Int.random(in: 2000...2200, using: &random)..<3201)
            level = PyramidLevel(matrix: matrix, window: window, coverages: [], cut: nil, isWritten: true)
            for rows in window.rows.cut(every: CellColors.size) {
                for columns in window.columns.cut(every: CellColors.size) {
                    let count = [1, 1, 1, 2, 7].randomElement(using: &random) ?? 1
                    // One column of tiles is transparent to begin with.
                    let isEmpty = (2304..<2560).contains(columns.lowerBound) && rows.lowerBound < 2560
                    cells[PixelWindow(columns: columns, rows: rows)] =
                        isEmpty ? [0] : (0..<count).map { _ in Self.pixel(&random) }
                }
            }
        }

        /// Opaque, half transparent or transparent.
        private static func pixel(_ random: inout SplitMix) -> UInt32 {
            let alpha = [255, 255, 255, 128, 0].randomElement(using: &random) ?? 255
            if alpha == 0 { return 0 }
            return UInt32(alpha) << 24 | UInt32.random(in: 0...0xff_ffff, using: &random)
        }

        /// A part of the level, with the colours of cells or with pixels alone.
        func band(_ window: PixelWindow, colors: CellColors?) throws -> LevelBand {
            var band = try LevelBand(window: window, capacity: window.height, scratchDirectory: nil)
            band.colors = colors
            colors?.begin(window, capacity: window.height)
            for (cell, pixels) in cells {
                let part = cell.intersection(window)
                if part.isEmpty { continue }
                let colors = pixels.map { pixel in
                    withUnsafeBytes(of: pixel) { bytes in
                        DeepColor(unpacking: bytes.baseAddress.unsafelyUnwrapped, as: .rgba8, with: .best)
                    }
                }
                if colors.count == 1 {
                    band.fill(part, with: colors[0])
                    continue
                }
                for row in part.rows {
                    for column in part.columns {
                        colors[(row * 5 + column * 3) % colors.count].fill(
                            band.pixel(column: column, row: row), count: 1)
                    }
                }
            }
            return band
        }
    }

    private static func packer(_ background: RGBColor?) -> TilePacker {
        TilePacker(size: 256, count: 1, background: background, kernels: .best)
    }

    /// Parts as units make them: 128 rows of some tiles.
    private static func parts(_ drawing: Drawing, ofRow row: Int) -> [PixelWindow] {
        let window = drawing.level.window
        return matrix.pixels(ofTile: row).clamped(to: window.rows).cut(every: 128).flatMap { rows in
            window.columns.cut(every: 512).map { PixelWindow(columns: $0, rows: rows) }
        }
    }

    @Test(
        "Tiles and their alphas are the same", .long, arguments: [true, false],
        [nil, RGBColor(red: 9, green: 80, blue: 200)])
    func tiles(knowsColors: Bool, background: RGBColor?) throws {
        var random = SplitMix(seed: 20)
        let drawing = Drawing(&random)
        let (level, matrix) = (drawing.level, Self.matrix)
        let whole = try drawing.band(level.window, colors: nil)
        let gathered = try GatheredTiles(level, keepsColors: knowsColors, scratchDirectory: nil)
        let (one, other) = (Self.packer(background), Self.packer(background))
        var (empty, opaque, uniform) = (0, 0, 0)
        // A row of tiles is filled while the one before is encoded.
        for row in level.tileRows.lowerBound...level.tileRows.upperBound {
            if level.tileRows.contains(row) {
                for part in Self.parts(drawing, ofRow: row).shuffled(using: &random) {
                    let colors = knowsColors ? CellColors(standForPixels: true) : nil
                    one.gather(part, of: try drawing.band(part, colors: colors), into: gathered)
                }
            }
            guard row > level.tileRows.lowerBound else { continue }
            for column in matrix.tiles(ofPixels: level.window.columns) {
                let tile = one.pack(column: column, row: row - 1, of: gathered, keepsEmpty: false)
                let expected = other.pack(
                    column: column, row: row - 1, of: whole, in: matrix, keepsEmpty: false)
                #expect(tile?.bytes.map { $0 } == expected?.bytes.map { $0 }, "\(column), \(row - 1)")
                #expect(tile?.isOpaque == expected?.isOpaque)
                if let color = tile?.color {
                    #expect(
                        tile?.bytes.withMemoryRebound(to: UInt32.self) { $0.allSatisfy { $0 == color } }
                            == true)
                    uniform += 1
                }
                empty += tile == nil ? 1 : 0
                opaque += tile?.isOpaque == true ? 1 : 0
            }
        }
        #expect(empty > 0 && (background == nil ? opaque == 0 : opaque > 0) && uniform == 0)
    }

    @Test("A tile without gathered parts is empty, even if its slot held another tile")
    func nothing() throws {
        let tiles = try Self.tiles(columns: 1)
        let packer = Self.packer(nil)
        let part = PixelWindow(columns: 0..<256, rows: 0..<256)
        let band = try LevelBand(window: part, capacity: 256, scratchDirectory: nil)
        band.fill(part, with: Self.color(.max))
        packer.gather(part, of: band, into: tiles)
        #expect(packer.pack(column: 0, row: 0, of: tiles, keepsEmpty: false)?.isOpaque == true)
        #expect(packer.pack(column: 0, row: 2, of: tiles, keepsEmpty: false) == nil)
    }

    @Test("A tile reuses the memory of an encoded one, and needs none if its colours are known")
    func places() throws {
        let tiles = try Self.tiles(columns: 4)
        func address(_ column: Int, _ row: Int) -> UnsafeMutablePointer<UInt8>? {
            tiles.tile(column: column, row: row).bytes.baseAddress
        }
        let first = address(0, 0)
        #expect(address(0, 0) == first && address(1, 0) != first)
        tiles.release(column: 0, row: 0)
        let part = PixelWindow(columns: 512..<768, rows: 0..<256)
        let band = try Self.uniformBand(part, .max)
        Self.packer(nil).gather(part, of: band, into: tiles)
        #expect(address(3, 0) == first)
        // Rows that were never encoded give their places to those that follow.
        for row in 1..<40 { for column in 0..<4 { #expect(address(column, row) != nil) } }
    }

    @Test("Tiles of a unit with a different colour each")
    func uniformTiles() throws {
        let packer = TilePacker(size: 256, count: 2, background: nil, kernels: .best)
        let windows = (0..<2).map { PixelWindow(columns: $0 * 256..<($0 + 1) * 256, rows: 0..<256) }
        let all = PixelWindow(columns: 0..<512, rows: 0..<256)
        packer.begin(windows, of: all)
        let band = try Self.uniformBand(all, 0xff00_0000)
        band.fill(windows[1], with: Self.color(.max))
        packer.pack(0..<128, of: band)
        packer.pack(128..<256, of: band)
        for (index, color) in [0xff00_0000, UInt32.max].enumerated() {
            let tile = try #require(packer.finish(index, keepsEmpty: false))
            #expect(tile.color == color && tile.isOpaque)
            #expect(tile.bytes.withMemoryRebound(to: UInt32.self) { $0.allSatisfy { $0 == color } })
        }
    }

    /// Whole tiles, in four rows.
    private static func tiles(columns: Int) throws -> GatheredTiles {
        let window = PixelWindow(columns: 0..<256 * columns, rows: 0..<1024)
        let level = PyramidLevel(matrix: matrix, window: window, coverages: [], cut: nil, isWritten: true)
        return try GatheredTiles(level, keepsColors: true, scratchDirectory: nil)
    }

    private static func color(_ pixel: UInt32) -> DeepColor {
        withUnsafeBytes(of: pixel) {
            DeepColor(unpacking: $0.baseAddress.unsafelyUnwrapped, as: .rgba8, with: .best)
        }
    }

    private static func uniformBand(_ window: PixelWindow, _ pixel: UInt32) throws -> LevelBand {
        var band = try LevelBand(window: window, capacity: window.height, scratchDirectory: nil)
        let colors = CellColors(standForPixels: true)
        colors.begin(window, capacity: window.height)
        band.colors = colors
        band.fill(window, with: color(pixel))
        return band
    }
}

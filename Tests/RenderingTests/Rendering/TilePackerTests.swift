import Raster
import TestSupport
import Testing
import Tiling
@testable import Rendering

/// Tiles are the same however their pixels come in.
@Suite struct TilePackerTests {
    private static let tile = PixelWindow(columns: 256..<512, rows: 0..<256)

    private static func color(_ pixel: UInt32) -> DeepColor {
        withUnsafeBytes(of: pixel) {
            DeepColor(unpacking: $0.baseAddress.unsafelyUnwrapped, as: .rgba8, with: .best)
        }
    }

    private static func packer(_ background: RGBColor? = nil) -> TilePacker {
        TilePacker(size: 256, count: 2, background: background, kernels: .best)
    }

    /// Squares of one colour, opaque, half transparent or transparent.
    private static func band(_ random: inout SplitMix) throws -> LevelBand {
        let band = try LevelBand(window: tile, capacity: 256)
        for rows in tile.rows.cut(every: 32) {
            for columns in tile.columns.cut(every: 32) {
                let alpha = [255, 255, 128, 0].randomElement(using: &random) ?? 0
                let pixel =
                    UInt32(alpha) << 24 | (alpha == 0 ? 0 : .random(in: 0...0xff_ffff, using: &random))
                band.fill(PixelWindow(columns: columns, rows: rows), with: color(pixel))
            }
        }
        return band
    }

    @Test(
        "the parts do not matter", arguments: [nil, RGBColor(red: 9, green: 80, blue: 200)])
    func parts(background: RGBColor?) throws {
        var random = SplitMix(seed: 20)
        for _ in 0..<10 {
            let band = try Self.band(&random)
            let (one, other) = (Self.packer(background), Self.packer(background))
            one.begin([(Self.tile, true)])
            one.add(Self.tile, of: band)
            other.begin([(Self.tile, true)])
            for rows in Self.tile.rows.cut(every: 37).shuffled(using: &random) {
                for columns in Self.tile.columns.cut(every: 50) {
                    other.add(PixelWindow(columns: columns, rows: rows), of: band)
                }
            }
            let tiles = [one, other].map { $0.finish(0, keepsEmpty: false) }
            let isSame = try #require(tiles[0]).bytes.elementsEqual(#require(tiles[1]).bytes)
            #expect(isSame && tiles[0]?.isOpaque == tiles[1]?.isOpaque)
        }
    }

    @Test("tiles of a unit with a different colour each")
    func uniformTiles() throws {
        let packer = Self.packer()
        let windows = (0..<2).map { PixelWindow(columns: $0 * 256..<($0 + 1) * 256, rows: 0..<256) }
        let all = PixelWindow(columns: 0..<512, rows: 0..<256)
        let band = try LevelBand(window: all, capacity: 256)
        packer.begin(windows.map { ($0, true) })
        for (window, pixel) in zip(windows, [0xff00_0000, UInt32.max]) {
            band.fill(window, with: Self.color(pixel))
        }
        for rows in all.rows.cut(every: 64) {
            packer.add(PixelWindow(columns: all.columns, rows: rows), of: band)
        }
        for (index, color) in [0xff00_0000, UInt32.max].enumerated() {
            let tile = try #require(packer.finish(index, keepsEmpty: false))
            #expect(tile.isOpaque)
            #expect(tile.bytes.withMemoryRebound(to: UInt32.self) { $0.allSatisfy { $0 == color } })
        }
    }

    @Test("a tile that is covered in part is transparent beyond, and one without pixels is empty")
    func partial() throws {
        let packer = Self.packer()
        let band = try LevelBand(window: Self.tile, capacity: 256)
        let part = PixelWindow(columns: 256..<300, rows: 0..<256)
        band.fill(part, with: Self.color(.max))
        // What an earlier tile left there.
        packer.begin([(Self.tile, true)])
        packer.add(part, of: band)
        packer.begin([(Self.tile, false)])
        packer.add(part, of: band)
        let tile = try #require(packer.finish(0, keepsEmpty: false))
        #expect(!tile.isOpaque && tile.bytes[43 * 4] == 255 && tile.bytes[44 * 4] == 0)
        packer.begin([(Self.tile, false)])
        #expect(packer.finish(0, keepsEmpty: false) == nil)
        let empty = try #require(packer.finish(0, keepsEmpty: true))
        #expect(empty.bytes.allSatisfy { $0 == 0 })
    }
}

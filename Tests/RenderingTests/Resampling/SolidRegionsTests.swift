import Raster
import TestSupport
import Testing
import Tiling
@testable import Rendering

/// Windows in parts of one colour, and the rest.
@Suite struct SolidRegionsTests {
    private static let white = {
        let pixel: [UInt8] = [255, 255, 255, 255]
        return pixel.withUnsafeBytes {
            DeepColor(unpacking: $0.baseAddress.unsafelyUnwrapped, as: .rgba8, with: .best)
        }
    }()

    private static func window(_ random: inout SplitMix) -> PixelWindow {
        let (column, row) = (
            Int.random(in: -90...90, using: &random), Int.random(in: -90...90, using: &random)
        )
        return PixelWindow(
            columns: column..<column + .random(in: 1...200, using: &random),
            rows: row..<row + .random(in: 1...200, using: &random))
    }

    @Test("Each pixel is in one part, which is single-coloured if its square is")
    func parts() {
        var random = SplitMix(seed: 4)
        for _ in 0..<60 {
            let window = Self.window(&random)
            let seed = UInt64.random(in: 0...1000, using: &random)
            func hasColor(_ column: Int, _ row: Int) -> Bool {
                var random = SplitMix(seed: seed &+ UInt64(bitPattern: Int64(column * 1000 + row)))
                return Int.random(in: 0...2, using: &random) > 0
            }
            let parts = SolidRegions(of: window, size: 32) { square, _, _ in
                hasColor(
                    floorDivide(square.columns.lowerBound, 32), floorDivide(square.rows.lowerBound, 32))
                    ? Self.white : nil
            }
            var counts = [Pixel: Int]()
            for part in parts.uniform.map(\.part) + parts.mixed {
                for row in part.rows {
                    for column in part.columns { counts[Pixel(column, row), default: 0] += 1 }
                }
            }
            #expect(counts.count == window.width * window.height && counts.values.allSatisfy { $0 == 1 })
            for (part, _) in parts.uniform {
                #expect(
                    hasColor(floorDivide(part.columns.lowerBound, 32), floorDivide(part.rows.lowerBound, 32)))
            }
        }
    }

    private struct Pixel: Hashable {
        let column: Int
        let row: Int

        init(_ column: Int, _ row: Int) { (self.column, self.row) = (column, row) }
    }

    @Test("A band records the colours of whole cells that it was filled with")
    func cells() throws {
        let window = PixelWindow(columns: 5..<150, rows: 40..<120)
        let band = try LevelBand(window: window, capacity: window.height)
        let colors = try #require(band.colors)
        #expect(SolidRegions(of: window, in: band).mixed == [window])
        #expect(SolidRegions(of: window, in: band.withoutColors).mixed == [window])
        // Of columns 5 to 31 the window has no more; rows 64 to 95 are whole; columns 96 to 99 are a part of a cell.
        band.fill(PixelWindow(columns: 5..<100, rows: 64..<96), with: Self.white)
        #expect((0..<3).allSatisfy { colors.color(column: $0, row: 2) == Self.white })
        #expect(colors.color(column: 3, row: 2) == nil && colors.color(column: 0, row: 1) == nil)
        #expect(colors.color(column: -1, row: 2) == nil && colors.color(column: 0, row: 9) == nil)
        #expect(band.pixel(column: 99, row: 95)[0] == 16_320 && band.pixel(column: 100, row: 95)[0] == 0)
        // Halved, the cell at the window's edge is one half transparent at column 4.
        let halved = PixelWindow(columns: 2..<40, rows: 32..<48)
        let parts = SolidRegions(of: halved, halving: band, cells: 1)
        // Cells side by side are one part.
        #expect(parts.uniform.map(\.part.columns) == [16..<40])
        // The first two cells make one, of which the window begins inside.
        #expect(SolidRegions(of: halved, halving: band, cells: 2).uniform.map(\.part.columns) == [32..<40])
        colors.begin(window, capacity: window.height)
        #expect(colors.color(column: 1, row: 2) == nil)
    }

    @Test("Pixels at odd edges are halved with transparent ones, whatever the memory held before")
    func oddEdges() throws {
        let window = PixelWindow(columns: 5..<151, rows: 37..<121)
        let half = PixelWindow(columns: 2..<76, rows: 18..<61)
        func halved(knowsColors: Bool) throws -> [Int16] {
            let memory = try LevelBand(window: window, capacity: window.height)
            // What another unit left there.
            memory.fill(window, with: Self.white)
            let moved = memory.moved(to: window)
            let band = knowsColors ? moved : moved.withoutColors
            band.fill(PixelWindow(columns: 5..<151, rows: 37..<64), with: .transparent)
            band.fill(PixelWindow(columns: 5..<64, rows: 64..<121), with: .transparent)
            band.fill(PixelWindow(columns: 64..<151, rows: 64..<121), with: Self.white)
            let coarse = try LevelBand(window: half, capacity: half.height)
            Reducer(method: .area, kernels: .best).render(half, from: band, into: coarse)
            return half.rows.flatMap { row in
                half.columns.flatMap { column in (0..<4).map { coarse.pixel(column: column, row: row)[$0] } }
            }
        }
        #expect(try halved(knowsColors: true) == halved(knowsColors: false))
    }

    @Test("In a ring, a cell does not have the colour of the cell that it replaced")
    func ring() throws {
        let window = PixelWindow(columns: 0..<64, rows: 0..<640)
        let band = try LevelBand(window: window, capacity: 128)
        let colors = try #require(band.colors)
        band.fill(PixelWindow(columns: 0..<64, rows: 0..<32), with: Self.white)
        #expect(colors.color(column: 1, row: 0) == Self.white)
        #expect((1..<20).allSatisfy { colors.color(column: 1, row: $0) == nil })
        for row in 1..<20 {
            let part = PixelWindow(columns: 0..<64, rows: row * 32..<row * 32 + 32)
            band.fill(part, with: row % 2 == 0 ? Self.white : .transparent)
        }
        #expect(colors.color(column: 1, row: 0) == nil)
        #expect(colors.color(column: 1, row: 18) == Self.white)
        #expect(colors.color(column: 1, row: 19) == .transparent)
    }

    @Test("Halving passes colours on to the next zoom")
    func handedOn() throws {
        let window = PixelWindow(columns: 0..<128, rows: 0..<64)
        let fine = try LevelBand(window: window, capacity: 64)
        fine.fill(PixelWindow(columns: 0..<96, rows: 0..<64), with: Self.white)
        fine.fill(PixelWindow(columns: 96..<128, rows: 0..<64), with: .transparent)
        let half = PixelWindow(columns: 0..<64, rows: 0..<32)
        let coarse = try LevelBand(window: half, capacity: 32)
        let ring = try #require(coarse.colors)
        Reducer(method: .area, kernels: .best).render(half, from: fine, into: coarse)
        #expect(ring.color(column: 0, row: 0) == Self.white && ring.color(column: 1, row: 0) == nil)
        let alphas = (0..<64).map { coarse.pixel(column: $0, row: 31)[3] }
        #expect(alphas == Array(repeating: 16_320, count: 48) + Array(repeating: 0, count: 16))
    }
}

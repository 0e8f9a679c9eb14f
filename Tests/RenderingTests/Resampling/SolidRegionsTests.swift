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

    @Test("Pixels at odd edges are halved with transparent ones, whatever the memory held before")
    func oddEdges() throws {
        let window = PixelWindow(columns: 5..<151, rows: 37..<121)
        let half = PixelWindow(columns: 2..<76, rows: 18..<61)
        func halved(before color: DeepColor) throws -> [Int16] {
            let memory = try LevelBand(window: window, capacity: window.height)
            memory.fill(window, with: color)
            let band = memory.moved(to: window)
            band.fill(PixelWindow(columns: 5..<151, rows: 37..<64), with: .transparent)
            band.fill(PixelWindow(columns: 5..<64, rows: 64..<121), with: .transparent)
            band.fill(PixelWindow(columns: 64..<151, rows: 64..<121), with: Self.white)
            let coarse = try LevelBand(window: half, capacity: half.height)
            Reducer(method: .area, kernels: .best).render(half, from: band, into: coarse)
            return half.rows.flatMap { row in
                half.columns.flatMap { column in (0..<4).map { coarse.pixel(column: column, row: row)[$0] } }
            }
        }
        #expect(try halved(before: Self.white) == halved(before: .transparent))
    }
}

import Rendering
import Testing
import Tiling
import TestSupport

/// Halvings against the same sum in doubles.
@Suite struct ReducerTests {
    /// Random deep pixels of a window; nothing lies beyond it.
    private static func fine(_ window: PixelWindow, seed: UInt64) throws -> LevelBand {
        var random = SplitMix(seed: seed)
        let band = try LevelBand(window: window, capacity: window.height)
        for row in window.rows {
            let pixels = band.pixel(column: window.columns.lowerBound, row: row)
            for index in 0..<4 * window.width {
                pixels[index] = .random(in: -2_000...18_000, using: &random)
            }
        }
        return band
    }

    private static func halved(_ window: PixelWindow) -> PixelWindow {
        func halved(_ range: Range<Int>) -> Range<Int> {
            floorDivide(range.lowerBound, 2)..<floorDivide(range.upperBound + 1, 2)
        }
        return PixelWindow(columns: halved(window.columns), rows: halved(window.rows))
    }

    /// A sample of a band, or 0 beyond its window.
    private static func sample(_ band: LevelBand, _ column: Int, _ row: Int, _ channel: Int)
        -> Int16
    {
        guard band.window.columns.contains(column), band.window.rows.contains(row) else { return 0 }
        return band.pixel(column: column, row: row)[channel]
    }

    static let windows = [
        PixelWindow(columns: 0..<32, rows: 0..<20), PixelWindow(columns: 7..<40, rows: 3..<24),
        PixelWindow(columns: -5..<12, rows: 101..<120), PixelWindow(columns: 9..<10, rows: 9..<10),
    ]

    // The weights of twice the kernel's width, from numpy: w((i + 0.5) / 2) over their sum.
    static let weights: [ResamplingMethod: [Double]] = [
        .area: [0.5],
        .bilinear: [0.375, 0.125],
        .cubic: [0.43359375, 0.11328125, -0.03515625, -0.01171875],
        .lanczos: [0.446385, 0.135505, -0.066637, -0.033999, 0.015056, 0.003689],
    ]

    @Test(
        "a coarser pixel is the weighted sum of the finer ones, wherever the window begins",
        arguments: weights.keys.sorted { $0.rawValue < $1.rawValue }, windows)
    func halving(method: ResamplingMethod, window: PixelWindow) throws {
        let half = try #require(Self.weights[method])
        let fine = try Self.fine(window, seed: 21)
        let target = Self.halved(window)
        let coarse = try LevelBand(window: target, capacity: target.height)
        let reducer = Reducer(method: method, kernels: .best)
        #expect(reducer.reach == half.count - 1)
        reducer.render(target, from: fine, into: coarse)
        for row in target.rows {
            for column in target.columns {
                for channel in 0..<4 {
                    var sum = 0.0
                    for y in 2 * row - reducer.reach...2 * row + 1 + reducer.reach {
                        for x in 2 * column - reducer.reach...2 * column + 1 + reducer.reach {
                            let (i, j) = (
                                abs(2 * x - 4 * column - 1) / 2, abs(2 * y - 4 * row - 1) / 2
                            )
                            sum += half[i] * half[j] * Double(Self.sample(fine, x, y, channel))
                        }
                    }
                    let result = Self.sample(coarse, column, row, channel)
                    // Two roundings, and twelve weights right to 2^-14 of 18 000 at worst.
                    #expect(abs(Double(result) - sum) < 5, "\(column),\(row)")
                }
            }
        }
    }

    @Test(
        "a window rendered in parts is the window rendered at once",
        arguments: ResamplingMethod.allCases)
    func parts(method: ResamplingMethod) throws {
        let fine = try Self.fine(Self.windows[1], seed: 22)
        let window = Self.halved(fine.window)
        let reducer = Reducer(method: method, kernels: .best)
        let whole = try LevelBand(window: window, capacity: window.height)
        reducer.render(window, from: fine, into: whole)
        let parts = try LevelBand(window: window, capacity: window.height)
        let columns = [window.columns.lowerBound..<8, 8..<9, 9..<window.columns.upperBound]
        for columns in columns {
            for row in window.rows {
                reducer.render(
                    PixelWindow(columns: columns, rows: row..<row + 1), from: fine, into: parts)
            }
        }
        for row in window.rows {
            for column in window.columns {
                for channel in 0..<4 {
                    let expected = Self.sample(whole, column, row, channel)
                    #expect(Self.sample(parts, column, row, channel) == expected)
                }
            }
        }
    }

    @Test("an opaque area stays opaque and keeps its colour", arguments: ResamplingMethod.allCases)
    func flat(method: ResamplingMethod) throws {
        let color: [Int16] = [16_320, 64, 0, 16_320]
        let window = PixelWindow(columns: 0..<40, rows: 0..<40)
        let fine = try LevelBand(window: window, capacity: 40)
        for row in window.rows {
            for column in window.columns {
                for channel in 0..<4 {
                    fine.pixel(column: column, row: row)[channel] = color[channel]
                }
            }
        }
        let inner = PixelWindow(columns: 3..<17, rows: 3..<17)
        let coarse = try LevelBand(window: inner, capacity: 14)
        Reducer(method: method, kernels: .best).render(inner, from: fine, into: coarse)
        for row in inner.rows {
            for column in inner.columns {
                for channel in 0..<4 {
                    #expect(Self.sample(coarse, column, row, channel) == color[channel])
                }
            }
        }
    }
}

import CKernels
import Testing
import TestSupport

/// The reference kernels against plain arithmetic.
@Suite struct PortableKernelTests {
    private let kernels: cr_kernels
    private static let samples: [UInt8] = Array(0...255)

    init() throws {
        kernels = try #require(cr_kernels_at(CR_LEVEL_PORTABLE)).pointee
    }

    @Test("gray and RGB samples become 64 times themselves, opaque")
    func unpackWithoutAlpha() {
        let samples = Self.samples
        var gray = [Int16](repeating: 0, count: 4 * 256)
        kernels.unpack_gray8(samples, &gray, 256)
        let expectedGray: [Int16] = samples.flatMap { Self.opaque($0, $0, $0) }
        #expect(gray == expectedGray)
        let rgb: [UInt8] = samples.flatMap { [$0, 255 - $0, $0 / 2] }
        var color = [Int16](repeating: 0, count: 4 * 256)
        kernels.unpack_rgb8(rgb, &color, 256)
        let expectedColor: [Int16] = samples.flatMap { Self.opaque($0, 255 - $0, $0 / 2) }
        #expect(color == expectedColor)
    }

    private static func opaque(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> [Int16] {
        [red, green, blue, 255].map { Int16($0) * 64 }
    }

    @Test("every colour under every alpha is premultiplied, to the nearest 64th")
    func unpackWithAlpha() {
        var worst = 0.0
        for alpha in 0...255 {
            let pixels: [UInt8] = Self.samples.flatMap { [$0, 255 - $0, 255, UInt8(alpha)] }
            var result = [Int16](repeating: 0, count: 4 * 256)
            kernels.unpack_rgba8(pixels, &result, 256)
            for index in result.indices where index % 4 < 3 {
                let exact = Double(pixels[index]) * Double(alpha) * 64 / 255
                worst = max(worst, abs(Double(result[index]) - exact))
                if alpha == 255 || alpha == 0 { #expect(Double(result[index]) == exact) }
            }
            for index in stride(from: 3, to: result.count, by: 4) {
                #expect(result[index] == Int16(alpha) * 64)
                #expect(result[index - 1] == Int16(alpha) * 64, "full colour is alpha itself")
            }
        }
        // The factor of 16 fractional bits is rounded too: 255 times 3/4 of 2^-16.
        #expect(worst <= 0.5 + 0.003)
    }

    @Test("packing divides by alpha, even beyond opaque, and rounds half up; colours are at most alpha")
    func pack() {
        var random = SplitMix(seed: 2)
        var pixels: [Int16] = []
        for _ in 0..<20_000 {
            let alpha = Int16.random(in: -100...(.max), using: &random)
            let bound = max(Int16(clamping: Int(alpha) + 50), 0)
            pixels += (0..<3).map { _ in .random(in: -50...bound, using: &random) }
            pixels.append(alpha)
        }
        pixels += [1, 2, 3, 31, 1, 16, 32, 32, -1, 400, 63, 64, 32, 96, 16_320, 16_320]
        let count = pixels.count / 4
        var result = [UInt8](repeating: 9, count: pixels.count)
        let seen = kernels.pack_rgba8(pixels, &result, count)
        let expected: [UInt8] = (0..<count).flatMap { Self.packed(pixels[4 * $0..<4 * $0 + 4]) }
        #expect(result == expected)
        let alphas = stride(from: 3, to: result.count, by: 4).map { result[$0] }
        #expect(seen.alpha_and == alphas.reduce(255, &))
        #expect(seen.alpha_or == alphas.reduce(0, |))
    }

    /// Straight 8-bit RGBA of a deep pixel, in whole numbers.
    private static func packed(_ pixel: ArraySlice<Int16>) -> [UInt8] {
        let values = pixel.map { Int($0) }
        let alpha = max(values[3], 0)
        let alpha8 = min((2 * alpha + 64) / 128, 255)
        if alpha8 == 0 { return [0, 0, 0, 0] }
        let colors = values[..<3].map { value in
            let color = min(max(value, 0), alpha)
            return UInt8((2 * 255 * color + alpha) / (2 * alpha))
        }
        return colors + [UInt8(alpha8)]
    }

    @Test("8-bit pixels are unchanged after unpacking and packing")
    func roundTrip() {
        for alpha in [1, 2, 3, 17, 128, 254, 255] {
            let pixels: [UInt8] = Self.samples.flatMap { [$0, 255 - $0, 7, UInt8(alpha)] }
            var deep = [Int16](repeating: 0, count: 4 * 256)
            kernels.unpack_rgba8(pixels, &deep, 256)
            var result = [UInt8](repeating: 0, count: 4 * 256)
            _ = kernels.pack_rgba8(deep, &result, 256)
            // A colour step is alpha / 255 * 64 units, which is less than one below alpha 4.
            let tolerance = alpha < 4 ? 255 / (2 * 64 * alpha) + 1 : 0
            for (before, after) in zip(pixels, result) {
                #expect(abs(Int(before) - Int(after)) <= tolerance, "alpha \(alpha)")
            }
        }
    }

    @Test("packing over a colour is the compositing formula, rounded")
    func packOver() {
        var random = SplitMix(seed: 3)
        let background: [UInt8] = [0, 100, 255]
        var pixels: [Int16] = [0, 0, 0, 0, 16_320, 0, 8_160, 16_320]
        // Beyond opaque, the colour is the ratio: 20 000 of 30 000, all of it, and nothing.
        pixels += [20_000, 32_000, -1, 30_000]
        for _ in 0..<5_000 {
            let alpha = Int16.random(in: 0...16_320, using: &random)
            pixels += (0..<3).map { _ in .random(in: 0...alpha, using: &random) } + [alpha]
        }
        var result = [UInt8](repeating: 9, count: pixels.count)
        let seen = kernels.pack_rgba8_over(pixels, background, &result, pixels.count / 4)
        #expect(Array(result[8..<12]) == [170, 255, 0, 255])
        for index in pixels.indices where !(8..<12).contains(index) {
            if index % 4 == 3 {
                #expect(result[index] == 255)
                continue
            }
            let alpha = Double(pixels[index | 3]) / 16_320
            let exact = Double(pixels[index]) / 64 + (1 - alpha) * Double(background[index % 4])
            #expect(abs(Double(result[index]) - exact) <= 0.5 + 1e-9)
        }
        #expect(Array(result[..<8]) == [0, 100, 255, 255, 255, 0, 128, 255])
        #expect((seen.alpha_and, seen.alpha_or) == (255, 255))
    }

    @Test("faint pixels over a colour count as transparent")
    func packOverFaint() {
        var result = [UInt8](repeating: 9, count: 8)
        let seen = kernels.pack_rgba8_over([0, 0, 0, 31, 0, 0, 0, -5], [1, 2, 3], &result, 2)
        #expect(seen.alpha_or == 0)
        #expect(result == [1, 2, 3, 255, 1, 2, 3, 255])
    }

    @Test("a row of weighted taps is the exact sum, rounded half up and saturated")
    func resampleRow() {
        var random = SplitMix(seed: 4)
        for _ in 0..<50 {
            let (taps, count) = (4 * Int.random(in: 1...4, using: &random), 7)
            let source = random.samples(4 * (taps + 9))
            let starts = (0..<count).map { _ in Int32.random(in: 0...9, using: &random) }
            let weights = (0..<count).flatMap { _ in random.weights(taps) }
            var result = [Int16](repeating: 0, count: 4 * count)
            kernels.resample_row(source, starts, weights, Int32(taps), &result, count)
            let expected = (0..<4 * count).map { index in
                let (pixel, channel) = (index / 4, index % 4)
                return Self.scaled(
                    (0..<taps).reduce(0) { sum, tap in
                        sum + Int(weights[pixel * taps + tap])
                            * Int(source[4 * (Int(starts[pixel]) + tap) + channel])
                    })
            }
            #expect(result == expected)
        }
    }

    @Test("rows are combined to the exact sum, rounded half up and saturated")
    func combineRows() {
        var random = SplitMix(seed: 5)
        for taps in 1..<12 {
            let rows = (0..<taps).map { _ in random.samples(20) }
            let weights = random.weights(taps)
            var result = [Int16](repeating: 0, count: 20)
            combine(rows, weights, into: &result)
            let expected = (0..<20).map { index in
                Self.scaled(zip(rows, weights).reduce(0) { $0 + Int($1.0[index]) * Int($1.1) })
            }
            #expect(result == expected)
        }
    }

    private func combine(_ rows: [[Int16]], _ weights: [Int16], into result: inout [Int16]) {
        let buffer = UnsafeMutablePointer<Int16>.allocate(capacity: max(rows.joined().count, 1))
        defer { buffer.deallocate() }
        for (index, row) in rows.enumerated() {
            (buffer + index * row.count).initialize(from: row, count: row.count)
        }
        let pointers: [UnsafePointer<Int16>?] = rows.indices.map {
            UnsafePointer(buffer + $0 * result.count)
        }
        kernels.combine_rows(pointers, weights, Int32(rows.count), &result, result.count / 4)
    }

    @Test("sums of exactly half a unit round up, even below zero")
    func halves() {
        // Half of 1, of -1, of 3 and of -3.
        var result = [Int16](repeating: 0, count: 4)
        kernels.resample_row(
            [1, -1, 3, -3] + [Int16](repeating: 0, count: 12), [0], [8192, 0, 0, 0], 4, &result,
            1)
        #expect(result == [1, 0, 2, -1])
    }

    @Test("a halved row has the same weights every second pixel")
    func halveRow() {
        var random = SplitMix(seed: 8)
        for taps in [4, 8, 12, 16] {
            let (source, weights) = (random.samples(4 * (2 * 6 + taps)), random.weights(taps))
            var expected = [Int16](repeating: 0, count: 28)
            kernels.resample_row(
                source, [0, 2, 4, 6, 8, 10, 12], (0..<7).flatMap { _ in weights }, Int32(taps),
                &expected, 7)
            var result = [Int16](repeating: 0, count: 28)
            kernels.halve_row(source, weights, Int32(taps), &result, 7)
            #expect(result == expected)
        }
    }

    @Test("a box is two averages, the first of rows, both rounded half up")
    func halveBox() {
        // 1 and 0 are 1, 1 and 2 are 2, and those 2; -1 and 0 are 0, -1 and -2 are -1, and those 0.
        let upper: [Int16] = [1, -1, .min, .max, 1, -1, .max, .max]
        let lower: [Int16] = [0, 0, .min, .max, 2, -2, .max, .max]
        var result = [Int16](repeating: 9, count: 4)
        kernels.halve_box(upper, lower, &result, 1)
        #expect(result == [2, 0, 0, .max])
    }

    @Test("positions are rounded to steps, halves up; beyond the limits there are none")
    func fixBlock() {
        let x: [Double] = [0.5, 0.75, 0.625, 0.5625, 0.4375, -3.9375, -4, 10, 9.75, .nan, 1]
        let y: [Double] = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, -1.0625, 0.5, 20]
        let grid = cr_position_grid(origin: 0.5, steps: 8, unit: 32)
        let limits = cr_position_limits(low_x: -4, high_x: 10, low_y: -4, high_y: 20)
        var columns = [Int32](repeating: 7, count: x.count)
        var rows = columns
        var extent = cr_position_extent(min_x: .max, max_x: .min, min_y: .max, max_y: .min)
        x.withUnsafeBufferPointer { x in
            y.withUnsafeBufferPointer { y in
                columns.withUnsafeMutableBufferPointer { columns in
                    rows.withUnsafeMutableBufferPointer { rows in
                        let block = cr_position_block(
                            x: x.baseAddress, y: y.baseAddress, stride: x.count,
                            fixed_x: columns.baseAddress, fixed_y: rows.baseAddress, fixed_stride: x.count,
                            columns: x.count, rows: 1)
                        kernels.fix_block(block, grid, limits, &extent)
                    }
                }
            }
        }
        let none = Int32.min
        // In steps: 0, 2, 1, 1/2, -1/2, -35.5, none, none, 74, none, none; rows 0 and -12.5.
        let steps: [Int32] = [0, 2, 1, 1, 0, -35, none, none, 74, none, none]
        let fixed: [Int32] = steps.map { $0 == none ? none : 32 * $0 }
        #expect(columns == fixed)
        let fixedRows: [Int32] = [0, 0, 0, 0, 0, 0, 0, 0, 32 * -12, 0, 0]
        #expect(rows == fixedRows)
        #expect(extent.min_x == 32 * -35 && extent.max_x == 32 * 74)
        #expect([extent.min_y, extent.max_y] == [32 * -12, 0])
    }

    @Test("a warped pixel is two exact passes, the first down columns")
    func warpRow() throws {
        var random = SplitMix(seed: 6)
        let (tapsX, tapsY, width) = (4, 6, 12)
        let pixels = random.samples(4 * width * width)
        let across = (0..<256).flatMap { _ in random.weights(tapsX) }
        let down = (0..<256).flatMap { _ in random.weights(tapsY) }
        let buffers = try [pixels, across, down].map { try GuardedBuffer($0, .afterGuard) }
        defer { withExtendedLifetime(buffers) {} }
        for _ in 0..<50 {
            let x = Int32.random(in: 256 * 1..<256 * 9, using: &random)
            let y = Int32.random(in: 256 * 2..<256 * 8, using: &random)
            var result = [Int16](repeating: 0, count: 4)
            kernels.warp_row(
                cr_window(origin: buffers[0].first, pixels_per_row: width), [x], [y],
                cr_phases(weights: buffers[1].first, taps: 4),
                cr_phases(weights: buffers[2].first, taps: 6), &result, 1)
            let expected = (0..<4).map { channel in
                Self.scaled(
                    (0..<tapsX).reduce(0) { sum, k in
                        let column = Int(x >> 8) - tapsX / 2 + 1 + k
                        let line = (0..<tapsY).reduce(0) { sum, r in
                            let row = Int(y >> 8) - tapsY / 2 + 1 + r
                            return sum + Int(down[Int(y & 255) * tapsY + r])
                                * Int(pixels[4 * (row * width + column) + channel])
                        }
                        return sum + Int(across[Int(x & 255) * tapsX + k]) * Int(Self.scaled(line))
                    })
            }
            #expect(result == expected)
        }
    }

    @Test("a footprint's pixel is one exact sum")
    func warpRowFootprint() throws {
        var random = SplitMix(seed: 7)
        let (columns, rows, width, bits) = (4, 3, 12, 2)
        let pixels = random.samples(4 * width * width)
        let table = (0..<16).flatMap { _ in random.weights(columns * rows) }
        let buffers = try [pixels, table].map { try GuardedBuffer($0, .afterGuard) }
        defer { withExtendedLifetime(buffers) {} }
        for _ in 0..<50 {
            let x = Int32.random(in: 256 * 2..<256 * 10, using: &random)
            let y = Int32.random(in: 256 * 1..<256 * 10, using: &random)
            let footprint = cr_footprint(
                weights: buffers[1].first, phase_bits: Int32(bits), columns: 4, rows: 3, left: -2,
                top: -1)
            var result = [Int16](repeating: 0, count: 4)
            kernels.warp_row_footprint(
                cr_window(origin: buffers[0].first, pixels_per_row: width), [x], [y], footprint,
                &result, 1)
            let phase = Int(y & 255) / 64 * 4 + Int(x & 255) / 64
            let expected = (0..<4).map { channel in
                var sum = 0
                for row in 0..<rows {
                    for column in 0..<columns {
                        let pixel = (Int(y >> 8) - 1 + row) * width + Int(x >> 8) - 2 + column
                        sum +=
                            Int(table[(phase * rows + row) * columns + column])
                            * Int(pixels[4 * pixel + channel])
                    }
                }
                return Self.scaled(sum)
            }
            #expect(result == expected)
        }
    }

    /// A sum of products with weights of 14 fractional bits: divided, rounded half up, saturated.
    private static func scaled(_ sum: Int) -> Int16 {
        Int16(clamping: Int((Double(sum) / 16_384 + 0.5).rounded(.down)))
    }
}

import CKernels
import Testing

/// Kernels that copy or count whole pixels.
@Suite struct WholePixelTests {
    /// Pixels of one value in all channels.
    private static func pixels(_ values: [Int16]) -> [Int16] {
        values.flatMap { [$0, $0, $0, $0] }
    }

    /// Calls with a window whose rows are three pixels long.
    private static func withWindow(_ pixels: [Int16], _ body: (cr_window) -> Void) {
        pixels.withUnsafeBufferPointer {
            body(cr_window(origin: $0.baseAddress, pixels_per_row: 3))
        }
    }

    @Test("pick copies the pixels at whole positions, and nothing beyond the source")
    func pick() {
        let pixels = Self.pixels([1, 2, 3, 4, 5, 6])
        var result = [Int16](repeating: 9, count: 16)
        Self.withWindow(pixels) { cr_pick_row($0, [2, .min, 0, 1], [0, 7, 1, 1], &result, 4) }
        #expect(result == Self.pixels([3, 0, 4, 5]))
    }

    @Test(
        "mode takes the most frequent pixel; if several are, the first in reading order",
        arguments: [
            ([1, 2, 3, 4, 5, 5, 7, 8, 9], 5),
            ([1, 2, 3, 4, 5, 6, 7, 8, 9], 1),
            ([1, 2, 3, 4, 4, 3, 7, 8, 9], 3),
            ([1, 2, 2, 1, 1, 2, 2, 8, 9], 2),
            ([0, 0, 0, 0, 0, 9, 9, 9, 9], 0),
        ] as [([Int16], Int16)])
    func mode(values: [Int16], expected: Int16) {
        var result = [Int16](repeating: 0, count: 4)
        var scratch = [UInt64](repeating: 0, count: 9)
        var counts = [UInt32](repeating: 77, count: 9)
        Self.withWindow(Self.pixels(values)) {
            cr_mode_row($0, [1], [1], 1, 1, &scratch, &counts, &result, 1)
        }
        #expect(result == Self.pixels([expected]))
    }

    @Test("mode counts whole pixels, not channels, and a pixel without a source is transparent")
    func modeOfPixels() {
        let pixels: [Int16] = [1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3, 5]
        var result = [Int16](repeating: 9, count: 8)
        var scratch = [UInt64](repeating: 0, count: 3)
        var counts = [UInt32](repeating: 0, count: 3)
        Self.withWindow(pixels) {
            cr_mode_row($0, [1, .min], [0, 0], 1, 0, &scratch, &counts, &result, 2)
        }
        #expect(result == [1, 2, 3, 5, 0, 0, 0, 0])
    }

    @Test("halving by mode counts four pixels, for every way in which they can be equal")
    func halveMode() {
        for code in 0..<256 {
            let four = (0..<4).map { Int16(code >> (2 * $0) & 3) }
            let best = four.indices.max { left, right in
                let (l, r) = (count(four[left], four), count(four[right], four))
                return l == r ? left > right : l < r
            }
            var result = [Int16](repeating: 9, count: 4)
            cr_halve_mode(
                Self.pixels(Array(four[..<2])), Self.pixels(Array(four[2...])), &result, 1)
            #expect(result == Self.pixels([four[best ?? 0]]), "\(four)")
        }
    }

    private func count(_ value: Int16, _ values: [Int16]) -> Int {
        values.filter { $0 == value }.count
    }

    @Test("halving by nearest takes every other pixel")
    func halveNearest() {
        var result = [Int16](repeating: 9, count: 8)
        cr_halve_nearest(Self.pixels([1, 2, 3, 4]), &result, 2)
        #expect(result == Self.pixels([1, 3]))
    }
}

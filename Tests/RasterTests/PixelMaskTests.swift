import Raster
import TestSupport
import Testing
import Tiling

/// Masks of pixels and their connected parts, compared with plain searches.
@Suite struct PixelMaskTests {
    private func masks() -> [PixelMask] {
        var random = SplitMix(seed: 3)
        return [(1, 1), (1, 9), (9, 1), (13, 11), (40, 30)].flatMap { width, height in
            [0.0, 0.3, 0.6, 0.9, 1].map { share in
                PixelMask(
                    width: width, height: height,
                    bits: (0..<width * height).map { _ in
                        Double.random(in: 0..<1, using: &random) < share ? 1 : 0
                    })
            }
        }
    }

    @Test("Opening keeps the squares that are completely in the mask")
    func opened() {
        for mask in masks() {
            for size in [1, 2, 3, 4, 7] {
                var expected = [UInt8](repeating: 0, count: mask.bits.count)
                for top in 0..<max(0, mask.height - size + 1) {
                    for left in 0..<max(0, mask.width - size + 1) {
                        let square = PixelWindow(columns: left..<left + size, rows: top..<top + size)
                        guard mask.count(in: square) == size * size else { continue }
                        for row in square.rows {
                            for column in square.columns { expected[row * mask.width + column] = 1 }
                        }
                    }
                }
                #expect(mask.opened(by: size).bits == expected, "\(size) in \(mask.width) x \(mask.height)")
            }
        }
    }

    @Test("Dilation adds the pixels that are near the mask")
    func dilated() {
        let whole = { (mask: PixelMask) in PixelWindow(columns: 0..<mask.width, rows: 0..<mask.height) }
        for mask in masks() {
            for reach in [0, 1, 3] {
                let expected: [UInt8] = mask.bits.indices.map { place in
                    let (column, row) = (place % mask.width, place / mask.width)
                    let near = PixelWindow(
                        columns: column - reach..<column + reach + 1, rows: row - reach..<row + reach + 1)
                    return mask.count(in: near.intersection(whole(mask))) > 0 ? 1 : 0
                }
                #expect(mask.dilated(by: reach).bits == expected)
            }
        }
    }

    /// The parts of a mask, by spreading from pixel to pixel: a number for each pixel, in the order of the first
    /// pixels, or -1.
    private func spread(_ mask: PixelMask, diagonally: Bool) -> [Int32] {
        var numbers = [Int32](repeating: -1, count: mask.bits.count)
        var next: Int32 = 0
        for start in mask.bits.indices where mask.bits[start] == 1 && numbers[start] < 0 {
            var open = [start]
            numbers[start] = next
            while let place = open.popLast() {
                let (column, row) = (place % mask.width, place / mask.width)
                for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                    if dx != 0 && dy != 0 && !diagonally { continue }
                    guard 0..<mask.width ~= column + dx, 0..<mask.height ~= row + dy else { continue }
                    let other = (row + dy) * mask.width + column + dx
                    if mask.bits[other] == 1, numbers[other] < 0 {
                        numbers[other] = next
                        open.append(other)
                    }
                }
            }
            next += 1
        }
        return numbers
    }

    @Test("Parts are connected pixels, with or without corners", arguments: [false, true])
    func parts(diagonally: Bool) {
        for mask in masks() {
            let parts = PixelParts(of: mask, diagonally: diagonally)
            let expected = spread(mask, diagonally: diagonally)
            #expect(parts.indices == expected)
            #expect(parts.parts.count == Int((expected.max() ?? -1) + 1))
            let windows = parts.windows(of: mask)
            for (index, part) in parts.parts.enumerated() {
                let own = parts.mask { $0 == index }
                #expect(part.count == own.count && part.count == own.count(in: part.window))
                #expect(part.window == windows[index])
            }
            #expect(parts.counts(of: mask) == parts.parts.map(\.count))
        }
    }

    @Test("Ink differs from the paper in any channel by more than the tolerance")
    func ink() {
        let rgba: [UInt8] = [250, 240, 230, 255, 250, 240, 199, 255, 219, 240, 230, 255, 255, 255, 255, 255]
        let mask = PixelMask(inkOf: rgba, width: 4, height: 1, paper: (250, 240, 230), tolerance: 30)
        #expect(mask.bits == [0, 1, 1, 0] && mask.inverse.bits == [1, 0, 0, 1])
        #expect(mask.subtracting(mask.inverse).bits == mask.bits)
        #expect(mask.intersection(mask.inverse).count == 0)
        #expect(mask.part(PixelWindow(columns: 2..<4, rows: 0..<1)).bits == [1, 0])
    }
}

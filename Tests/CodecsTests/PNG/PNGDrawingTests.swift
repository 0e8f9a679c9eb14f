import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Images with more than 256 colours, of which much repeats: what the program compresses itself.
@Suite struct PNGDrawingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func expectRoundTrip(_ rgba: [UInt8], _ width: Int, _ height: Int, _ level: PNGLevel) throws {
        let path = directory.path("drawing.png")
        let bytes = try rgba.withUnsafeBufferPointer {
            try PNGImage.encode(rgba: $0, width: width, height: height, level: level)
        }
        try Data(bytes).write(to: URL(filePath: path))
        let image = try ImageFile.open(path: path).readAll()
        #expect(image.info.width == width && image.info.height == height)
        #expect(image.rgba == rgba, "\(width) x \(height)")
    }

    /// Runs, rows and parts of rows that repeat, and noise: as much of each as chance will have it.
    private static func drawing(
        _ width: Int, _ height: Int, isOpaque: Bool, using generator: inout SplitMix
    ) -> [UInt8] {
        var pixels: [UInt32] = []
        let colors = (0..<500).map { _ in UInt32.random(in: 0...UInt32.max, using: &generator) }
        while pixels.count < width * height {
            let count = Int.random(in: 1...60, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                pixels += repeatElement(colors.randomElement(using: &generator) ?? 0, count: count)
            case 1 where pixels.count >= width:
                for _ in 0..<count * 20 { pixels.append(pixels[pixels.count - width]) }
            case 2 where !pixels.isEmpty:
                let distance = Int.random(in: 1...min(pixels.count, 40_000), using: &generator)
                for _ in 0..<count { pixels.append(pixels[pixels.count - distance]) }
            case 3:
                // Pixels that begin or end alike.
                let color = colors.randomElement(using: &generator) ?? 0
                pixels += (0..<count).map { color ^ UInt32($0) << 8 }
            default:
                pixels += (0..<count / 8).map { _ in colors.randomElement(using: &generator) ?? 0 }
            }
        }
        return pixels.prefix(width * height).flatMap { pixel -> [UInt8] in
            let alpha = isOpaque ? 255 : UInt8(truncatingIfNeeded: pixel >> 24)
            return alpha == 0
                ? [0, 0, 0, 0]
                : [UInt8(pixel & 255), UInt8(pixel >> 8 & 255), UInt8(pixel >> 16 & 255), alpha]
        }
    }

    /// Rows of more than a window, among others: nothing above is in reach.
    static let sizes = [
        (1, 1), (1, 700), (2, 300), (700, 1), (3, 257), (256, 256), (257, 129), (512, 512), (8191, 5),
        (9000, 4), (11_000, 3), (40_000, 2),
    ]

    @Test("a drawing of any size decodes to its pixels", .long, arguments: sizes, PNGLevel.allCases)
    func roundTrip(size: (width: Int, height: Int), level: PNGLevel) throws {
        var generator = SplitMix(seed: UInt64(size.width * 31 + size.height))
        for isOpaque in [true, false] {
            let rgba = Self.drawing(size.width, size.height, isOpaque: isOpaque, using: &generator)
            try expectRoundTrip(rgba, size.width, size.height, level)
        }
    }

    @Test("noise takes hardly more than its bytes", arguments: PNGLevel.allCases)
    func noise(level: PNGLevel) throws {
        var generator = SplitMix(seed: 3)
        // Half of the pixels are empty, which makes it a drawing.
        let rgba = (0..<256 * 256).flatMap { i -> [UInt8] in
            i % 512 < 256
                ? [0, 0, 0, 0] : (0..<4).map { UInt8.random(in: ($0 == 3 ? 1 : 0)...255, using: &generator) }
        }
        try expectRoundTrip(rgba, 256, 256, level)
        let bytes = try PNGImage.encode(rgba: rgba, width: 256, height: 256)
        #expect(bytes.count < 256 * 128 * 4 + 2000)
    }

    /// One code of few symbols, of one, and of lengths that must be limited.
    @Test("statistics of all kinds have a code", arguments: PNGLevel.allCases)
    func codes(level: PNGLevel) throws {
        // As frequent as Fibonacci's numbers: the deepest tree there is.
        var values: [UInt8] = []
        var (a, b) = (1, 1)
        for value in 0..<22 {
            values += repeatElement(UInt8(value * 11), count: a)
            (a, b) = (b, a + b)
        }
        var generator = SplitMix(seed: 8)
        values.shuffle(using: &generator)
        let side = 96
        let rgba = (0..<side * side).flatMap { (i: Int) -> [UInt8] in
            [values[i], values[i + 9000], values[i + 5000], 255]
        }
        try expectRoundTrip(rgba, side, side, level)
    }

    @Test("rows that repeat those before the last take next to nothing")
    func rows() throws {
        // Two kinds of rows by turns, of 384 colours together.
        let rows = (0..<2).map { kind in
            (0..<256).flatMap { (x: Int) -> [UInt8] in
                let step = x * 3 / 4
                return [UInt8(step / 2 + kind * 100), UInt8(step * 7 & 255), UInt8(x / 8 * 8), 255]
            }
        }
        let rgba = (0..<256).flatMap { rows[$0 % 2] }
        try expectRoundTrip(rgba, 256, 256, .standard)
        let bytes = try PNGImage.encode(rgba: rgba, width: 256, height: 256)
        #expect(bytes.count < 3500)
    }
}

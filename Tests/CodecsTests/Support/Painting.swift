import Raster
import Testing

/// A tile that a test has painted.
struct Painting: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var size: Int
    var rgba: [UInt8]
    /// IHDR's bit depth and colour type, and the entries of tRNS, that the tile must be stored with.
    var depth: UInt8
    var colorType: UInt8
    var transparentEntries: Int

    init(
        _ name: String, size: Int = 256, depth: UInt8, colorType: UInt8,
        transparentEntries: Int = 0,
        color: (_ x: Int, _ y: Int) -> (Int, Int, Int, Int)
    ) {
        testDescription = name
        self.size = size
        self.depth = depth
        self.colorType = colorType
        self.transparentEntries = transparentEntries
        rgba = (0..<size * size).flatMap { i in
            let (r, g, b, a) = color(i % size, i / size)
            return a == 0 ? [0, 0, 0, 0] : [r, g, b, a].map { UInt8(truncatingIfNeeded: $0) }
        }
    }

    /// Calls a function with the tile's pixels.
    func withPixels<T>(_ body: (TilePixels) throws -> T) rethrows -> T {
        try rgba.withUnsafeBufferPointer { bytes in
            let isOpaque = stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
            return try body(TilePixels(size: size, bytes: bytes, isOpaque: isOpaque))
        }
    }

    private static func gray(_ value: Int) -> (Int, Int, Int, Int) { (value, value, value, 255) }

    /// Pseudo-random bits that depend on the pixel only.
    private static func noise(_ x: Int, _ y: Int) -> Int {
        var value = UInt32(truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263)
        value = (value ^ value >> 13) &* 1_274_126_177
        return Int(value ^ value >> 16)
    }

    /// Left half of it beyond the edge of the image.
    static let photographAtEdge = Painting(
        "a photograph at its edge", depth: 8, colorType: 6
    ) { x, y in
        let n = noise(x, y)
        return (x / 2 + n & 31, y / 2 + n >> 8 & 31, 90 + n >> 16 & 31, x < 128 ? 0 : 255)
    }

    /// A tile of one opaque colour.
    static func uniform(_ red: Int, _ green: Int, _ blue: Int, size: Int = 256) -> Painting {
        Painting("one colour", size: size, depth: 1, colorType: 3) { _, _ in
            (red, green, blue, 255)
        }
    }

    /// Every form, and its limits.
    static let all: [Painting] = [
        Painting("white", depth: 1, colorType: 0) { _, _ in gray(255) },
        Painting("black and white", depth: 1, colorType: 0) { x, y in gray((x ^ y) & 1 * 255) },
        Painting("one gray that no 4 bits hold", depth: 1, colorType: 3) { _, _ in gray(128) },
        Painting("4 grays", depth: 2, colorType: 0) { x, y in gray((x + y) / 7 % 4 * 85) },
        Painting("16 grays", depth: 4, colorType: 0) { x, y in gray(noise(x, y) % 16 * 17) },
        Painting("3 odd grays", depth: 2, colorType: 3) { x, _ in gray(x % 3 * 50 + 1) },
        Painting("256 grays", depth: 8, colorType: 0) { x, y in gray(noise(x, y) % 256) },
        Painting("a gray ramp", depth: 8, colorType: 0) { x, y in gray((x + y) / 2) },
        Painting("nothing", depth: 1, colorType: 3, transparentEntries: 1) { _, _ in (0, 0, 0, 0) },
        Painting("red or nothing", depth: 1, colorType: 3, transparentEntries: 1) { x, y in
            (255, 0, 0, x > y ? 255 : 0)
        },
        Painting("4 colours", depth: 2, colorType: 3) { x, y in (x / 128 * 9, y / 128 * 9, 1, 255)
        },
        Painting("5 colours, 4 translucent", depth: 4, colorType: 3, transparentEntries: 4) {
            x, y in
            (10, 20, 30, min(255, (x + y) / 100 * 51 + 51))
        },
        Painting("17 colours", depth: 8, colorType: 3) { x, y in (x / 16, x / 16, y / 255, 255) },
        Painting("256 colours", depth: 8, colorType: 3, transparentEntries: 128) { x, y in
            let n = noise(x, y) & 255
            return (n, 255 - n, 7, n & 1 == 0 ? 255 : 99)
        },
        Painting("257 colours", depth: 8, colorType: 2) { x, y in
            (x, x == 255 && y == 255 ? 1 : 0, 3, 255)
        },
        Painting("256 grays and nothing", depth: 8, colorType: 4) { x, y in
            (x, x, x, y == 0 ? 0 : 255)
        },
        Painting("grays with all alphas", depth: 8, colorType: 4) { x, y in (x, x, x, y) },
        Painting("noise", depth: 8, colorType: 2) { x, y in
            let n = noise(x, y)
            return (n, n >> 8, n >> 16, 255)
        },
        Painting("translucent noise", depth: 8, colorType: 6) { x, y in
            let n = noise(x, y)
            return (n, n >> 8, n >> 16, n >> 24)
        },
        Painting("a smooth sky", depth: 8, colorType: 2) { x, y in (x, y, (x + y) / 2, 255) },
        Painting("a smooth sky with a hole", depth: 8, colorType: 6) { x, y in
            (x, y, 200, (x - 128) * (x - 128) + (y - 128) * (y - 128) < 4000 ? 0 : 255)
        },
        photographAtEdge,
        Painting("a drawing with noise", depth: 8, colorType: 2) { x, y in
            let n = noise(x / 3, y)
            return (n & 7, n >> 8 & 7, n >> 16 & 7, 255)
        },
        Painting("white but for the last pixel", depth: 1, colorType: 0) { x, y in
            gray(x == 255 && y == 255 ? 0 : 255)
        },
        Painting("one pixel", size: 1, depth: 1, colorType: 3) { _, _ in (1, 2, 3, 255) },
        Painting("odd size, 1 bit", size: 13, depth: 1, colorType: 0) { x, y in
            gray(x * y % 2 * 255)
        },
        Painting("odd size, 2 bits", size: 13, depth: 2, colorType: 3) { x, _ in (x % 3, 9, 9, 255)
        },
        Painting("odd size, RGB", size: 17, depth: 8, colorType: 2) { x, y in
            (x * 15, y * 15, 0, 255)
        },
        Painting("double size", size: 512, depth: 8, colorType: 2) { x, y in
            (x / 2, y / 2, x ^ y, 255)
        },
    ]
}

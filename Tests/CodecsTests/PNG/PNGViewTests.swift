import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Pictures that are compressed in the memory of their pixels.
@Suite struct PNGViewTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// What the pixels of a picture have in common, and the colour type (IHDR) that holds them.
    enum Pixels: CaseIterable {
        case black, fewColors, fewColorsAndAlphas, grayAndAlpha, opaque, noisy, seeThrough

        var colorType: UInt8 {
            switch self {
            case .black: 0
            case .fewColors, .fewColorsAndAlphas: 3
            case .grayAndAlpha: 4
            case .opaque, .noisy: 2
            case .seeThrough: 6
            }
        }

        func pixel(_ x: Int, _ y: Int, _ random: inout SplitMix) -> [UInt8] {
            let (a, b) = (UInt8(truncatingIfNeeded: x * 3 + y), UInt8(truncatingIfNeeded: y * 5 - x))
            switch self {
            case .black: return [0, 0, 0, 255]
            case .fewColors: return [a % 8, 200, b % 4, 255]
            case .fewColorsAndAlphas: return [a % 8, 9, 9, b % 2 * 100 + 50]
            case .grayAndAlpha: return [a, a, a, b]
            case .opaque: return [a, b, a ^ b, 255]
            case .noisy: return (0..<3).map { _ in .random(in: 0...255, using: &random) } + [255]
            case .seeThrough: return [a, b, 7, a &+ b]
            }
        }
    }

    @Test(
        "The pixels come back, and are stored in the smallest form", .long, arguments: Pixels.allCases,
        [(1, 1), (1, 40), (40, 1), (2, 300), (61, 47), (300, 211)])
    func roundTrip(pixels: Pixels, size: (width: Int, height: Int)) throws {
        var random = SplitMix(seed: 3)
        let rgba = (0..<size.height).flatMap { y in
            (0..<size.width).flatMap { x in pixels.pixel(x, y, &random) }
        }
        var memory = rgba + [UInt8](repeating: 99, count: size.height)
        let bytes = try memory.withUnsafeMutableBufferPointer {
            try PNGImage.encode(consuming: $0, width: size.width, height: size.height)
        }
        if size.width * size.height > 10_000 { #expect(bytes[25] == pixels.colorType) }
        let path = directory.path("view.png")
        try Data(bytes).write(to: URL(filePath: path))
        let image = try ImageFile.open(path: path).readAll()
        #expect(image.info.width == size.width && image.info.height == size.height)
        #expect(image.rgba == rgba)
    }
}

import Raster
import Testing
import Tiling

/// Rows of an image that are kept.
struct HeldPixelsTests {
    private let info = RasterInfo(width: 5, height: 9, pixelFormat: .rgb8, summary: "")

    private func held(_ bands: [Range<Int>], rowsAtOnce: Int) throws -> HeldPixels {
        let pixels = try HeldPixels(info, rows: bands)
        let samples = (0..<5 * 9 * 3).map { UInt8($0 + 1) }
        try samples.withUnsafeBytes { bytes in
            let first = try #require(bytes.baseAddress)
            for row in stride(from: 0, to: 9, by: rowsAtOnce) {
                pixels.store(row..<min(9, row + rowsAtOnce), from: first + row * 15)
            }
        }
        return pixels
    }

    private func read(_ window: PixelWindow, of pixels: HeldPixels) -> [UInt8] {
        var result = [UInt8](repeating: 9, count: window.width * window.height * 3)
        result.withUnsafeMutableBytes { bytes in
            guard let first = bytes.baseAddress else { return }
            pixels.read(window, into: first, stride: window.width * 3)
        }
        return result
    }

    @Test("A window is what was stored, however it came", arguments: [1, 2, 4, 9])
    func window(rowsAtOnce: Int) throws {
        let pixels = try held([0..<9], rowsAtOnce: rowsAtOnce)
        let expected = [3, 4].flatMap { row in (6..<12).map { UInt8(row * 15 + $0 + 1) } }
        #expect(read(PixelWindow(columns: 2..<4, rows: 3..<5), of: pixels) == expected)
    }

    @Test("Rows between bands are zero", arguments: [1, 4])
    func bands(rowsAtOnce: Int) throws {
        let pixels = try held([1..<3, 6..<8], rowsAtOnce: rowsAtOnce)
        let column = read(PixelWindow(columns: 0..<1, rows: 0..<9), of: pixels)
        let expected = (0..<9).flatMap { row -> [UInt8] in
            [1, 2, 6, 7].contains(row) ? (1...3).map { UInt8(row * 15 + $0) } : [0, 0, 0]
        }
        #expect(column == expected)
    }
}

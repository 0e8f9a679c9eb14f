import Raster
import Testing
import Tiling

/// Parts of an image that are kept.
struct HeldPixelsTests {
    private let info = RasterInfo(width: 5, height: 9, pixelFormat: .rgb8, summary: "")

    private func held(_ windows: [PixelWindow], rowsAtOnce: Int) throws -> HeldPixels {
        let parts = try windows.map { window in
            HeldPixels.Part(window: window, memory: try MappedMemory(window.width * window.height * 3))
        }
        let pixels = HeldPixels(info, parts: parts)
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

    @Test("A window has the stored pixels, in whatever pieces they were stored", arguments: [1, 2, 4, 9])
    func window(rowsAtOnce: Int) throws {
        let pixels = try held([info.window], rowsAtOnce: rowsAtOnce)
        let expected: [UInt8] = [52, 53, 54, 55, 56, 57, 67, 68, 69, 70, 71, 72]
        #expect(read(PixelWindow(columns: 2..<4, rows: 3..<5), of: pixels) == expected)
    }

    @Test("Pixels beyond the parts are zero", arguments: [1, 4])
    func parts(rowsAtOnce: Int) throws {
        let windows = [
            PixelWindow(columns: 1..<3, rows: 1..<3), PixelWindow(columns: 2..<5, rows: 6..<8),
        ]
        let pixels = try held(windows, rowsAtOnce: rowsAtOnce)
        let expected = (0..<9).flatMap { row in
            (1..<4).flatMap { column -> [UInt8] in
                let isKept = windows.contains { $0.columns.contains(column) && $0.rows.contains(row) }
                return (1...3).map { isKept ? UInt8(row * 15 + column * 3 + $0) : 0 }
            }
        }
        #expect(read(PixelWindow(columns: 1..<4, rows: 0..<9), of: pixels) == expected)
    }
}

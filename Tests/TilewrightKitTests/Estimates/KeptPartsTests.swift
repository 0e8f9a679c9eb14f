import Raster
import Testing
import Tiling

@testable import TilewrightKit

/// Parts of an image that are kept while its rows are read.
struct KeptPartsTests {
    private let info = RasterInfo(width: 640, height: 500, pixelFormat: .gray8, summary: "")

    /// White, with noise in one square of 64 pixels and fewer lines in others.
    private var pixels: [UInt8] {
        (0..<500).flatMap { row in
            (0..<640).map { column -> UInt8 in
                if (256..<320).contains(column), (320..<384).contains(row) {
                    return UInt8(truncatingIfNeeded: (column &* 31 &+ row &* 17) &* 2_654_435_761 >> 8)
                }
                return row % 64 < 32 && column % 9 == 0 && column > 400 ? 0 : 255
            }
        }
    }

    private func kept(_ count: Int, rowsAtOnce: Int) throws -> (parts: KeptParts, detail: DetailMap) {
        let parts = try KeptParts(info, edge: 64, count: count)
        var detail = DetailMap(info)
        pixels.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress else { return }
            for row in stride(from: 0, to: 500, by: rowsAtOnce) {
                let rows = row..<min(500, row + rowsAtOnce)
                detail.add(rows, first + row * 640)
                parts.add(rows, first + row * 640, detail)
            }
        }
        detail.finish()
        return (parts, detail)
    }

    @Test("The part with the most detail is kept with its pixels, however many rows are added at once")
    func detailed() throws {
        let (parts, _) = try kept(6, rowsAtOnce: 64)
        let windows = parts.parts.map(\.window)
        #expect(windows.count == 6)
        let noise = PixelWindow(columns: 256..<320, rows: 320..<384)
        #expect(windows.contains(noise))
        #expect(try kept(6, rowsAtOnce: 200).parts.parts.map(\.window) == windows)
        var read = [UInt8](repeating: 0, count: 64 * 64)
        read.withUnsafeMutableBytes { bytes in
            if let first = bytes.baseAddress { parts.pixels.read(noise, into: first, stride: 64) }
        }
        let pixels = pixels
        let expected = (320..<384).flatMap { row in
            let start: Int = row * 640 + 256
            return pixels[start..<start + 64]
        }
        #expect(read == expected)
    }

    @Test("The parts together represent the whole image", arguments: [20, 40])
    func sums(count: Int) throws {
        let (parts, detail) = try kept(count, rowsAtOnce: 100)
        let sum = parts.parts.reduce(0) { $0 + $1.times * detail.detail(in: $1.window) }
        #expect(0.7...1.4 ~= sum / detail.detail(in: info.window))
        let area = parts.parts.reduce(0) { $0 + $1.times * Double($1.window.width * $1.window.height) }
        #expect(0.5...2 ~= area / (640 * 500))
    }

    @Test("If there is room for all parts, each represents only itself")
    func all() throws {
        let (parts, _) = try kept(100, rowsAtOnce: 64)
        #expect(parts.parts.count == 80)
        #expect(parts.parts.map(\.times) == Array(repeating: 1, count: 80))
    }
}

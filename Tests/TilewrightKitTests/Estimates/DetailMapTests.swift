import Raster
import Testing
import Tiling

@testable import TilewrightKit

/// The detail in parts of an image.
struct DetailMapTests {
    /// A map of an image of 300 x 200 gray pixels.
    private func map(_ value: (_ column: Int, _ row: Int) -> UInt8, rowsAtOnce: Int = 64) -> DetailMap {
        let info = RasterInfo(width: 300, height: 200, pixelFormat: .gray8, summary: "")
        var map = DetailMap(info)
        let pixels = (0..<200).flatMap { row in (0..<300).map { value($0, row) } }
        pixels.withUnsafeBytes { pixels in
            for row in stride(from: 0, to: 200, by: rowsAtOnce) {
                let rows = row..<min(row + rowsAtOnce, 200)
                guard let first = pixels.baseAddress else { return }
                map.add(rows, first + row * 300)
            }
        }
        map.finish()
        return map
    }

    private let whole = PixelWindow(columns: 0..<300, rows: 0..<200)

    @Test("A blank sheet has no detail, and lines have detail in their parts")
    func place() {
        #expect(map { _, _ in 200 }.detail(in: whole) == 0)
        let drawing = map { column, _ in column % 4 == 0 && column > 160 ? 0 : 255 }
        #expect(drawing.detail(in: PixelWindow(columns: 0..<128, rows: 0..<200)) == 0)
        #expect(drawing.detail(in: PixelWindow(columns: 160..<300, rows: 0..<200)) > 1000)
    }

    @Test("Parts add up, however many rows are added at once")
    func sums() {
        func noise(_ column: Int, _ row: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: (column &* 31 &+ row &* 17) &* 2_654_435_761 >> 8)
        }
        let (all, parts) = (map(noise), map(noise, rowsAtOnce: 128))
        let left = all.detail(in: PixelWindow(columns: 0..<160, rows: 0..<200))
        let right = all.detail(in: PixelWindow(columns: 160..<300, rows: 0..<200))
        #expect(left > 0 && right > 0)
        #expect(left + right == all.detail(in: whole))
        #expect(parts.detail(in: whole) == all.detail(in: whole))
    }

    @Test("Transparent pixels are found, wherever they are")
    func transparency() {
        let info = RasterInfo(width: 100, height: 64, pixelFormat: .rgba8, summary: "")
        var map = DetailMap(info)
        let pixels = (0..<64 * 100).flatMap { pixel -> [UInt8] in
            let (column, row) = (pixel % 100, pixel / 100)
            return [9, 9, 9, column >= 80 && row >= 40 ? 254 : 255]
        }
        pixels.withUnsafeBytes { bytes in
            if let first = bytes.baseAddress { map.add(0..<64, first) }
        }
        map.finish()
        #expect(map.isOpaque(in: PixelWindow(columns: 0..<64, rows: 0..<64)))
        #expect(map.isOpaque(in: PixelWindow(columns: 0..<100, rows: 0..<32)))
        #expect(!map.isOpaque(in: PixelWindow(columns: 70..<100, rows: 33..<64)))
    }
}

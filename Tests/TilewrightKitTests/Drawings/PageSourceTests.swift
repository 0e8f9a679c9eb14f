import TilewrightKit
import Raster
import RenderProtocol
import TestSupport
import Testing
import Tiling

/// Pages as images that are read in any order.
@Suite(.needs("python3"))
struct PageSourceTests {
    /// Blue, green, red and alpha of pixel (column, row) of the grid: its column, its row, 7 and 255.
    private static let places =
        "left, top, width, height = struct.unpack('<4i', payload[96:112]); send('PIXL', struct.pack('<I', 2) "
        + "+ b''.join(bytes([left + i, top + j, 7, 255]) for j in range(height) for i in range(width)))"

    private func source(_ draw: String, square: Int) throws -> (PageSource, FakeRenderer) {
        let renderer = try FakeRenderer(draw: draw)
        let drawing = try Drawing(DrawingFile(renderer.document, .pdf), by: renderer.program)
        let grid = PageGrid(
            width: 20, height: 13, square: square, mapping: .whole(.identity),
            clip: BoundingBox(minX: 0, minY: 0, maxX: 100, maxY: 50))
        let info = RasterInfo(width: 1, height: 1, pixelFormat: .rgba8, summary: "a page")
        return (PageSource(drawing, on: grid, style: PageStyle(), info: info), renderer)
    }

    private func read(_ source: PageSource, _ window: PixelWindow) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 1, count: window.width * window.height * 4)
        try bytes.withUnsafeMutableBytes {
            let address = try #require($0.baseAddress)
            try source.read(window, into: address, stride: window.width * 4)
        }
        return bytes
    }

    @Test("A window across squares has the right pixels", arguments: [4, 8, 32])
    func windows(square: Int) throws {
        let (source, renderer) = try source(Self.places, square: square)
        defer { withExtendedLifetime(renderer) {} }
        #expect(source.info.width == 20 && source.info.height == 13)
        let window = PixelWindow(columns: 3..<18, rows: 2..<13)
        let expected = window.rows.flatMap { row in
            window.columns.flatMap { column -> [UInt8] in [7, UInt8(row), UInt8(column), 255] }
        }
        #expect(try read(source, window) == expected)
    }

    @Test("If a page is read row by row, each square is drawn once", arguments: [1, 3, 5, 13].some(1))
    func readsInTurn(rows: Int) throws {
        let (source, renderer) = try source("note('draws', 1); " + Self.places, square: 8)
        var bytes = [UInt8](repeating: 1, count: 20 * 13 * 4)
        try bytes.withUnsafeMutableBytes {
            for row in stride(from: 0, to: 13, by: rows) {
                let address = try #require($0.baseAddress) + row * 20 * 4
                try source.readRows(min(rows, 13 - row), into: address, stride: 20 * 4)
            }
        }
        #expect(try bytes == read(source, PixelWindow(columns: 0..<20, rows: 0..<13)))
        // Three columns and two rows of squares, and as many again for the window.
        #expect(renderer.notes("draws").count == 6 + 6)
    }

    @Test("Premultiplied colours are converted back to the original ones")
    func straightColours() throws {
        let all = "send('PIXL', struct.pack('<I', 1) + bytes([30, 60, 90, 120]))"
        let (source, renderer) = try source(all, square: 32)
        defer { withExtendedLifetime(renderer) {} }
        let pixels = try read(source, PixelWindow(columns: 0..<20, rows: 0..<2))
        // 90 x 255 / 120 = 191.25, 127.5, 63.75.
        #expect(
            pixels.count == 160
                && pixels.enumerated().allSatisfy { [191, 128, 64, 120][$0.offset % 4] == $0.element })
    }
}

import Foundation
import Raster
import Testing
import Tiling
@testable import Rendering

/// Pixels of space, which take the colour of the Earth next to them.
@Suite struct GroundPixelsTests {
    /// Unpacks an image of 8 x 6 pixels whose sample is ten times its column and its row, and returns the red
    /// of each pixel of a window.
    private func unpacked(_ window: PixelWindow, rings: [[Point]]) throws -> [Int] {
        var source = try TestImage(width: 8, height: 6, .gray8) { [UInt8(10 * $0 + $1)] }.band()
        source.ground = GroundPixels(rings: rings, width: 8, height: 6)
        var pixels = [Int16](repeating: -1, count: 4 * window.width * window.height)
        try pixels.withUnsafeMutableBufferPointer {
            guard let first = $0.baseAddress else { return }
            try source.unpack(PixelSpans(all: window), into: first, with: .best)
        }
        // 64 steps to one of 8 bits.
        return stride(from: 0, to: pixels.count, by: 4).map { Int(pixels[$0]) / 64 }
    }

    private static let all = PixelWindow(columns: 0..<8, rows: 0..<6)
    /// Around the pixels of columns 2 to 4 and rows 1 to 3.
    private static let ring = [
        Point(x: 2, y: 1), Point(x: 5, y: 1), Point(x: 5, y: 4), Point(x: 2, y: 4),
    ]

    @Test("a pixel of space gets the colour of the nearest pixel on the Earth in its row or column")
    func nearest() throws {
        let pixels = try unpacked(Self.all, rings: [Self.ring])
        for row in 0..<6 {
            for column in 0..<8 {
                let (nearColumn, nearRow) = (min(max(column, 2), 4), min(max(row, 1), 3))
                #expect(pixels[row * 8 + column] == 10 * nearColumn + nearRow, "column \(column), row \(row)")
            }
        }
    }

    @Test("a pixel is on the Earth if its centre is")
    func centres() throws {
        let ring = Self.ring.map { Point(x: $0.x + 0.49, y: $0.y - 0.49) }
        #expect(try unpacked(Self.all, rings: [ring]) == unpacked(Self.all, rings: [Self.ring]))
    }

    @Test("blocks in which a limb ends read the same pixels as the whole", arguments: [1, 3, 8])
    func blocks(size: Int) throws {
        // A disk of which the image holds most.
        let ring = (0..<40).map { step in
            let angle = Double(step) * .pi / 20
            return Point(x: 4 + 3.6 * cos(angle), y: 3 + 2.7 * sin(angle))
        }
        let whole = try unpacked(PixelWindow(columns: -2..<10, rows: -2..<8), rings: [ring])
        let reach = 2
        for row in 0..<6 {
            for column in 0..<8 where hypot(Double(column) - 3.5, Double(row) - 2.5) < 2.7 {
                // What a kernel on the Earth reads, in blocks of some size.
                let window = PixelWindow(
                    columns: max(-2, column - reach)..<min(10, column + size + reach),
                    rows: max(-2, row - reach)..<min(8, row + 1 + reach))
                let pixels = try unpacked(window, rings: [ring])
                for y in row - reach..<row + reach + 1 {
                    for x in column - reach..<column + reach + 1 where window.rows ~= y && window.columns ~= x
                    {
                        let seen = pixels[
                            (y - window.rows.lowerBound) * window.width + x - window.columns.lowerBound]
                        #expect(seen == whole[(y + 2) * 12 + x + 2], "\(x), \(y) around \(column), \(row)")
                    }
                }
            }
        }
    }

    @Test("a gap between two parts is halved")
    func gap() throws {
        let second = [Point(x: 7, y: 0), Point(x: 8, y: 0), Point(x: 8, y: 6), Point(x: 7, y: 6)]
        let pixels = try unpacked(
            PixelWindow(columns: 0..<8, rows: 2..<3), rings: [Self.ring, second])
        #expect(pixels == [22, 22, 22, 32, 42, 42, 72, 72])
    }

    @Test("pixels beyond the image have the colour of its last pixels on the Earth")
    func beyond() throws {
        let window = PixelWindow(columns: 6..<10, rows: 4..<8)
        let around = [Point(x: 7, y: -2), Point(x: 10, y: -2), Point(x: 10, y: 9), Point(x: 7, y: 9)]
        let pixels = try unpacked(window, rings: [around])
        #expect(pixels == [74, 74, 74, 74, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75])
    }
}

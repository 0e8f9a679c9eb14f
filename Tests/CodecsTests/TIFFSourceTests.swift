import Codecs
import Diagnostics
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

@Suite(
    .enabled(if: TIFFSample.arePresent, "Python, its GDAL and numpy write the files")
) struct TIFFSourceTests {
    @Test("rows of a TIFF are what went into it", arguments: TIFFSample.all)
    func rows(sample: TIFFSample) throws {
        let image = try TIFFSource(path: sample.path, options: sample.options).readAll()
        #expect(image.info.width == sample.width && image.info.height == sample.height)
        #expect(sample.differences(image.rgba) == 0)
        #expect(image.info.orientation == sample.orientation)
    }

    @Test("windows of a TIFF are parts of its rows", arguments: TIFFSample.all)
    func windows(sample: TIFFSample) throws {
        let source = try TIFFSource(path: sample.path, options: sample.options)
        let whole = try source.readAll(atATime: 64)
        let windows = try #require(source.windows)
        let size = whole.info.pixelFormat.bytesPerPixel
        var random = SplitMix(seed: 3)
        for _ in 0..<8 {
            let left = Int.random(in: 0..<sample.width, using: &random)
            let top = Int.random(in: 0..<sample.height, using: &random)
            let window = PixelWindow(
                columns: left..<Int.random(in: left + 1...sample.width, using: &random),
                rows: top..<Int.random(in: top + 1...sample.height, using: &random))
            let expected = window.rows.flatMap { row in
                whole.pixels[
                    (row * sample.width + left)
                        * size..<(row * sample.width + window.columns.upperBound) * size]
            }
            #expect(try windows.pixels(of: window, bytesPerPixel: size) == expected)
        }
    }

    @Test(
        "several tasks read windows at the same time", arguments: ["deflate_tiles", "mask_tiles"])
    func concurrency(name: String) async throws {
        let sample = try TIFFSample.named(name)
        let source = try TIFFSource(path: sample.path)
        let whole = try source.readAll().pixels
        let size = source.info.pixelFormat.bytesPerPixel
        let windows = try #require(source.windows)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for row in 0..<sample.height {
                group.addTask {
                    let window = PixelWindow(columns: 0..<sample.width, rows: row..<row + 1)
                    let line = sample.width * size
                    return try windows.pixels(of: window, bytesPerPixel: size)
                        == Array(whole[row * line..<(row + 1) * line])
                }
            }
            for try await isEqual in group { #expect(isEqual) }
        }
    }
}

extension WindowReader {
    /// A window's pixels without gaps, read to a wider stride.
    func pixels(of window: PixelWindow, bytesPerPixel size: Int) throws -> [UInt8] {
        let stride = window.width * size + 5
        var buffer = [UInt8](repeating: 0xA5, count: stride * window.height)
        try buffer.withUnsafeMutableBytes {
            try read(window, into: #require($0.baseAddress), stride: stride)
        }
        return (0..<window.height).flatMap { row in
            let line = buffer[row * stride..<(row + 1) * stride]
            precondition(line.suffix(5).allSatisfy { $0 == 0xA5 })
            return line.dropLast(5)
        }
    }
}

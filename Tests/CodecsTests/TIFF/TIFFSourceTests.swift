import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing
import Tiling

@Suite(.needsPython("numpy", "osgeo.gdal")) struct TIFFSourceTests {
    @Test("the samples are written") func samples() throws {
        #expect(try !TIFFSample.written.get().isEmpty)
    }

    @Test("rows of a TIFF are those that were written", arguments: TIFFSample.all.some(65))
    func rows(sample: TIFFSample) throws {
        let image = try TIFFSource(ImageReference(sample.path), options: sample.options).readAll()
        #expect(image.info.width == sample.width && image.info.height == sample.height)
        #expect(sample.differences(image.rgba) == 0)
        #expect(image.info.orientation == sample.orientation)
    }

    @Test("windows of a TIFF are parts of its rows", arguments: TIFFSample.all)
    func windows(sample: TIFFSample) throws {
        let source = try TIFFSource(ImageReference(sample.path), options: sample.options)
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
                let first = (row * sample.width + left) * size
                return whole.pixels[first..<first + window.width * size]
            }
            #expect(try windows.pixels(of: window, bytesPerPixel: size) == expected)
        }
    }

    @Test(
        "several tasks read windows at the same time", arguments: ["deflate_tiles", "mask_tiles"])
    func concurrency(name: String) async throws {
        let sample = try TIFFSample.named(name)
        let source = try TIFFSource(ImageReference(sample.path))
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

@Suite(.needsPython("numpy", "osgeo.gdal")) struct TIFFOverviewTests {
    @Test(
        "overviews of averages stand in for the image", .long,
        arguments: ["averages_inside", "averages_beside"], [2, 4, 8])
    func averages(name: String, factor: Int) throws {
        let path = try TIFFSample.path(name)
        let whole = try TIFFSource(ImageReference(path)).readAll()
        #expect(whole.info.reductions == [2, 4, 8])
        let small = try TIFFSource(ImageReference(path), options: ReadOptions(reduction: factor)).readAll()
        let (width, height) = (whole.info.width, whole.info.height)
        #expect(small.info.width == (width + factor - 1) / factor)
        #expect(small.info.height == (height + factor - 1) / factor)
        #expect(small.info.pixelFormat == whole.info.pixelFormat)
        #expect(small.info.reductions.isEmpty)
        let (pixels, reduced) = (whole.rgba, small.rgba)
        let scaleX = Double(width) / Double(small.info.width)
        let scaleY = Double(height) / Double(small.info.height)
        var squares: [Double] = []
        // Every seventh pixel.
        for index in stride(from: 0, to: small.info.width * small.info.height, by: 7) {
            let (column, row) = (index % small.info.width, index / small.info.width)
            let means = mean(
                pixels, width: width,
                columns: Double(column) * scaleX..<Double(column + 1) * scaleX,
                rows: Double(row) * scaleY..<Double(row + 1) * scaleY)
            for channel in 0..<4 {
                let difference = Double(reduced[index * 4 + channel]) - means[channel]
                squares.append(difference * difference)
            }
        }
        // GDAL rounds at each halving, and takes each level from the one above. The image's noise
        // is 23 levels.
        #expect(!squares.isEmpty)
        let meanSquare: Double = squares.reduce(0, +) / Double(squares.count)
        #expect(meanSquare.squareRoot() < 1.5)
    }

    /// The mean of the part of an image that lies between some edges, RGBA.
    private func mean(
        _ pixels: [UInt8], width: Int, columns: Range<Double>, rows: Range<Double>
    ) -> [Double] {
        var (sums, weights) = ([0.0, 0, 0, 0], 0.0)
        for y in Int(rows.lowerBound)..<Int((rows.upperBound - 1e-9).rounded(.up)) {
            for x in Int(columns.lowerBound)..<Int((columns.upperBound - 1e-9).rounded(.up)) {
                let weight =
                    (min(columns.upperBound, Double(x + 1)) - max(columns.lowerBound, Double(x)))
                    * (min(rows.upperBound, Double(y + 1)) - max(rows.lowerBound, Double(y)))
                weights += weight
                for channel in 0..<4 {
                    sums[channel] += weight * Double(pixels[(y * width + x) * 4 + channel])
                }
            }
        }
        return sums.map { $0 / weights }
    }

    @Test(
        "overviews of picked pixels, or whose masks clip whole pixels, are not used",
        arguments: ["picked_inside", "picked_beside", "masked_averages_inside"])
    func picked(name: String) throws {
        let path = try TIFFSample.path(name)
        #expect(try TIFFSource(ImageReference(path)).info.reductions == [2, 4, 8])
        #expect(throws: Failure.self) {
            try TIFFSource(ImageReference(path), options: ReadOptions(reduction: 4))
        }
    }

    @Test("a factor that the file does not have is an error")
    func missing() throws {
        let path = try TIFFSample.path("averages_inside")
        #expect(throws: Failure.self) {
            try TIFFSource(ImageReference(path), options: ReadOptions(reduction: 3))
        }
    }

    @Test("a strip that is too large is read row by row", arguments: ["long_strip", "long_strips"].some(1))
    func longStrips(name: String) throws {
        let source = try TIFFSource(ImageReference(TIFFSample.path(name)))
        let (width, height) = (70000, 1000)
        #expect(source.info.width == width && source.info.height == height)
        #expect(source.windows == nil)
        // No more than the bytes of the file, which hardly compress.
        #expect(source.info.decoderBytes < 3 * (width + 1) * height * 65 / 64)
        let base = (0..<width + height + 2).map {
            UInt8(truncatingIfNeeded: ($0 * $0 * 31 + $0) >> 3)
        }
        let bands = source.info.pixelFormat.bytesPerPixel
        var rows = [UInt8](repeating: 0, count: 10 * width * bands)
        for top in stride(from: 0, to: height, by: 10) {
            try rows.withUnsafeMutableBytes {
                try source.readRows(10, into: #require($0.baseAddress), stride: width * bands)
            }
            let line = rows[3 * width * bands..<4 * width * bands]
            for band in 0..<bands where top % 100 == 0 {
                let found = stride(from: line.startIndex + band, to: line.endIndex, by: bands)
                    .map { rows[$0] }
                #expect(found == Array(base[top + 3 + band..<top + 3 + band + width]))
            }
        }
    }
}

import Raster
import Synchronization
import TestSupport
import Testing
import Tiling
@testable import Rendering

/// Blocks of a result that lie turned in the source, so that half of the window around them is not needed.
@Suite struct TurnedBlockTests {
    private static let size = 700

    /// Random pixels of an image that is read in blocks, and which blocks were read.
    private final class Samples: WindowReader {
        let blockSize = (width: 128, height: 128)
        let pixels: [UInt8]
        let blocksRead = Mutex<Set<[Int]>>([])

        init() {
            var random = SplitMix(seed: 7)
            pixels = (0..<size * size * 4).map { _ in .random(in: 0...255, using: &random) }
        }

        func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) throws {
            _ = blocksRead.withLock {
                $0.insert([window.columns.lowerBound / 128, window.rows.lowerBound / 128])
            }
            for (index, row) in window.rows.enumerated() {
                let first = (row * size + window.columns.lowerBound) * 4
                let bytes = pixels[first..<first + window.width * 4]
                UnsafeMutableRawBufferPointer(start: destination + index * stride, count: bytes.count)
                    .copyBytes(from: bytes)
            }
        }

        var band: SourceBand {
            let info = RasterInfo(width: size, height: size, pixelFormat: .rgba8, summary: "samples")
            let cache = BlockCache(self, info: info, limit: 1 << 22)
            return SourceBand(.blocks(cache), format: .rgba8, width: size, height: size)
        }
    }

    /// The positions of some pixels of a block that is turned by an eighth, around the source's middle.
    private static func positions(_ part: PixelWindow, scale: Double) -> SourcePositions {
        let step = scale * 0.5.squareRoot()
        let centers = part.rows.flatMap { row in
            part.columns.map { column in
                let (x, y) = (Double(column) - 31.5, Double(row) - 31.5)
                return Point(x: 350.3 + step * (x - y), y: 349.8 + step * (x + y))
            }
        }
        return SourcePositions(
            width: part.width, height: part.height, columns: centers.map(\.x), rows: centers.map(\.y),
            jacobian: Jacobian(columnPerX: step, columnPerY: -step, rowPerX: step, rowPerY: step))
    }

    private static func render(
        _ positions: SourcePositions, _ warper: Warper, from source: SourceBand
    ) throws -> [Int16] {
        let width = positions.width
        var result = [Int16](repeating: 77, count: 4 * width * positions.height)
        try result.withUnsafeMutableBufferPointer { result in
            let first = try #require(result.baseAddress)
            try warper.render(positions, from: source) { first + 4 * width * $0 }
        }
        return result
    }

    @Test(
        "A turned block equals its pixels rendered one by one",
        arguments: ResamplingMethod.allCases.some(1))
    func pixelsAlone(method: ResamplingMethod) throws {
        let source = Samples().band
        let warper = Warper(method: method, kernels: .best)
        let all = PixelWindow(columns: 0..<64, rows: 0..<64)
        let positions = Self.positions(all, scale: 3.3)
        // What an earlier block has left in the warper's memory is not to be seen.
        _ = try Self.render(Self.positions(all, scale: 3.1), warper, from: source)
        let whole = try Self.render(positions, warper, from: source)
        for row in stride(from: 0, to: 64, by: 7) {
            for column in stride(from: 0, to: 64, by: 5) {
                let part = PixelWindow(columns: column..<column + 1, rows: row..<row + 1)
                let alone = try Self.render(
                    Self.positions(part, scale: 3.3), Warper(method: method, kernels: .best), from: source)
                let first = (row * 64 + column) * 4
                #expect(Array(whole[first..<first + 4]) == alone, "column \(column), row \(row)")
            }
        }
    }

    @Test("Blocks of the source next to a turned block are not read", .long)
    func blocksRead() throws {
        let samples = Samples()
        let positions = Self.positions(PixelWindow(columns: 0..<64, rows: 0..<64), scale: 6)
        _ = try Self.render(positions, Warper(method: .area, kernels: .best), from: samples.band)
        let read = samples.blocksRead.withLock { $0 }
        // The corners of the block lie in the middle of the edges of the window around it.
        #expect(read.isDisjoint(with: [[0, 0], [4, 0], [0, 4], [4, 4]]))
        #expect(read.isSuperset(of: [[2, 0], [0, 2], [4, 2], [2, 4], [2, 2]]))
    }
}

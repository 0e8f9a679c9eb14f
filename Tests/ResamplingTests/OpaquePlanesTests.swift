import Raster
import TestSupport
import Testing
import Tiling

@testable import Resampling

/// Opaque pixels in planes against the same pixels in four channels.
@Suite(.enabled(if: Kernels.best.takePlanes, "this machine has no kernels for planes"))
struct OpaquePlanesTests {
    private static let (width, height) = (420, 90)

    private static func source(_ format: PixelFormat) throws -> SourceBand {
        var random = SplitMix(seed: 91)
        let bytes = width * format.bytesPerPixel
        let band = try RowBand(rowBytes: bytes, marginBytes: 0, capacity: height)
        for row in 0..<height {
            let samples = band.row(row).assumingMemoryBound(to: UInt8.self)
            // Extremes make kernels overshoot.
            for index in 0..<bytes {
                samples[index] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : 255
            }
        }
        let source = SourceBand(.rows(band), format: format, width: width, height: height)
        // Only then is it known that no part is of one colour.
        source.survey(0..<height)
        return source
    }

    private static func weights(_ method: ResamplingMethod, scale: Double) -> SeparableWeights {
        func axis(_ count: Int, _ first: Double) -> AxisWeights {
            AxisWeights(pixels: -8..<Int(Double(count) / scale) + 8, method: method) { $0 * scale + first }
        }
        return SeparableWeights(columns: axis(width, 0.4), rows: axis(height, -0.3), sourceWidth: width)
    }

    /// All pixels of a window, halved, and packed, with and without a background.
    private static func results(of band: LevelBand, halvedBy method: ResamplingMethod) throws -> [[UInt8]] {
        let reducer = Reducer(method: method, kernels: .best)
        let window = band.window
        let target = PixelWindow(
            columns: (window.columns.lowerBound + reducer.reach + 1)
                / 2..<(window.columns.upperBound - reducer.reach) / 2,
            rows: (window.rows.lowerBound + reducer.reach + 1) / 2..<(window.rows.upperBound - reducer.reach)
                / 2)
        let coarse = try LevelBand(window: target, capacity: target.height, scratchDirectory: nil)
        reducer.render(target, from: band, into: coarse)
        let halved = target.rows.flatMap { row in
            let pixels = coarse.pixel(column: target.columns.lowerBound, row: row)
            return UnsafeRawBufferPointer(start: pixels, count: target.width * DeepPixel.bytes).map { $0 }
        }
        let packed = [nil, RGBColor(red: 3, green: 4, blue: 5)].map { color in
            Self.packed(window, of: band, over: color)
        }
        return [halved] + packed
    }

    /// A window as a tile has it.
    private static func packed(
        _ window: PixelWindow, of band: LevelBand, over color: RGBColor? = nil
    ) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4 * window.width * window.height)
        bytes.withUnsafeMutableBufferPointer {
            let seen = PackedWindow(window, bytes: $0).pack(window, of: band, over: color, with: .best)
            #expect(seen.isOpaque && seen.hasPixels)
        }
        return bytes
    }

    @Test(
        "planes are halved and packed to the bytes of pixels",
        arguments: [PixelFormat.gray8, .rgb8], [ResamplingMethod.bilinear, .cubic, .lanczos, .area])
    func bytes(format: PixelFormat, method: ResamplingMethod) throws {
        let source = try Self.source(format)
        let resampler = SeparableResampler(kernels: .best)
        for scale in [0.61, 1, 1.37] {
            let weights = Self.weights(method, scale: scale)
            for width in [128, 160, 201] {
                let window = PixelWindow(columns: 11..<11 + width, rows: 9..<50)
                let memory = try LevelBand(window: window, capacity: window.height, scratchDirectory: nil)
                let planes = try #require(
                    resampler.planes(of: window, from: source, weights: weights, into: memory))
                planes.render(window.rows)
                let fromPlanes = try Self.results(of: planes.band, halvedBy: method)
                try resampler.render(window, from: source, weights: weights, into: memory)
                let isSame = try Self.results(of: memory, halvedBy: method) == fromPlanes
                #expect(isSame, "\(scale), \(width)")
            }
        }
    }

    @Test("rows that are made in turns, in a ring of few, are those that are made at once")
    func turns() throws {
        let (source, weights) = (try Self.source(.rgb8), Self.weights(.cubic, scale: 0.83))
        let resampler = SeparableResampler(kernels: .best)
        let window = PixelWindow(columns: 11..<211, rows: 9..<70)
        let memory = try LevelBand(window: window, capacity: window.height, scratchDirectory: nil)
        func packed(keeping count: Int, inTurnsOf turn: Int) throws -> [UInt8] {
            let ring = memory.moved(toPlanesOf: window, keeping: count)
            let planes = try #require(
                resampler.planes(of: window, from: source, weights: weights, into: ring))
            return window.rows.cut(every: turn).flatMap { rows in
                planes.render(rows)
                return Self.packed(PixelWindow(columns: window.columns, rows: rows), of: planes.band)
            }
        }
        let expected = try packed(keeping: window.height, inTurnsOf: window.height)
        #expect(try packed(keeping: 7, inTurnsOf: 7) == expected)
        #expect(try packed(keeping: 32, inTurnsOf: 5) == expected)
    }

    @Test("what an edge cuts, has an alpha or is narrow is not made as planes")
    func refusal() throws {
        let weights = Self.weights(.bilinear, scale: 1)
        func planes(_ columns: Range<Int>, _ rows: Range<Int>, _ format: PixelFormat = .rgb8) throws
            -> UprightWindow?
        {
            let window = PixelWindow(columns: columns, rows: rows)
            return SeparableResampler(kernels: .best).planes(
                of: window, from: try Self.source(format), weights: weights,
                into: try LevelBand(window: window, capacity: window.height, scratchDirectory: nil))
        }
        #expect(try planes(20..<200, 20..<40) != nil)
        #expect(try planes(20..<200, 20..<40, .rgba8) == nil)
        #expect(try planes(20..<100, 20..<40) == nil)
        #expect(try planes(-3..<200, 20..<40) == nil)
        #expect(try planes(200..<424, 20..<40) == nil)
        #expect(try planes(20..<200, -2..<40) == nil)
        #expect(try planes(20..<200, 20..<93) == nil)
    }
}

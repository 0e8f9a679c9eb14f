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
        "planes are halved and packed to the same bytes as pixels",
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

    @Test("rows that are made in turns, in a small ring, are the same as when made at once")
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

    @Test("windows that are cut by an edge, have alpha or are narrow are not made as planes")
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

    /// A zoom that is opaque but for its edge, where alphas are random.
    private static func zoom(_ window: PixelWindow, opaque: PixelWindow, count: Int) throws -> LevelBand {
        var random = SplitMix(seed: 17)
        let band = try LevelBand(window: window, capacity: window.height, scratchDirectory: nil)
        for row in window.rows {
            for column in window.columns {
                let isOpaque = opaque.columns.contains(column) && opaque.rows.contains(row)
                let alpha = isOpaque ? Int16(16320) : .random(in: 0...16320, using: &random)
                let pixel = band.pixel(column: column, row: row)
                for channel in 0..<3 {
                    pixel[channel] =
                        count == 1 && channel > 0 ? pixel[0] : .random(in: 0...alpha, using: &random)
                }
                pixel[3] = alpha
            }
        }
        return band
    }

    /// The pixels of a band, in four channels.
    private static func pixels(_ band: LevelBand) -> [Int16] {
        band.window.rows.flatMap { row in
            var pixels = [Int16](repeating: 1, count: 4 * band.window.width)
            pixels.withUnsafeMutableBufferPointer {
                if let first = $0.baseAddress {
                    band.copyPixels(band.window.columns, row: row, into: first, with: .best)
                }
            }
            return pixels
        }
    }

    @Test(
        "zooms whose opaque pixels are in planes are the same as with four channels", .long,
        arguments: [1, 3], [ResamplingMethod.bilinear, .cubic, .lanczos])
    func zooms(count: Int, method: ResamplingMethod) throws {
        let reducer = Reducer(method: method, kernels: .best)
        for edge in [0, 5, 31, 40] {
            let window = PixelWindow(columns: 1003 - edge..<1801, rows: 200..<290 + edge)
            let opaque = PixelWindow(columns: 1003..<1795, rows: 205..<277 + edge)
            var fine = try Self.zoom(window, opaque: opaque, count: count)
            var (planes, finePlanes) = (opaque, fine)
            for _ in 0..<2 {
                let all = PixelWindow(
                    columns: fine.window.columns.halved, rows: fine.window.rows.halved)
                planes = reducer.pixels(reading: planes)
                let inPlanes = try #require(OpaquePlanes(count: count, blocksIn: planes))
                planes = inPlanes.window
                let coarse = try LevelBand(window: all, capacity: all.height, scratchDirectory: nil)
                let coarsePlanes = try LevelBand(
                    window: all, capacity: all.height, planes: inPlanes, scratchDirectory: nil)
                reducer.render(all, from: fine, into: coarse)
                // Units of work meet anywhere, and rows come some at a time.
                for rows in all.rows.cut(every: 7) {
                    for columns in all.columns.cut(every: edge == 5 ? 128 : 50) {
                        let part = PixelWindow(columns: columns, rows: rows)
                        reducer.render(part, from: finePlanes, into: coarsePlanes)
                    }
                }
                let areSame = Self.pixels(coarsePlanes) == Self.pixels(coarse)
                #expect(areSame, "\(edge)")
                try Self.expectSamePacked(coarsePlanes, coarse)
                (fine, finePlanes) = (coarse, coarsePlanes)
            }
        }
    }

    /// Packs tiles across the edges of planes.
    private static func expectSamePacked(_ planes: LevelBand, _ pixels: LevelBand) throws {
        for columns in planes.window.columns.cut(every: 256) {
            for rows in planes.window.rows.cut(every: 256) {
                let part = PixelWindow(columns: columns, rows: rows)
                for color in [nil, RGBColor(red: 3, green: 4, blue: 5)] {
                    var seen: [Bool] = []
                    let packed = [planes, pixels].map { band in
                        var bytes = [UInt8](repeating: 0, count: 4 * part.width * part.height)
                        bytes.withUnsafeMutableBufferPointer {
                            let result = PackedWindow(part, bytes: $0).pack(
                                part, of: band, over: color, with: .best)
                            seen += [result.isOpaque, result.hasPixels]
                        }
                        return bytes
                    }
                    let areSame = packed[0] == packed[1] && seen[0...1] == seen[2...3]
                    #expect(areSame)
                }
            }
        }
    }

    @Test("a band with planes takes a quarter less memory, and as much as computed")
    func memory() throws {
        let window = PixelWindow(columns: 40..<4040, rows: 10..<400)
        let planes = try #require(
            OpaquePlanes(count: 3, blocksIn: PixelWindow(columns: 60..<4020, rows: 20..<390)))
        let band = try LevelBand(window: window, capacity: 200, planes: planes, scratchDirectory: nil)
        let plain = LevelBand.bytes(width: window.width, capacity: 200)
        #expect((70...77).contains(100 * band.memory.length / plain))
        let announced = LevelBand.bytes(window, capacity: 200, planes: planes)
        #expect(announced >= band.memory.length)
        #expect(announced - band.memory.length <= LevelBand.bytes(width: window.width, capacity: 21))
    }

    @Test("no pixel of an opaque window reads across an edge")
    func window() throws {
        for (method, scale) in [(ResamplingMethod.cubic, 0.61), (.lanczos, 1), (.bilinear, 1.37), (.area, 1)]
        {
            let weights = Self.weights(method, scale: scale)
            let window = try #require(weights.opaqueWindow(ofSource: (Self.width, Self.height)))
            let size = PixelWindow(columns: 0..<Self.width, rows: 0..<Self.height)
            for (axis, (pixels, source)) in [
                (weights.columns, (window.columns, size.columns)), (weights.rows, (window.rows, size.rows)),
            ] {
                func isOpaque(_ pixel: Int) -> Bool {
                    let reads = axis.sourcePixels(of: pixel)
                    return axis.keepColors(pixel..<pixel + 1) && reads.clamped(to: source) == reads
                }
                #expect(pixels.allSatisfy(isOpaque))
                // And it is not smaller than it could be.
                #expect(!isOpaque(pixels.lowerBound - 1) && !isOpaque(pixels.upperBound))
            }
        }
        let outside = AxisWeights(pixels: 500..<600, method: .cubic) { $0 }
        let none = SeparableWeights(columns: outside, rows: outside, sourceWidth: Self.width)
            .opaqueWindow(ofSource: (Self.width, Self.height))
        #expect(none == nil)
    }
}

import Raster
import Testing
import Tiling
import TestSupport
@testable import Rendering

/// Pixels of a source through the resampler and the warper.
@Suite struct SourceResamplingTests {
    private static let (width, height) = (24, 20)

    /// 8-bit pixels.
    private static func source(
        _ format: PixelFormat, _ sample: (_ column: Int, _ row: Int, _ channel: Int) -> UInt8
    ) throws -> SourceBand {
        let image = TestImage(width: width, height: height, format) { column, row in
            (0..<format.bytesPerPixel).map { sample(column, row, $0) }
        }
        return try image.band()
    }

    private static func random(_ format: PixelFormat) throws -> SourceBand {
        var random = SplitMix(seed: 31)
        return try source(format) { _, _, _ in .random(in: 0...255, using: &random) }
    }

    /// A deep pixel of the source; zeros beyond it.
    private static func pixel(_ source: SourceBand, _ column: Int, _ row: Int) -> [Double] {
        guard 0..<width ~= column, 0..<height ~= row else { return [0, 0, 0, 0] }
        let bytes = source.format.bytesPerPixel
        guard case .rows(let rows) = source.storage else { return [] }
        var samples: [Double] = []
        rows.forEachRow(of: PixelWindow(columns: column..<column + 1, rows: row..<row + 1)) { _, pixels in
            samples = (0..<bytes).map {
                Double(pixels.load(fromByteOffset: column * bytes + $0, as: UInt8.self))
            }
        }
        let alpha = bytes == 4 ? samples[3] / 255 : 1
        return (0..<3).map { samples[bytes == 1 ? 0 : $0] * 64 * alpha } + [alpha * 16_320]
    }

    /// Renders a block with the warper.
    private static func warp(
        _ source: SourceBand, _ method: ResamplingMethod, _ jacobian: Jacobian,
        size: Int, at position: (_ x: Double, _ y: Double) -> Point
    ) throws -> [Int16] {
        let centers = (0..<size * size).map {
            position(Double($0 % size) + 0.5, Double($0 / size) + 0.5)
        }
        let positions = SourcePositions(
            width: size, height: size, columns: centers.map(\.x), rows: centers.map(\.y),
            jacobian: jacobian)
        var result = [Int16](repeating: 77, count: 4 * size * size)
        let warper = Warper(method: method, kernels: .best)
        try result.withUnsafeMutableBufferPointer { result in
            guard let first = result.baseAddress else { return }
            try warper.render(positions, from: source) { first + 4 * size * $0 }
        }
        return result
    }

    @Test(
        "an image at its own scale is unchanged, and transparent beyond its edges",
        arguments: ResamplingMethod.allCases, [PixelFormat.gray8, .rgb8, .rgba8])
    func identity(method: ResamplingMethod, format: PixelFormat) throws {
        let source = try Self.random(format)
        let jacobian = Jacobian(columnPerX: 1, columnPerY: 0, rowPerX: 0, rowPerY: 1)
        let result = try Self.warp(source, method, jacobian, size: 30) {
            Point(x: $0 - 3, y: $1 - 4)
        }
        for index in 0..<900 {
            let exact = Self.pixel(source, index % 30 - 3, index / 30 - 4)
            for channel in 0..<4 {
                #expect(abs(Double(result[4 * index + channel]) - exact[channel]) < 0.51)
            }
        }
    }

    @Test("a pixel that the image's edge cuts is transparent in proportion to the part beyond")
    func cutPixels() throws {
        var source = try Self.source(.gray8) { _, _, _ in 200 }
        source.edges = (columns: 0.5...23.25, rows: 0...19.75)
        let jacobian = Jacobian(columnPerX: 1, columnPerY: 0, rowPerX: 0, rowPerY: 1)
        let result = try Self.warp(source, .cubic, jacobian, size: 24) { Point(x: $0, y: $1) }
        for (place, share) in [
            ((0, 0), 0.5), ((1, 1), 1), ((23, 0), 0.25), ((22, 19), 0.75), ((0, 19), 0.375),
        ] {
            let first = 4 * (place.1 * 24 + place.0)
            #expect(result[first] == Int16((12_800 * share).rounded()))
            #expect(result[first + 3] == Int16((16_320 * share).rounded()))
        }
    }

    @Test(
        "an image turned by 90 degrees is a permutation of its pixels",
        arguments: ResamplingMethod.allCases)
    func quarterTurn(method: ResamplingMethod) throws {
        let source = try Self.random(.rgb8)
        let jacobian = Jacobian(columnPerX: 0, columnPerY: 1, rowPerX: -1, rowPerY: 0)
        let result = try Self.warp(source, method, jacobian, size: 20) { Point(x: $1, y: 20 - $0) }
        for index in 0..<400 {
            let exact = Self.pixel(source, index / 20, 19 - index % 20)
            for channel in 0..<4 {
                #expect(Double(result[4 * index + channel]) == exact[channel])
            }
        }
    }

    @Test(
        "a warped pixel is the product of two kernels around its position",
        arguments: [ResamplingMethod.bilinear, .cubic, .lanczos])
    func kernelSum(method: ResamplingMethod) throws {
        let source = try Self.random(.rgba8)
        let kernel = try #require(Kernel(method))
        let jacobian = Jacobian(columnPerX: 0.8, columnPerY: -0.6, rowPerX: 0.6, rowPerY: 0.8)
        func position(_ x: Double, _ y: Double) -> Point {
            Point(x: 0.8 * x - 0.6 * y + 6, y: 0.6 * x + 0.8 * y - 3)
        }
        let result = try Self.warp(source, method, jacobian, size: 24, at: position)
        for index in 0..<576 {
            let center = position(Double(index % 24) + 0.5, Double(index / 24) + 0.5)
            // Positions are told apart by 1/256 of a pixel.
            let x = ((center.x - 0.5) * 256).rounded() / 256
            let y = ((center.y - 0.5) * 256).rounded() / 256
            var exact = [0.0, 0, 0, 0]
            var sum = 0.0
            for row in Int(y) - 4...Int(y) + 4 {
                for column in Int(x) - 4...Int(x) + 4 {
                    let weight =
                        kernel.weight(at: Double(column) - x) * kernel.weight(at: Double(row) - y)
                    sum += weight
                    for (channel, value) in Self.pixel(source, column, row).enumerated() {
                        exact[channel] += weight * value
                    }
                }
            }
            for channel in 0..<4 {
                #expect(abs(Double(result[4 * index + channel]) - exact[channel] / sum) < 12)
            }
        }
    }

    @Test("a pixel whose position is nan is transparent", arguments: ResamplingMethod.allCases)
    func nowhere(method: ResamplingMethod) throws {
        let source = try Self.random(.gray8)
        let jacobian = Jacobian(columnPerX: 1, columnPerY: 0, rowPerX: 0, rowPerY: 1)
        let result = try Self.warp(source, method, jacobian, size: 4) { x, y in
            x < 2 ? Point(x: .nan, y: .nan) : Point(x: x, y: y < 2 ? 1e30 : y)
        }
        for index in 0..<16 where index % 4 < 2 || index < 8 {
            #expect(Array(result[4 * index..<4 * index + 4]) == [0, 0, 0, 0])
        }
        #expect(result[4 * 15 + 3] == 16_320)
    }

    @Test(
        "a flat opaque colour stays exactly the same at any scale, upright and turned",
        arguments: ResamplingMethod.allCases, [0.3, 1, 1.7, 2.9])
    func flat(method: ResamplingMethod, scale: Double) throws {
        let color: [Int16] = [255 * 64, 17 * 64, 0, 16_320]
        let source = try Self.source(.rgb8) { _, _, channel in [255, 17, 0][channel] }
        let (c, s) = (0.8 * scale, 0.6 * scale)
        let jacobian = Jacobian(columnPerX: c, columnPerY: -s, rowPerX: s, rowPerY: c)
        let turned = try Self.warp(source, method, jacobian, size: 1) { x, y in
            Point(x: 12.3 + c * (x - 0.5), y: 9.8 + s * (y - 0.5))
        }
        #expect(turned == color)
        if method.copiesPixels { return }
        let weights = AxisWeights(pixels: 0..<1, method: method) { 10 + $0 * scale }
        #expect(try Self.resample(source, weights, weights) == color)
    }

    @Test(
        "resampling along rows and columns is the product of both weights",
        arguments: ResamplingMethod.allCases.filter { !$0.copiesPixels }, [0.6, 1.9])
    func product(method: ResamplingMethod, scale: Double) throws {
        let source = try Self.random(.rgba8)
        let columns = AxisWeights(pixels: -3..<45, method: method) { $0 * scale - 0.4 }
        // Rows that run north.
        let rows = AxisWeights(pixels: -3..<40, method: method) { 20.3 - $0 * scale }
        let result = try Self.resample(source, columns, rows)
        for (index, (row, column)) in rows.pixels.flatMap({ row in
            columns.pixels.map { (row, $0) }
        }).enumerated() where index % 7 == 0 {
            var exact = [0.0, 0, 0, 0]
            for y in rows.sourcePixels(of: row) {
                for x in columns.sourcePixels(of: column) {
                    let weight = Self.weight(rows, row, y) * Self.weight(columns, column, x)
                    for (channel, value) in Self.pixel(source, x, y).enumerated() {
                        exact[channel] += weight * value
                    }
                }
            }
            for channel in 0..<4 {
                // Unpacking, and two passes, each right to half a unit times the weights' sum.
                #expect(abs(Double(result[4 * index + channel]) - exact[channel]) < 3)
            }
        }
    }

    @Test(
        "a block that the whole image shrinks into needs no more memory than any other",
        arguments: [ResamplingMethod.nearest, .mode, .area])
    func shrinking(method: ResamplingMethod) throws {
        // 64 by 64 pixels of 40 by 40 source pixels each; the red tells their place.
        let size = 64 * 40
        let source = try TestImage(width: size, height: size, .rgb8) { column, row in
            [UInt8((row / 40 * 64 + column / 40) % 251), 0, 0]
        }.plainBand()
        let warper = Warper(method: method, kernels: .best)
        let centers = (0..<64).map { Double($0 * 40 + 20) }
        let positions = SourcePositions(
            width: 64, height: 64, columns: (0..<64).flatMap { _ in centers },
            rows: centers.flatMap { [Double](repeating: $0, count: 64) },
            jacobian: Jacobian(columnPerX: 40, columnPerY: 0, rowPerX: 0, rowPerY: 40))
        var result = [Int16](repeating: 77, count: 4 * 4096)
        try result.withUnsafeMutableBufferPointer { result in
            guard let first = result.baseAddress else { return }
            try warper.render(positions, from: source) { first + 4 * 64 * $0 }
        }
        #expect(warper.windowBytes <= 4 << 20)
        let reds = (0..<4096).map { Int(result[4 * $0]) }
        #expect(reds == (0..<4096).map { $0 % 251 * 64 })
    }

    @Test("a row and a column with less of the image than the smallest weight are transparent")
    func sliver() throws {
        let source = try Self.source(.gray8) { _, _, _ in 200 }
        // A weight of 1 is 16384.
        let weights = AxisWeights(pixels: 0..<3, method: .area, within: 0...2.00001) { $0 }
        #expect((0..<3).map { weights.sourcePixels(of: $0).count } == [1, 1, 0])
        let result = try Self.resample(source, weights, weights)
        for index in 0..<9 {
            let isInside = index % 3 < 2 && index / 3 < 2
            #expect(result[4 * index + 3] == (isInside ? 16_320 : 0))
        }
    }

    @Test("a mapping with more scales than tables that are kept renders correctly")
    func manyScales() throws {
        let source = try Self.random(.rgb8)
        let warper = Warper(method: .bilinear, kernels: .best)
        func render(_ scale: Double) throws -> [Int16] {
            let positions = SourcePositions(
                width: 1, height: 1, columns: [11.3], rows: [9.7],
                jacobian: Jacobian(columnPerX: scale, columnPerY: 0, rowPerX: 0, rowPerY: scale))
            var pixel = [Int16](repeating: 77, count: 4)
            try pixel.withUnsafeMutableBufferPointer { pixel in
                guard let first = pixel.baseAddress else { return }
                try warper.render(positions, from: source) { _ in first }
            }
            return pixel
        }
        let scales = (0..<300).map { 1 + Double($0) / 100 }
        let results = try scales.map(render)
        #expect(try scales.map(render) == results)
        #expect(Set(results).count > 100)
    }

    @Test("a large footprint of a slope is the slope at its middle")
    func largeFootprint() throws {
        // 7 x 7 pixels, turned by 45 degrees, reach 5 to each side.
        let source = try Self.source(.gray8) { column, row, _ in UInt8(5 * column + 3 * row) }
        let step = 7 * 0.5.squareRoot()
        let jacobian = Jacobian(columnPerX: step, columnPerY: -step, rowPerX: step, rowPerY: step)
        for (x, y) in [(12.0, 10.0), (11.3, 9.6), (12.7, 10.45)] {
            let result = try Self.warp(source, .area, jacobian, size: 1) { _, _ in Point(x: x, y: y) }
            // A pixel's value is that of its centre; 255 is 16320. A phase is off by half of a 16th.
            let exact: Double = (5 * (x - 0.5) + 3 * (y - 0.5)) * 64
            let error = abs(Double(result[0]) - exact)
            #expect(error < 32)
            #expect(abs(Int(result[3]) - 16_320) < 4)
        }
    }

    /// The weight with which a pixel of the result reads one of the source.
    private static func weight(_ weights: AxisWeights, _ pixel: Int, _ source: Int) -> Double {
        let offset = source - weights.sourcePixels(of: pixel).lowerBound
        var weight = 0.0
        weights.withWeights(of: pixel) { weight = Double($0[offset]) / 16_384 }
        return weight
    }

    /// All pixels that weights are for, rendered in two windows side by side.
    private static func resample(
        _ source: SourceBand, _ columns: AxisWeights, _ rows: AxisWeights
    ) throws -> [Int16] {
        let window = PixelWindow(columns: columns.pixels, rows: rows.pixels)
        let band = try LevelBand(window: window, capacity: window.height)
        let resampler = SeparableResampler(kernels: .best)
        let weights = SeparableWeights(
            columns: columns, rows: rows, sourceWidth: source.width)
        let middle = (window.columns.lowerBound + window.columns.upperBound) / 2
        for columns in [
            window.columns.lowerBound..<middle, middle..<window.columns.upperBound,
        ] where !columns.isEmpty {
            try resampler.render(
                PixelWindow(columns: columns, rows: window.rows), from: source, weights: weights,
                into: band)
        }
        return window.rows.flatMap { row in
            let pixels = band.pixel(column: window.columns.lowerBound, row: row)
            return Array(UnsafeBufferPointer(start: pixels, count: 4 * window.width))
        }
    }
}

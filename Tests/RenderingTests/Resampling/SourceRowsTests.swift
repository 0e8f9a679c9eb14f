import Raster
import TestSupport
import Testing
import Tiling
@testable import Rendering

/// Blocks of one colour are found and not stored, and look as if they were.
@Suite struct SourceRowsTests {
    /// A drawing: rectangles of a few colours, and specks.
    private static func drawing(_ random: inout SplitMix, _ format: PixelFormat) -> TestImage {
        let (width, height) = (
            Int.random(in: 40...260, using: &random), Int.random(in: 40...200, using: &random)
        )
        let size = format.bytesPerPixel
        var pixels = [[UInt8]](repeating: Array(repeating: 0, count: size), count: width * height)
        for _ in 0...Int.random(in: 0...6, using: &random) {
            let color: [UInt8] = (0..<size).map { _ in [0, 97, 255].randomElement(using: &random) ?? 0 }
            let (columns, rows) = (range(width, &random), range(height, &random))
            for row in rows { for column in columns { pixels[row * width + column] = color } }
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            pixels[Int.random(in: 0..<width * height, using: &random)] =
                (0..<size).map { _ in .random(in: 0...255, using: &random) }
        }
        return TestImage(width: width, height: height, format) { pixels[$1 * width + $0] }
    }

    private static func range(_ count: Int, _ random: inout SplitMix) -> Range<Int> {
        let ends = (0..<2).map { _ in Int.random(in: 0...count, using: &random) }.sorted()
        return ends[0]..<ends[1]
    }

    /// Weights for pixels `scale` of the image's wide, the first `left` of these from its edge and `top` above
    /// it.
    private static func weights(
        of window: PixelWindow, _ image: TestImage, method: ResamplingMethod, scale: Double, left: Double,
        top: Double
    ) -> SeparableWeights {
        SeparableWeights(
            columns: AxisWeights(pixels: window.columns, method: method) { $0 * scale + left },
            rows: AxisWeights(pixels: window.rows, method: method) { $0 * scale - top },
            sourceWidth: image.info.width)
    }

    private static func isUniform(_ part: PixelWindow, of image: TestImage) -> Bool {
        let size = image.info.pixelFormat.bytesPerPixel
        let pixels = Set(
            part.rows.flatMap { row in
                part.columns.map { column in
                    let first = (row * image.info.width + column) * size
                    return Array(image.bytes[first..<first + size])
                }
            })
        return pixels.count == 1
    }

    @Test(
        "Parts that are found to have one colour have one",
        arguments: [PixelFormat.gray8, .rgb8, .rgba8].some(1))
    func colors(format: PixelFormat) throws {
        var random = SplitMix(seed: 5)
        var found = 0
        for _ in 0..<40 {
            let image = Self.drawing(&random, format)
            // Read row by row, and by windows that do not end where blocks do.
            for source in [try image.band(), try image.windowBand(rowsAtOnce: 24)] {
                for _ in 0..<50 {
                    let (column, row) = (
                        Int.random(in: -5..<image.info.width, using: &random),
                        Int.random(in: -5..<image.info.height, using: &random)
                    )
                    let part = PixelWindow(
                        columns: column..<column + .random(in: 1...40, using: &random),
                        rows: row..<row + .random(in: 1...40, using: &random))
                    guard source.uniformColor(of: part, with: .best) != nil else { continue }
                    found += 1
                    #expect(Self.isUniform(part, of: image), "\(part)")
                }
            }
        }
        #expect(found > 200)
    }

    @Test("No part that extends beyond the source, or is cut by an edge, has one colour")
    func edges() throws {
        var source = try TestImage(width: 64, height: 64, .gray8) { _, _ in [0] }.band()
        let all = PixelWindow(columns: 0..<64, rows: 0..<64)
        #expect(source.uniformColor(of: all, with: .best) != nil)
        let beyond = PixelWindow(columns: 0..<65, rows: 0..<64)
        #expect(source.uniformColor(of: beyond, with: .best) == nil)
        source.edges = (columns: 0.5...64, rows: 0...64)
        #expect(source.uniformColor(of: all, with: .best) == nil)
        let within = PixelWindow(columns: 1..<64, rows: 0..<64)
        #expect(source.uniformColor(of: within, with: .best) != nil)
        source.ground = GroundPixels(rings: [], width: 64, height: 64)
        #expect(source.uniformColor(of: within, with: .best) == nil)
    }

    @Test("Rows that leave the ring lose their colours")
    func ring() throws {
        var values = SplitMix(seed: 9)
        let areMixed = (0..<60).map { _ in Bool.random(using: &values) }
        let image = TestImage(width: 32, height: 960, .gray8) { column, row in
            [areMixed[row / 16] && column == 20 ? 1 : 0]
        }
        try image.read(keeping: 40) { source, rows in
            let isMixed = areMixed[rows.lowerBound / 16]
            for (columns, isOne) in [(0..<16, true), (16..<32, !isMixed), (0..<32, !isMixed)] {
                let part = PixelWindow(columns: columns, rows: rows)
                // If few blocks have one colour, most are not examined.
                if source.uniformColor(of: part, with: .best) != nil { #expect(isOne) }
            }
        }
    }

    @Test(
        "An upright image is the same whether single-coloured parts are known or not",
        arguments: [ResamplingMethod.bilinear, .cubic, .lanczos, .area].some(1))
    func separable(method: ResamplingMethod) throws {
        var random = SplitMix(seed: 77)
        var uniform = 0
        for format in [PixelFormat.gray8, .rgb8, .rgba8] {
            for _ in 0..<12 {
                let image = Self.drawing(&random, format)
                let scale = Double.random(in: 0.3...2.5, using: &random)
                let (left, top) = (Double.random(in: -9...9, using: &random), 3.25)
                let window = PixelWindow(
                    columns: 0..<Int(Double(image.info.width) / scale) + 5,
                    rows: 0..<Int(Double(image.info.height) / scale) + 5)
                let weights = Self.weights(
                    of: window, image, method: method, scale: scale, left: left, top: top)
                let sources = [
                    try image.plainBand(), try image.windowBand(rowsAtOnce: 24), try image.band(),
                ]
                let images = try sources.map { source in
                    let band = try LevelBand(window: window, capacity: window.height)
                    try SeparableResampler(kernels: .best).render(
                        window, from: source, weights: weights, into: band)
                    return band.samples(of: window)
                }
                #expect(images[0] == images[1] && images[0] == images[2])
                let parts = SolidRegions(of: window, from: sources[2], weights: weights, with: .best)
                uniform += parts.uniform.reduce(0) { $0 + $1.part.width * $1.part.height }
            }
        }
        // Some cells have one colour.
        #expect(uniform > 10 * SolidRegions.squareSize * SolidRegions.squareSize)
    }

    @Test(
        "An upright image is the same if rows come in while it is rendered",
        arguments: [ResamplingMethod.bilinear, .lanczos, .area].some(1))
    func inTurns(method: ResamplingMethod) throws {
        var random = SplitMix(seed: 79)
        for format in [PixelFormat.gray8, .rgb8, .rgba8] {
            for _ in 0..<12 {
                let image = Self.drawing(&random, format)
                let (scale, left) = (
                    Double.random(in: 0.3...2.5, using: &random), Double.random(in: -9...9, using: &random)
                )
                let window = PixelWindow(
                    columns: 0..<Int(Double(image.info.width) / scale) + 5,
                    rows: 0..<Int(Double(image.info.height) / scale))
                let weights = Self.weights(
                    of: window, image, method: method, scale: scale, left: left, top: 0)
                let (plain, resampler) = (try image.plainBand(), SeparableResampler(kernels: .best))
                func samples(of row: Int, from source: SourceBand) throws -> [Int16] {
                    // Not from the first column on, so that windows begin within blocks.
                    let window = PixelWindow(columns: window.columns.dropFirst(row % 7), rows: row..<row + 1)
                    let band = try LevelBand(window: window, capacity: 1)
                    try resampler.render(window, from: source, weights: weights, into: band)
                    return band.samples(of: window)
                }
                var next = 0
                // The rows that a kernel reads, and those that come in at a time.
                try image.read(keeping: weights.rows.taps + 20) { source, rows in
                    let isLast = rows.upperBound == image.info.height
                    while next < weights.rows.pixels.upperBound,
                        isLast || weights.rows.sourcePixels(of: next).upperBound <= rows.upperBound
                    {
                        let isSame = try samples(of: next, from: source) == samples(of: next, from: plain)
                        #expect(isSame, "row \(next)")
                        next += 1
                    }
                }
            }
        }
    }

    @Test("A row of blocks replaces only rows that are no longer needed")
    func capacity() {
        let size = SourceRows.blockRows
        for needed in 1...100 {
            let capacity = SourceRows.capacity(forRows: needed)
            #expect(capacity % size == 0)
            for oldest in 0...100 {
                // The row of blocks that the last row which may come in lies in, and the one whose place it takes.
                let newest = (oldest + needed - 1) / size * size
                #expect(newest - capacity + size <= oldest, "\(needed) rows from \(oldest) on")
            }
        }
    }

    @Test(
        "A turned image is the same whether single-coloured parts are known or not",
        arguments: ResamplingMethod.allCases.some(2))
    func warped(method: ResamplingMethod) throws {
        var random = SplitMix(seed: 78)
        for format in [PixelFormat.gray8, .rgba8] {
            for _ in 0..<10 {
                let image = Self.drawing(&random, format)
                let (step, shear) = (Double.random(in: 0.4...1.6, using: &random), 0.3)
                let centers = (0..<64 * 64).map { index in
                    let (x, y) = (Double(index % 64) + 0.5, Double(index / 64) + 0.5)
                    return Point(x: 10 + step * x - shear * y, y: -4 + shear * x + step * y)
                }
                let positions = SourcePositions(
                    width: 64, height: 64, columns: centers.map(\.x), rows: centers.map(\.y),
                    jacobian: Jacobian(
                        columnPerX: step, columnPerY: -shear, rowPerX: shear, rowPerY: step))
                let sources = [
                    try image.plainBand(), try image.windowBand(rowsAtOnce: 24), try image.band(),
                ]
                let images = try sources.map { source in
                    var result = [Int16](repeating: 77, count: 4 * 64 * 64)
                    try result.withUnsafeMutableBufferPointer { result in
                        let first = try #require(result.baseAddress)
                        try Warper(method: method, kernels: .best).render(
                            positions, from: source
                        ) { first + 4 * 64 * $0 }
                    }
                    return result
                }
                #expect(images[0] == images[1] && images[0] == images[2])
            }
        }
    }
}

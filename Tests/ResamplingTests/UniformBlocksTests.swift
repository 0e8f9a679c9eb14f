import Raster
import TestSupport
import Testing
import Tiling

@testable import Resampling

/// Parts of one colour are found, and look as if their kernels had run.
@Suite struct UniformBlocksTests {
    /// A drawing: rectangles of a few colours, and specks.
    private struct Drawing {
        let width: Int
        let height: Int
        let format: PixelFormat
        let band: RowBand

        init(_ random: inout SplitMix, _ format: PixelFormat) throws {
            (width, height) = (.random(in: 40...260, using: &random), .random(in: 40...200, using: &random))
            let bytes = format.bytesPerPixel
            band = try RowBand(rowBytes: width * bytes, marginBytes: 0, capacity: height)
            self.format = format
            for _ in 0...Int.random(in: 0...6, using: &random) {
                let color = (0..<bytes).map { _ in [0, 97, 255].randomElement(using: &random) ?? 0 }
                let columns = Self.range(width, &random), rows = Self.range(height, &random)
                for row in rows { for column in columns { set(column, row, color) } }
            }
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let color = (0..<bytes).map { _ in Int.random(in: 0...255, using: &random) }
                set(.random(in: 0..<width, using: &random), .random(in: 0..<height, using: &random), color)
            }
        }

        private static func range(_ count: Int, _ random: inout SplitMix) -> Range<Int> {
            let ends = (0..<2).map { _ in Int.random(in: 0...count, using: &random) }.sorted()
            return ends[0]..<ends[1]
        }

        private func set(_ column: Int, _ row: Int, _ color: [Int]) {
            let bytes = band.row(row).assumingMemoryBound(to: UInt8.self) + column * color.count
            for (index, value) in color.enumerated() { bytes[index] = UInt8(value) }
        }

        /// Its pixels, and whether parts of one colour are looked for.
        func source(isSurveyed: Bool) -> SourceBand {
            let source = SourceBand(.rows(band), format: format, width: width, height: height)
            if isSurveyed {
                // As they are decoded: runs that do not end where blocks do.
                for rows in (0..<height).cut(every: 24) { source.survey(rows) }
            }
            return source
        }

        /// The same in a band of so many rows, those compact that can be.
        ///
        /// - Parameter body: is called whenever rows have come in.
        func compactSource(
            keeping rows: Int,
            _ body: (_ source: SourceBand, _ rows: Range<Int>, _ isCompact: Bool) throws -> Void
        ) throws {
            let bytes = width * format.bytesPerPixel
            let ring = try RowBand(
                rowBytes: bytes, marginBytes: 0, capacity: SourceBand.capacity(forRows: rows))
            let source = SourceBand(.rows(ring), format: format, width: width, height: height)
            for part in (0..<height).cut(every: SourceBand.surveyedRows) {
                let room = source.roomForCompact(part)
                for (index, row) in part.enumerated() {
                    let place = room.map { $0 + index * ring.stride } ?? ring.row(row)
                    place.copyMemory(from: band.row(row), byteCount: bytes)
                }
                if room != nil { source.keepCompact(part) } else { source.survey(part) }
                try body(source, part, room != nil)
            }
        }

        /// All of it compact, as far as it can be.
        func compactSource() throws -> SourceBand {
            var result = source(isSurveyed: false)
            try compactSource(keeping: height) { source, _, _ in result = source }
            return result
        }

        /// Of pixels `scale` of the drawing's wide, the first `left` of these from its edge and `top` above it.
        func weights(
            of window: PixelWindow, method: ResamplingMethod, scale: Double, left: Double, top: Double
        ) -> SeparableWeights {
            SeparableWeights(
                columns: AxisWeights(pixels: window.columns, method: method) { $0 * scale + left },
                rows: AxisWeights(pixels: window.rows, method: method) { $0 * scale - top },
                sourceWidth: width)
        }

        func isUniform(_ part: PixelWindow) -> Bool {
            let size = format.bytesPerPixel
            let pixels = Set(
                part.rows.flatMap { row in
                    part.columns.map { column in
                        (0..<size).map { (band.row(row) + column * size + $0).load(as: UInt8.self) }
                    }
                })
            return pixels.count == 1
        }
    }

    @Test(
        "Parts that are found to have one colour have one",
        arguments: [PixelFormat.gray8, .rgb8, .rgba8].some(1))
    func colors(format: PixelFormat) throws {
        var random = SplitMix(seed: 5)
        var found = 0
        for _ in 0..<40 {
            let drawing = try Drawing(&random, format)
            let source = drawing.source(isSurveyed: true)
            for _ in 0..<50 {
                let (column, row) = (
                    Int.random(in: -5..<drawing.width, using: &random),
                    Int.random(in: -5..<drawing.height, using: &random)
                )
                let part = PixelWindow(
                    columns: column..<column + .random(in: 1...40, using: &random),
                    rows: row..<row + .random(in: 1...40, using: &random))
                guard source.uniformColor(of: part, with: .best) != nil else { continue }
                found += 1
                #expect(drawing.isUniform(part), "\(part)")
            }
        }
        #expect(found > 100)
    }

    @Test("No part that extends beyond the source, or is cut by an edge, has one colour")
    func edges() throws {
        let band = try RowBand(rowBytes: 64, marginBytes: 0, capacity: 64)
        var source = SourceBand(.rows(band), format: .gray8, width: 64, height: 64)
        source.survey(0..<64)
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
        let band = try RowBand(rowBytes: 32, marginBytes: 0, capacity: 48)
        let source = SourceBand(.rows(band), format: .gray8, width: 32, height: 1000)
        var values = SplitMix(seed: 9)
        for rows in (0..<960).cut(every: 16) {
            let isMixed = Bool.random(using: &values)
            for row in rows {
                let pixels = band.row(row).assumingMemoryBound(to: UInt8.self)
                for column in 0..<32 { pixels[column] = isMixed && column == 20 ? 1 : 0 }
            }
            source.survey(rows)
            for (columns, isOne) in [(0..<16, true), (16..<32, !isMixed), (0..<32, !isMixed)] {
                let part = PixelWindow(columns: columns, rows: rows)
                // If few blocks are of one colour, most are not looked at.
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
                let drawing = try Drawing(&random, format)
                let scale = Double.random(in: 0.3...2.5, using: &random)
                let (left, top) = (Double.random(in: -9...9, using: &random), 3.25)
                let window = PixelWindow(
                    columns: 0..<Int(Double(drawing.width) / scale) + 5,
                    rows: 0..<Int(Double(drawing.height) / scale) + 5)
                let weights = drawing.weights(of: window, method: method, scale: scale, left: left, top: top)
                let images = try [true, false].map { isSurveyed in
                    let band = try LevelBand(window: window, capacity: window.height, scratchDirectory: nil)
                    let source = drawing.source(isSurveyed: isSurveyed)
                    try SeparableResampler(kernels: .best).render(
                        window, from: source, weights: weights, into: band)
                    return band.samples(of: window)
                }
                #expect(images[0] == images[1])
                let parts = SolidRegions(
                    of: window, from: drawing.source(isSurveyed: true), weights: weights, with: .best)
                uniform += parts.uniform.reduce(0) { $0 + $1.part.width * $1.part.height }
            }
        }
        // Some cells are of one colour.
        #expect(uniform > 10 * CellColors.size * CellColors.size)
    }

    @Test(
        "An upright image is the same whether its rows are compact or not",
        arguments: [ResamplingMethod.bilinear, .lanczos, .area].some(1))
    func compact(method: ResamplingMethod) throws {
        var random = SplitMix(seed: 79)
        var compactRows = 0
        for format in [PixelFormat.gray8, .rgb8, .rgba8] {
            for _ in 0..<12 {
                let drawing = try Drawing(&random, format)
                let (scale, left) = (
                    Double.random(in: 0.3...2.5, using: &random), Double.random(in: -9...9, using: &random)
                )
                let columns = 0..<Int(Double(drawing.width) / scale) + 5
                let rows = 0..<Int(Double(drawing.height) / scale)
                let window = PixelWindow(columns: columns, rows: rows)
                let weights = drawing.weights(of: window, method: method, scale: scale, left: left, top: 0)
                let plain = drawing.source(isSurveyed: false)
                let resampler = SeparableResampler(kernels: .best)
                func samples(of row: Int, from source: SourceBand) throws -> [Int16] {
                    // Not from the first column on, so that windows begin within blocks.
                    let window = PixelWindow(columns: columns.dropFirst(row % 7), rows: row..<row + 1)
                    let band = try LevelBand(window: window, capacity: 1, scratchDirectory: nil)
                    try resampler.render(window, from: source, weights: weights, into: band)
                    return band.samples(of: window)
                }
                var next = 0
                // The rows that a kernel reads, and those that come in at a time.
                try drawing.compactSource(keeping: weights.rows.taps + 20) { source, rows, isCompact in
                    compactRows += isCompact ? rows.count : 0
                    let isLast = rows.upperBound == drawing.height
                    while next < weights.rows.pixels.upperBound,
                        isLast || weights.rows.sourcePixels(of: next).upperBound <= rows.upperBound
                    {
                        let result = try samples(of: next, from: source)
                        let expected = try samples(of: next, from: plain)
                        #expect(result == expected)
                        next += 1
                    }
                }
            }
        }
        #expect(compactRows > 500)
    }

    @Test("Compact rows replace only rows that are no longer needed")
    func capacity() {
        let size = SourceBand.surveyedRows
        for needed in 1...100 {
            let capacity = SourceBand.capacity(forRows: needed)
            #expect(capacity % size == 0)
            for oldest in 0...100 {
                // The row of blocks that the last row which may come in lies in, and the one whose place it takes.
                let newest = (oldest + needed - 1) / size * size
                #expect(newest - capacity + size <= oldest, "\(needed) rows from \(oldest) on")
            }
        }
    }

    @Test(
        "A turned image is the same whether single-coloured parts are known and rows compact or not",
        arguments: ResamplingMethod.allCases.some(2))
    func warped(method: ResamplingMethod) throws {
        var random = SplitMix(seed: 78)
        for format in [PixelFormat.gray8, .rgba8] {
            for _ in 0..<10 {
                let drawing = try Drawing(&random, format)
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
                    drawing.source(isSurveyed: false), drawing.source(isSurveyed: true),
                    try drawing.compactSource(),
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
                #expect(images[0] == images[1])
                #expect(images[0] == images[2])
            }
        }
    }
}

extension LevelBand {
    /// The samples of a window, row by row.
    fileprivate func samples(of window: PixelWindow) -> [Int16] {
        window.rows.flatMap { row in
            Array(
                UnsafeBufferPointer(
                    start: pixel(column: window.columns.lowerBound, row: row),
                    count: window.width * DeepPixel.channels))
        }
    }
}

import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Rows under each filter of the specification's section 9, decoded again.
@Suite struct PNGFilterTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A colour type of 8 bits and its bytes of a pixel.
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var colorType: UInt8
        var size: Int

        static let all = [
            Form(testDescription: "gray", colorType: 0, size: 1),
            Form(testDescription: "gray with alpha", colorType: 4, size: 2),
            Form(testDescription: "RGB", colorType: 2, size: 3),
            Form(testDescription: "RGBA", colorType: 6, size: 4),
        ]

        /// Stored bytes as they are delivered.
        func delivered(_ stored: [UInt8]) -> [UInt8] {
            guard size == 2 else { return stored }
            return stride(from: 0, to: stored.count, by: 2).flatMap { (i: Int) -> [UInt8] in
                [stored[i], stored[i], stored[i], stored[i + 1]]
            }
        }
    }

    /// Filters a row as section 9.2 says, with the predictor of 9.4.
    static func filter(_ type: UInt8, _ row: [UInt8], above: [UInt8], pixel: Int) -> [UInt8] {
        [type]
            + row.indices.map { i in
                let a = i < pixel ? 0 : Int(row[i - pixel])
                let b = Int(above[i])
                let c = i < pixel ? 0 : Int(above[i - pixel])
                let predictions = [0, a, b, (a + b) / 2, paeth(a, b, c)]
                return row[i] &- UInt8(predictions[Int(type)])
            }
    }

    private static func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
        let p = a + b - c
        let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }

    private func expectDecoded(
        _ rows: [[UInt8]], _ form: Form, filters: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let width = rows[0].count / form.size
        var png = PNGBuilder(width: width, height: rows.count, colorType: form.colorType)
        let zeros = [UInt8](repeating: 0, count: rows[0].count)
        png.finish(
            rows: zip([zeros] + rows, rows).enumerated().map { y, pair in
                Self.filter(
                    filters[y % filters.count], pair.1, above: pair.0, pixel: form.size)
            })
        let path = directory.path("plan.png")
        try Data(png.bytes).write(to: URL(filePath: path))
        for count in [1, 4, rows.count] {
            let image = try ImageFile.open(path: path).readAll(atATime: count)
            #expect(
                image.pixels == form.delivered(rows.flatMap { $0 }),
                sourceLocation: sourceLocation)
        }
    }

    @Test(
        "any bytes are restored by each filter", arguments: Form.all,
        0...4 as ClosedRange<UInt8>)
    func noise(form: Form, filter: UInt8) throws {
        var random = SplitMix(seed: UInt64(filter))
        for width in [1, 2, 5, 8, 16, 33, 100] {
            let rows = (0..<9).map { _ in
                (0..<width * form.size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            }
            try expectDecoded(rows, form, filters: [filter])
        }
    }

    @Test("few colours are restored, although neighbours are often equally near", arguments: Form.all)
    func ties(form: Form) throws {
        var random = SplitMix(seed: 7)
        let values: [UInt8] = [0, 1, 2, 127, 128, 255]
        let rows = (0..<60).map { _ in
            (0..<40 * form.size).map { _ in values[Int.random(in: 0..<6, using: &random)] }
        }
        for filter in 0...4 as ClosedRange<UInt8> {
            try expectDecoded(rows, form, filters: [filter])
        }
        try expectDecoded(rows, form, filters: [4, 1, 3, 0, 2])
    }

    /// Rows that repeat the one above but for a run of another colour; runs begin and end at every
    /// place in the blocks that are taken at a time.
    @Test("the runs of a drawing are restored", arguments: Form.all.some(1))
    func runs(form: Form) throws {
        let width = 61
        for first in 0..<20 {
            var row = (0..<width * form.size).map { UInt8($0 / form.size / 30 * 90 + $0 % form.size) }
            let rows = (0..<40).map { length in
                let ink = UInt8(200 + length % 3)
                for x in first..<min(width, first + length) {
                    for i in 0..<form.size { row[x * form.size + i] = ink &+ UInt8(i) }
                }
                return row
            }
            try expectDecoded(rows, form, filters: [4])
            try expectDecoded(rows, form, filters: [1, 4, 2, 3])
        }
    }

    @Test("rows that are inflated in pieces are restored", .long)
    func longRows() throws {
        var random = SplitMix(seed: 3)
        let form = Form.all[3]
        let rows = (0..<3).map { _ in
            (0..<70_000).flatMap { x in
                [UInt8(truncatingIfNeeded: x), UInt8.random(in: 0...255, using: &random), 3, 255]
            }
        }
        try expectDecoded(rows, form, filters: [4, 3])
    }

    @Test("changing delivered rows does not affect the next ones")
    func changedRows() throws {
        let rows = (0..<4).map { y in (0..<30).map { UInt8(y * 40 + $0) } }
        var png = PNGBuilder(width: 10, height: 4, colorType: 2)
        png.finish(
            rows: zip([[UInt8](repeating: 0, count: 30)] + rows, rows).map {
                Self.filter(4, $1, above: $0, pixel: 3)
            })
        let path = directory.path("plan.png")
        try Data(png.bytes).write(to: URL(filePath: path))
        let source = try ImageFile.open(path: path)
        var buffer = [UInt8](repeating: 0, count: 60)
        for pair in stride(from: 0, to: 4, by: 2) {
            try buffer.withUnsafeMutableBytes {
                try source.readRows(2, into: #require($0.baseAddress), stride: 30)
            }
            #expect(buffer == rows[pair] + rows[pair + 1])
            buffer = buffer.map { ~$0 }
        }
    }

    @Test(
        "packed pixels are unpacked at every width",
        arguments: [(1, 0), (2, 0), (4, 0), (8, 0), (1, 3), (2, 3), (4, 3), (8, 3)], [false, true])
    func packed(form: (depth: Int, colorType: UInt8), isTransparent: Bool) throws {
        let largest = 1 << form.depth - 1
        for width in 1...17 {
            let values = (0..<width).map { ($0 * 37 + 1) & largest }
            var png = PNGBuilder(
                width: width, height: 1, depth: UInt8(form.depth), colorType: form.colorType)
            if form.colorType == 3 {
                png.add("PLTE", (0...largest).flatMap { [UInt8($0), UInt8(255 - $0), 7] })
            }
            if isTransparent { png.add("tRNS", form.colorType == 3 ? [9, 255] : [0, 1]) }
            png.finish(rows: [[0] + Self.pack(values, depth: form.depth)])
            let path = directory.path("plan.png")
            try Data(png.bytes).write(to: URL(filePath: path))
            let image = try ImageFile.open(path: path).readAll()
            #expect(
                image.rgba
                    == values.flatMap { value -> [UInt8] in
                        if form.colorType == 3 {
                            let alpha: UInt8 = isTransparent && value == 0 ? 9 : 255
                            return [UInt8(value), UInt8(255 - value), 7, alpha]
                        }
                        let gray = UInt8(value * 255 / largest)
                        return [gray, gray, gray, isTransparent && value == 1 ? 0 : 255]
                    })
        }
    }

    /// Values of a few bits, the leftmost in the highest bits of a byte (section 7.2).
    private static func pack(_ values: [Int], depth: Int) -> [UInt8] {
        stride(from: 0, to: values.count * depth, by: 8).map { bit in
            (0..<8 / depth).reduce(0) { byte, i in
                let index = bit / depth + i
                return byte << depth | UInt8(index < values.count ? values[index] : 0)
            }
        }
    }

    @Test("a value beyond the palette is black, as in libpng")
    func beyondPalette() throws {
        var png = PNGBuilder(width: 2, height: 1, colorType: 3)
        png.add("PLTE", [10, 20, 30])
        png.finish(rows: [[0, 0, 1]])
        let path = directory.path("plan.png")
        try Data(png.bytes).write(to: URL(filePath: path))
        #expect(try ImageFile.open(path: path).readAll().pixels == [10, 20, 30, 0, 0, 0])
    }
}

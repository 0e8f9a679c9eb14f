import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

/// Ranges that leave shares of the samples below and above. Expected values are those of the sorted samples: the
/// smallest that so many of them do not exceed, as numpy's `percentile` finds with the method `inverted_cdf`.
@Suite struct SharesOfSamplesTests {
    /// The form of samples.
    enum Kind: CaseIterable { case unsigned8, unsigned16, signed16, whiteIsZero, signed32, float32, float64 }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let count = 4000

    /// Most lie in a sliver, and one in a hundred far away at either end.
    private static func values(_ kind: Kind) -> [Double] {
        var random = SplitMix(seed: 5)
        return (0..<count).map { index in
            let isFar = index % 50 == 0
            switch kind {
            case .unsigned8:
                return Double(isFar ? index / 50 % 2 * 255 : Int.random(in: 90...99, using: &random))
            case .unsigned16, .whiteIsZero:
                return Double(isFar ? index / 50 % 2 * 65_000 : Int.random(in: 900...1300, using: &random))
            case .signed16:
                return Double(
                    isFar ? index / 50 % 2 * 60_000 - 30_000 : Int.random(in: -40...40, using: &random))
            case .signed32:
                return Double(
                    isFar
                        ? index / 50 % 2 * 2_000_000 - 1_000_000 : Int.random(in: -500...500, using: &random))
            case .float32, .float64:
                let value =
                    isFar ? Double(index / 50 % 2 * 2 - 1) * 3e38 : .random(in: -2...12, using: &random)
                return Double(Float(value))
            }
        }
    }

    private static func file(_ kind: Kind) -> TIFFBuilder {
        let values = values(kind)
        let (bits, format) =
            switch kind {
            case .unsigned8: (8, 1)
            case .unsigned16, .whiteIsZero: (16, 1)
            case .signed16: (16, 2)
            case .signed32: (32, 2)
            case .float32: (32, 3)
            case .float64: (64, 3)
            }
        let data = values.flatMap { value -> [UInt8] in
            let pattern: UInt64 =
                kind == .float32
                ? UInt64(Float(value).bitPattern)
                : kind == .float64 ? value.bitPattern : UInt64(bitPattern: Int64(value))
            return (0..<bits / 8).map { UInt8(truncatingIfNeeded: pattern >> UInt64(8 * $0)) }
        }
        var file = TIFFBuilder(width: 50, height: count / 50, data: data)
        file.setSamples(1, photometric: kind == .whiteIsZero ? 0 : 1, bits: bits)
        file.set(339, .short, [format])
        return file
    }

    private func open(_ bytes: [UInt8], _ range: SampleRange?, name: String = "a.tif") throws -> DecodedImage
    {
        try Data(bytes).write(to: directory.url.appending(path: name))
        return try ImageFile.open(path: directory.path(name), options: ReadOptions(range: range)).readAll()
    }

    private static func value(_ sorted: [Double], percent: Double) -> Double {
        sorted[max(1, Int((percent / 100 * Double(sorted.count)).rounded(.up))) - 1]
    }

    @Test("percentages are those of the sorted samples", arguments: Kind.allCases)
    func shares(kind: Kind) throws {
        let file = Self.file(kind)
        let sorted = Self.values(kind).sorted()
        for (black, white) in [(2.0, 98.0), (0, 100), (1.5, 60), (50, 97.25)] {
            let image = try open(file.bytes, SampleRange(.percent(black), .percent(white)))
            let expected = Self.value(sorted, percent: black)...Self.value(sorted, percent: white)
            #expect(image.info.sampleRange == expected, "\(black) to \(white)")
        }
        let image = try open(file.bytes, SampleRange(.value(-3), .percent(98)))
        #expect(image.info.sampleRange == -3...Self.value(sorted, percent: 98))
        // One in a hundred is above.
        let white: UInt8 = kind == .whiteIsZero ? 0 : 255
        let pixels = stride(from: 0, to: image.pixels.count, by: image.pixels.count / Self.count).map {
            image.pixels[$0]
        }
        #expect(pixels.count { $0 == white } >= Self.count / 50)
    }

    @Test("if samples have a scale, percentages are those of their values", arguments: ["0.1", "-0.5"])
    func scales(factor: String) throws {
        var file = Self.file(.unsigned16)
        let scale = try #require(Double(factor))
        let text =
            "<GDALMetadata><Item name=\"S\" sample=\"0\" role=\"scale\">\(factor)</Item></GDALMetadata>\0"
        file.fields[42112] = TIFFBuilder.Field(kind: .ascii, count: text.utf8.count, bytes: Array(text.utf8))
        let sorted = Self.values(.unsigned16).map { $0 * scale }.sorted()
        let found = try open(file.bytes, SampleRange(.percent(2), .percent(98))).info.sampleRange
        let range = try #require(found)
        // From the other end a rank is another by one.
        #expect(abs(range.lowerBound - Self.value(sorted, percent: 2)) <= 0.5)
        #expect(abs(range.upperBound - Self.value(sorted, percent: 98)) <= 0.5)
    }

    @Test("PNG files of 8 and 16 bits have percentages, too, without transparent pixels")
    func png() throws {
        let samples = (0..<400).map { $0 < 100 ? 60_000 : 1000 + $0 }
        var file = PNGBuilder(width: 400, height: 1, depth: 16, colorType: 4)
        file.finish(rows: [
            [0]
                + samples.flatMap {
                    [UInt8($0 >> 8), UInt8($0 & 255), $0 > 50_000 ? 0 : 255, $0 > 50_000 ? 0 : 255] as [UInt8]
                }
        ])
        let deep = try open(file.bytes, SampleRange(.percent(0), .percent(50)), name: "a.png")
        #expect(deep.info.sampleRange == 1100...1249)
        var gray = PNGBuilder(width: 200, height: 1, depth: 8, colorType: 0)
        gray.finish(rows: [[0] + (0..<200).map { UInt8(20 + $0) }])
        let flat = try open(gray.bytes, SampleRange(.percent(10), .percent(90)), name: "b.png")
        #expect(flat.info.sampleRange == 39...199 && flat.pixels[19] == 0 && flat.pixels[179] == 255)
    }

    @Test("colours that cannot be stretched are refused with the reason")
    func refused() throws {
        var file = TIFFBuilder(width: 4, height: 1, data: [7, 7, 7, 7])
        file.setSamples(1, photometric: 1, bits: 8)
        let percentages = SampleRange(.percent(2), .percent(98))
        var failure = #expect(throws: Failure.self) { try open(file.bytes, percentages) }
        #expect(failure?.message.contains("both ends of its range are the same value") == true)
        var palette = TIFFBuilder(width: 4, height: 1, data: [0, 1, 2, 3])
        palette.setSamples(1, photometric: 3, bits: 8)
        palette.set(320, .short, (0..<768).map { $0 * 85 })
        failure = #expect(throws: Failure.self) { try open(palette.bytes, percentages) }
        #expect(failure?.message.contains("its colours are a palette") == true)
    }

    @Test("a warning says that nearly all samples take up a sliver of the range, unless a range was chosen")
    func sliver() throws {
        let image = try open(Self.file(.unsigned16).bytes, nil)
        let warning = try #require(image.info.warnings.first)
        #expect(warning.name == "sliver" && warning.text.contains("'--rescale 1%,99%'"))
        for range in [SampleRange(.percent(1), .percent(99)), SampleRange(0...65_000)] {
            #expect(try open(Self.file(.unsigned16).bytes, range).info.warnings.isEmpty)
        }
        var even = TIFFBuilder(
            width: 100, height: 1,
            data: (0..<100).flatMap { (index: Int) -> [UInt8] in
                let sample = index * 37
                return [UInt8(sample & 255), UInt8(sample >> 8)]
            })
        even.setSamples(1, photometric: 1, bits: 16)
        #expect(try open(even.bytes, nil).info.warnings.isEmpty)
    }
}

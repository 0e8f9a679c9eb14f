import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

/// Samples of rare types, and what says which of them are seen. Expected values are those that the files'
/// numbers have by TIFF 6.0 and IEEE 754, stretched by hand.
@Suite struct TIFFSampleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func read(
        _ file: TIFFBuilder, _ options: ReadOptions = ReadOptions()
    ) throws -> DecodedImage {
        try Data(file.bytes).write(to: directory.url.appending(path: "plan.tif"))
        return try ImageFile.open(path: directory.path("plan.tif"), options: options).readAll()
    }

    private func failure(_ file: TIFFBuilder, _ options: ReadOptions = ReadOptions()) -> Failure? {
        #expect(throws: Failure.self) { try read(file, options) }
    }

    /// One row; `format` is that of all samples: 1 unsigned, 2 signed, 3 floats.
    private static func row(
        _ data: [UInt8], width: Int, of count: Int = 1, photometric: Int = 1, bits: Int = 8,
        format: Int = 1, extra: [Int] = []
    ) -> TIFFBuilder {
        var file = TIFFBuilder(width: width, height: 1, data: data)
        file.setSamples(count, photometric: photometric, bits: bits, extra: extra)
        file.set(339, .short, [Int](repeating: format, count: count))
        return file
    }

    private static func little(_ values: [Int], _ size: Int) -> [UInt8] {
        values.flatMap { value in (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    private static func floats(_ values: [Float]) -> [UInt8] {
        little(values.map { Int($0.bitPattern) }, 4)
    }

    @Test(
        "integers of 24 and 64 bits are stretched from their range",
        arguments: [(24, 2, 1), (64, 2, 1), (64, 1, 1 << 40), (24, 1, 1 << 18)])
    func integers(bits: Int, format: Int, unit: Int) throws {
        let first = format == 2 ? -unit : 0
        let values = [0, 1, 2, 4].map { first + $0 * unit }
        let image = try read(
            Self.row(Self.little(values, bits / 8), width: 4, bits: bits, format: format))
        #expect(image.pixels == [0, 64, 128, 255])
        #expect(image.info.sampleRange == Double(first)...Double(first + 4 * unit))
    }

    @Test("white is white in a palette that was written for 8 bits", arguments: [1, 256, 257])
    func paletteOf8Bits(unit: Int) throws {
        var file = Self.row([0, 1, 2], width: 3, photometric: 3)
        let levels = [255, 128, 3]
        file.set(
            320, .short, (0..<3).flatMap { _ in levels.map { $0 * unit } + [Int](repeating: 0, count: 253) })
        #expect(try read(file).pixels == [255, 255, 255, 128, 128, 128, 3, 3, 3])
    }

    @Test(
        "premultiplied deep colours are divided before they are rounded", arguments: [16, 32])
    func premultiplied(bits: Int) throws {
        let (largest, shares) = (bits == 16 ? 65535.0 : 1, [1, 0.5, 0.25, 0.1, 0.004])
        let colors = [250.0, 131, 7]
        let channels: [Double] = colors.map { $0 / 255 } + [1]
        let samples = shares.flatMap { share -> [Double] in channels.map { $0 * share * largest } }
        let data =
            bits == 16
            ? Self.little(samples.map { Int($0.rounded()) }, 2) : Self.floats(samples.map(Float.init))
        let image = try read(
            Self.row(
                data, width: 5, of: 4, photometric: 2, bits: bits, format: bits == 16 ? 1 : 3, extra: [1]))
        for (index, share) in shares.enumerated() {
            let pixel = image.pixels[4 * index..<4 * index + 4].map { Double($0) }
            for (level, color) in zip(pixel, colors) {
                #expect(abs(level - color) <= 1, "\(share): \(pixel)")
            }
            #expect(pixel[3] == (255 * share).rounded())
        }
    }

    /// GDAL's tag 42112.
    private static func metadata(_ items: String) -> TIFFBuilder.Field {
        let text = Array("<GDALMetadata>\n\(items)\n</GDALMetadata>\n".utf8) + [0]
        return TIFFBuilder.Field(kind: .ascii, count: text.count, bytes: text)
    }

    private static func item(_ role: String, _ value: String, sample: Int = 0) -> String {
        "  <Item name=\"\(role.uppercased())\" sample=\"\(sample)\" role=\"\(role)\">\(value)</Item>"
    }

    @Test(
        "the same value is the same gray, for any scale and offset of samples",
        arguments: [("0.1", "-500"), ("-2", "100"), ("1e-3", "0")])
    func scales(factor: String, offset: String) throws {
        let (scale, shift) = (try #require(Double(factor)), try #require(Double(offset)))
        let values = [0.0, 250, 500, 1000]
        let samples = values.map { Int((($0 - shift) / scale).rounded()) }
        var file = Self.row(Self.little(samples, 4), width: 4, bits: 32, format: 2)
        file.fields[42112] = Self.metadata(
            Self.item("scale", factor) + "\n<Item name=\"A\">1</Item>" + Self.item("offset", offset))
        let image = try read(file)
        let range = try #require(image.info.sampleRange)
        #expect(abs(range.lowerBound) < 1e-9 && abs(range.upperBound - 1000) < 1e-9)
        #expect(image.pixels == [0, 64, 128, 255])
        let wide = try read(file, ReadOptions(range: SampleRange(-1000...1000)))
        #expect(wide.pixels == [128, 159, 191, 255])
        // A file next to the image takes precedence.
        let beside = try read(file, ReadOptions(scale: SampleScale(factor: 1, offset: 0)))
        #expect(beside.info.sampleRange == Double(samples.min() ?? 0)...Double(samples.max() ?? 0))
    }

    @Test("a scale of samples of 8 bits changes no level, but is used for the range")
    func scaleOf8Bits() throws {
        var file = Self.row([0, 100, 255], width: 3)
        file.fields[42112] = Self.metadata(Self.item("scale", "2") + Self.item("offset", "10"))
        let image = try read(file)
        #expect(image.pixels == [0, 100, 255] && image.info.sampleRange == 10...520)
        file.fields[42112] = Self.metadata(Self.item("scale", "0") + Self.item("offset", "nonsense"))
        #expect(try read(file).info.sampleRange == nil)
    }

    @Test("halves may be infinite, tiny, or no numbers")
    func halves() throws {
        // IEEE 754 binary16: NaN, both infinities, 0, 1, 2, and the smallest number.
        let halves = [0x7E00, 0x7C00, 0xFC00, 0, 0x3C00, 0x4000, 1]
        let image = try read(
            Self.row(Self.little(halves, 2), width: 7, bits: 16, format: 3))
        #expect(image.info.sampleRange == 0...2 && image.info.pixelFormat == .rgba8)
        let levels: [UInt8?] = [nil, 255, 0, 0, 128, 255, 0]
        for (index, level) in levels.enumerated() {
            let pixel = Array(image.pixels[4 * index..<4 * index + 4])
            if let level {
                #expect(pixel == [level, level, level, 255])
            } else {
                #expect(pixel[3] == 0)
            }
        }
    }

    @Test("alpha goes from 0 to 1 in floats, and to the largest integer")
    func alpha() throws {
        let floats = Self.row(
            Self.floats([0, 0.5, 1, 0.5, 1, 1, 1, 1]), width: 2, of: 4, photometric: 2, bits: 32,
            format: 3, extra: [2])
        #expect(try read(floats).pixels == [0, 128, 255, 128, 255, 255, 255, 255])
        for (format, half, most) in [(1, 1 << 31, 1 << 32 - 1), (2, 1 << 30, 1 << 31 - 1)] {
            let file = Self.row(
                Self.little([5, half, 105, most], 4), width: 2, of: 2, bits: 32, format: format,
                extra: [2])
            #expect(try read(file).pixels == [0, 0, 0, 128, 255, 255, 255, 255])
        }
    }

    @Test("a colour that is brighter than its alpha is clipped")
    func tooBright() throws {
        let file = Self.row(
            [200, 50, 0, 100], width: 1, of: 4, photometric: 2, extra: [1])
        #expect(try read(file).pixels == [255, 128, 0, 100])
    }

    @Test("without visible samples there is no range")
    func allNodata() throws {
        let file = Self.row(Self.little([7, 7, 7], 2), width: 3, bits: 16)
        let image = try read(file, ReadOptions(nodata: 7))
        #expect(image.info.sampleRange == 0...0)
        #expect([3, 7, 11].allSatisfy { image.pixels[$0] == 0 })
    }

    @Test("masked pixels do not affect the range, however long a row is")
    func maskedRange() throws {
        let values = (0..<1500).map { $0 < 1100 ? 60000 : 100 + $0 % 2 * 100 }
        let mask = (0..<1500).map { UInt8($0 < 1100 ? 0 : 255) }
        var file = Self.row(Self.little(values, 2), width: 1500, bits: 16)
        file.addMask(mask)
        let image = try read(file)
        #expect(image.info.sampleRange == 100...200)
        for x in 0..<1500 {
            let pixel = Array(image.pixels[4 * x..<4 * x + 4])
            let level = UInt8(x % 2 * 255)
            if x < 1100 {
                #expect(pixel[3] == 0)
            } else {
                #expect(pixel == [level, level, level, 255])
            }
        }
    }

    @Test("an unusable mask is an error that says so")
    func wrongMasks() throws {
        func masked(_ change: (inout TIFFBuilder) -> Void) -> Failure? {
            var file = TIFFBuilder(width: 4, height: 4, data: [UInt8](repeating: 7, count: 16))
            file.addMask([UInt8](repeating: 255, count: 16))
            change(&file)
            return failure(file)
        }
        let unfit = masked {
            $0.others[0][258] = .init(kind: .short, count: 3, bytes: Self.little([8, 8, 8], 2))
            $0.others[0][277] = .init(kind: .short, count: 1, bytes: [3, 0])
        }
        #expect(unfit?.message.hasSuffix("its mask does not match it") == true)
        let unknown = masked { $0.others[0][259]?.bytes = [0xE7, 3] }
        #expect(unknown?.message.contains("compression 999") == true)
        let absent = masked { $0.others[0][273]?.bytes = [0, 0, 0, 64] }
        #expect(absent?.message.contains("its mask: ") == true)
        let large = masked {
            for tag in [256, 257] {
                $0.set(tag, .long, [8200])
                $0.others[0][tag] = $0.fields[tag]
            }
            $0.setTiles(width: 16, height: 16, count: 1)
            $0.others[0][278] = $0.fields[256]
            // libtiff cuts strips up that are not compressed.
            $0.others[0][259]?.bytes = [5, 0]
        }
        #expect(large?.message.hasSuffix("the strips of its mask are too large") == true)
    }

    // Which samples

    @Test("bands are taken in the order that is asked for")
    func bands() throws {
        let file = Self.row([10, 20, 30, 40, 50, 60], width: 2, of: 3, photometric: 2)
        let image = try read(file, ReadOptions(bands: [3, 2, 1]))
        #expect(image.pixels == [30, 20, 10, 60, 50, 40])
    }

    @Test("the bands of a palette are its colours")
    func paletteBands() throws {
        var file = Self.row([1, 0], width: 2, photometric: 3)
        var map = [Int](repeating: 0, count: 768)
        for (place, value) in [10, 200, 120, 30, 40, 60].enumerated() {
            map[place / 2 * 256 + place % 2] = value * 257
        }
        file.set(320, .short, map)
        #expect(try read(file).pixels == [200, 30, 60, 10, 120, 40])
        #expect(try read(file, ReadOptions(bands: [3, 2, 1])).pixels == [60, 30, 200, 40, 120, 10])
        let green = try read(file, ReadOptions(bands: [2]))
        #expect(green.rgba == [30, 30, 30, 255, 120, 120, 120, 255])
        let failure = failure(file, ReadOptions(bands: [1, 2]))
        #expect(failure?.message.hasSuffix("its palette has no band of alpha") == true)
    }

    @Test("inks, and colours that alpha multiplies, have no range to choose")
    func unscalable() throws {
        for (photometric, extra, reason) in [(5, [], "inks"), (2, [1], "multiplied by alpha")] {
            let file = Self.row([1, 2, 3, 4], width: 1, of: 4, photometric: photometric, extra: extra)
            let failure = failure(file, ReadOptions(range: SampleRange(0...100)))
            #expect(failure?.kind == .usage && failure?.message.hasSuffix(reason) == true)
        }
    }

    @Test("a text for nodata is read up to a limit, including spaces")
    func longNodata() throws {
        var file = Self.row([7, 8], width: 2)
        let text = Array("7".utf8) + [UInt8](repeating: 32, count: 99) + [0]
        file.fields[42113] = .init(kind: .ascii, count: text.count, bytes: text)
        let image = try read(file)
        #expect(image.pixels[3] == 0 && Array(image.pixels[4...]) == [8, 8, 8, 255])
    }

    private static let tags: [(TIFFBuilder.Kind, [UInt8], [Double])] = [
        (.signedShort, little([-3, 5], 2), [-3, 5]),
        (.signedLong, little([-70000, 5], 4), [-70000, 5]),
        (.float, floats([0.5, -2]), [0.5, -2]),
        (.rational, little([1, 2, 1, 2], 4), []),
        (.byte, [3, 5], []),
    ]

    @Test(
        "numbers of a tag may have any type",
        arguments: tags)
    func tagTypes(kind: TIFFBuilder.Kind, bytes: [UInt8], numbers: [Double]) throws {
        var file = Self.row([7, 8], width: 2)
        file.fields[33922] = .init(kind: kind, count: 2, bytes: bytes)
        #expect(try read(file).info.fileTags.numbers(33922) == numbers)
    }

    // Rare layouts

    @Test("the range of a strip that is too large is found row by row")
    func rangeOfLongStrip() throws {
        // PackBits (TIFF 6.0, section 9): 128 times the row's number, 128 times in a row.
        let (width, height) = (8192, 4100)
        var data: [UInt8] = []
        for row in 0..<height {
            for _ in 0..<128 { data += [129, UInt8(row / 17)] }
        }
        var file = TIFFBuilder(width: width, height: height, data: data)
        file.set(258, .short, [16])
        file.set(259, .short, [32773])
        try Data(file.bytes).write(to: directory.url.appending(path: "plan.tif"))
        let source = try ImageFile.open(path: directory.path("plan.tif"))
        // Both bytes of a sample are the same.
        #expect(source.info.sampleRange == 0...Double(241 * 257) && source.windows == nil)
        var row = [UInt8](repeating: 0, count: width)
        for y in 0..<40 {
            try row.withUnsafeMutableBytes {
                try source.readRows(1, into: #require($0.baseAddress), stride: width)
            }
            let level = UInt8((Double(y / 17) * 255 / 241).rounded())
            #expect(row.allSatisfy { $0 == level })
        }
    }

    @Test("an unnamed compression is named by its number")
    func compression() throws {
        // NeXT's, of 2 bits: 0 says that the row follows as it is.
        var file = Self.row([0, 0x1B], width: 4, bits: 2)
        file.set(259, .short, [32766])
        let image = try read(file)
        #expect(image.pixels == [0, 85, 170, 255])
        #expect(image.info.summary == "TIFF, 2-bit gray, compression 32766")
    }

    @Test("bytes behind a JPEG's pixels are padding; those that are missing are damage")
    func jpegWithin() throws {
        let sample = try JPEGSample.named("gray")
        func file(_ data: Data) -> TIFFBuilder {
            var file = TIFFBuilder(width: 20, height: 12, data: Array(data))
            file.set(259, .short, [7])
            return file
        }
        let padded = sample.file.dropLast(2) + Data(repeating: 0, count: 100) + sample.file.suffix(2)
        #expect(try read(file(padded)).pixels == Array(sample.pixels))
        let scan = try #require(sample.file.range(of: Data([0xFF, 0xDA]))).upperBound
        let half = sample.file.prefix(scan + 20) + Data([0xFF, 0xD9])
        let failure = failure(file(half))
        #expect(failure?.kind == .badInput && failure?.message.contains("row 0 of 12") == true)
    }
}

extension TIFFBuilder {
    /// Adds a mask of 8 bits, of the image's size, as another directory.
    fileprivate mutating func addMask(_ pixels: [UInt8]) {
        var mask = TIFFBuilder(width: 1, height: 1, data: [])
        mask.set(254, .long, [4])
        mask.set(262, .short, [4])
        (mask.fields[256], mask.fields[257]) = (fields[256], fields[257])
        mask.fields[278] = fields[278]
        mask.set(273, .long, [8 + data.count])
        mask.set(279, .long, [pixels.count])
        data += pixels
        others.append(mask.fields)
    }
}

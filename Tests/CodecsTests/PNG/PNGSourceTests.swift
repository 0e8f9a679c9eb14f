import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

@Suite struct PNGSourceTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func write(_ bytes: [UInt8], to name: String = "plan.png") throws -> String {
        try Data(bytes).write(to: directory.url.appending(path: name))
        return directory.path(name)
    }

    private func decode(_ bytes: [UInt8]) throws -> DecodedImage {
        try ImageFile.open(path: write(bytes)).readAll()
    }

    /// 4 x 9 pixels of gray.
    private static func gray(interlaced: Bool = false) -> PNGBuilder {
        PNGBuilder(width: 4, height: 9, interlaced: interlaced)
    }

    private static let rows: [[UInt8]] = (0..<9).map { y in
        let first = UInt8(y * 20)
        return [0, first, first + 1, first + 2, first + 3]
    }

    @Test("a transparent 16-bit colour is compared with all its bits")
    func fullDepthTransparency() throws {
        var png = PNGBuilder(width: 2, height: 1, depth: 16, colorType: 2)
        png.add("tRNS", [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC])
        png.finish(rows: [
            [0, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0x12, 0x35, 0x56, 0x78, 0x9A, 0xBC]
        ])
        let image = try decode(png.bytes)
        // Section 13.12 of the specification: round(v * 255 / 65535).
        #expect(image.pixels == [0x12, 0x56, 0x9A, 0, 0x12, 0x56, 0x9A, 255])
    }

    @Test(
        "16 bits are scaled to 8 with rounding",
        arguments: [
            (0x0000, 0), (0x0080, 0), (0x0081, 1), (0x7FFF, 127), (0xFF7F, 255), (0xFF7E, 254),
        ])
    func scaling(value: Int, expected: UInt8) throws {
        var png = PNGBuilder(width: 1, height: 1, depth: 16)
        png.finish(rows: [[0, UInt8(value >> 8), UInt8(value & 255)]])
        #expect(try decode(png.bytes).pixels == [expected])
    }

    @Test("wherever a file is cut before its last row is verified, it is refused")
    func truncation() throws {
        var png = Self.gray()
        png.finish(rows: Self.rows)
        let whole = png.bytes
        let verified = whole.count - 12  // all but IEND
        for length in 0..<whole.count {
            let path = try write(Array(whole.prefix(length)))
            if length >= verified {
                #expect(try ImageFile.open(path: path).readAll().pixels.count == 36)
            } else {
                #expect(throws: Failure.self) { try ImageFile.open(path: path).readAll() }
            }
        }
    }

    @Test("the error of a file that is cut off names its last row")
    func truncationMessage() throws {
        var png = Self.gray()
        png.finish(rows: Self.rows)
        // Signature 8, IHDR 25, IDAT's length and name 8, zlib and block headers 7, three rows of 5.
        let path = try write(Array(png.bytes.prefix(8 + 25 + 8 + 7 + 15)))
        let source = try ImageFile.open(path: path)
        #expect(throws: Failure(.badInput, "cannot read '\(path)': the file ends after row 3 of 9")) {
            try source.readAll(atATime: 4)
        }
    }

    @Test("the error of a cut interlaced file names the pass")
    func interlacedTruncation() throws {
        // Headers of 7 bytes, then two rows of one pixel; the second pass of a narrow image is empty.
        var png = Self.gray(interlaced: true)
        png.add("IDAT", Array(PNGBuilder.zlib(Self.rows.flatMap { $0 }).prefix(12)))
        let path = try write(png.bytes)
        let source = try ImageFile.open(path: path)
        #expect(
            throws: Failure(
                .badInput,
                "cannot read '\(path)': the file ends in pass 3 of 7 of its interlaced rows")
        ) {
            try source.readAll()
        }
    }

    @Test("the error of a damaged interlaced file names the pass")
    func interlacedDamage() throws {
        var png = Self.gray(interlaced: true)
        // A filter that does not exist, in the third pass: the second of a narrow image is empty.
        png.finish(rows: [[0, 1], [0, 2], [9, 3]] + Self.rows)
        let path = try write(png.bytes)
        let source = try ImageFile.open(path: path)
        #expect(
            throws: Failure(
                .badInput,
                "cannot read '\(path)': pass 3 of 7 of its interlaced rows is damaged: "
                    + "bad adaptive filter value")
        ) {
            try source.readAll()
        }
    }

    @Test("an invalid eXIf chunk is harmless")
    func wrongEXIF() throws {
        var png = Self.gray()
        png.add("eXIf", [1, 2, 3, 4])
        png.finish(rows: Self.rows)
        let image = try decode(png.bytes)
        #expect(image.pixels == Self.rows.flatMap { $0.dropFirst() })
        #expect(image.info.orientation == .upright)
    }

    @Test(
        "bands are taken in the order that is asked for",
        arguments: [
            ([3], [30, 70], PixelFormat.gray8),
            ([2, 4], [20, 20, 20, 40, 60, 60, 60, 80], .rgba8),
            ([3, 1, 2], [30, 10, 20, 70, 50, 60], .rgb8),
            ([4, 3, 2, 1], [40, 30, 20, 10, 80, 70, 60, 50], .rgba8),
        ])
    func bands(bands: [Int], pixels: [UInt8], format: PixelFormat) throws {
        var png = PNGBuilder(width: 2, height: 1, colorType: 6)
        png.finish(rows: [[0, 10, 20, 30, 40, 50, 60, 70, 80]])
        let path = try write(png.bytes)
        let image = try ImageFile.open(path: path, options: ReadOptions(bands: bands)).readAll()
        #expect(image.pixels == pixels && image.info.pixelFormat == format)
    }

    @Test("a wrong CRC is an error in any chunk", arguments: ["IDAT", "IEND", "tEXt", "tRNS"])
    func wrongCRC(chunk: String) throws {
        var png = Self.gray()
        if chunk == "tRNS" { png.add("tRNS", [0, 3], crcError: 1) }
        if chunk == "tEXt" { png.add("tEXt", Array("Title\0plan".utf8), crcError: 1) }
        png.add(
            "IDAT", PNGBuilder.zlib(Self.rows.flatMap { $0 }), crcError: chunk == "IDAT" ? 1 : 0)
        png.add("IEND", [], crcError: chunk == "IEND" ? 1 : 0)
        let error = #expect(throws: Failure.self) { try decode(png.bytes) }
        #expect(error?.message.contains("\(chunk): CRC error") == true)
        #expect(error?.kind == .badInput)
    }

    @Test("every single damaged byte of a file is noticed or harmless")
    func damage() throws {
        var png = Self.gray()
        png.finish(rows: Self.rows)
        let intact = try decode(png.bytes).pixels
        for index in png.bytes.indices {
            var bytes = png.bytes
            bytes[index] ^= 0x20
            // The length of IEND may be wrong: the pixels are verified by then.
            if let image = try? decode(bytes) { #expect(image.pixels == intact) }
        }
    }

    @Test("IDAT with too few rows is damage, not the end of the file")
    func fewRows() throws {
        var png = Self.gray()
        png.finish(rows: Array(Self.rows.prefix(4)))
        let error = #expect(throws: Failure.self) { try decode(png.bytes) }
        #expect(error?.message.contains("damaged after row 4 of 9") == true)
    }

    @Test("a header of absurd size is read without allocating its pixels")
    func absurdSize() throws {
        // The longest edge that is not refused: 128 TB of pixels.
        var png = PNGBuilder(width: 1 << 22, height: 1 << 22, depth: 16, colorType: 6)
        png.add("IDAT", [])
        let info = try ImageFile.open(path: write(png.bytes)).info
        #expect(info.width == 1 << 22)
        #expect(info.height == 1 << 22)
    }

    @Test("decoding a wide image takes memory for two of its rows")
    func decoderBytes() throws {
        func decoderBytes(width: Int) throws -> Int {
            var png = PNGBuilder(width: width, height: 1 << 20, colorType: 6)
            png.add("IDAT", [])
            return try ImageFile.open(path: write(png.bytes)).info.decoderBytes
        }
        // As soon as a row is longer than what is inflated at a time.
        let (narrow, wide) = (1 << 17, 1 << 22)
        #expect(
            try decoderBytes(width: wide) - decoderBytes(width: narrow)
                == 2 * 4 * (wide - narrow))
    }

    @Test("the orientation in an eXIf chunk is that of the image")
    func orientation() throws {
        var png = Self.gray()
        png.add("eXIf", EXIFTests.block(orientation: 6, isBigEndian: true))
        png.finish(rows: Self.rows)
        #expect(try ImageFile.open(path: write(png.bytes)).info.orientation == .quarterTurn)
    }

    @Test(
        "a range of 16 bits is stretched from all of them, alpha from its own", arguments: [0, 4])
    func range(colorType: UInt8) throws {
        let samples = [0, 1000, 1004, 1500, 1999, 2000, 2001, 65535]
        var file = PNGBuilder(width: samples.count, height: 1, depth: 16, colorType: colorType)
        let row = samples.flatMap { sample in
            let bytes = [UInt8(sample >> 8), UInt8(sample & 255)]
            return colorType == 4 ? bytes + [0x80, 0x40] : bytes
        }
        file.finish(rows: [[0] + row])
        try Data(file.bytes).write(to: directory.url.appending(path: "deep.png"))
        let image = try ImageFile.open(
            path: directory.path("deep.png"), options: ReadOptions(range: SampleRange(1000...2000))
        ).readAll()
        // (sample - 1000) * 255 / 1000, rounded; alpha is 0x8040 * 255 / 65535.
        let levels: [UInt8] = [0, 0, 1, 128, 255, 255, 255, 255]
        #expect(
            image.rgba == levels.flatMap { [$0, $0, $0, colorType == 4 ? 128 : 255] as [UInt8] })
        #expect(image.info.sampleRange == 1000...2000)
    }
}

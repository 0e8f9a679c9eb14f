import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing

/// How IDAT chunks may be cut, and what is wrong with them.
@Suite struct PNGImageDataTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func decode(_ png: PNGBuilder) throws -> [UInt8] {
        let path = directory.path("plan.png")
        try Data(png.bytes).write(to: URL(filePath: path))
        return try ImageFile.open(path: path).readAll().pixels
    }

    private func expectRefused(
        _ png: PNGBuilder, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: Failure.self, sourceLocation: sourceLocation) {
            try decode(png)
        }
        #expect(error?.kind == .badInput, sourceLocation: sourceLocation)
        #expect(
            error?.message.hasSuffix("plan.png': \(reason)") == true, "\(error?.message ?? "")",
            sourceLocation: sourceLocation)
    }

    /// 4 x 9 pixels of gray.
    private static let empty = PNGBuilder(width: 4, height: 9)
    private static let rows: [[UInt8]] = (0..<9).map { y in
        let first = UInt8(y * 20)
        return [0, first, first + 1, first + 2, first + 3]
    }
    private static let pixels = rows.flatMap { $0.dropFirst() }
    private static let stream = PNGBuilder.zlib(rows.flatMap { $0 })

    private static func png(_ stream: [UInt8]) -> PNGBuilder {
        var png = empty
        png.add("IDAT", stream)
        png.add("IEND", [])
        return png
    }

    @Test("image data may be cut anywhere", arguments: (1...20).some(1))
    func split(size: Int) throws {
        var png = Self.empty
        png.addImageData(Self.stream, size: size)
        png.add("IEND", [])
        #expect(try decode(png) == Self.pixels)
    }

    @Test("chunks of image data may be empty")
    func emptyChunks() throws {
        var png = Self.empty
        for byte in Self.stream {
            png.add("IDAT", [])
            png.add("IDAT", [byte])
        }
        for _ in 0..<3 { png.add("IDAT", []) }
        png.add("IEND", [])
        #expect(try decode(png) == Self.pixels)
    }

    /// Rows of 4 zeros under `Up` as a match of length 44 and distance 1: deflate's fixed codes
    /// (RFC 1951, section 3.2.6) for the literal 0, length 44, distance 1 and the end.
    @Test("deflated image data is inflated for every window size in its header")
    func fixedCodes() throws {
        var bits = Bits()
        bits.add(1, 1)  // the last block
        bits.add(1, 2)  // fixed codes
        bits.addCode(0b0011_0000, 8)  // literal 0
        bits.addCode(0b001_0001, 7)  // 273: lengths 35...42
        bits.add(7, 3)  // 42
        bits.addCode(0, 5)  // distance 1
        bits.addCode(0b0011_0000, 8)
        bits.addCode(0b0011_0000, 8)
        bits.addCode(0, 7)  // the end
        // Windows of 256 bytes and of 32 kB; the second byte makes the first two a multiple of 31.
        for head in [[0x08, 0x1D], [0x78, 0x01]] as [[UInt8]] {
            #expect(
                try decode(Self.png(head + bits.bytes + [0, 0, 0, 1]))
                    == [UInt8](repeating: 0, count: 36))
        }
    }

    @Test("a distance before the first byte is damage")
    func tooFarBack() {
        var bits = Bits()
        bits.add(1, 1)
        bits.add(1, 2)
        bits.addCode(0b0011_0000, 8)
        bits.addCode(0b000_0001, 7)  // 257: length 3
        bits.addCode(1, 5)  // distance 2
        expectRefused(
            Self.png([0x78, 0x01] + bits.bytes + [0, 0, 0, 0]),
            "damaged after row 0 of 9: IDAT: invalid distance too far back")
    }

    @Test("CRCs verify the pixels; the Adler-32 after them may be wrong or missing")
    func adler() throws {
        let deflated = Self.stream.dropLast(4)
        for checksum in [[], [1], [1, 2, 3, 4]] as [[UInt8]] {
            #expect(try decode(Self.png(deflated + checksum)) == Self.pixels)
        }
    }

    @Test("image data after the last pixel is ignored")
    func more() throws {
        let longer = PNGBuilder.zlib(Self.rows.flatMap { $0 } + [0, 1, 2, 3, 4, 9, 9])
        #expect(try decode(Self.png(longer)) == Self.pixels)
        // A stream that is not closed, and more chunks of its kind.
        var png = Self.empty
        png.add("IDAT", Array(longer.dropLast(8)))
        png.add("IDAT", [1, 2, 3])
        png.add("IEND", [])
        #expect(try decode(png) == Self.pixels)
    }

    /// Sizes at which the inflater has noticed the damage before the last pixels are asked for.
    @Test(
        "damage after the last pixel is ignored, even in large images",
        arguments: [(319, 822), (332, 801), (2031, 388)].some(1))
    func damageBehind(width: Int, height: Int) throws {
        var generator = SplitMix(seed: 5)
        let rows = (0..<height).map { _ in
            [0] + (0..<width).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        // Blocks are stored; the last of them becomes one that others follow, and those are none.
        let data = rows.flatMap { $0 }
        var stream = PNGBuilder.zlib(data).dropLast(4)
        let lastBlock = 2 + (data.count - 1) / 65535 * (5 + 65535)
        stream[lastBlock] = 0
        var png = PNGBuilder(width: width, height: height)
        png.addImageData(stream + [UInt8](repeating: 0xFF, count: 70_000), size: 1 << 16)
        png.add("IEND", [])
        #expect(try decode(png) == rows.flatMap { $0.dropFirst() })
    }

    @Test(
        "a stream with a wrong header is damage",
        arguments: [
            ([0x78, 0x02], "IDAT: incorrect header check"),
            ([0x79, 0x18], "IDAT: unknown compression method"),
            ([0x88, 0x1C], "IDAT: invalid window size"),
            ([0x78, 0x20], "IDAT: missing dictionary"),
        ] as [([UInt8], String)])
    func head(bytes: [UInt8], reason: String) {
        expectRefused(
            Self.png(bytes + Self.stream.dropFirst(2)), "damaged after row 0 of 9: \(reason)")
    }

    @Test("a stream without a header is damage", arguments: [[], [0x78]] as [[UInt8]])
    func noHead(stream: [UInt8]) {
        expectRefused(Self.png(stream), "damaged after row 0 of 9: Not enough image data")
    }

    @Test("a block of an undefined type is damage")
    func block() {
        expectRefused(
            Self.png([0x78, 0x01, 7, 0, 0, 0, 0]), "damaged after row 0 of 9: IDAT: invalid block")
    }

    @Test("an undefined filter is damage in its row")
    func filter() {
        var rows = Self.rows
        rows[5][0] = 5
        let path = directory.path("plan.png")
        let png = Self.png(PNGBuilder.zlib(rows.flatMap { $0 }))
        expectRefused(png, "damaged after row 5 of 9: bad adaptive filter value")
        // Even if the file ends behind it.
        var cut = Self.empty
        cut.add("IDAT", Array(PNGBuilder.zlib(rows.flatMap { $0 })))
        #expect(throws: Never.self) {
            try Data(cut.bytes.dropLast(12)).write(to: URL(filePath: path))
        }
        #expect(
            throws: Failure(
                .badInput,
                "cannot read '\(path)': damaged after row 5 of 9: bad adaptive filter value")
        ) {
            try ImageFile.open(path: path).readAll(atATime: 9)
        }
    }

    @Test("another chunk between those of the image data is damage")
    func interruption() {
        var png = Self.empty
        png.add("IDAT", Array(Self.stream.prefix(7 + 15)))
        png.add("tEXt", Array("Title\0plan".utf8))
        png.add("IDAT", Array(Self.stream.dropFirst(7 + 15)))
        png.add("IEND", [])
        expectRefused(png, "damaged after row 3 of 9: Not enough image data")
    }

    @Test("a wrong CRC in any chunk of the image data is damage", arguments: 0..<6)
    func wrongCRC(index: Int) {
        var png = Self.empty
        for i in 0..<6 {
            let part = Self.stream.dropFirst(i * 10).prefix(10)
            png.add("IDAT", Array(part), crcError: i == index ? 1 : 0)
        }
        png.add("IEND", [])
        // 7 bytes before the first row of 5; the chunk's own rows are complete before its CRC, but
        // for the last row, which counts when all is verified.
        let row = min(8, ((index + 1) * 10 - 7) / 5)
        expectRefused(png, "damaged after row \(row) of 9: IDAT: CRC error")
    }

    @Test("after the image data, chunks must have letters for types and lengths of 31 bits")
    func laterChunks() throws {
        for type in ["te t", "tEX1", "[Ext"] {
            var png = Self.empty
            png.add("IDAT", Self.stream)
            png.add(type, [1, 2, 3])
            png.add("IEND", [])
            expectRefused(png, "damaged after row 9 of 9: invalid chunk type")
        }
        var long = Self.empty
        long.add("IDAT", Self.stream)
        let path = directory.path("long.png")
        try Data(long.bytes + [0x80, 0, 0, 0] + Array("tEXt".utf8)).write(to: URL(filePath: path))
        #expect(
            throws: Failure(
                .badInput,
                "cannot read '\(path)': damaged after row 9 of 9: chunk length out of range")
        ) {
            try ImageFile.open(path: path).readAll()
        }
        var twice = Self.empty
        twice.add("IDAT", Self.stream)
        twice.add("IHDR", [0, 0, 0, 4, 0, 0, 0, 9, 8, 0, 0, 0, 0])
        twice.add("IEND", [])
        expectRefused(twice, "damaged after row 9 of 9: IHDR: out of place")
    }
}

/// Bits as deflate packs them: from the lowest bit of each byte on.
private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    /// Adds a number, its lowest bit first.
    mutating func add(_ value: Int, _ size: Int) {
        for bit in 0..<size {
            if count % 8 == 0 { bytes.append(0) }
            bytes[count / 8] |= UInt8(value >> bit & 1) << (count % 8)
            count += 1
        }
    }

    /// Adds a Huffman code, its highest bit first.
    mutating func addCode(_ code: Int, _ size: Int) {
        for bit in (0..<size).reversed() { add(code >> bit & 1, 1) }
    }
}

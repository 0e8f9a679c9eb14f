import CDeflate
import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Image data of all kinds, as libdeflate compresses it: images so large that they are inflated in pieces.
@Suite struct PNGInflateTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let (width, height) = (1200, 1200)

    /// Rows of pixels under no filter, each byte of which repeats the one `period` before, or is another now and then.
    private static func rows(period: Int, strangers: Int, seed: UInt64) -> [UInt8] {
        var generator = SplitMix(seed: seed)
        let stride = width + 1
        var bytes = [UInt8](repeating: 0, count: stride * height)
        for index in bytes.indices where index % stride > 0 {
            let isNew = index < period || Int.random(in: 0..<strangers, using: &generator) == 0
            bytes[index] = isNew ? .random(in: 0...255, using: &generator) : bytes[index - period]
        }
        return bytes
    }

    private static func pixels(of rows: [UInt8]) -> [UInt8] {
        (0..<height).flatMap { row in
            let first = row * (width + 1) + 1
            return rows[first..<first + width]
        }
    }

    private static func deflate(_ bytes: [UInt8], level: Int32) -> [UInt8] {
        let compressor = libdeflate_alloc_compressor(level)
        defer { libdeflate_free_compressor(compressor) }
        return [UInt8](unsafeUninitializedCapacity: libdeflate_zlib_compress_bound(compressor, bytes.count)) {
            $1 = libdeflate_zlib_compress(compressor, bytes, bytes.count, $0.baseAddress, $0.count)
        }
    }

    /// What libdeflate makes of a stream for as many bytes as the image has.
    private static func inflate(_ stream: [UInt8]) -> (bytes: [UInt8], result: libdeflate_result) {
        let decompressor = libdeflate_alloc_decompressor()
        defer { libdeflate_free_decompressor(decompressor) }
        var bytes = [UInt8](repeating: 0, count: (width + 1) * height)
        // Between a head of two bytes and a check of four, which is not looked at.
        let deflated = Array(stream.dropFirst(2).dropLast(4))
        let result = libdeflate_deflate_decompress(
            decompressor, deflated, deflated.count, &bytes, bytes.count, nil)
        return (bytes, result)
    }

    private func decode(_ stream: [UInt8], chunk: Int) throws -> [UInt8] {
        var png = PNGBuilder(width: Self.width, height: Self.height)
        png.addImageData(stream, size: chunk)
        png.add("IEND", [])
        let path = directory.path("plan.png")
        try Data(png.bytes).write(to: URL(filePath: path))
        return try ImageFile.open(path: path).readAll(atATime: 7).pixels
    }

    @Test(
        "matches of every distance are copied",
        arguments: (Array(1...40) + [255, 1201, 16384, 32767, 32768]).some(1))
    func distances(period: Int) throws {
        let rows = Self.rows(period: period, strangers: 200, seed: UInt64(period))
        #expect(try decode(Self.deflate(rows, level: 6), chunk: 8192) == Self.pixels(of: rows))
    }

    @Test("blocks of every kind are inflated", .long, arguments: [0, 1, 6, 9, 12] as [Int32], [1, 3, 60])
    func levels(level: Int32, strangers: Int) throws {
        let rows = Self.rows(period: 3, strangers: strangers, seed: UInt64(level))
        #expect(try decode(Self.deflate(rows, level: level), chunk: 100_000) == Self.pixels(of: rows))
    }

    @Test("image data may be cut anywhere", arguments: [1, 2, 3, 7, 1000, 65535, 65536, 65537].some(1))
    func chunks(size: Int) throws {
        let rows = Self.rows(period: 4, strangers: 2000, seed: 1)
        #expect(try decode(Self.deflate(rows, level: 6), chunk: size) == Self.pixels(of: rows))
    }

    @Test("damaged data is refused, unless it is valid by chance", arguments: (0..<60).some(1))
    func damage(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let rows = Self.rows(period: 5, strangers: 50, seed: 7)
        var stream = Self.deflate(rows, level: [1, 6, 9][Int(seed % 3)])
        let place = Int.random(in: 2..<(seed % 2 == 0 ? 60 : stream.count - 4), using: &generator)
        stream[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        let pixels = try? decode(stream, chunk: 8192)
        let (bytes, result) = Self.inflate(stream)
        switch result {
        case LIBDEFLATE_SUCCESS where Self.hasNoFilters(bytes): #expect(pixels == Self.pixels(of: bytes))
        case LIBDEFLATE_INSUFFICIENT_SPACE: break  // what comes behind the last pixel does not matter
        default: #expect(pixels == nil)
        }
    }

    private static func hasNoFilters(_ rows: [UInt8]) -> Bool {
        stride(from: 0, to: rows.count, by: width + 1).allSatisfy { rows[$0] == 0 }
    }
}

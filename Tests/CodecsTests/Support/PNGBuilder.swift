import Foundation
import TestSupport

/// Writes PNG files chunk by chunk, also wrong ones; deflate's blocks are stored.
struct PNGBuilder {
    private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    init(width: Int, height: Int, depth: UInt8 = 8, colorType: UInt8 = 0, interlaced: Bool = false) {
        let fields = [depth, colorType, 0, 0, interlaced ? 1 : 0]
        add("IHDR", Self.big(width) + Self.big(height) + fields)
    }

    mutating func add(_ type: String, _ data: [UInt8], crcError: UInt32 = 0) {
        let body = Array(type.utf8) + data
        bytes += Self.big(data.count) + body + Self.big(Int(crc32(body) ^ crcError))
    }

    /// IDAT of rows, each of which begins with its filter type; then IEND.
    mutating func finish(rows: [[UInt8]]) {
        add("IDAT", Self.zlib(rows.flatMap { $0 }))
        add("IEND", [])
    }

    /// IDAT chunks of at most `size` bytes, which hold a stream.
    mutating func addImageData(_ stream: [UInt8], size: Int) {
        for first in stride(from: 0, to: stream.count, by: size) {
            add("IDAT", Array(stream[first..<min(first + size, stream.count)]))
        }
    }

    static func zlib(_ data: [UInt8]) -> [UInt8] {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in data {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        let blocks = stride(from: 0, to: max(data.count, 1), by: 65535).flatMap { first in
            let block = data[first..<min(first + 65535, data.count)]
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            return [block.endIndex == data.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        return [0x78, 0x01] + blocks + big(Int(b << 16 | a))
    }

    static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

import Foundation
import TestSupport

extension Picture {
    /// The picture as a PNG file without compression, after the PNG specification and RFC 1950.
    ///
    /// - Parameters:
    ///   - orientation: what an eXIf chunk says, or nil for no such chunk.
    ///   - profile: what an iCCP chunk holds, or nil for no such chunk.
    func png(orientation: UInt8? = nil, profile: ICCProfile? = nil) -> Data {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = Self.bigEndian(width) + Self.bigEndian(height) + [8, 6, 0, 0, 0]
        file += Self.chunk("IHDR", header)
        if let profile {
            file += Self.chunk("iCCP", Array("ICC".utf8) + [0, 0] + Self.zlib(profile.bytes))
        }
        if let orientation { file += Self.chunk("eXIf", Self.exif(orientation: orientation)) }
        var rows: [UInt8] = []
        rows.reserveCapacity((width * 4 + 1) * height)
        for row in 0..<height {
            rows.append(0)
            let start: Int = row * width * 4
            rows += rgba[start..<start + width * 4]
        }
        file += Self.chunk("IDAT", Self.zlib(rows))
        return Data(file + Self.chunk("IEND", []))
    }

    /// Writes the picture as a PNG file.
    func write(to path: String, orientation: UInt8? = nil) throws {
        try png(orientation: orientation).write(to: URL(filePath: path))
    }

    /// A TIFF header, and a directory with tag 274 alone.
    private static func exif(orientation: UInt8) -> [UInt8] {
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, orientation]
            + [0, 0, 0, 0, 0, 0]
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(crc(body)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Stored blocks, and Adler's checksum.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(bytes.count + bytes.count / 1000 + 100)
        for start in Swift.stride(from: 0, to: bytes.count, by: 65535) {
            let count = min(65535, bytes.count - start)
            let (low, high) = (UInt8(count & 255), UInt8(count >> 8))
            stream.append(start + count == bytes.count ? 1 : 0)
            stream += [low, high, ~low, ~high]
            stream += bytes[start..<start + count]
        }
        var (a, b) = (1, 0)
        bytes.withUnsafeBufferPointer {
            for byte in $0 {
                a = (a + Int(byte)) % 65521
                b = (b + a) % 65521
            }
        }
        return stream + bigEndian(b << 16 | a)
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        crcTable.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer {
                for byte in $0 { crc = table[Int((crc ^ UInt32(byte)) & 255)] ^ crc >> 8 }
            }
        }
        return ~crc
    }
}

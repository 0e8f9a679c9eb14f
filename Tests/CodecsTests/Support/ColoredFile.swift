import Foundation
import TestSupport

/// Small files that say what their colours are.
enum ColoredFile {
    /// A PNG file of one row, with chunks before its image data.
    static func png(
        _ samples: [UInt8], colorType: UInt8 = 2, depth: UInt8 = 8, palette: [UInt8] = [],
        chunks: [(String, [UInt8])]
    ) -> Data {
        let samplesPerPixel = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
        let width = samples.count / samplesPerPixel / Int(depth / 8)
        var png = PNGBuilder(width: width, height: 1, depth: depth, colorType: colorType)
        for (type, data) in chunks { png.add(type, data) }
        if !palette.isEmpty { png.add("PLTE", palette) }
        png.finish(rows: [[0] + samples])
        return Data(png.bytes)
    }

    /// An iCCP chunk.
    static func iccp(_ profile: ICCProfile) -> (String, [UInt8]) {
        ("iCCP", Array("ICC Profile".utf8) + [0, 0] + PNGBuilder.zlib(profile.bytes))
    }

    /// A gAMA chunk.
    static func gama(_ gamma: Double) -> (String, [UInt8]) {
        ("gAMA", PNGBuilder.big(Int((gamma * 1e5).rounded())))
    }

    /// A cHRM chunk with the primaries of Display P3.
    static let chrmOfP3 = (
        "cHRM",
        [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].flatMap(PNGBuilder.big)
    )

    /// A JPEG file with a profile behind its first marker, in parts of a size, or with some of the
    /// parts, in an order of one's own.
    static func jpeg(
        _ file: Data, profile: ICCProfile, partSize: Int = 65519, parts order: [Int]? = nil
    ) -> Data {
        let starts = Array(stride(from: 0, to: profile.bytes.count, by: partSize))
        let parts = starts.enumerated().map { index, start in
            let part = profile.bytes[start..<min(start + partSize, profile.bytes.count)]
            let body =
                Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(starts.count)] + part
            return [0xFF, 0xE2] + PNGBuilder.big(body.count + 2).suffix(2) + body
        }
        let chosen = (order ?? Array(parts.indices)).flatMap { parts[$0] }
        return file.prefix(2) + chosen + file.dropFirst(2)
    }

    /// 16 x 8 pixels of inks as Pillow writes them at quality 100, with an Adobe marker: on the
    /// left 51 cyan, 102 magenta, 153 yellow, 25 black, of 255; on the right full cyan.
    static let inks =
        Data(
            base64Encoded: """
                /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
                AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAA
                AAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNC
                scEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6
                g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq
                8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD+mCvsivi+v7MK/wAZ+v7MK/0yK+yK/9k=
                """, options: .ignoreUnknownCharacters) ?? Data()

    /// The same numbers of 255 - ink, but as inks: without the marker, which is the second, nothing
    /// says that they are inverted.
    static var uninvertedInks: Data { inks.prefix(2) + inks.dropFirst(2 + 16) }
}

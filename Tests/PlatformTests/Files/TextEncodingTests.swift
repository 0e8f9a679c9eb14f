import Platform
import Testing

@Suite struct TextEncodingTests {
    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: TextEncoding.utf8(bytes), as: UTF8.self)
    }

    private static let words = "Gr\u{FC}n, 1\u{B0} \u{1F600}\r\nx"

    @Test("a byte order mark determines the encoding, and is not part of the text")
    func marks() {
        let units = Self.words.utf16
        #expect(text(Array(Self.words.utf8)) == Self.words)
        #expect(text([0xEF, 0xBB, 0xBF] + Self.words.utf8) == Self.words)
        #expect(text([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == Self.words)
        #expect(text([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }) == Self.words)
    }

    @Test("a text that ends inside a character is read up to that")
    func cut() {
        #expect(text([0xFF, 0xFE, 0x41, 0, 0x42]) == "A")
        #expect(text([0xFE, 0xFF, 0, 0x41, 0xD8, 0x3D]) == "A\u{FFFD}")
        #expect(text([0xFF, 0xFE]).isEmpty && text([0xFF]) == "\u{FFFD}" && text([]).isEmpty)
    }
}

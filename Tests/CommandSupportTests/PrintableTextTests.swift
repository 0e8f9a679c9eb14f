import Foundation
import Testing

@testable import CommandSupport

/// Text that comes from files on its way to a terminal.
struct PrintableTextTests {
    @Test(
        "A line contains no control sequences, line ends or changes of direction",
        arguments: [
            ("plan.png", "plan.png"), ("Grüße, مخطط, 图 🗺", "Grüße, مخطط, 图 🗺"), ("", ""),
            ("a\nb\tc\r", #"a\nb\tc\r"#), ("\u{1B}[2J\u{0}\u{7F}", #"\u{1B}[2J\u{0}\u{7F}"#),
            // The one-byte forms of ESC [ and ESC ].
            ("\u{9B}2J\u{9D}", #"\u{9B}2J\u{9D}"#), ("\u{85}", #"\u{85}"#),
            ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#),
            ("\u{202E}gnp.nalp", #"\u{202E}gnp.nalp"#),
            ("\u{202A}\u{2066}\u{2069}", #"\u{202A}\u{2066}\u{2069}"#),
            // A carriage return and a line feed are one character.
            ("a\r\nb", #"a\r\nb"#), ("e\u{301}\u{1B}\u{301}", "e\u{301}\\u{1B}\u{301}"),
        ])
    func line(text: String, printed: String) {
        #expect(text.printable == printed)
        #expect(printed.printable == printed)
    }

    @Test("JSON keeps its meaning and its layout")
    func json() throws {
        let texts = (0...0x20FF).compactMap(Unicode.Scalar.init).map { "a\($0)b" }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let json = String(decoding: try encoder.encode(texts), as: UTF8.self)
        let printed = json.printableJSON
        #expect(try JSONDecoder().decode([String].self, from: Data(printed.utf8)) == texts)
        #expect(printed.split(separator: "\n").allSatisfy { String($0).printable == $0 })
        #expect(printed.split(separator: "\n").count == texts.count + 2)
    }
}

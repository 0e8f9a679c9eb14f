extension String {
    /// The text in one line that commands nothing: names in files and folders that come from somebody else may hold
    /// anything.
    package var printable: String {
        replacingCommands { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: "\\u{\(scalar.hex)}"
            }
        }
    }

    /// The same JSON, with nothing in its strings that a terminal takes for a command. JSON itself escapes only part of
    /// it (RFC 8259, section 7), and has line feeds between its members.
    var printableJSON: String {
        replacingCommands {
            $0 == "\n" ? "\n" : "\\u" + String(repeating: "0", count: 4 - $0.hex.count) + $0.hex
        }
    }

    private func replacingCommands(by text: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: \.isCommand) else { return self }
        return unicodeScalars.reduce(into: "") { $0 += $1.isCommand ? text($1) : String($1) }
    }
}

extension Unicode.Scalar {
    /// Whether a terminal takes it for a command, or for the end of a line, or shows what follows in another order:
    /// control characters, separators of lines and paragraphs, and the embeddings, overrides and isolates of
    /// bidirectional text (UAX 9, section 2).
    fileprivate var isCommand: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var hex: String { String(value, radix: 16, uppercase: true) }
}

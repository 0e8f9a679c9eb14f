import Tilesets

/// A programming language of snippets.
enum SnippetLanguage: Sendable {
    /// The languages.
    case swift, objectiveC, kotlin, javaScript

    /// A string literal of any text. The text cannot end the literal nor, in JavaScript, the script
    /// element of a page that holds the code.
    func literal(_ text: String) -> String {
        (self == .objectiveC ? "@\"" : "\"") + escaped(text) + "\""
    }

    /// A text, escaped for use between the quotes of a literal.
    func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "\"": escaped += "\\\(scalar)"
            case "$" where self == .kotlin: escaped += "\\$"
            // Two question marks begin a trigraph.
            case "?" where self == .objectiveC: escaped += "\\?"
            case "`" where self == .javaScript: escaped += "\\`"
            case "$" where self == .javaScript: escaped += "\\$"
            case _ where scalar.isInvisible: escaped += code(of: scalar)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return self == .javaScript ? Self.harmless(escaped, "\\x3C") : escaped
    }

    /// The escape of a character by its number.
    private func code(of scalar: Unicode.Scalar) -> String {
        switch self {
        case .swift: "\\u{\(String(scalar.value, radix: 16))}"
        // The bytes of its UTF-8: C has no names for control characters.
        case .objectiveC:
            String(scalar).utf8.map { "\\" + Self.digits(Int($0), radix: 8, count: 3) }.joined()
        case .kotlin, .javaScript:
            String(scalar).utf16.map { "\\u" + Self.digits(Int($0), radix: 16, count: 4) }.joined()
        }
    }

    private static func digits(_ number: Int, radix: Int, count: Int) -> String {
        let text = String(number, radix: radix)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// A floating-point literal. In Kotlin it must have a decimal point.
    func number(_ degrees: PublishedDegrees) -> String { number(degrees.description) }

    /// A floating-point literal of a decimal fraction.
    func number(_ text: String) -> String {
        self == .kotlin && !text.contains(".") ? text + ".0" : text
    }

    /// A text for use in a comment, but not at the comment's end. It cannot end the comment's line nor a
    /// script element.
    static func comment(_ text: String) -> String {
        let line = text.unicodeScalars.map { $0.isInvisible ? " " : String($0) }.joined()
        return harmless(line, "< ").split(separator: " ").joined(separator: " ")
    }

    /// Replaces each `<` that could begin a comment, or the start or end of a script, in HTML.
    private static func harmless(_ text: String, _ less: String) -> String {
        ["/", "!", "s", "S"].reduce(text) { $0.replacing("<\($1)", with: less + $1) }
    }
}

extension Unicode.Scalar {
    /// Whether source code must not contain the character as it is: it ends lines, controls a terminal,
    /// or changes the direction of text.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

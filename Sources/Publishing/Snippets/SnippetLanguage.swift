package import Platform
import Tilesets

/// A programming language of snippets.
enum SnippetLanguage: Sendable {
    /// The languages.
    case swift, objectiveC, kotlin, javaScript, dart, json

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
            case "$" where self == .kotlin || self == .dart: escaped += "\\$"
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
        case .swift, .dart: "\\u{\(String(scalar.value, radix: 16))}"
        // The bytes of its UTF-8: C has no names for control characters.
        case .objectiveC:
            String(scalar).utf8.map { "\\" + Self.digits(Int($0), radix: 8, count: 3) }.joined()
        case .kotlin, .javaScript, .json:
            String(scalar).utf16.map { "\\u" + Self.digits(Int($0), radix: 16, count: 4) }.joined()
        }
    }

    private static func digits(_ number: Int, radix: Int, count: Int) -> String {
        let text = String(number, radix: radix)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// The arguments that open tiles with the library.
    ///
    /// - Parameter text: the address with its version, and `{-y}` for rows from the south.
    func opening(_ address: ClientAddress, _ text: String) -> String {
        let folder = "Bundle.main.resourceURL"
        return switch (self, address.kind) {
        case (.swift, .tiles): "tiles: " + literal(text)
        case (.swift, .archive): "URL(string: \(literal(text)))!"
        case (.swift, .localTiles): "tiles: \(literal(text)), in: \(folder)"
        case (.swift, .localArchive): "URL(string: \(literal(text)), relativeTo: \(folder))!"
        case (.kotlin, .localTiles), (.kotlin, .localArchive): literal("asset:" + text)
        default: literal(text)
        }
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

extension SnippetLanguage {
    /// An expression for the address of the tile `x`, `y`, `zoom`; `y` counts from the north.
    func expression(_ address: AddressTemplate) -> String {
        let row = address.countsFromSouth ? rowFromSouth : "y"
        if self == .objectiveC { return format(address.text, row: row) }
        let isSwift = self == .swift
        let expressions: [Substring: String] = [
            "z": "zoom", "x": "x", "y": row,
            "quadkey": isSwift ? "quadkey(x: x, y: y, zoom: zoom)" : "quadkey",
        ]
        let text = escaped(address.text).replacing(/\{(z|x|y|quadkey)\}/) { mark in
            let expression = expressions[mark.1] ?? ""
            return isSwift ? "\\(\(expression))" : "${\(expression)}"
        }
        return self == .javaScript ? "`\(text)`" : "\"\(text)\""
    }

    private var rowFromSouth: String {
        switch self {
        case .objectiveC: "((NSUInteger)1 << zoom) - 1 - y"
        case .javaScript: "2 ** zoom - 1 - y"
        default: "(1 << zoom) - 1 - y"
        }
    }

    private func format(_ address: String, row: String) -> String {
        let expressions: [Substring: String] = [
            "z": "(unsigned long)zoom", "x": "(unsigned long)x", "y": "(unsigned long)(\(row))",
            "quadkey": "[self quadkeyForX:x y:y zoom:zoom]",
        ]
        var arguments = ""
        let format = escaped(address).replacing("%", with: "%%").replacing(/\{(z|x|y|quadkey)\}/) { mark in
            arguments += ", " + (expressions[mark.1] ?? "")
            return mark.1 == "quadkey" ? "%@" : "%lu"
        }
        return "[NSString stringWithFormat:@\"\(format)\"\(arguments)]"
    }
}

/// The name of a snippet's main type.
package enum SnippetTypeName {
    /// Words that begin with a capital letter and are reserved in one of the languages.
    private static let reserved: Set<String> = ["Any", "Class", "Protocol", "Self", "Type"]

    /// Refuses a name that cannot be the name of a type in all languages.
    ///
    /// - Throws: `.usage`.
    package static func check(_ name: String) throws(Failure) {
        let isName =
            name.first.map { ("A"..."Z").contains($0) } == true
            && name.unicodeScalars.allSatisfy { isLetter($0) || isDigit($0) || $0 == "_" }
        if isName, !reserved.contains(name) { return }
        throw Failure(
            .usage, "'\(name)' cannot be the name of a type",
            remedy: "use letters from A to Z and digits, and begin with a capital, as in HarbourMall")
    }

    /// The name for a floor's tiles: `Floor1Tiles`, or `PlanTiles` without a floor. Snippets of several
    /// floors can be used together.
    static func ofTileset(floor: String?) -> String {
        guard let floor else { return "PlanTiles" }
        return "Floor\(floor.unicodeScalars.map { spelled($0) ?? "_" }.joined())Tiles"
    }

    /// The name for a building's floors: `HarbourMallFloors`. A character other than letters and digits ends
    /// a word.
    package static func ofBuilding(_ name: String) -> String {
        let words = name.unicodeScalars.split { spelled($0) == nil }.map { word in
            let letters = word.compactMap(spelled).joined()
            return letters.prefix(1).uppercased() + letters.dropFirst()
        }
        let text = words.joined()
        let isStart = text.unicodeScalars.first.map(isLetter) == true
        return (isStart ? "" : "Building") + text + "Floors"
    }

    /// A character as a part of a name, beyond ASCII by its number; nil for signs.
    private static func spelled(_ scalar: Unicode.Scalar) -> String? {
        if !scalar.isASCII { return "u" + String(scalar.value, radix: 16) }
        return isLetter(scalar) || isDigit(scalar) ? String(scalar) : nil
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.properties.isAlphabetic
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

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
        if self == .objectiveC { return format(address, row: row) }
        let quote = self == .javaScript ? "`" : "\""
        return quote
            + address.parts.map { part in
                switch part {
                case .literal(let text): escaped(text)
                case .zoom: inserted("zoom")
                case .column: inserted("x")
                case .row: inserted(row)
                case .quadkey: inserted(quadkeyCall)
                }
            }.joined() + quote
    }

    private func inserted(_ expression: String) -> String {
        self == .swift ? "\\(\(expression))" : "${\(expression)}"
    }

    private var rowFromSouth: String {
        switch self {
        case .swift, .kotlin, .dart: "(1 << zoom) - 1 - y"
        case .objectiveC: "((NSUInteger)1 << zoom) - 1 - y"
        case .javaScript, .json: "2 ** zoom - 1 - y"
        }
    }

    private var quadkeyCall: String {
        switch self {
        case .swift: "Self.quadkey(x: x, y: y, zoom: zoom)"
        case .objectiveC: "[self quadkeyForX:x y:y zoom:zoom]"
        default: "quadkey(x, y, zoom)"
        }
    }

    private func format(_ address: AddressTemplate, row: String) -> String {
        var format = ""
        var arguments: [String] = []
        func add(_ specifier: String, _ argument: String) {
            format += specifier
            arguments.append(argument)
        }
        for part in address.parts {
            switch part {
            case .literal(let text): format += escaped(text).replacing("%", with: "%%")
            case .zoom: add("%lu", "(unsigned long)zoom")
            case .column: add("%lu", "(unsigned long)x")
            case .row: add("%lu", "(unsigned long)(\(row))")
            case .quadkey: add("%@", quadkeyCall)
            }
        }
        return "[NSString stringWithFormat:\((["@\"\(format)\""] + arguments).joined(separator: ", "))]"
    }

    /// A function that makes a quadkey: a digit per zoom from the top, 0 NW, 1 NE, 2 SW, 3 SE.
    ///
    /// - Parameter type: the name of the snippet's main type.
    func quadkeyFunction(of type: String) -> [String] {
        let code =
            switch self {
            case .swift:
                #"""

                extension \#(type) {
                    /// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.
                    nonisolated fileprivate static func quadkey<Number: BinaryInteger>(
                        x: Number, y: Number, zoom: Number
                    ) -> String {
                        (0..<Int(zoom)).reversed()
                            .map { "\((x >> $0 & 1) | (y >> $0 & 1) << 1)" }.joined()
                    }
                }
                """#
            case .objectiveC:
                """

                /// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.
                + (NSString *)quadkeyForX:(NSUInteger)x y:(NSUInteger)y zoom:(NSUInteger)zoom {
                    NSMutableString *key = [NSMutableString string];
                    for (NSUInteger bit = zoom; bit-- > 0;) {
                        NSUInteger digit = (x >> bit & 1) | (y >> bit & 1) << 1;
                        [key appendFormat:@"%lu", (unsigned long)digit];
                    }
                    return key;
                }
                """
            // Their libraries make quadkeys.
            case .kotlin, .dart, .json: ""
            case .javaScript:
                """

                // The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.
                function quadkey(x, y, zoom) {
                  let key = "";
                  for (let bit = zoom - 1; bit >= 0; bit--) key += (x >> bit & 1) | (y >> bit & 1) << 1;
                  return key;
                }
                """
            }
        return code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
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

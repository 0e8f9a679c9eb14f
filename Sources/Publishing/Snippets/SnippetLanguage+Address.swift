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
        case .swift: "(1 << zoom) - 1 - y"
        case .objectiveC: "((NSUInteger)1 << zoom) - 1 - y"
        case .kotlin: "(1 shl zoom) - 1 - y"
        case .javaScript: "2 ** zoom - 1 - y"
        }
    }

    private var quadkeyCall: String {
        switch self {
        case .swift: "Self.quadkey(x: x, y: y, zoom: zoom)"
        case .objectiveC: "[self quadkeyForX:x y:y zoom:zoom]"
        case .kotlin, .javaScript: "quadkey(x, y, zoom)"
        }
    }

    private func format(_ address: AddressTemplate, row: String) -> String {
        var format = ""
        var arguments: [String] = []
        for part in address.parts {
            switch part {
            case .literal(let text): format += escaped(text).replacing("%", with: "%%")
            case .zoom: arguments.append("(unsigned long)zoom")
            case .column: arguments.append("(unsigned long)x")
            case .row: arguments.append("(unsigned long)(\(row))")
            case .quadkey: arguments.append(quadkeyCall)
            }
            switch part {
            case .literal: break
            case .quadkey: format += "%@"
            default: format += "%lu"
            }
        }
        return "[NSString stringWithFormat:"
            + (["@\"\(format)\""] + arguments)
            .joined(separator: ", ") + "]"
    }

    /// A function that makes a quadkey: a digit per zoom from the top, 0 NW, 1 NE, 2 SW, 3 SE.
    ///
    /// - Parameter type: the name of the snippet's main type.
    func quadkeyFunction(of type: String) -> [String] {
        switch self {
        case .swift:
            [
                "",
                "extension \(type) {",
                "    /// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.",
                "    fileprivate static func quadkey<Number: BinaryInteger>(",
                "        x: Number, y: Number, zoom: Number",
                "    ) -> String {",
                "        (0..<Int(zoom)).reversed()",
                "            .map { \"\\((x >> $0 & 1) | (y >> $0 & 1) << 1)\" }.joined()",
                "    }",
                "}",
            ]
        case .objectiveC:
            [
                "",
                "/// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.",
                "+ (NSString *)quadkeyForX:(NSUInteger)x y:(NSUInteger)y zoom:(NSUInteger)zoom {",
                "    NSMutableString *key = [NSMutableString string];",
                "    for (NSUInteger bit = zoom; bit-- > 0;) {",
                "        NSUInteger digit = (x >> bit & 1) | (y >> bit & 1) << 1;",
                "        [key appendFormat:@\"%lu\", (unsigned long)digit];",
                "    }",
                "    return key;",
                "}",
            ]
        case .kotlin:
            [
                "",
                "/** The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE. */",
                "private fun quadkey(x: Int, y: Int, zoom: Int): String =",
                "    (zoom - 1 downTo 0).joinToString(\"\") {",
                "        ((x shr it and 1) or (y shr it and 1 shl 1)).toString()",
                "    }",
            ]
        case .javaScript:
            [
                "",
                "// The address in one word: a digit per zoom, 0 NW, 1 NE, 2 SW, 3 SE.",
                "function quadkey(x, y, zoom) {",
                "  let key = \"\";",
                "  for (let bit = zoom - 1; bit >= 0; bit--) key += (x >> bit & 1) | (y >> bit & 1) << 1;",
                "  return key;",
                "}",
            ]
        }
    }
}

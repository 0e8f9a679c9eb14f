import Tilesets

/// A JSON document to write. Members keep their order and numbers keep their digits.
indirect enum JSONValue: Hashable, Sendable {
    /// A text.
    case string(String)
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A finite number, with as many digits as tell it from others.
    case number(Double)
    /// Degrees, as a decimal fraction.
    case degrees(PublishedDegrees)
    /// Values in order.
    case array([JSONValue])
    /// Named values in order.
    case object([Member])

    /// A name and its value.
    struct Member: Hashable, Sendable {
        /// The name; unique in its object.
        var name: String
        /// The value.
        var value: JSONValue

        /// Pairs a name with a value.
        init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value as a text by itself: strings without quotes, arrays without brackets.
    var text: String {
        switch self {
        case .string(let text): text
        case .array(let values): values.map(\.text).joined(separator: ",")
        case .boolean, .integer, .number, .degrees, .object: compact
        }
    }

    /// An object as a file in UTF-8: a line per member, a line per object in an array, and a final
    /// line feed.
    static func file(_ members: [Member]) -> [UInt8] {
        let lines = members.map { "  " + quoted($0.name) + ": " + $0.value.tabulated }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
    }

    /// The value as it follows a name: objects in an array on lines of their own.
    private var tabulated: String {
        guard case .array(let values) = self, case .object = values.first else { return compact }
        return "[\n" + values.map { "    " + $0.compact }.joined(separator: ",\n") + "\n  ]"
    }

    private var compact: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .boolean(let value): String(value)
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .degrees(let degrees): degrees.description
        case .array(let values): "[\(values.map(\.compact).joined(separator: ", "))]"
        case .object(let members):
            "{"
                + members.map { "\(Self.quoted($0.name)): \($0.value.compact)" }
                .joined(separator: ", ") + "}"
        }
    }

    /// A text between quotes, escaped as RFC 8259, section 7, requires.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

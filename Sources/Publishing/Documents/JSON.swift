package import Tilesets
package import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A JSON document to write. Members keep their order and numbers keep their digits.
package indirect enum JSONValue: Sendable {
    /// A text.
    case string(String)
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A finite number, with the fewest digits that distinguish it from others.
    case number(Double)
    /// Degrees, as a decimal fraction.
    case degrees(PublishedDegrees)
    /// Values in order.
    case array([JSONValue])
    /// Named values in order.
    case object([Member])

    /// A name, unique in its object, and its value.
    package typealias Member = (name: String, value: JSONValue)

    /// The list of both coordinates.
    package init(_ point: Point) { self = .array([.number(point.x), .number(point.y)]) }

    /// Named values in order, without those that are nil.
    static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> [Member] {
        pairs.compactMap { name, value in value.map { (name, $0) } }
    }

    /// An object of named values in order, without those that are nil.
    package static func record(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members(pairs))
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

    /// The value on one line.
    package var compact: String {
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

/// A JSON value that was read.
indirect enum ParsedJSON: Decodable, Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in order.
    case array([ParsedJSON])
    /// Named values. Of members with the same name, one is kept.
    case object([String: ParsedJSON])

    /// Reads a value. A type that does not fit costs an error, so the most frequent are tried first: numbers.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let values = try? container.decode([ParsedJSON].self) {
            self = .array(values)
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else {
            self = .object(try container.decode([String: ParsedJSON].self))
        }
    }

    /// The maximum number of bytes of a string that is read as a list: four numbers, or some names.
    private static let longestList = 1 << 12

    /// The text of a string; nil for other values.
    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The members of an array, or the parts of a string with commas between them, as in rows of MBTiles
    /// and in archives made from them; nil for other values, and for long strings.
    var list: [ParsedJSON]? {
        switch self {
        case .array(let values): values
        case .string(let text) where text.utf8.count <= Self.longestList:
            text.split { $0 == "," || $0 == " " }.map { ParsedJSON.string(String($0)) }
        default: nil
        }
    }

    /// The number, which may be written as a string; nil for other values.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    /// The whole number, which may be written as a string; nil for other values.
    var integer: Int? { number.flatMap { Int(exactly: $0) } }

    /// Reads a document; nil if it is not JSON, or has too many values.
    init?(parsing document: some Sequence<UInt8>) {
        guard ReadingBudget.isShort(document),
            let value = try? JSONDecoder().decode(ParsedJSON.self, from: Data(document))
        else { return nil }
        self = value
    }
}

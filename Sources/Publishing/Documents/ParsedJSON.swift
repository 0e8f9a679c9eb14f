import Tilesets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value of JSON as it was read.
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
    /// Named values; of members with one name, one is kept.
    case object([String: ParsedJSON])

    /// Reads a value. A type that does not fit costs an error, so that those come first of which documents have
    /// most: numbers, as in limits of tiles.
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

    /// Bytes of a string that is a list: of four numbers, or some names.
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
}

extension ParsedJSON {
    /// Reads a document; nil if it is not JSON, or has too many values.
    init?(parsing document: some Sequence<UInt8>) {
        guard ReadingBudget.isShort(document),
            let value = try? JSONDecoder().decode(ParsedJSON.self, from: Data(document))
        else { return nil }
        self = value
    }
}

package import Platform

/// A node of a YAML document, with its place in the text.
package struct YAMLNode: Sendable {
    /// What a node is.
    package enum Content: Sendable {
        /// A text as it is written: `01` is not a number here, and `no` is not false.
        case scalar(String, isPlain: Bool)
        /// Nodes in their order.
        case sequence([YAMLNode])
        /// Pairs in the order of the text; no two have the same key.
        case mapping([Pair])
    }

    /// A key with its value.
    package struct Pair: Sendable {
        /// The key: a scalar.
        package var key: String
        /// Where the key is.
        package var mark: YAMLMark
        /// What it names.
        package var value: YAMLNode
    }

    /// What it is.
    package var content: Content
    /// Where it begins. The node of an alias begins at its anchor.
    package var mark: YAMLMark
    /// The number of nodes in it and itself, those of aliases each time that they occur.
    let count: Int

    /// The value of a key; nil if there is none, or if this is not a mapping.
    package subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key == key }?.value
    }
}

/// The limits of a document: far more than people write, and nothing that costs much.
package struct YAMLLimits: Sendable {
    /// The deepest nesting of sequences and mappings.
    package var depth = 32
    /// The most nodes, those of aliases each time that they occur.
    package var nodes = 100_000

    /// Takes the limits above.
    package init() {}
}

extension YAMLNode {
    /// Reads a text of one document, in UTF-8.
    ///
    /// Keys are scalars, and no mapping has one twice. `<<` takes over the pairs of another mapping. Tags
    /// are those of the YAML 1.2 core schema, and change nothing. An alias costs nothing: its nodes are shared.
    ///
    /// - Throws: `.badInput` that begins with the line and the column.
    package init(
        parsing bytes: [UInt8], limits: YAMLLimits = YAMLLimits()
    ) throws(Failure) {
        var composer = YAMLComposer(bytes, limits: limits)
        self = try composer.document()
    }
}

extension Failure {
    /// Damaged text.
    init(yaml message: String, at mark: YAMLMark, remedy: String? = nil) {
        self.init(.badInput, "\(mark): \(message)", remedy: remedy)
    }
}

/// A place in a text, as editors count.
package struct YAMLMark: Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The character in the line, from 1: a Unicode scalar.
    package var column: Int

    /// The beginning.
    package static let start = YAMLMark(line: 1, column: 1)

    /// Makes a mark.
    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    /// The place behind some bytes. Bytes that do not begin a character count with the one before them.
    init(after bytes: some Sequence<UInt8>) {
        self = .start
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

extension YAMLMark: CustomStringConvertible {
    /// `7:13`, as compilers write it.
    package var description: String { "\(line):\(column)" }
}

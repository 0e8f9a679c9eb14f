package import Platform

/// A node of a YAML document, with its position in the text.
package struct YAMLNode: Sendable {
    /// The kinds of nodes, with their values.
    package enum Content: Sendable {
        /// A scalar as written: `01` is not converted to a number, nor `no` to false.
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
        /// The position of the key.
        package var mark: YAMLMark
        /// The value.
        package var value: YAMLNode
    }

    /// The kind and the value.
    package var content: Content
    /// The position of its beginning; for an alias, that of the anchor.
    package var mark: YAMLMark
    /// The number of nodes in it, including itself; nodes of aliases count each time.
    let count: Int

    /// The value of a key; nil if there is none, or if this is not a mapping.
    package subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key == key }?.value
    }
}

/// The limits of a document: far larger than what people write, but still cheap to read.
package struct YAMLLimits: Sendable {
    /// The deepest nesting of sequences and mappings.
    package var depth = 32
    /// The maximum number of nodes; nodes of aliases count each time.
    package var nodes = 100_000

    /// Makes the default limits.
    package init() {}
}

extension YAMLNode {
    /// Parses a text with one document, in UTF-8.
    ///
    /// Keys are scalars, each only once in a mapping. `<<` merges the pairs of another mapping. Only tags of
    /// the YAML 1.2 core schema are allowed, and they have no effect. An alias takes no memory, since its
    /// nodes are shared.
    ///
    /// - Throws: `.badInput`, whose message begins with the line and the column.
    package init(
        parsing bytes: [UInt8], limits: YAMLLimits = YAMLLimits()
    ) throws(Failure) {
        var composer = YAMLComposer(bytes, limits: limits)
        self = try composer.document()
    }
}

extension Failure {
    /// Makes the failure for an invalid text.
    init(yaml message: String, at mark: YAMLMark, remedy: String? = nil) {
        self.init(.badInput, "\(mark): \(message)", remedy: remedy)
    }
}

/// A position in a text, counted as in editors.
package struct YAMLMark: Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in Unicode scalars.
    package var column: Int

    /// The beginning.
    package static let start = YAMLMark(line: 1, column: 1)

    /// Makes a mark.
    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    /// The position after some bytes. UTF-8 continuation bytes do not count as columns.
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
    /// The position as in compiler messages: `7:13`.
    package var description: String { "\(line):\(column)" }
}

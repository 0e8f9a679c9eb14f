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

    /// The place that so many bytes stand before. Bytes that begin no character count with the one
    /// before them.
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

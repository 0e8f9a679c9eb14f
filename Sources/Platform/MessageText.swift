extension Double {
    /// The number with a fixed count of decimals, like C's `%.*f`.
    package func text(decimals: Int) -> String {
        var buffer = [CChar](repeating: 0, count: 400)
        let count = withVaList([Int32(decimals), self]) { vsnprintf(&buffer, buffer.count, "%.*f", $0) }
        return String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The number as a decimal fraction without trailing zeros: `-0.13`, `51`; never `-0`, no exponent.
    ///
    /// - Parameter decimals: the maximum number of decimals, at least one.
    package func text(upTo decimals: Int) -> String {
        var text = text(decimals: decimals)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// The shortest text that identifies the number: `300`, `0.25`, `-3.4e+38`.
    package var shortText: String {
        if self == rounded(), abs(self) < 1e15 { return text(decimals: 0) }
        return "\(self)"
    }

    /// A large count for people, in the units that options take: `20.0G`, `1.5M`, `640`.
    package var countText: String {
        let units = [(1e12, "T"), (1e9, "G"), (1e6, "M")]
        for (size, name) in units where self >= size {
            return (self / size).text(decimals: 1) + name
        }
        return text(decimals: 0)
    }
}

extension Int {
    /// A count of bytes for people, in decimal units: `13.7 MB`.
    package var byteText: String {
        let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")]
        for (size, name) in units where self >= size {
            return "\((Double(self) / Double(size)).text(decimals: 1)) \(name)"
        }
        return "\(self) bytes"
    }

    /// A count with its noun, in the plural if needed: `1 tile`, `2 tiles`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension String {
    /// The text, aligned right in a column.
    package func aligned(right width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// The text, aligned left in a column.
    package func aligned(left width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

extension Sequence<String> {
    /// The words in a sentence: `a, b or c`.
    ///
    /// - Parameter conjunction: the word before the last one.
    package func listed(_ conjunction: String) -> String {
        let words = Array(self)
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}

extension String {
    /// The text on one line, shortened for a message.
    ///
    /// - Parameters:
    ///   - most: the number of Unicode scalars that are kept; "..." is added to a shortened text.
    ///   - ending: how many of them are kept from the end.
    package func excerpt(_ most: Int = 40, ending: Int = 0) -> String {
        guard unicodeScalars.count > most else { return String(Substring(self).unicodeScalars.onOneLine) }
        return String(unicodeScalars.prefix(most - ending).onOneLine) + "..."
            + String(unicodeScalars.suffix(ending).onOneLine)
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var onOneLine: String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        for scalar in self {
            scalars.append(scalar.properties.isControl ? " " : scalar)
        }
        return scalars
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it is a control character, NUL and line feed among them.
    package var isControl: Bool { generalCategory == .control }
}

/// The word that was probably meant.
package enum NearestWord {
    /// The known word with the smallest edit distance to the text: at most one edit per three letters, and
    /// never more than three; one is always allowed. Otherwise nil.
    package static func of(_ text: String, among words: [String]) -> String? {
        let written = Array(text.lowercased().unicodeScalars)
        guard written.count <= 40 else { return nil }
        let most = min(3, max(1, written.count / 3))
        return words.map { ($0, slips(written, Array($0.unicodeScalars))) }
            .filter { $0.1 <= most }.min { $0.1 < $1.1 }?.0
    }

    /// The optimal string alignment distance: the number of letters to add, remove, change, or swap with the
    /// next one.
    private static func slips(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var rows = [Array(0...second.count)]
        for row in 1..<first.count + 1 {
            var next = [row]
            for column in 1..<second.count + 1 {
                let isSame = first[row - 1] == second[column - 1]
                var least = min(
                    rows[row - 1][column] + 1, next[column - 1] + 1,
                    rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, first[row - 1] == second[column - 2],
                    first[row - 2] == second[column - 1]
                {
                    least = min(least, rows[row - 2][column - 2] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[first.count][second.count]
    }
}

/// Quotes words for the shell commands in error messages.
package enum ShellWord {
    /// The word, quoted if the shell needs it.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(plainBytes.contains) { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }

    private static let plainBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./".utf8)

    /// The path without its extension.
    package static func stem(of path: String) -> String { path.splitExtension.stem }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

import Platform
import YAML

/// The keys of a mapping of a manifest, with their lines, to be changed one by one.
struct ManifestKeys: Sendable {
    /// A key with its lines.
    private struct Part {
        let key: String
        /// The value as YAML in one line.
        var value: String
        /// The value, if it is one text.
        var text: String?
        /// The lines; the first one without its indentation.
        var lines: [String]
        /// Comments and empty lines after them.
        var rest: [String] = []
        /// Whether the value ends in the first line and has no quotes, so that `#` begins a comment.
        var mayHaveComment = false
    }

    /// The lines before the first key.
    var head: [String] = []
    /// Whether a key was changed, added or removed.
    private(set) var isChanged = false
    /// Whether each key has its own lines, as in block style.
    private(set) var hasLines = true
    /// The number of the line of the first key, from 0, and what is before it there in Unicode scalars.
    let (line, indentation): (Int, Int)
    private var parts: [Part] = []

    /// No keys yet.
    init() { (line, indentation) = (0, 0) }

    /// The keys of a mapping.
    ///
    /// - Parameters:
    ///   - lines: all lines of the text.
    ///   - end: the number of the line after the mapping, from 0.
    init(_ pairs: [YAMLNode.Pair], lines: [String], upTo end: Int) {
        let starts = pairs.map { $0.mark.line - 1 } + [end]
        let column = pairs.first?.mark.column ?? 1
        (line, indentation) = (starts[0], column - 1)
        hasLines =
            pairs.allSatisfy { $0.mark.column == column }
            && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 } && end <= lines.count
        for (index, pair) in pairs.enumerated() {
            var part = Part(key: pair.key, value: ManifestText.flow(pair.value), lines: [])
            if case .scalar(let text, _) = pair.value.content { part.text = text }
            if hasLines {
                let all = lines[starts[index]..<starts[index + 1]]
                let count = all.reversed().prefix { $0.isComment(indentedBy: column - 1) }.count
                part.lines = Array(all.dropLast(count))
                part.rest = Array(all.suffix(count))
                part.mayHaveComment = part.lines.count == 1 && !part.lines[0].contains { "\"'".contains($0) }
                if let first = part.lines.first {
                    part.lines[0] = String(first.unicodeScalars.dropFirst(column - 1))
                }
            }
            parts.append(part)
        }
    }

    /// The names of the keys in their order.
    var names: [String] { parts.map(\.key) }

    /// The values as YAML in one line, by key.
    var values: [String: String] { Dictionary(uniqueKeysWithValues: parts.map { ($0.key, $0.value) }) }

    /// The text of a value; nil if there is no such key, or if the value is not one text.
    func text(_ key: String) -> String? { parts.first { $0.key == key }?.text }

    /// Changes, adds or removes a key.
    ///
    /// - Parameters:
    ///   - value: the value as YAML in one line; nil to remove the key.
    ///   - text: the text of the value, if it is one.
    ///   - next: the key before which a new key is written, if that is the last one.
    mutating func set(_ key: String, _ value: String?, text: String?, before next: String? = nil) {
        guard let index = parts.firstIndex(where: { $0.key == key }) else {
            return add(key, value, text: text, before: next)
        }
        if parts[index].value == value || (text != nil && parts[index].text == text) { return }
        isChanged = true
        guard let value else {
            let rest = parts.remove(at: index).rest
            if index > 0 { parts[index - 1].rest += rest } else { head += rest }
            return
        }
        let comment = parts[index].mayHaveComment ? parts[index].lines[0].comment : ""
        (parts[index].value, parts[index].text) = (value, text)
        parts[index].lines = ["\(key): \(value)\(comment)"]
        parts[index].mayHaveComment = false
    }

    private mutating func add(_ key: String, _ value: String?, text: String?, before next: String?) {
        guard let value else { return }
        isChanged = true
        var part = Part(key: key, value: value, text: text, lines: ["\(key): \(value)"])
        guard parts.count > 1, parts.last?.key == next else { return parts.append(part) }
        // The comments before the last key stay there.
        let index = parts.count - 1
        swap(&part.rest, &parts[index - 1].rest)
        parts.insert(part, at: index)
    }

    /// The number of lines of a key, without comments after them.
    func lineCount(of key: String) -> Int { parts.first { $0.key == key }?.lines.count ?? 0 }

    /// Takes the comments and empty lines at the end that are indented less than the keys.
    mutating func takeEnd() -> [String] {
        guard let last = parts.indices.last else { return [] }
        let count = parts[last].rest.reversed()
            .prefix { $0[...].trimmed.isEmpty || $0.indentation < indentation }.count
        defer { parts[last].rest.removeLast(count) }
        return parts[last].rest.suffix(count)
    }

    /// The lines, from the first key on.
    ///
    /// - Parameters:
    ///   - first: what is before the first key in its line.
    ///   - indentation: the spaces before the other keys.
    ///   - written: the lines of a key that are made elsewhere; nil for the others.
    func lines(first: String = "", indentation: Int = 0, written: (String) -> [String]? = { _ in nil })
        -> [String]
    {
        let indent = String(repeating: " ", count: indentation)
        return parts.enumerated().flatMap { index, part in
            var own = hasLines && !part.lines.isEmpty ? part.lines : ["\(part.key): \(part.value)"]
            own[0] = (index == 0 ? first : indent) + own[0]
            return (written(part.key) ?? own) + part.rest
        }
    }

    /// The keys, each in one line.
    var plain: [(key: String, value: String)] { parts.map { ($0.key, $0.value) } }
}

extension String {
    /// The number of spaces at the beginning.
    var indentation: Int { prefix { $0 == " " }.count }

    /// Whether it is empty or a comment that is not part of a text.
    ///
    /// - Parameter most: the indentation of the keys; texts of several lines are indented more.
    func isComment(indentedBy most: Int) -> Bool {
        let text = self[...].trimmed
        return text.isEmpty || text.hasPrefix("#") && indentation <= most
    }

    /// The comment at the end of a line without quotes, with the spaces before it.
    fileprivate var comment: Substring {
        guard let start = firstRange(of: " #")?.lowerBound else { return "" }
        return self[(self[..<start].lastIndex { $0 != " " }.map { index(after: $0) } ?? start)...]
    }
}

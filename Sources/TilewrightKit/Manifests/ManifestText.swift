import Platform
import YAML

/// The text of a building's manifest, changed key by key. What is not changed stays as a person wrote it, with
/// its comments.
///
/// Keys of a mapping in braces have no lines of their own: when one is changed, all are rewritten. If the
/// kept lines would mean something else, as when another line needs an anchor that is gone, everything but the
/// comments at the beginning is rewritten.
struct ManifestText: Sendable {
    /// A floor of the list.
    struct Floor: Sendable {
        fileprivate var keys = ManifestKeys()
        /// The lines as they were read; nil if the floor is new, or shares its lines with others.
        fileprivate var lines: [String]?
        /// What is before the first key in its line.
        fileprivate var dash: String?
        /// The place in the list as it was read.
        fileprivate var place: Int?
        /// The only image, if it is in a list.
        private var image: String?
        /// Whether it consists of several images.
        fileprivate(set) var hasSeveralImages = false

        /// A new floor.
        init() {}

        /// The text of a value; nil if there is no such key, or if the value is not one text.
        subscript(key: String) -> String? {
            get { keys.text(key) ?? (key == "image" ? image : nil) }
            set { keys.set(key, newValue.map(ManifestText.scalar), text: newValue) }
        }

        /// Whether it has one of some keys.
        func has(_ names: [String]) -> Bool { keys.names.contains { names.contains($0) } }

        /// Changes or removes a key.
        ///
        /// - Parameter value: the value as YAML in one line; nil to remove the key.
        mutating func set(_ key: String, _ value: String?) { keys.set(key, value, text: nil) }

        fileprivate init(_ node: YAMLNode, place: Int, lines: [String], upTo end: Int) throws(Failure) {
            guard case .mapping(let pairs) = node.content else { throw ManifestText.notKeys }
            keys = ManifestKeys(pairs, lines: lines, upTo: end)
            self.place = place
            guard let value = node["image"], case .sequence(let images) = value.content else { return }
            hasSeveralImages = images.count > 1
            if images.count == 1, case .scalar(let text, _) = images[0].content { image = text }
        }

        /// Takes its lines.
        ///
        /// - Returns: comments and empty lines at the end that belong to what follows.
        fileprivate mutating func takeLines(_ all: ArraySlice<String>) -> [String] {
            var rest = keys.takeEnd()
            if !keys.hasLines { rest = all.reversed().prefix { $0.isComment(indentedBy: .max) }.reversed() }
            lines = Array(all.dropLast(rest.count))
            if keys.hasLines, keys.line == all.startIndex {
                dash = String(all[keys.line].unicodeScalars.prefix(keys.indentation))
            }
            return rest
        }

        fileprivate func written(dash standard: String) -> [String] {
            if let lines, !keys.isChanged { return keys.head + lines }
            let first = dash ?? standard
            return keys.head + keys.lines(first: first, indentation: first.unicodeScalars.count)
        }
    }

    /// The floors in the order of the text.
    var floors: [Floor] = []

    private var top: ManifestKeys
    /// The comments at the beginning.
    private var head: [String]
    /// The lines of the list as they were read.
    private var list: [String] = []
    /// Those before the first floor, and those after the last.
    private var (before, after) = (["floors:"], [String]())
    /// The number of floors as they were read; nil if there was no list.
    private var count: Int?
    /// What is before the first key of a new floor.
    private var dash = "  - "
    private var lineEnd = "\n"
    private var source: [UInt8]?

    private static let floorsKey = "floors"
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A new manifest that begins with comments.
    init(comments: [String]) {
        head = comments.map { $0.isEmpty ? "#" : "# \($0)" }
        top = ManifestKeys()
        top.head = head
    }

    /// Reads a manifest.
    ///
    /// - Throws: `.badInput` if it is not YAML, or not the manifest of one building.
    init(parsing bytes: [UInt8]) throws(Failure) {
        let root = try YAMLNode(parsing: bytes)
        guard case .mapping(let pairs) = root.content else { throw Self.notKeys }
        source = bytes
        let text = String(
            decoding: bytes.dropFirst(bytes.starts(with: Self.byteOrderMark) ? 3 : 0), as: UTF8.self)
        if text.first(where: \.isNewline) == "\r\n" { lineEnd = "\r\n" }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last == "" { lines.removeLast() }
        // A new key cannot follow the end of the document.
        if let end = lines.lastIndex(where: { $0 == "..." || $0.hasPrefix("... ") }) {
            lines.removeSubrange(end...)
        }
        head = Array(lines.prefix { $0[...].trimmed.isEmpty || $0.hasPrefix("#") })
        top = ManifestKeys(pairs, lines: lines, upTo: lines.count)
        top.head = top.hasLines ? Array(lines[..<top.line]) : head
        guard let floors = pairs.firstIndex(where: { $0.key == Self.floorsKey }),
            case .sequence(let items) = pairs[floors].value.content
        else { return }
        let start = pairs[floors].mark.line - 1
        try readFloors(items, lines, start..<start + top.lineCount(of: Self.floorsKey))
    }

    /// Reads the list. Floors in block style have their lines; the others share those of the list.
    private mutating func readFloors(
        _ items: [YAMLNode], _ lines: [String], _ range: Range<Int>
    ) throws(Failure) {
        count = items.count
        let starts = items.map { $0.mark.line - 1 } + [range.upperBound]
        let hasLines =
            top.hasLines && starts.first ?? 0 > range.lowerBound
            && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }
            && starts.dropLast().allSatisfy { lines[$0][...].trimmed.hasPrefix("-") }
        for (index, item) in items.enumerated() {
            floors.append(
                try Floor(item, place: index, lines: hasLines ? lines : [], upTo: starts[index + 1]))
        }
        if top.hasLines { list = Array(lines[range]) }
        guard hasLines, let first = starts.first else { return }
        dash = String(repeating: " ", count: lines[first].indentation) + "- "
        before = Array(lines[range.lowerBound..<first])
        // Comments between two floors belong to the second one.
        for index in floors.indices {
            let others = floors[index].takeLines(lines[starts[index]..<starts[index + 1]])
            if index + 1 < floors.count { floors[index + 1].keys.head = others } else { after = others }
        }
    }

    fileprivate static let notKeys = Failure(.badInput, "a manifest is a mapping of keys, and so is a floor")

    /// The text of a key at the top; nil if there is none, or if it is not one text.
    subscript(key: String) -> String? {
        get { top.text(key) }
        set { top.set(key, newValue.map(Self.scalar), text: newValue, before: Self.floorsKey) }
    }

    /// Whether a key is at the top.
    func has(_ key: String) -> Bool { top.names.contains(key) }
}

// Writing

extension ManifestText {
    /// The text in UTF-8. It means what the keys and floors say; if nothing was changed, it is what was read.
    var bytes: [UInt8] {
        if let source, !top.isChanged, hasSameFloors { return source }
        let mark = source?.starts(with: Self.byteOrderMark) == true ? Self.byteOrderMark : []
        let kept = mark + text(top.head + keptLines)
        if let read = try? ManifestText(parsing: kept), read.meaning == meaning { return kept }
        return mark + text(head + plainLines)
    }

    private var hasSameFloors: Bool {
        floors.map(\.place) == (0..<(count ?? 0)).map { $0 } && !floors.contains(where: \.keys.isChanged)
    }

    private func text(_ lines: [String]) -> [UInt8] {
        Array((lines.joined(separator: lineEnd) + lineEnd).utf8)
    }

    private var keptLines: [String] {
        let written = hasSameFloors && !list.isEmpty ? list : listLines
        let lines = top.lines { $0 == Self.floorsKey ? written : nil }
        return lines + (count == nil ? written : [])
    }

    /// The list of the floors.
    private var listLines: [String] {
        if floors.isEmpty { return [] }
        return before + floors.flatMap { $0.written(dash: dash) } + after
    }

    /// Everything, one line for each key.
    private var plainLines: [String] {
        let floors = floors.flatMap { floor in
            floor.keys.plain.enumerated().map { "\($0 == 0 ? "  - " : "    ")\($1.key): \($1.value)" }
        }
        let list = floors.isEmpty ? [] : ["floors:"] + floors
        let lines = top.plain.flatMap { $0.key == Self.floorsKey ? list : ["\($0.key): \($0.value)"] }
        return lines + (count == nil ? list : [])
    }

    private struct Meaning: Equatable {
        var top: [String: String]
        var floors: [[String: String]]
    }

    private var meaning: Meaning {
        var values = top.values
        values[Self.floorsKey] = nil
        return Meaning(top: values, floors: floors.map(\.keys.values))
    }
}

// Values

extension ManifestText {
    /// A text as YAML: plain if it is only letters, digits and some marks, else in quotes. Quoted, too, if other
    /// programs would take it for a truth value, nothing, a date or an unusual number.
    static func scalar(_ text: String) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let isSimple = words.allSatisfy { word in
            !word.isEmpty && word.first != "-"
                && word.allSatisfy { $0.isLetter || $0.isNumber || "_./-".contains($0) }
        }
        let isNumber =
            text.wholeMatch(of: /0|-?[1-9][0-9]{0,14}|-?(0|[1-9][0-9]{0,14})\.[0-9]{0,14}[1-9]/) != nil
        if isNumber || isSimple && !isSpecial(text) { return text }
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
                quoted += "\\u" + hex(character.value)
            default:
                let isControl = character.value < 0x20 || 0x7F...0x9F ~= character.value
                quoted += isControl ? "\\u" + hex(character.value) : String(character)
            }
        }
        return quoted + "\""
    }

    /// Whether YAML 1.1 or 1.2 gives a plain text another meaning; all of 1.1 is read by most programs.
    private static func isSpecial(_ text: String) -> Bool {
        let words = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", ".inf", ".nan"]
        let digits = "0123456789abcdefoxABCDEFOX_.-"
        return words.contains(text.lowercased())
            || (text.first?.isASCII ?? false) && "0123456789.".contains(text.first ?? " ")
                && text.allSatisfy(digits.contains)
    }

    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// A node in one line.
    static func flow(_ node: YAMLNode) -> String {
        switch node.content {
        case .scalar(let text, let isPlain):
            // A truth value stays one.
            isPlain && isSpecial(text) ? text : scalar(text)
        case .sequence(let items): "[\(items.map(flow).joined(separator: ", "))]"
        case .mapping(let pairs):
            "{\(pairs.map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", "))}"
        }
    }
}

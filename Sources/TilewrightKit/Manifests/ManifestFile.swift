import Platform
import YAML

/// The text of a manifest as a tree, and errors with its lines and columns.
struct ManifestFile: Sendable {
    /// The maximum number of bytes: enough for ten thousand floors. Most manifests have a few kilobytes.
    static let largest = 1 << 20

    /// The path of the file.
    let path: String
    /// The tree.
    let root: YAMLNode

    /// Reads a file.
    ///
    /// - Throws: `.missingInput` if it does not exist, `.badInput` if it is not YAML.
    init(_ path: String) throws {
        try self.init(parsing: InputFile.bytes(of: path, atMost: Self.largest), path: path)
    }

    /// Reads the text of a file.
    ///
    /// - Throws: `.badInput` if it is not YAML.
    init(parsing bytes: [UInt8], path: String) throws {
        self.path = path
        do throws(Failure) { root = try YAMLNode(parsing: bytes) } catch {
            guard error.kind == .badInput else { throw error.inAttempt("read '\(path)'") }
            throw Failure(error.kind, "\(path):\(error.message)", remedy: error.remedy)
        }
    }

    /// The failure for a place in the file.
    func failure(
        _ message: String, at mark: YAMLMark, remedy: String? = nil, kind: Failure.Kind = .usage
    ) -> Failure {
        Failure(kind, "\(path):\(mark): \(message)", remedy: remedy)
    }

    /// The path, from the working folder, for a path in the file.
    func resolved(_ text: String) -> String {
        let folder = path.splitAtLastSlash.parent
        guard let folder, !text.hasPrefix("/"), !FarFiles.isAddress(text) else { return text }
        return "\(folder)/\(text)"
    }

    /// The pairs of a mapping.
    ///
    /// - Parameter name: the name of the mapping in the error.
    func pairs(of node: YAMLNode, as name: String) throws(Failure) -> [YAMLNode.Pair] {
        if case .mapping(let pairs) = node.content { return pairs }
        throw failure(
            "\(name) is a mapping of keys, but this is \(node.kindName)", at: node.mark,
            remedy: "write KEY: VALUE, with a space after the colon")
    }

    /// The settings of a mapping.
    ///
    /// - Parameters:
    ///   - name: the name of the mapping in the error.
    ///   - level: the level, which decides the allowed keys.
    /// - Throws: `.usage` for any other key, and for invalid values.
    func settings(
        of node: YAMLNode, as name: String, at level: ManifestKey.Level
    ) throws -> [ManifestSetting] {
        try pairs(of: node, as: name).map { pair in
            guard let key = ManifestKey.named(pair.key, at: level) else {
                let refusal = ManifestKey.refusal(of: pair.key, at: level)
                throw failure(refusal.message, at: pair.mark, remedy: refusal.remedy)
            }
            let value = ManifestValue(file: self, key: pair.key, node: pair.value)
            return ManifestSetting(key: key, value: value, change: try key.change(value))
        }
    }
}

/// A key with its value.
struct ManifestSetting: Sendable {
    let key: ManifestKey
    let value: ManifestValue
    /// The change that the value makes.
    let change: ManifestKey.Change
}

extension [ManifestSetting] {
    /// The value of a key.
    subscript(name: String) -> ManifestValue? { first { $0.key.name == name }?.value }
}

extension YAMLNode {
    /// The kind of the node, for messages.
    var kindName: String {
        switch content {
        case .scalar(let text, let isPlain): isPlain && text.isEmpty ? "empty" : "a string"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// A value of a manifest, with its place for errors.
struct ManifestValue: Sendable {
    let file: ManifestFile
    let key: String
    let node: YAMLNode

    /// The failure of the value.
    func failure(_ message: String, remedy: String? = nil, kind: Failure.Kind = .usage) -> Failure {
        file.failure(message, at: node.mark, remedy: remedy, kind: kind)
    }

    /// The failure of the value, for a given reason.
    func failure(_ reason: Failure) -> Failure {
        failure(reason.message.excerpt(240, ending: 100), remedy: reason.remedy)
    }

    /// The text as written.
    func text() throws(Failure) -> String {
        guard case .scalar(let text, let isPlain) = node.content else {
            throw failure(
                "'\(key)' takes one value, but this is \(node.kindName)",
                remedy: "quote a value that begins with { or [")
        }
        if isPlain, text.isEmpty {
            throw failure(
                "'\(key)' has no value",
                remedy: "add a value, or leave the key out; quote a value that begins with #")
        }
        return text
    }

    /// The values of a list; a single value is a list of one.
    func list() throws(Failure) -> [ManifestValue] {
        guard case .sequence(let items) = node.content else { return [self] }
        return items.map { ManifestValue(file: file, key: key, node: $0) }
    }

    /// A text with commas, or a list that is joined by commas.
    func joined() throws(Failure) -> String {
        var texts: [String] = []
        for item in try list() { texts.append(try item.text()) }
        return texts.joined(separator: ",")
    }

    /// A text that passes a check.
    func checked(by check: (String) throws -> Void) throws(Failure) -> String {
        let text = try text()
        try parsed(text, check)
        return text
    }

    /// The value, read by a parser of the command's options.
    func parsed<Result>(
        _ parse: (String) throws -> Result
    ) throws(Failure) -> Result {
        try parsed(text(), parse)
    }

    /// A text of the value, read by a parser of the command's options.
    func parsed<Result>(_ text: String, _ parse: (String) throws -> Result) throws(Failure) -> Result {
        do { return try parse(text) } catch {
            throw failure((error as? Failure) ?? Failure(.usage, "'\(text.excerpt())' cannot be read"))
        }
    }

    /// The value, read by a parser that takes a list of numbers.
    func parsedList<Result>(_ parse: (String) throws -> Result) throws(Failure) -> Result {
        let text = try joined()
        do { return try parsed(text, parse) } catch {
            guard !text.contains(",") else { throw error }
            // A comma ends a value within braces: many users write lists this way at first.
            throw Failure(
                error.kind, error.message,
                remedy: "within { }, write the list as \(key): [1, 2, 3, 4], or quote it")
        }
    }

    /// A whole number.
    func integer() throws(Failure) -> Int {
        let text = try text()
        guard let number = Int(text) else {
            throw failure("'\(key)' needs a whole number, not '\(text.excerpt())'")
        }
        return number
    }

    /// A number.
    func number() throws(Failure) -> Double {
        let text = try text()
        guard let number = Double(text), number.isFinite else {
            throw failure(
                "'\(key)' needs a number, not '\(text.excerpt())'",
                remedy: "write it with a dot for decimals")
        }
        return number
    }

    /// True or false.
    func flag() throws(Failure) -> Bool {
        try word(["true", "false"]) { $0 == "true" }
    }

    /// One of some words.
    func word<Word: RawRepresentable & CaseIterable>(
        _ type: Word.Type = Word.self
    ) throws(Failure) -> Word {
        let words = Word.allCases.map { "\($0.rawValue)" }
        return try word(words) { text in Word.allCases.first { "\($0.rawValue)" == text } }
    }

    /// One of some words.
    ///
    /// - Parameter read: the meaning of a word; nil if the word is unknown.
    func word<Result>(_ words: [String], _ read: (String) -> Result?) throws(Failure) -> Result {
        let text = try text()
        if words.contains(text), let result = read(text) { return result }
        let hint = NearestWord.of(text, among: words).map { "; did you mean '\($0)'?" } ?? ""
        throw failure(
            "'\(text.excerpt())' is not a value of '\(key)'" + hint,
            remedy: "it takes \(words.listed("or"))")
    }

    /// The path of an existing image, or its address.
    ///
    /// - Throws: `.missingInput` if the file does not exist.
    func image() throws(Failure) -> String {
        let text = try text()
        return FarFiles.isAddress(text) ? FarSources.name(text) : try existingFile()
    }

    /// The path of an existing file.
    ///
    /// - Throws: `.missingInput` if the file does not exist.
    func existingFile() throws(Failure) -> String {
        let text = try text()
        let path = file.resolved(text)
        if text.isEmpty { throw failure("'\(key)' needs the name of a file") }
        if let address = RemoteAddress(text) { throw address.readingFailure }
        guard InputFile.exists(path) else {
            throw failure(
                "there is no file '\(path.excerpt(200))'",
                remedy: text.hasPrefix("/") ? nil : "paths are relative to the folder of '\(file.path)'",
                kind: .missingInput)
        }
        return path
    }
}

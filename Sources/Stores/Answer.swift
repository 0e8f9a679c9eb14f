/// The status and the header fields of an answer. Nothing in it is trusted.
struct Answer {
    private(set) var status = 0
    /// Values by names in lower case.
    private var fields: [String: [String]] = [:]
    /// Whether the line that ends the header has come.
    private(set) var isComplete = false
    private(set) var isDamaged = false

    init() {}

    /// Makes an answer of lines, as for `take`.
    init(lines: [String]) { for line in lines + [""] { take(line.utf8[...]) } }

    /// Adds a line of the header. Interim answers (1xx) begin with a status line, too: the last one counts.
    mutating func take(_ line: Substring.UTF8View) { take(bytes: line) }

    /// Adds a line of the header.
    mutating func take(bytes line: some BidirectionalCollection<UInt8>) {
        // Lines after the header are a trailer.
        if isComplete { return }
        var rest = line[...]
        while let last = rest.last, last == 0x0A || last == 0x0D { rest = rest.dropLast() }
        if rest.isEmpty {
            if status >= 200 { isComplete = true }
            return
        }
        if rest.contains(where: { $0 != 0x09 && $0 < 0x20 || $0 == 0x7F }) { isDamaged = true }
        if rest.starts(with: "HTTP/".utf8) {
            fields = [:]
            let words = rest.split(separator: 0x20, omittingEmptySubsequences: true)
            let code = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
            status = code.utf8.count == 3 ? Int(code) ?? 0 : 0
            if !(100..<600).contains(status) || !rest.starts(with: "HTTP/1.".utf8) { isDamaged = true }
            return
        }
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else {
            isDamaged = true
            return
        }
        let name = String(decoding: rest[..<colon], as: UTF8.self).lowercased()
        let value = rest[rest.index(after: colon)...]
        fields[name, default: []].append(Self.trimmed(String(decoding: value, as: UTF8.self)))
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text.utf8[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return rest.text
    }

    /// The value of a field that an answer has once; nil without the field.
    ///
    /// - Throws: a lie if it has several values that differ.
    func field(_ name: String) throws(Trouble) -> String? {
        guard let values = fields[name], let first = values.first else { return nil }
        if values.allSatisfy({ $0 == first }) { return first }
        throw .lie("the answer has several fields \(name)")
    }

    /// The first value of a field that does not decide anything.
    func hint(_ name: String) -> String? { fields[name]?.first }

    /// The length of the body as the server says it.
    var length: Int? {
        get throws(Trouble) {
            guard let text = try field("content-length") else { return nil }
            if let number = Self.count(text) { return number }
            throw .lie("the answer has an invalid length")
        }
    }

    /// A number of bytes: digits alone.
    static func count(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// How long the server asks to wait, in seconds: at most 30.
    var retryAfter: Double? { hint("retry-after").flatMap(Self.count).map { Double(min($0, 30)) } }

    /// The tag as the server sent it, weak or strong; nil if it is no tag.
    var tag: String? {
        get throws(Trouble) {
            guard let tag = try field("etag") else { return nil }
            let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
            let isTag =
                opaque.utf8.count >= 2 && opaque.utf8.count <= 1024 && opaque.hasPrefix("\"")
                && opaque.hasSuffix("\"")
                && opaque.utf8.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
            return isTag ? tag : nil
        }
    }

    /// The version that the answer is about.
    ///
    /// - Parameter size: the length of the whole file.
    func version(size: Int) throws(Trouble) -> StoredVersion {
        let tag = try tag
        let date = try field("last-modified").flatMap { $0.utf8.count <= 64 && !$0.isEmpty ? $0 : nil }
        return StoredVersion(
            size: size, entityTag: tag.flatMap { $0.hasPrefix("W/") ? nil : $0 }, lastModified: date)
    }
}

/// What an SVG shows and does not hold itself: by the addresses in its elements, as they stand in the file.
///
/// Tags are found as XML has them; nothing is resolved, and a document that is no XML has the links that it seems to
/// have. Of a text in another encoding than UTF-8, and of a compressed one, none are found.
struct SVGLinks {
    /// Something that an element refers to.
    struct Link: Hashable {
        /// What it is.
        enum Kind { case picture, styles, shape }
        /// What it is.
        var kind: Kind
        /// The address, without entities.
        var address: String
        /// Where it stands in the file, between its quotes; nil if it cannot be replaced by what it refers to.
        var place: Range<Int>?
    }

    /// The links, in the order of the file.
    private(set) var all: [Link] = []

    private let bytes: [UInt8]

    /// Finds the links of a document.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var place = 0
        while let start = find("<", from: place) { place = read(at: start) }
    }

    /// Reads what a `<` begins; returns where it ends.
    private mutating func read(at start: Int) -> Int {
        if matches("<!--", at: start) { return end(of: "-->", from: start + 4) }
        if matches("<![CDATA[", at: start) { return end(of: "]]>", from: start + 9) }
        if matches("<?xml-stylesheet", at: start) {
            let end = end(of: "?>", from: start)
            for (name, value) in attributes(from: start + 16, to: end) where name == "href" {
                add(.styles, value)
            }
            return end
        }
        if matches("<!", at: start) || matches("<?", at: start) || matches("</", at: start) {
            return end(of: ">", from: start)
        }
        let nameEnd = bytes[(start + 1)...].firstIndex { Self.endsName($0) } ?? bytes.count
        let element = local(text(start + 1..<nameEnd))
        let end = endOfTag(from: nameEnd)
        let kind: Link.Kind? =
            switch element {
            case "image", "feImage": .picture
            case "use": .shape
            default: nil
            }
        if let kind {
            for (name, value) in attributes(from: nameEnd, to: end) where local(name) == "href" {
                add(kind, value)
            }
        }
        if element == "style", bytes[end - 1] == UInt8(ascii: ">") { addImports(from: end) }
        return end
    }

    /// Notes an address, unless it is one in the document itself.
    private mutating func add(_ kind: Link.Kind, _ value: Range<Int>) {
        let address = String(Self.unescaped(text(value))[...].trimmed)
        if address.isEmpty || address.hasPrefix("#") || address.lowercased().hasPrefix("data:") { return }
        all.append(Link(kind: kind, address: address, place: kind == .picture ? value : nil))
    }

    /// Notes the style sheets that one imports.
    private mutating func addImports(from start: Int) {
        let end = find("</", from: start) ?? bytes.count
        var place = start
        while let found = find("@import", from: place), found < end {
            place = found + 7
            let rest = text(place..<min(end, place + 1024)).prefix { $0 != ";" }
            let address = rest.replacing("url(", with: "").filter { !"\"'() \n\r\t".contains($0) }
            if !address.isEmpty { all.append(Link(kind: .styles, address: address)) }
        }
    }

    /// Names and the places of values, between quotes.
    private func attributes(from start: Int, to end: Int) -> [(name: String, value: Range<Int>)] {
        var result: [(String, Range<Int>)] = []
        var place = start
        while let equals = bytes[place..<end].firstIndex(of: UInt8(ascii: "=")) {
            let name = String(text(place..<equals)[...].trimmed)
            guard let open = bytes[(equals + 1)..<end].firstIndex(where: { !Self.isBlank($0) }),
                [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[open]),
                let close = bytes[(open + 1)..<end].firstIndex(of: bytes[open])
            else { break }
            result.append((name, open + 1..<close))
            place = close + 1
        }
        return result
    }

    /// Behind the `>` of a tag: one in a value between quotes does not count.
    private func endOfTag(from start: Int) -> Int {
        var quote: UInt8?
        for place in start..<bytes.count {
            let byte = bytes[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return place + 1
            }
        }
        return bytes.count
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let text = Array(text.utf8)
        var place = start
        while place + text.count <= bytes.count,
            let found = bytes[place...(bytes.count - text.count)].firstIndex(of: text[0])
        {
            if bytes[found..<found + text.count].elementsEqual(text) { return found }
            place = found + 1
        }
        return nil
    }

    private func end(of text: String, from start: Int) -> Int {
        find(text, from: start).map { $0 + text.utf8.count } ?? bytes.count
    }

    private func matches(_ text: String, at place: Int) -> Bool { bytes[place...].starts(with: text.utf8) }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// A name without the prefix of its namespace.
    private func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

    private static func isBlank(_ byte: UInt8) -> Bool { " \n\r\t".utf8.contains(byte) }

    private static func endsName(_ byte: UInt8) -> Bool { isBlank(byte) || "/>".utf8.contains(byte) }

    /// The entities that XML knows by itself.
    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}

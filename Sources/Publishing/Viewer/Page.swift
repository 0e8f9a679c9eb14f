internal import CPublishing

/// What the pages that the program writes have in common.
enum Page {
    /// A page in UTF-8: the head that all have, and a body.
    ///
    /// - Parameters:
    ///   - heading: what the browser calls the page, as text for HTML.
    ///   - words: the parts of the tables of words that the page uses.
    ///   - styles: the text of a style sheet.
    ///   - body: a template, and what its placeholders stand for.
    static func html(
        _ kind: PageKind, heading: String, library: MapLibrary, words: [String], styles: String,
        body: (template: EmbeddedFile, values: SourceTemplate.Values)
    ) -> [UInt8] {
        let head: SourceTemplate.Values = [
            "GENERATOR": [kind.rawValue], "HEADING": [heading], "LEAFLET": library.elements,
            "STYLE": [styles],
        ]
        let values = head.merging(PageWords.values(words)) { $1 }.merging(body.values) { $1 }
        return Array(SourceTemplate(head_html, body.template).filled(values).utf8)
    }

    /// The texts of embedded files one after the other, without the last line feed.
    static func text(_ files: EmbeddedFile...) -> String { String(files.map(\.text).joined().dropLast()) }

    /// Escapes a text for HTML, also for an attribute, and puts it on one line.
    static func escaped(_ text: String) -> String {
        let names = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]
        let escaped = names.reduce(text) { text, name in text.replacing(name.0, with: name.1) }
        return escaped.split { $0.isNewline || $0 == "\0" }.joined(separator: " ")
    }

    /// Data for a script, as JSON that cannot end the script element.
    static func json(_ members: [JSONValue.Member]) -> String {
        let text = String(decoding: JSONValue.file(members).dropLast(), as: UTF8.self)
        return inert(text)
    }

    /// JSON that cannot end the script element: this character stands in strings only.
    static func inert(_ json: String) -> String { json.replacing("<", with: "\\u003C") }
}

extension EmbeddedFile {
    /// Its text, which is UTF-8.
    var text: String { String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) }
}

internal import CPublishing
import Tilesets

/// The common parts of the program's pages.
enum Page {
    /// A page in UTF-8: the common frame, and a body.
    ///
    /// - Parameters:
    ///   - heading: the title for the browser, as text for HTML.
    ///   - words: the parts of the tables of words that the page uses.
    ///   - style, script: the page's own style and script, in addition to the common ones.
    ///   - data: lines of HTML with data for the script.
    ///   - readsTiles: whether the script needs the module that reads tiles.
    ///   - policy: the only sources that the page may load from, as a Content-Security-Policy; nil for all.
    ///   - guide: the header of a page that is a step of the guide.
    static func html(
        _ kind: PageKind, heading: String, library: MapLibrary? = nil, words: [String],
        style: EmbeddedFile? = nil, body: [String], data: [String] = [], script: EmbeddedFile? = nil,
        readsTiles: Bool = false, policy: String? = nil, guide: GuideHeading? = nil
    ) -> [UInt8] {
        let (guideStyle, guideScript) = guide == nil ? (nil, nil) : (guide_css.text, guide_js.text)
        let module = readsTiles ? TileModule.script : ""
        let values: SourceTemplate.Values = [
            "GENERATOR": [kind.rawValue], "HEADING": [heading], "LEAFLET": library?.elements ?? [],
            "POLICY": policy.map {
                ["<meta http-equiv=\"Content-Security-Policy\" content=\"\(escaped($0))\">"]
            } ?? [],
            "STYLE": [joined(page_css.text, style?.text, guideStyle)], "BODY": (guide?.body ?? []) + body,
            "DATA": (guide?.data ?? []) + data,
            "SCRIPT": [joined(words_js.text, module, guideScript, script?.text)],
        ]
        let parts = words + (guide == nil ? [] : ["open"])
        let page = SourceTemplate(page_html).filled(values.merging(PageWords.values(parts)) { $1 })
        return Array(page.utf8)
    }

    /// Texts of files as one, without the last line feed.
    private static func joined(_ texts: String?...) -> String {
        String(texts.compactMap(\.self).joined().dropLast())
    }

    /// Escapes a text for HTML, including attributes, and puts it on one line.
    static func escaped(_ text: String) -> String {
        XMLText.escaped(text.split { $0.isNewline || $0 == "\0" }.joined(separator: " "))
    }

    /// Data for a script, as an element with JSON.
    static func data(_ id: String, _ members: [JSONValue.Member]) -> [String] {
        let json = String(decoding: JSONValue.file(members).dropLast(), as: UTF8.self)
        return ["<script type=\"application/json\" id=\"\(id)\">", inert(json), "</script>"]
    }

    /// JSON that cannot end the script element: this character occurs only in strings.
    static func inert(_ json: String) -> String { json.replacing("<", with: "\\u003C") }
}

extension EmbeddedFile {
    /// Its text, which is UTF-8.
    var text: String { String(decodingCString: start, as: UTF8.self) }
}

/// The JavaScript module that reads tiles and buildings.
enum TileModule {
    /// The module for apps and pages that import it.
    static var text: String { tilewright_tiles_js.text }

    /// The module as a part of a script: pages that are opened from a disk cannot import modules.
    static var script: String {
        let mark = "export "
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(mark) ? $0.dropFirst(mark.count) : $0 }.joined(separator: "\n")
    }
}

/// The purpose of a page of this program. A command overwrites only pages of its own kind.
package enum PageKind: String, CaseIterable, Sendable {
    /// A page that shows tilesets.
    case viewer = "tilewright"
    /// A page in which a plan is placed on the map.
    case placing = "tilewright place"
    /// A page that contains the tiles that it shows.
    case shared = "tilewright share"
    /// A page of the guide from plans to a map.
    case guide = "tilewright open"

    /// Recognises a page.
    ///
    /// - Returns: nil if this program did not write it.
    package init?(of page: String) {
        let kind = Self.allCases.first {
            page.contains("<meta name=\"generator\" content=\"\($0.rawValue)\">")
        }
        guard let kind else { return nil }
        self = kind
    }

    /// The command that writes such pages.
    package var command: String {
        switch self {
        case .viewer: "tilewright viewer"
        case .placing: "tilewright place"
        case .shared: "tilewright share"
        case .guide: "tilewright open"
        }
    }
}

/// A link to another document on the server of a page.
package struct PageLink: Hashable, Sendable {
    /// The name of a plan that can be placed on the map there; nil if the address itself is shown.
    private let plan: String?
    /// The address, relative to the page; not escaped.
    private let path: String

    /// Links to an address, which is shown unchanged, or to the page in which a plan is placed on the map.
    package init(laying plan: String? = nil, path: String) { (self.plan, self.path) = (plan, path) }

    /// The item of a list, in English; the page's script translates it.
    private var html: String {
        let address = Page.escaped(TilesetMetadata.escaped(path))
        guard let plan else { return "<li><a href=\"\(address)\"><bdi>\(Page.escaped(path))</bdi></a></li>" }
        let name = Page.escaped(plan), words = Page.escaped(PageWords.english("links.lay", name: plan))
        return "<li><a href=\"\(address)\" data-phrase=\"links.lay\" data-name=\"\(name)\">\(words)</a></li>"
    }

    /// A list that is opened on demand; empty without links.
    static func section(_ links: [PageLink]) -> [String] {
        if links.isEmpty { return [] }
        let summary = "<summary data-phrase=\"links.addresses\"></summary>"
        return ["<details id=\"links\">\(summary)<ul>"] + links.map(\.html) + ["</ul></details>"]
    }

    /// A page with only links in UTF-8, if there is nothing to show yet.
    package static func page(_ links: [PageLink]) -> [UInt8] {
        let head = [
            "<main style=\"padding: 16px; line-height: 1.5\">", "<h1 data-phrase=\"links.nothing\"></h1>",
        ]
        return Page.html(
            .viewer, heading: "tilewright", words: ["links"],
            body: head + ["<ul>"] + links.map(\.html) + ["</ul>", "</main>"])
    }
}

/// The words of pages: a table per language. A page contains the words that it uses.
///
/// A table has a line per text: its key and the text. The key up to its first dot names the part of the pages
/// that uses the text.
enum PageWords {
    /// A table as in its file.
    private struct Table: Sendable {
        let language: String
        /// The keys in order, with their JSON literals.
        let members: [(key: Substring, literal: Substring)]

        init(_ language: String, _ lines: ArraySlice<Substring>) {
            self.language = language
            members = lines.dropFirst().map { line in
                let quoted = line.drop { $0 == " " }.dropFirst()
                let key = quoted.prefix { $0 != "\"" }
                let literal = quoted.dropFirst(key.count + 1).drop { $0 != "\"" }
                return (key, literal.hasSuffix(",") ? literal.dropLast() : literal)
            }
        }
    }

    private static let languages = ["en", "de", "es", "fr", "pt", "zh", "ja", "hi", "ar", "fa"]
    private static let tables = zip(
        languages, words_json.text.split(separator: "\n").split(separator: "}")
    ).map { Table($0, $1) }

    /// A text with a name, shown before the page's script runs.
    static func english(_ key: String, name: String) -> String {
        let literal = tables[0].members.first { $0.key == key }?.literal ?? ""
        return String(literal.dropFirst().dropLast()).replacing("{name}", with: name)
    }

    /// The values of a template's placeholders for words: the words of some parts in all languages, and the
    /// text for browsers without JavaScript.
    static func values(_ parts: [String]) -> SourceTemplate.Values {
        let notes = tables.compactMap { table in
            table.members.first { $0.key == "page.noScript" }.map { member in
                let text = Page.escaped(String(member.literal.dropFirst().dropLast()))
                return "<p lang=\"\(table.language)\" dir=\"auto\">\(text)</p>"
            }
        }
        return ["WORDS": [Page.inert(json(parts))], "NO_SCRIPT": notes]
    }

    /// An object: the keys once, and per language the texts in the order of the keys.
    private static func json(_ parts: [String]) -> String {
        let used = tables.map { table in
            table.members.filter { parts.contains(String($0.key.prefix { $0 != "." })) }
        }
        let names = used[0].map { "\"\($0.key)\"" }.joined(separator: ",")
        let texts = zip(languages, used).map { language, members in
            "\"\(language)\":[\(members.map(\.literal).joined(separator: ",\n"))]"
        }
        return "{\"keys\":[\(names)],\n\(texts.joined(separator: ",\n"))}"
    }
}

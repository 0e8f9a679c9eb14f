internal import CPublishing

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

        init(_ language: String, _ file: EmbeddedFile) {
            self.language = language
            members = file.text.split(separator: "\n").dropFirst().dropLast()
                .map { line in
                    let quoted = line.drop { $0 == " " }.dropFirst()
                    let key = quoted.prefix { $0 != "\"" }
                    let literal = quoted.dropFirst(key.count + 1).drop { $0 != "\"" }
                    return (key, literal.hasSuffix(",") ? literal.dropLast() : literal)
                }
        }
    }

    private static let tables = [
        Table("en", en_json), Table("de", de_json), Table("es", es_json), Table("fr", fr_json),
        Table("pt", pt_json), Table("zh", zh_json), Table("ja", ja_json), Table("hi", hi_json),
        Table("ar", ar_json), Table("fa", fa_json),
    ]

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

    /// An object: the keys once, and per language the texts in the order of the keys. Languages have
    /// different plural forms: a form that a language lacks is 0.
    private static func json(_ parts: [String]) -> String {
        var keys: [Substring] = []
        for table in tables {
            for (key, _) in table.members
            where parts.contains(String(key.prefix { $0 != "." })) && !keys.contains(key) {
                keys.append(key)
            }
        }
        let texts = tables.map { table in
            let literals = Dictionary(uniqueKeysWithValues: table.members.map { ($0.key, $0.literal) })
            return "\"\(table.language)\":[\(keys.map { literals[$0] ?? "0" }.joined(separator: ",\n"))]"
        }
        let names = keys.map { "\"\($0)\"" }.joined(separator: ",")
        return "{\"keys\":[\(names)],\n\(texts.joined(separator: ",\n"))}"
    }
}

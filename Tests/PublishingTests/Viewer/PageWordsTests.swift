import Foundation
import TestSupport
import Testing
import Tilesets

@testable import Publishing

/// The tables of words of the pages, and where the pages use them.
@Suite struct PageWordsTests {
    private static let languages = ["en", "de", "es", "fr", "pt", "zh", "ja", "hi", "ar", "fa"]
    private static let pages = SharedData.packageRoot.appending(path: "Sources/Publishing/Pages")

    /// A line of a table.
    private struct Line {
        let key: String
        let text: String

        var placeholders: [String] { text.matches(of: /\{[^}]*\}/).map { String($0.output) }.sorted() }
    }

    private static func lines(_ language: String) throws -> [Line] {
        let text = try String(contentsOf: pages.appending(path: "Words/\(language).json"), encoding: .utf8)
        let rows = text.split(separator: "\n")
        try #require(rows.first == "{" && rows.last == "}")
        return try rows.dropFirst().dropLast().enumerated().map { index, row in
            let match = try #require(row.wholeMatch(of: #/  "([a-zA-Z0-9.]+)": (".*")(,?)/#), "\(row)")
            #expect(match.3.isEmpty == (index == rows.count - 3), "\(row)")
            let value = try JSONSerialization.jsonObject(
                with: Data(match.2.utf8), options: .fragmentsAllowed)
            return Line(key: String(match.1), text: try #require(value as? String))
        }
    }

    /// The templates and scripts of the pages, by their names.
    private static func sources() throws -> [String: String] {
        let files = FileManager.default.enumerator(at: pages, includingPropertiesForKeys: nil)
        var found: [String: String] = [:]
        while let file = files?.nextObject() as? URL {
            guard ["js", "html"].contains(file.pathExtension) else { continue }
            found[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
        }
        return found
    }

    @Test(
        "a table has the keys of the English one, in its order, with its placeholders",
        arguments: languages.some(4))
    func tables(language: String) throws {
        let english = try Self.lines("en")
        let lines = try Self.lines(language)
        #expect(lines.map(\.key) == english.map(\.key))
        #expect(Set(lines.map(\.key)).count == lines.count)
        for (line, reference) in zip(lines, english) {
            #expect(line.placeholders == reference.placeholders, "\(line.key)")
            let isBlank = line.text.allSatisfy(\.isWhitespace)
            #expect(!isBlank, "\(line.key)")
            #expect(
                line.text.first?.isWhitespace == false && line.text.last?.isWhitespace == false, "\(line.key)"
            )
            let digits = line.text.unicodeScalars.filter { $0.properties.numericType == .decimal }
            let areLatin = digits.allSatisfy(\.isASCII)
            #expect(areLatin, "\(line.key): digits are Latin")
        }
    }

    @Test("no sentence was left in English", arguments: languages.dropFirst().some(3))
    func translated(language: String) throws {
        let english = Dictionary(uniqueKeysWithValues: try Self.lines("en").map { ($0.key, $0.text) })
        for line in try Self.lines(language) where english[line.key] == line.text {
            let letters = line.text.replacing(/\{[^}]*\}/, with: "").filter(\.isLetter)
            #expect(letters.count < 12, "\(line.key): \(line.text)")
        }
    }

    @Test("every key that a page uses is in the tables, and every key of the tables is used")
    func keys() throws {
        var sources = try Self.sources()
        let file = SharedData.packageRoot.appending(path: "Sources/Publishing/Viewer/Page.swift")
        sources["Page"] = try String(contentsOf: file, encoding: .utf8)
        let used = sources.values.flatMap { text in
            text.matches(of: /["`]((page|links|viewer|place|open)\.[a-z][a-zA-Z0-9]+)\\?["`]/).map {
                String($0.1)
            }
        }
        let known = Set(try Self.lines("en").map(\.key))
        #expect(Set(used).subtracting(known) == [])
        #expect(known.subtracting(used) == [])
    }

    @Test("templates contain no text, and no script shows text outside the tables", .long)
    func nothingHardCoded() throws {
        for (name, text) in try Self.sources() {
            if name.hasSuffix(".html") { checkTemplate(name, text) } else { checkScript(name, text) }
        }
    }

    private func checkTemplate(_ name: String, _ text: String) {
        let bare = text.replacing(/<[^>]*>/, with: " ").replacing(/__[A-Z_]+__/, with: " ")
            .replacing("OpenStreetMap", with: " ")
        #expect(!bare.contains(/[A-Za-z]{2}/), "\(name): \(bare.filter { !$0.isWhitespace })")
        for match in text.matches(of: /(?:^|\s)(title|aria-label|alt|placeholder)="([^"]*)"/) {
            let isAddress = match.2.hasPrefix("https://")
            #expect(isAddress || !match.2.contains(/[A-Za-z]{2}/), "\(name): \(match.0)")
        }
    }

    private func checkScript(_ name: String, _ text: String) {
        let code = text.split(separator: "\n").filter { !$0.contains(/^ *\/\//) }.joined(separator: "\n")
            .replacing("\"OpenStreetMap\"", with: "0")
            // Lines for a shell are the same in all languages.
            .replacing(#/`(tilewright|mv) /#, with: "`$")
        let shown = [
            // Text in a template of an element.
            /<[a-z][^<>`]*>\s*[A-Za-z]{2,}[^<>`$]*</,
            // What an element says, as a literal.
            /(?:textContent|innerText|title|ariaLabel|placeholder|alt|description|"aria-label"|text)(?:\s*=|:)\s*["`'][A-Za-z]{2}/,
            /(?:speak|tell|notice|button|Error|named|line|setCustomValidity)\(["`'][A-Za-z]{2}/,
            /(?:"aria-label"|"title"|"aria-valuetext"|"placeholder"), ["`'][A-Za-z]{2}/,
        ]
        for pattern in shown {
            for match in code.matches(of: pattern) {
                // The library of the map and its data have names that are not translated.
                let isCredit = match.output.contains("Leaflet<") || match.output.contains("OpenStreetMap<")
                #expect(isCredit, "\(name): \(match.output)")
            }
        }
    }

    @Test("a page holds its own words in all languages, and the same bytes each time")
    func words() throws {
        let page = PageLink.page([PageLink(laying: "A <b>", path: "a")])
        let html = String(decoding: page, as: UTF8.self)
        #expect(page == PageLink.page([PageLink(laying: "A <b>", path: "a")]))
        let start = try #require(html.firstRange(of: "id=\"words\">")).upperBound
        let json = html[start...].prefix { $0 != "<" }
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [Any]]
        let tables = try #require(object)
        #expect(Set(tables.keys) == Set(Self.languages + ["keys"]))
        let keys = try #require(tables["keys"] as? [String])
        #expect(keys == ["links.addresses", "links.lay", "links.nothing"])
        for (language, texts) in tables where language != "keys" {
            let known = try Self.lines(language).filter { keys.contains($0.key) }.map(\.text)
            #expect(texts as? [String] == known, "\(language)")
        }
        for language in Self.languages { #expect(html.contains("<p lang=\"\(language)\" dir=\"auto\">")) }
        #expect(html.contains("data-name=\"A &lt;b&gt;\""))
    }
}

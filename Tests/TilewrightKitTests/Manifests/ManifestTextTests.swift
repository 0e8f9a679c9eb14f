import Foundation
import Platform
import TestSupport
import Testing

@testable import TilewrightKit

/// Manifests whose text is changed key by key.
struct ManifestTextTests {
    private func text(_ source: String) throws -> ManifestText {
        try ManifestText(parsing: Array(source.utf8))
    }

    private func changed(_ source: String, _ change: (inout ManifestText) throws -> Void) throws -> String {
        var text = try text(source)
        try change(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private static let written = """
        # Mine.
        output: tiles   # where

        # The floors
        floors: # from the lowest
        - floor: 1   # first
          label: Ground   # main
          image: a.png
          description: |
            text
            # no comment

        # About the second
        - {floor: 2, image: b.png}  # in braces

        # The zooms
        zoom: 17-18
        # The end

        """

    @Test("a key that is changed, added or removed changes its own line")
    func keys() throws {
        let result = try changed(Self.written) { text in
            text["output"] = "other"
            text["name"] = "N: \"x\""
            text.floors[0]["label"] = "Main hall"
            text.floors[1].set("crop", "[1, 2, 3, 4]")
        }
        let expected = Self.written
            .replacing("output: tiles ", with: "output: other ")
            .replacing("label: Ground ", with: "label: Main hall ")
            .replacing(
                "- {floor: 2, image: b.png}  # in braces",
                with: "- floor: 2\n  image: b.png\n  crop: [1, 2, 3, 4]")
        #expect(result == expected + "name: \"N: \\\"x\\\"\"\n")
        let removed = try changed(Self.written) { text in
            text.floors[0]["label"] = nil
            text["zoom"] = nil
        }
        #expect(
            removed
                == Self.written.replacing("  label: Ground   # main\n", with: "")
                .replacing("zoom: 17-18\n", with: ""))
    }

    @Test("floors that are removed take their comments along, and new ones follow the others")
    func floors() throws {
        let result = try changed(Self.written) { text in
            text.floors.remove(at: 1)
            var floor = ManifestText.Floor()
            floor["floor"] = "3"
            floor["image"] = "c d.png"
            text.floors.append(floor)
        }
        let expected = Self.written.replacing(
            "\n# About the second\n- {floor: 2, image: b.png}  # in braces\n",
            with: "- floor: 3\n  image: c d.png\n")
        #expect(result == expected)
    }

    @Test("a text that is not changed stays as it is, byte by byte")
    func same() throws {
        for source in [
            Self.written, "\u{FEFF}output: 'tiles'\r\nfloors: [{floor: 1, image: a}]",
            "%YAML 1.1\n--- # x\n{output: t, floors: [{floor: 1,\n image: a}]}\n...\n",
        ] {
            #expect(
                try changed(source) { text in
                    text["name"] = text["name"]
                    text.floors[0]["floor"] = "1"
                } == source)
        }
    }

    @Test("line ends, the byte order mark and the end of the document stay")
    func marks() throws {
        let source = "\u{FEFF}output: t\r\nfloors:\r\n    - floor: 1\r\n      image: a\r\n...\r\n"
        #expect(
            try changed(source) { $0["name"] = "House" }
                == "\u{FEFF}output: t\r\nname: House\r\nfloors:\r\n    - floor: 1\r\n      image: a\r\n")
    }

    @Test("lists and mappings in braces are written line by line when they change")
    func flow() throws {
        let source = "# Mine\n{output: t, floors: [{floor: 1, image: [a, b]}, {floor: 2, image: c}]}\n"
        let text = try text(source)
        #expect(text.floors.map(\.hasSeveralImages) == [true, false])
        #expect(
            try changed(source) { $0.floors[1]["label"] = "yes" } == """
                # Mine
                output: t
                floors:
                  - floor: 1
                    image: [a, b]
                  - floor: 2
                    image: c
                    label: "yes"

                """)
    }

    @Test("an anchor that others need is replaced by its value everywhere")
    func anchors() throws {
        let source = """
            output: t
            bounds: &b 1,2,3,4
            floors:
              - &f
                floor: 1
                image: a
                bounds: *b
              - <<: *f
                floor: 2

            """
        #expect(
            try changed(source) { $0["bounds"] = nil } == """
                output: t
                floors:
                  - floor: 1
                    image: a
                    bounds: "1,2,3,4"
                  - floor: 2
                    image: a
                    bounds: "1,2,3,4"

                """)
    }

    @Test("what is no manifest of a building is refused")
    func refused() {
        for source in ["", "- a", "a", "output: t\nfloors: [1]", "a: [", "a: 1\na: 2", "\u{0}"] {
            #expect(throws: Failure.self, "\(source)") { _ = try text(source) }
        }
    }

    // As PyYAML reads them

    /// Texts that are easily taken for something else.
    private static let values = [
        "1", "01", "0", "-1", "-0", "1e3", "0x1F", "1_000", "1:30", "2024-01-01", "3.50", "17.5", ".5", "1.",
        "true", "No", "ON", "y", "null", "~", "", " ", " a", "a ", "a  b", "-", "- a", "--- a", "...", ".inf",
        "a: b", "a:b", "a #b", "#a", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "{a}", "[a]", ",", "?",
        "=",
        "<<", "'", "\"", "\\", "\\n", "\n", "a\nb\n", "\t", "\r\n", "\u{85}", "\u{2028}", "\u{FEFF}x",
        "\u{FFFE}",
        "\u{7F}", "\u{A0}", "😀", "é", "e\u{301}", "層", "الطابق", "½", "a/b.png", "1/2.png", "C:\\x",
    ]

    private struct Trial: Encodable {
        var before: String
        var after: String
        /// Changes: `top` with key and value, `floor` with index, key and value, `drop` with index, or `add`
        /// with keys and values.
        var changes: [[String?]]
    }

    /// Reads all scalars as texts, makes the same changes, and compares. Then checks that no value of a change
    /// is read as anything but a text or a number of the same spelling.
    private static let script = #"""
        import json, re, sys, yaml
        class Texts(yaml.SafeLoader):
            yaml_implicit_resolvers = {"<": [("tag:yaml.org,2002:merge", re.compile("^(?:<<)$"))]}
        for number, trial in enumerate(json.load(open(sys.argv[1]))):
            expected = yaml.load(trial["before"], Texts)
            floors = expected.get("floors", [])
            values = set()
            for kind, *words in trial["changes"]:
                if kind == "drop":
                    del floors[int(words[0])]
                    continue
                if kind == "add":
                    floors.append(dict(zip(words[::2], words[1::2])))
                    values |= set(words[1::2])
                    continue
                target = expected if kind == "top" else floors[int(words.pop(0))]
                key, value = words
                target.pop(key, None)
                if value is not None:
                    target[key] = value
                    values.add(value)
            found = yaml.load(trial["after"], Texts)
            if found != expected:
                print(number, "means", found, "and not", expected)
            plain = yaml.safe_load(trial["after"])
            def leaves(node):
                for child in node.values() if isinstance(node, dict) else node:
                    if isinstance(child, (dict, list)):
                        yield from leaves(child)
                    else:
                        yield child
            texts = {str(leaf) for leaf in leaves(plain) if type(leaf) in (str, int, float)}
            if trial["before"].startswith("output: first\n") and not values <= texts:
                print(number, "changes", values - texts)
        """#

    private func check(_ trials: [Trial]) throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(
            String(decoding: try JSONEncoder().encode(trials), as: UTF8.self), to: "trials.json")
        let outcome = try Python.run(Self.script, [file], with: ["yaml"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "")
    }

    @Test("any text can be a value, and other programs read the same text", .needsPython("yaml"))
    func values() throws {
        try check(
            try Self.values.map { value in
                let source = "output: first\nfloors:\n  - floor: f\n    image: a\n"
                let after = try changed(source) { text in
                    text["name"] = value
                    text.floors[0]["label"] = value
                }
                return Trial(
                    before: source, after: after,
                    changes: [["top", "name", value], ["floor", "0", "label", value]])
            })
    }

    @Test("whatever style a manifest has, it means what was changed", .needsPython("yaml"))
    func styles() throws {
        var random = SplitMix(seed: 17)
        try check(
            try (0..<(TestRun.isComplete ? 1000 : 150)).map { _ in
                let source = Self.manifest(&random)
                var changes: [[String?]] = []
                let after = try changed(source) { text in
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        changes.append(try Self.change(&text, &random))
                    }
                }
                if !changes.contains(where: { $0[0] == "drop" }), !source.contains("[{") {
                    #expect(after.ranges(of: "# wide").count == source.ranges(of: "# wide").count, "\(after)")
                }
                return Trial(before: source, after: after, changes: changes)
            })
    }

    private static func change(_ text: inout ManifestText, _ random: inout SplitMix) throws -> [String?] {
        let value = values.randomElement(using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where text.floors.count > 1:
            let index = Int.random(in: 0..<text.floors.count, using: &random)
            text.floors.remove(at: index)
            return ["drop", String(index)]
        case 1:
            var floor = ManifestText.Floor()
            (floor["floor"], floor["image"]) = ("new", value)
            text.floors.append(floor)
            return ["add", "floor", "new", "image", value]
        case 2, 3:
            let key =
                ["name", "zoom", "bounds", "description", "attribution"].randomElement(using: &random) ?? ""
            let value = Bool.random(using: &random) ? value : nil
            text[key] = value
            return ["top", key, value]
        default:
            let index = Int.random(in: 0..<text.floors.count, using: &random)
            let key = ["label", "floor", "description", "crop"].randomElement(using: &random) ?? ""
            let value = key == "floor" || Bool.random(using: &random) ? value : nil
            text.floors[index][key] = value
            return ["floor", String(index), key, value]
        }
    }

    /// A manifest in the style of one of many people.
    private static func manifest(_ random: inout SplitMix) -> String {
        func some(_ choices: String...) -> String { choices.randomElement(using: &random) ?? "" }
        func comment(_ indent: Int) -> String {
            some("", "", "\n", String(repeating: " ", count: indent) + "# a: \"comment\" #\n", "\n# wide\n\n")
        }
        func pair(_ key: String, _ indent: Int) -> String {
            let spaces = String(repeating: " ", count: indent)
            let value = some(
                "plain", "'it''s # \"quoted\"'", "\"a \\\" # b\\u0041\"",
                "|\n\(spaces)  text\n\(spaces)  # no comment\n",
                ">-\n\(spaces)  folded\n\n\(spaces)  text", "[1, 2, 3, 4]",
                "[1,\n\(spaces)  2, # two\n\(spaces)  3]",
                "two\n\(spaces)  lines", "\"two\n\(spaces)  lines\"", "{a: b}", "1,2,3,4  # why",
                "http://x/#y", "!!str x")
            return "\(key): \(value)\n" + comment(indent)
        }
        let keys = ["name", "zoom", "bounds", "description", "background"].filter { _ in
            Bool.random(using: &random)
        }
        let before = Int.random(in: 0...keys.count, using: &random)
        let dash = String(repeating: " ", count: Int.random(in: 0...4, using: &random)) + some("- ", "-   ")
        let indent = dash.count
        let count = Int.random(in: 1...4, using: &random)
        let isFlow = Int.random(in: 0..<6, using: &random) == 0
        var floors = "floors:\(some("", "  # list"))\n" + comment(indent)
        for index in 0..<count {
            let hasBraces = Int.random(in: 0..<4, using: &random) == 0
            if hasBraces {
                floors += dash + "{floor: f\(index), image: '#.png', label: \"{\"}\(some("", "  # braces"))\n"
            } else {
                floors += dash + "floor: f\(index)\(some("", "  # floor"))\n"
                for key in ["image", "label", "description", "crop"] where Bool.random(using: &random) {
                    floors += String(repeating: " ", count: indent) + pair(key, indent)
                }
            }
            floors += comment(indent) + comment(dash.prefix { $0 == " " }.count)
        }
        if isFlow { floors = "floors: [{floor: a, label: b},\n  {floor: c, image: [d]}] # flow\n" }
        let all =
            some("", "# top\n\n", "---\n", "# top\n--- # start\n") + "output: t\n" + comment(0)
            + keys[..<before].map { pair($0, 0) }.joined() + floors
            + keys[before...].map { pair($0, 0) }.joined() + some("", "...\n", "# end")
        return Bool.random(using: &random) ? all.replacing("\n", with: "\r\n") : all
    }
}

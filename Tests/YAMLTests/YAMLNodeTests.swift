import Platform
import Testing
import YAML

/// Trees of YAML, and the positions of their nodes.
struct YAMLNodeTests {
    @Test("Scalars are kept as written, unlike in YAML 1.1")
    func scalars() throws {
        let texts = ["01", "no", "1:100", "0x1F", "~", "1e3", "2026-11-22", "-1", "Erdgeschoß"]
        let node = try YAMLNode(parsing: Array("- \(texts.joined(separator: "\n- "))\n".utf8))
        #expect(node.json == texts.map { "'\($0)'" }.listText)
    }

    @Test(
        "Trees are those of the examples in the specification of YAML 1.2.2, chapter 2",
        arguments: [
            // 2.1, 2.2, 2.4 (shortened), 2.5, 2.6
            ("- Mark McGwire\n- Sammy Sosa\n- Ken Griffey\n", "['Mark McGwire','Sammy Sosa','Ken Griffey']"),
            ("hr:  65    # Home runs\navg: 0.278 # Batting average\n", "{hr:'65',avg:'0.278'}"),
            ("-\n  name: Mark McGwire\n  hr:   65\n", "[{name:'Mark McGwire',hr:'65'}]"),
            (
                "- [name        , hr, avg  ]\n- [Mark McGwire, 65, 0.278]\n",
                "[['name','hr','avg'],['Mark McGwire','65','0.278']]"
            ),
            ("Mark McGwire: {hr: 65, avg: 0.278}\n", "{Mark McGwire:{hr:'65',avg:'0.278'}}"),
            // 2.10: an alias
            ("hr:\n  - &SS Sammy Sosa\nrbi:\n  - *SS\n", "{hr:['Sammy Sosa'],rbi:['Sammy Sosa']}"),
            // 2.13, 2.14, 2.17
            ("--- |\n  \\//||\\/||\n  // ||  ||__\n", "'\\//||\\/||\n// ||  ||__\n'"),
            ("--- >\n  Mark McGwire's\n  year\n", "'Mark McGwire's year\n'"),
            (
                "unicode: \"Sosa did fine.\\u263A\"\nsingle: '\"Howdy!\" he cried.'\n",
                "{unicode:'Sosa did fine.\u{263A}',single:'\"Howdy!\" he cried.'}"
            ),
            // 2.23: a tag of the core schema
            ("not-date: !!str 2002-04-28\n", "{not-date:'2002-04-28'}"),
            // What JSON is.
            (#"{"a": [1, true, null], "b": {"c": "d"}}"#, "{a:['1','true','null'],b:{c:'d'}}"),
            // https://yaml.org/type/merge.html
            (
                "- &A {x: 1, y: 2}\n- &B {x: 0, r: 9}\n- {<<: *A, x: 7}\n- {r: 3, <<: [*A, *B]}\n",
                "[{x:'1',y:'2'},{x:'0',r:'9'},{x:'7',y:'2'},{r:'3',x:'1',y:'2'}]"
            ),
            ("\"<<\": 1\n", "{<<:'1'}"),
            ("%YAML 1.1\n---\na\n...\n", "'a'"), ("\u{FEFF}a: b\n", "{a:'b'}"), ("a:\n", "{a:''}"),
        ])
    func trees(text: String, tree: String) throws {
        #expect(try YAMLNode(parsing: Array(text.utf8)).json == tree)
    }

    @Test("Lines and columns count from 1, columns in characters")
    func marks() throws {
        let text = "top: 1\nfloors:\n  - {floor: é, ordinal: -1}\n  - &x\n    a: *y\n"
            .replacing("1\nfloors", with: "&y 1\nfloors")
        let node = try YAMLNode(parsing: Array(text.utf8))
        #expect(node.mark.description == "1:1" && node["top"]?.mark.description == "1:6")
        guard case .sequence(let floors) = node["floors"]?.content,
            case .mapping(let pairs) = floors[0].content
        else { throw Failure(.checkFailed, "there are no floors") }
        #expect(floors[0].mark.description == "3:5")
        #expect(pairs.map(\.mark.description) == ["3:6", "3:16"])
        #expect(pairs.map(\.value.mark.description) == ["3:13", "3:25"])
        // A node that an alias stands for begins at its anchor.
        #expect(floors[1]["a"]?.mark.description == "1:6")
    }

    @Test("A scalar records whether it is plain: a missing value is not an empty text")
    func styles() throws {
        let node = try YAMLNode(parsing: Array("a:\nb: ''\n".utf8))
        let isPlain = ["a", "b"].map { key in
            if case .scalar("", isPlain: let isPlain) = node[key]?.content { isPlain } else { nil as Bool? }
        }
        #expect(isPlain == [true, false])
    }

    @Test(
        "Invalid YAML is refused with its line and column",
        arguments: [
            ("", "1:1: there is no document"), ("# nothing\n", "1:1: there is no document"),
            ("a: 1\nb: [1, 2\nc: 3\n", "3:2: this is not YAML"), ("a: b: c\n", "1:5: this is not YAML"),
            ("a: 1\n\tb: 2\n", "2:1: this is not YAML"), ("a: \"open\n", "2:1: this is not YAML"),
            ("a: 'x' y\n", "1:8: this is not YAML"), ("a: @b\n", "1:4: this is not YAML"),
            ("- 1\na: 2\n", "2:1: this is not YAML"), ("a: 1\n b: 2\n", "2:3: this is not YAML"),
            ("a: }\n", "1:4: this is not YAML"), ("a: \"\\q\"\n", "1:5: this is not YAML"),
            ("%YAML 2.0\n---\na\n", "1:1: this is not YAML"),
            ("a: 1\na: 2\n", "2:1: the key 'a' occurs twice"),
            ("{a: 1, 'a': 2}\n", "1:8: the key 'a' occurs twice"),
            ("? [a]\n: b\n", "1:3: a key must be a string"),
            ("a\n---\nb\n", "2:1: a second document begins here"),
            ("a: !!binary aGk=\n", "1:4: the tag 'tag:yaml.org,2002:binary' is not supported here"),
            ("a: !floor x\n", "1:4: the tag '!floor' is not supported here"),
            ("a: !!seq x\n", "1:4: the tag"), ("a: !!str [x]\n", "1:4: the tag"),
            ("a: *b\n", "1:4: there is no '&b' before the alias '*b'"),
            ("a: &b [*b]\n", "1:8: the alias '*b' is inside its own anchor"),
            ("<<: 1\n", "1:5: '<<' needs a mapping"), ("a: {<<: [1]}\n", "1:10: '<<' needs"),
            ("a: \"x\\0y\"\n", "1:4: there is a NUL"),
        ])
    func refused(text: String, words: String) {
        let failure = #expect(throws: Failure.self) { try YAMLNode(parsing: Array(text.utf8)) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.hasPrefix(words) == true, "\(failure.map { "\($0)" } ?? "")")
        #expect(failure?.message.contains("\n") == false)
    }

    @Test(
        "Invalid UTF-8 is refused with its line and column",
        arguments: [
            (Array("a: 1\nb: ".utf8) + [0xFF, 0x0A], "2:4: "), ([0xC3], "1:1: "), ([0xC0, 0x80], "1:1: "),
            (Array("é: ".utf8) + [0xED, 0xA0, 0x80], "1:4: "), ([0x61, 0x07], "1:2: "),
            (Array("a: ".utf8) + [0], "1:4: "), ([0xFF, 0xFE, 0x61, 0], "1:1: "),
            ([0xFE, 0xFF, 0, 0x61], "1:1: "),
        ] as [([UInt8], String)])
    func encodings(bytes: [UInt8], place: String) {
        let failure = #expect(throws: Failure.self) { try YAMLNode(parsing: bytes) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.hasPrefix(place + "this is not plain text in UTF-8") == true, "\(failure!)")
    }

    @Test("Depth is limited, in brackets and in dashes")
    func depth() throws {
        for (open, close) in [("[", "]"), ("- ", ""), ("{a: ", "}")] {
            func text(_ depth: Int) -> [UInt8] {
                Array(
                    (String(repeating: open, count: depth) + "x" + String(repeating: close, count: depth))
                        .utf8)
            }
            _ = try YAMLNode(parsing: text(32))
            for depth in [33, 100_000] {
                let failure = #expect(throws: Failure.self) { try YAMLNode(parsing: text(depth)) }
                #expect(failure?.message.contains("more than 32 levels deep") == true)
            }
        }
    }

    @Test("A gigabyte of aliases is refused at once, and each alias counts")
    func aliases() throws {
        let laughs = (1..<10).map {
            "a\($0): &a\($0) [\(["*a\($0 - 1)"].repeated(9).joined(separator: ","))]"
        }
        let text =
            "a0: &a0 [\(["lol"].repeated(9).joined(separator: ","))]\n" + laughs.joined(separator: "\n")
        let failure = #expect(throws: Failure.self) { try YAMLNode(parsing: Array(text.utf8)) }
        #expect(failure?.message.contains("more than 100000 values up to here") == true)
        // The root, two keys, the list of three, and a list of that list 24 998 times: 100 000 nodes.
        let most = "a: &a [1, 2, 3]\nb: [" + ["*a"].repeated(24_998).joined(separator: ",")
        _ = try YAMLNode(parsing: Array("\(most)]".utf8))
        #expect(throws: Failure.self) { try YAMLNode(parsing: Array("\(most),9]".utf8)) }
    }
}

extension YAMLNode {
    /// The tree in a form that is short to write.
    fileprivate var json: String {
        switch content {
        case .scalar(let text, isPlain: _): "'\(text)'"
        case .sequence(let items): items.map(\.json).listText
        case .mapping(let pairs):
            "{" + pairs.map { "\($0.key):\($0.value.json)" }.joined(separator: ",") + "}"
        }
    }
}

extension [String] {
    fileprivate var listText: String { "[\(joined(separator: ","))]" }

    fileprivate func repeated(_ count: Int) -> [String] { (0..<count).flatMap { _ in self } }
}

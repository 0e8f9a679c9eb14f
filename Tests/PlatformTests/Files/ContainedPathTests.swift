@testable import Platform
import Testing

/// Names that were read from files. The cases are those of git's `verify_path`, and of archives that unpack outside of
/// their folder ("zip slip", CWE-22).
@Suite struct ContainedPathTests {
    @Test(
        "a contained path has only names that lead down",
        arguments: [
            ("plan.pmtiles", true), ("east/building.json", true), ("a/b/c", true), (" ", true), ("...", true),
            ("..a", true), ("a..", true), (".hidden", true), ("ü/é.png", true), ("-", true), ("~", true),
            ("C:\\plan", true), (String(repeating: "x", count: 255), true),
            ("", false), (".", false), ("..", false), ("/", false), ("/etc/passwd", false), ("../x", false),
            ("a/../x", false), ("a/..", false), ("a/./b", false), ("./a", false), ("a//b", false),
            ("a/", false),
            ("a/../../x", false), ("a\0b", false), ("a\nb", false), ("a\u{1B}[2J", false),
            ("a\u{9B}2J", false),
            // An accent behind a slash is one character with it, and to the system still a slash.
            ("a/\u{301}/../..", false), ("..\u{2F}\u{301}x", false),
            (String(repeating: "x", count: 256), false), (String(repeating: "x/", count: 2048) + "x", false),
        ])
    func paths(text: String, isContained: Bool) {
        #expect((ContainedPath(text) != nil) == isContained)
        #expect(ContainedPath(text)?.text ?? text == text)
    }

    @Test("a document that contains another path is refused with that path")
    func refusal() throws {
        let failure = try #require(throws: Failure.self) {
            try ContainedPath("../precious.pmtiles", readFrom: "tiles/building.json")
        }
        #expect(failure.kind == .badInput)
        #expect(failure.message.hasPrefix("cannot use 'tiles/building.json': it names '../precious.pmtiles'"))
        #expect(failure.remedy != nil)
    }
}

import Testing

@testable import CommandSupport

/// When words are coloured.
struct TextStyleTests {
    private static let cases: [(onTerminal: Bool, variables: [String: String], isWanted: Bool)] = [
        (true, ["TERM": "xterm"], true),
        (false, ["TERM": "xterm"], false),
        // "when present and not an empty string (regardless of its value), prevents the addition"
        (true, ["TERM": "xterm", "NO_COLOR": "0"], false),
        (true, ["TERM": "xterm", "NO_COLOR": ""], true),
        // "CLICOLOR_FORCE != 0: ANSI colors should be enabled no matter what"; NO_COLOR first.
        (false, ["CLICOLOR_FORCE": "1"], true),
        (false, ["CLICOLOR_FORCE": "0"], false),
        (false, ["CLICOLOR_FORCE": ""], false),
        (false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
        (true, ["TERM": "dumb"], false),
        (true, [:], false),
    ]

    @Test("Colours follow no-color.org and bixense.com/clicolors", arguments: cases)
    func wanted(onTerminal: Bool, variables: [String: String], isWanted: Bool) {
        #expect(TextStyle.areWanted(onTerminal: onTerminal) { variables[$0] } == isWanted)
    }

    @Test("Styles are those of ECMA-48: 1 bold, 2 faint, 31 red, 33 yellow, 0 ends them")
    func sequences() {
        #expect(TextStyle.error.applied(to: "a") == "\u{1B}[1;31ma\u{1B}[0m")
        #expect(TextStyle.warning.applied(to: "a") == "\u{1B}[1;33ma\u{1B}[0m")
        #expect(TextStyle.hint.applied(to: "a") == "\u{1B}[2ma\u{1B}[0m")
    }
}

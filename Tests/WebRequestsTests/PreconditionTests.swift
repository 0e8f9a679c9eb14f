import Testing
import WebRequests

/// The conditions of requests, as RFC 9110, section 13 has them.
struct PreconditionTests {
    private let tag = EntityTag("abc")

    private func condition(_ ifMatch: [String], _ ifNoneMatch: [String], none: Bool = false) -> Precondition {
        Precondition(ifMatch: ifMatch, ifNoneMatch: ifNoneMatch, tag: none ? nil : tag)
    }

    @Test("If-Match is compared strongly, and If-None-Match weakly")
    func comparison() {
        #expect(condition([], []) == .met)
        for (field, isMatched, isKnown) in [
            ("\"abc\"", true, true), ("*", true, true), (" \t\"x\" ,\"abc\"", true, true),
            ("W/\"abc\"", false, true),
            ("\"x\"", false, false), ("abc", false, false), ("", false, false), ("\"ab\"c\"", false, false),
        ] {
            #expect(condition([field], []) == (isMatched ? .met : .failed), "\(field)")
            #expect(condition([], [field]) == (isKnown ? .notModified : .met), "\(field)")
        }
        #expect(condition(["\"x\"", "\"abc\""], []) == .met)
        #expect(condition([], ["\"x\"", "\"abc\""]) == .notModified)
    }

    @Test("If-Match is checked first")
    func order() {
        #expect(condition(["\"x\""], ["\"abc\""]) == .failed)
        #expect(condition(["\"abc\""], ["\"abc\""]) == .notModified)
    }

    @Test("A missing resource matches nothing")
    func nothing() {
        for field in ["*", "\"abc\""] {
            #expect(condition([field], [], none: true) == .failed)
            #expect(condition([], [field], none: true) == .met)
        }
    }
}

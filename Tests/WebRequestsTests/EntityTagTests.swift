import Testing
import WebRequests

/// What a client has already, as RFC 9110, sections 8.8.3 and 13.1, has it.
@Suite struct EntityTagTests {
    private let tag = EntityTag("c3piozzzz")

    @Test(
        "a tag is found among others, weak or strong",
        arguments: [
            #""c3piozzzz""#, #""xyzzy", "r2d2xxxx", "c3piozzzz""#, #"W/"c3piozzzz""#, "*",
            "  \"c3piozzzz\"\t",
            #""xyzzy","c3piozzzz""#,
        ])
    func named(field: String) {
        #expect(tag.isNamed(in: field))
    }

    @Test(
        "other tags are other states",
        arguments: [
            "", #""xyzzy""#, "c3piozzzz", #""c3piozzzz"#, #"w/"c3piozzzz""#, #""C3PIOZZZZ""#, ",", "W/",
        ])
    func other(field: String) {
        #expect(!tag.isNamed(in: field))
    }

    @Test("a range is used only with the same strong tag")
    func range() {
        #expect(tag.isRange(#""c3piozzzz""#))
        #expect(!tag.isRange(#"W/"c3piozzzz""#))
        #expect(!tag.isRange("Tue, 15 Nov 1994 08:12:31 GMT"))
    }
}

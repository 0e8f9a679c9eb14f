import Testing

@testable import Tilesets

@Suite struct SourceImageTests {
    /// Names of files and how they are written: percent-encoding is that of RFC 3986, section 2.1.
    static let names: [(path: String, page: Int, text: String)] = [
        ("plan.png", 1, "plan.png"), ("/a/b/plan.png", 1, "plan.png"), ("a/plan-2_~.PNG", 1, "plan-2_~.PNG"),
        ("ground floor, 1:200.png", 1, "ground%20floor%2C%201%3A200.png"),
        ("Straße.png", 1, "Stra%C3%9Fe.png"), ("100%.png", 1, "100%25.png"), ("a\r\nb", 1, "a%0D%0Ab"),
        ("plan.pdf", 7, "plan.pdf#page=7"), ("plan.pdf#page=7", 1, "plan.pdf%23page%3D7"),
        ("\u{301}x", 1, "%CC%81x"),
    ]

    @Test("an image is one word of ASCII, and is parsed from it", arguments: names)
    func words(path: String, page: Int, text: String) throws {
        let image = SourceImage(path: path, page: page)
        #expect(image.text == text)
        #expect(SourceImage(text: text) == image)
    }

    @Test(
        "other texts are not images",
        arguments: ["", "a b", "a,b", "%", "%4", "%zz", "%FF", "a#", "a#page=", "a#page=1", "a#page=x", "ä"])
    func others(text: String) { #expect(SourceImage(text: text) == nil) }

    @Test("messages name a page only if it is not the first")
    func descriptions() {
        #expect(SourceImage(path: "a/plan.pdf").description == "'plan.pdf'")
        #expect(SourceImage(path: "plan.pdf", page: 2).description == "page 2 of 'plan.pdf'")
    }
}

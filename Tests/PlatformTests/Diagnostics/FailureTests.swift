import Platform
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct FailureTests {
    @Test(
        "the system's error determines the kind of failure",
        arguments: [
            (ENOENT, Failure.Kind.outputRefused, Failure.Kind.missingInput),
            (EACCES, .outputRefused, .missingInput), (EROFS, .outputRefused, .missingInput),
            (EMFILE, .systemLimit, .systemLimit), (ENOMEM, .systemLimit, .systemLimit),
            (EIO, .inputOutput, .inputOutput), (ESTALE, .inputOutput, .inputOutput),
            (ENOSPC, .inputOutput, .missingInput),
        ])
    func kinds(code: Int32, writing: Failure.Kind, reading: Failure.Kind) {
        #expect(Failure.Kind(ofWriting: code) == writing)
        #expect(Failure.Kind(ofReading: code) == reading)
    }

    @Test("only errors of the system may not occur again")
    func ofSystem() {
        #expect(Failure(.systemLimit, "").isOfSystem && Failure(.inputOutput, "").isOfSystem)
        #expect(!Failure(.badInput, "").isOfSystem && !Failure(.missingInput, "").isOfSystem)
    }

    @Test(
        "a number has the shortest text that identifies it",
        arguments: [
            (300, "300"), (-2, "-2"), (0.25, "0.25"), (-3.4e38, "-3.4e+38"), (1e16, "1e+16"),
        ])
    func shortText(number: Double, text: String) { #expect(number.shortText == text) }

    @Test(
        "a word in a shell command is quoted if it is not plain",
        arguments: [("", "''"), ("a/b-1.png", "a/b-1.png"), ("a b", "'a b'"), ("it's", "'it'\\''s'")])
    func shellWord(word: String, quoted: String) { #expect(ShellWord.quoted(word) == quoted) }

    @Test("the largest number has all its digits")
    func longText() {
        // 2^1024 - 2^971.
        let text = Double.greatestFiniteMagnitude.text(decimals: 2)
        #expect(text.count == 309 + 3 && text.hasPrefix("17976931348623157"))
        #expect((2.0 / 3).text(decimals: 4) == "0.6667" && (-0.5).text(decimals: 1) == "-0.5")
    }
}

internal import CArguments
package import Platform

/// The command line as the system gives it: bytes, not text.
package enum ProgramArguments {
    /// The words behind the program's name. Words that are not UTF-8 are refused: as text they would be other names than
    /// those of the files that are meant.
    ///
    /// - Throws: `.usage`.
    package static func words() throws(Failure) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, ca_count()) {
            guard let argument = ca_argument(index) else { continue }
            guard let word = String(validatingCString: argument) else { throw refusal(argument) }
            words.append(word)
        }
        return words
    }

    private static func refusal(_ argument: UnsafePointer<CChar>) -> Failure {
        Failure(
            .usage,
            "cannot read the argument '\(escaped(argument))': it is not UTF-8, as names of files have to be here",
            remedy: "give the file another name; 'convmv -f latin1 -t utf8' does it for many")
    }

    /// ASCII, and all other bytes as `$'...'` in a shell has them.
    private static func escaped(_ argument: UnsafePointer<CChar>) -> String {
        var text = ""
        var next = argument
        while next.pointee != 0 {
            let byte = UInt8(bitPattern: next.pointee)
            let isPlain = (0x20..<0x7f).contains(byte)
            text +=
                isPlain
                ? String(UnicodeScalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            next += 1
        }
        return text
    }
}

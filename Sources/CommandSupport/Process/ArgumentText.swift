package import Diagnostics

/// The command line as the system gives it: bytes, not text.
package enum ArgumentText {
    /// Refuses arguments that are no UTF-8. As text they would be other names than those of the files
    /// that are meant.
    ///
    /// - Throws: `.usage`.
    package static func check() throws(Failure) {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index],
                String(validatingCString: argument) == nil
            else { continue }
            let bytes = UnsafeRawBufferPointer(
                UnsafeBufferPointer(start: argument, count: length(of: argument)))
            throw Failure(
                .usage,
                "cannot read the argument '\(escaped(bytes))': it is not UTF-8, as names of files "
                    + "have to be here",
                remedy: "give the file another name; 'convmv -f latin1 -t utf8' does it for many")
        }
    }

    private static func length(of text: UnsafePointer<CChar>) -> Int {
        var count = 0
        while text[count] != 0 { count += 1 }
        return count
    }

    /// ASCII, and all other bytes as `$'...'` in a shell has them.
    private static func escaped(_ bytes: UnsafeRawBufferPointer) -> String {
        bytes.map { byte in
            if (0x20..<0x7f).contains(byte) { return String(UnicodeScalar(byte)) }
            return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

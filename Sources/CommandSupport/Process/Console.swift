package import Diagnostics
import Files

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The two streams: results go to standard output, everything else to standard error.
package enum Console {
    /// Whether standard error is a terminal that a person looks at.
    package static var isTerminal: Bool { isatty(2) == 1 }

    /// Prints a line of a result.
    ///
    /// - Throws: `.inputOutput` if it does not arrive whole, as in a file on a full disk.
    package static func result(_ line: String) throws { try result(Array((line + "\n").utf8)) }

    /// Refuses to write bytes that are no text to a terminal.
    ///
    /// - Throws: `.usage`.
    package static func checkTakesBytes() throws(Failure) {
        guard isatty(1) == 1 else { return }
        throw Failure(
            .usage, "a terminal cannot show the bytes of a file",
            remedy: "give it a name with -o FILE, or lead standard output to a file or a program")
    }

    /// Writes the bytes of a file as a result.
    ///
    /// - Throws: `.inputOutput` if they do not arrive whole.
    package static func result(_ bytes: [UInt8]) throws {
        guard let error = write(bytes[...], to: 1) else { return }
        let reason = SystemError(code: error).text
        throw Failure(.inputOutput, "cannot write to standard output: \(reason)")
    }

    /// Prints a line for people.
    package static func say(_ line: String) { show(line + "\n") }

    /// Prints text for people without an end of line.
    package static func show(_ text: String) {
        // If nobody listens any more, there is nobody to tell.
        _ = write(Array(text.utf8)[...], to: 2)
    }

    /// Prints a warning.
    package static func warn(_ line: String) { say("warning: \(line.printable)") }

    /// Prints an error, and the way out on a second line.
    package static func error(_ failure: Failure) {
        say("error: \(failure.message.printable)")
        if let remedy = failure.remedy { say("       \(remedy.printable)") }
    }

    /// - Returns: the system's number of what went wrong.
    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
        var bytes = bytes
        while !bytes.isEmpty {
            #if canImport(Glibc)
                let count = bytes.withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
            #elseif canImport(Darwin)
                let count = bytes.withUnsafeBytes {
                    Darwin.write(descriptor, $0.baseAddress, $0.count)
                }
            #endif
            guard count > 0 else { return errno }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }
}

extension String {
    /// The text without control characters: a file's name may hold a line feed, or what a terminal
    /// would take for a command.
    package var printable: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            text +=
                scalar.properties.generalCategory == .control
                ? scalar.escaped(asASCII: false) : String(scalar)
        }
    }
}

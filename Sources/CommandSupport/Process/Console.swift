package import Platform
import Synchronization

/// The two streams: results go to standard output, everything else to standard error.
package enum Console {
    /// Whether standard error is a terminal that a person looks at.
    package static var isTerminal: Bool { isatty(2) == 1 }

    /// Whether a line of the terminal can be drawn again in its place.
    package static var canRedraw: Bool { isTerminal && !TextStyle.isDumb(variable) }

    /// How many columns the terminal has, as it says itself, or else `COLUMNS`; ioctl(2), TIOCGWINSZ.
    package static var columns: Int {
        var size = winsize()
        if ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Whether what is said gets styles.
    private static let isStyled = TextStyle.areWanted(onTerminal: isTerminal, variable: variable)

    /// Whether a line stands there that is to go before anything else is said.
    private static let hasStatus = Mutex(false)

    /// Prints a line of a result for people.
    ///
    /// - Throws: `.inputOutput` if it does not arrive whole, as in a file on a full disk.
    package static func result(_ line: String) throws { try result(lines: [line]) }

    /// Prints lines of a result for people. What is in a line stays in it.
    ///
    /// - Throws: as for a line.
    package static func result(lines: [String]) throws { try result(bytes: Array(text(lines).utf8)) }

    /// Prints a result for programs.
    ///
    /// - Throws: as for a line.
    package static func result(json: String) throws {
        try result(bytes: Array((json.printableJSON + "\n").utf8))
    }

    /// Refuses to write bytes that are no text to a terminal.
    ///
    /// - Throws: `.usage`.
    package static func checkTakesBytes() throws(Failure) {
        guard isatty(1) == 1 else { return }
        throw Failure(
            .usage, "a terminal cannot show the bytes of a file",
            remedy: "give it a name with -o FILE, or lead standard output to a file or a program")
    }

    /// Writes the bytes of a file, such as a tile or code, as a result.
    ///
    /// - Throws: `.inputOutput` if they do not arrive whole.
    package static func result(bytes: [UInt8]) throws {
        clearStatus()
        guard let error = write(bytes[...], to: 1) else { return }
        let reason = SystemError(code: error).text
        throw Failure(.inputOutput, "cannot write to standard output: \(reason)")
    }

    /// Prints a line for people.
    package static func say(_ line: String) { say(lines: [line]) }

    /// Prints lines for people.
    package static func say(lines: [String]) {
        clearStatus()
        show(text(lines))
    }

    /// Lines that end, and in which nothing commands the terminal.
    private static func text(_ lines: [String]) -> String {
        lines.map { $0.printable + "\n" }.joined()
    }

    /// Shows a line that the next one replaces, and that goes before anything else is said: `clearStatus`.
    package static func showStatus(_ line: String) {
        hasStatus.withLock { $0 = true }
        show("\r\(line.printable)\u{1B}[K")
    }

    /// Clears the line of `showStatus`, if there is one.
    package static func clearStatus() {
        let isThere = hasStatus.withLock { hasStatus in
            defer { hasStatus = false }
            return hasStatus
        }
        if isThere { show("\r\u{1B}[K") }
    }

    /// Prints text for people as it is, with the styles that it has.
    private static func show(_ text: String) {
        // If nobody listens any more, there is nobody to tell.
        _ = write(Array(text.utf8)[...], to: 2)
    }

    /// Prints a warning.
    package static func warn(_ line: String) { say(line, behind: "warning:", .warning) }

    /// Prints a warning.
    package static func warn(_ warning: Warning) { warn(warning.text) }

    /// Prints an error, and the way out on a second line.
    package static func error(_ failure: Failure) {
        say(failure.message, behind: "error:", .error)
        if let remedy = failure.remedy { show("       \(styled(remedy.printable, .hint))\n") }
    }

    private static func say(_ line: String, behind word: String, _ style: TextStyle) {
        clearStatus()
        show("\(styled(word, style)) \(line.printable)\n")
    }

    private static func styled(_ text: String, _ style: TextStyle) -> String {
        isStyled ? style.applied(to: text) : text
    }

    /// - Returns: the system's number of what went wrong.
    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
        var bytes = bytes
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Platform.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return errno }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }
}

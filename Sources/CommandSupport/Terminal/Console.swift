package import Platform
import Synchronization

/// The two streams: results go to standard output, everything else to standard error.
package enum Console {
    /// Whether standard error is a terminal.
    package static var isTerminal: Bool { isatty(2) == 1 }

    /// Whether a line of the terminal can be replaced by another.
    package static var canRedraw: Bool { isTerminal && !TextStyle.isDumb(variable) }

    /// The number of the terminal's columns: from ioctl(2), TIOCGWINSZ, otherwise from `COLUMNS`.
    package static var columns: Int {
        var size = winsize()
        if ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Whether messages get styles.
    private static let isStyled = TextStyle.areWanted(onTerminal: isTerminal, variable: variable)

    /// Whether the terminal shows a status line, which is cleared before other text is printed.
    private static let hasStatus = Mutex(false)

    /// Prints a line of a result for people.
    ///
    /// - Throws: `.inputOutput` if the line cannot be written completely, as on a full disk.
    package static func result(_ line: String) throws { try result(lines: [line]) }

    /// Prints lines of a result for people. Line feeds within a line are escaped.
    ///
    /// - Throws: as for a line.
    package static func result(lines: [String]) throws { try result(bytes: Array(text(lines).utf8)) }

    /// Prints a result for programs.
    ///
    /// - Throws: as for a line.
    package static func result(json: String) throws {
        try result(bytes: Array((json.printableJSON + "\n").utf8))
    }

    /// Refuses to write binary data to a terminal.
    ///
    /// - Throws: `.usage`.
    package static func checkTakesBytes() throws(Failure) {
        guard isatty(1) == 1 else { return }
        throw Failure(
            .usage, "a terminal cannot show the bytes of a file",
            remedy: "name an output with -o FILE, or redirect standard output to a file or a program")
    }

    /// Writes the bytes of a file, such as a tile or code, as a result.
    ///
    /// - Throws: `.inputOutput` if the bytes cannot be written completely.
    package static func result(bytes: [UInt8]) throws {
        clearStatus()
        guard let error = send(bytes[...], to: 1) else { return }
        let reason = SystemError(code: error).text
        throw Failure(.inputOutput, "cannot write to standard output: \(reason)")
    }

    /// Prints a line for people.
    package static func say(_ line: String) { say(lines: [line]) }

    /// Prints lines for people.
    package static func say(lines: [String]) {
        if EventLine.areWanted { return }
        clearStatus()
        show(text(lines))
    }

    /// The lines, each with a line feed at its end, and without control sequences.
    private static func text(_ lines: [String]) -> String {
        lines.map { $0.printable + "\n" }.joined()
    }

    /// Shows a status line. The next status line replaces it; before other text, `clearStatus` clears it.
    package static func showStatus(_ line: String) {
        hasStatus.withLock { $0 = true }
        show("\r\(line.printable)\u{1B}[K")
    }

    /// Clears the status line, if there is one.
    package static func clearStatus() {
        let isThere = hasStatus.withLock { hasStatus in
            defer { hasStatus = false }
            return hasStatus
        }
        if isThere { show("\r\u{1B}[K") }
    }

    /// Prints text unchanged, including its styles.
    private static func show(_ text: String) {
        // If the stream is closed, there is no other place for the error.
        _ = send(Array(text.utf8)[...], to: 2)
    }

    /// Prints a line for programs.
    static func show(json: String) { show(json.printableJSON + "\n") }

    /// Prints a warning.
    package static func warn(_ line: String) { warn(Warning("other", line)) }

    /// Prints a warning.
    package static func warn(_ warning: Warning) {
        if EventLine.areWanted { return tell(.warning, warning) }
        say(warning.text, behind: "warning:", .warning)
    }

    /// Prints an error, and its remedy on a second line.
    package static func error(_ failure: Failure) {
        if EventLine.areWanted { return tell(.error, RunError(failure)) }
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

    /// - Returns: the system's error number; nil after success.
    private static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32? {
        var bytes = bytes
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return errno }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }
}

extension String {
    /// The text in one line, without control characters. Names of received files and folders may contain
    /// them.
    package var printable: String {
        replacingCommands { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: "\\u{\(scalar.hex)}"
            }
        }
    }

    /// The same JSON with all control characters in its strings escaped. JSON itself escapes only some of
    /// them (RFC 8259, section 7). Line feeds between members stay.
    var printableJSON: String {
        replacingCommands {
            $0 == "\n" ? "\n" : "\\u" + String(repeating: "0", count: 4 - $0.hex.count) + $0.hex
        }
    }

    private func replacingCommands(by text: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: \.isCommand) else { return self }
        return unicodeScalars.reduce(into: "") { $0 += $1.isCommand ? text($1) : String($1) }
    }
}

extension Unicode.Scalar {
    /// Whether the character can control a terminal, end a line, or reorder the text after it. These are
    /// control characters, line and paragraph separators, and the embeddings, overrides and isolates of
    /// bidirectional text (UAX 9, section 2).
    fileprivate var isCommand: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    fileprivate var hex: String { String(value, radix: 16, uppercase: true) }
}

/// The highlighting of messages on a terminal. The values are parameters of the control sequence SGR
/// (ECMA-48, 8.3.117).
package enum TextStyle: String {
    /// Bold and red, as in compilers.
    case error = "1;31"
    /// Bold and yellow.
    case warning = "1;33"
    /// Dim, for the remedy below an error.
    case hint = "2"

    /// The text in this style.
    package func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

    /// Whether a stream gets styles. `NO_COLOR` turns them off, `CLICOLOR_FORCE` turns them on (no-color.org,
    /// bixense.com/clicolors). Otherwise a terminal gets styles if it can show them.
    ///
    /// - Parameter variable: returns the value of an environment variable.
    package static func areWanted(onTerminal: Bool, variable: (String) -> String?) -> Bool {
        if variable("NO_COLOR")?.isEmpty == false { return false }
        let forced = variable("CLICOLOR_FORCE") ?? ""
        if !forced.isEmpty, forced != "0" { return true }
        return onTerminal && !isDumb(variable)
    }

    /// Whether the terminal does not support control sequences. This is also assumed if `TERM` is not set.
    package static func isDumb(_ variable: (String) -> String?) -> Bool {
        let name = variable("TERM") ?? ""
        return name.isEmpty || name == "dumb"
    }
}

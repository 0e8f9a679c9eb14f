/// How a part of what is said stands out on a terminal; the values are parameters of the control sequence SGR
/// (ECMA-48, 8.3.117).
package enum TextStyle: String {
    /// Bold and red, as compilers say it.
    case error = "1;31"
    /// Bold and yellow.
    case warning = "1;33"
    /// Dim: the way out, below what went wrong.
    case hint = "2"

    /// The text in this style.
    package func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

    /// Whether a stream gets styles: a terminal does if it can show them, and `NO_COLOR` and `CLICOLOR_FORCE`
    /// are not set against it (no-color.org, bixense.com/clicolors).
    ///
    /// - Parameter variable: the value of a variable of the environment.
    package static func areWanted(onTerminal: Bool, variable: (String) -> String?) -> Bool {
        if variable("NO_COLOR")?.isEmpty == false { return false }
        let forced = variable("CLICOLOR_FORCE") ?? ""
        if !forced.isEmpty, forced != "0" { return true }
        return onTerminal && !isDumb(variable)
    }

    /// Whether the terminal knows no control sequences; so does one that does not say what it is.
    package static func isDumb(_ variable: (String) -> String?) -> Bool {
        let name = variable("TERM") ?? ""
        return name.isEmpty || name == "dumb"
    }
}

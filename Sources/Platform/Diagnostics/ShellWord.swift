/// Words of the commands that errors name, for a shell.
package enum ShellWord {
    /// A word for the shell.
    package static func quoted(_ word: String) -> String {
        if word.utf8.allSatisfy(plainBytes.contains) { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }

    private static let plainBytes = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./".utf8)

    /// The path without the extension of its last part.
    package static func stem(of path: String) -> String {
        guard let dot = path.lastIndex(of: "."), dot != path.startIndex,
            !path[dot...].contains("/"), path[path.index(before: dot)] != "/"
        else { return path }
        return String(path[..<dot])
    }
}

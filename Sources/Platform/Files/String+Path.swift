extension String {
    /// What stands before the last slash, nil if there is none, and the name behind it. All other
    /// splitting of paths is made of this.
    ///
    /// Bytes are compared, as the system does: to Swift, a slash and an accent behind it are one
    /// character, which is not a slash.
    package var splitAtLastSlash: (parent: Substring?, name: Substring) {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (nil, Substring(self)) }
        return (self[..<slash], self[utf8.index(after: slash)...])
    }

    /// The directory and the name behind the last slash: `.` is the directory of a name alone, and the
    /// name of a path that ends with a slash is empty.
    package var splitPath: (directory: String, name: String) {
        let (parent, name) = splitAtLastSlash
        guard let parent else { return (".", String(name)) }
        return (parent.isEmpty ? "/" : String(parent), String(name))
    }

    /// The directory that a path stands in; slashes at the end of the path do not count.
    package var parentDirectory: String { trimmed.splitPath.directory }

    /// The path of a file in this directory, which may end with a slash.
    package func path(of name: String) -> String { hasSuffix("/") ? self + name : "\(self)/\(name)" }

    /// A file's name without its directory; slashes at the end of the path do not count. The root is its
    /// own name.
    package var fileName: String {
        let name = trimmed.splitPath.name
        return name.isEmpty ? self : name
    }

    /// A file's name without its directory and its last extension.
    package var fileStem: String { fileName.splitExtension.stem }

    /// A path without its file's extension, and the extension, which is empty if there is none; a dot
    /// that the name begins with starts none.
    package var splitExtension: (stem: String, fileExtension: String) {
        let name = splitAtLastSlash.name.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
            return (self, "")
        }
        return (String(self[..<dot]), String(self[name.index(after: dot)...]))
    }

    /// Whether a path ends with some letters, which are lower case, in either case.
    package func hasEnding(_ ending: String) -> Bool { lowercased().hasSuffix(ending) }

    /// The path without slashes at its end, but for the root.
    private var trimmed: String {
        var path = Substring(self).utf8
        while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
        return String(Substring(path))
    }
}

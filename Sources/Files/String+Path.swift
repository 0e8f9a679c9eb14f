extension String {
    /// The directory and the name behind the last slash: `.` is the directory of a name alone, and the
    /// name of a path that ends with a slash is empty. All other splitting of paths is made of this.
    package var splitPath: (directory: String, name: String) {
        guard let slash = lastIndex(of: "/") else { return (".", self) }
        let directory = slash == startIndex ? "/" : String(self[..<slash])
        return (directory, String(self[index(after: slash)...]))
    }

    /// The directory that a path stands in; slashes at the end of the path do not count.
    package var parentDirectory: String { trimmed.splitPath.directory }

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
        let name = splitPath.name
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (self, "") }
        let fileExtension = name[name.index(after: dot)...]
        return (String(dropLast(fileExtension.count + 1)), String(fileExtension))
    }

    /// Whether a path ends with some letters, which are lower case, in either case.
    package func hasEnding(_ ending: String) -> Bool { lowercased().hasSuffix(ending) }

    /// The path without slashes at its end, but for the root.
    private var trimmed: String {
        var path = self[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}

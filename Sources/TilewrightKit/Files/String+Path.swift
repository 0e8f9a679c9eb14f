extension String {
    /// The directory that a path stands in.
    var parentDirectory: String {
        var path = self[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A file's name without its directory.
    var fileName: String { split(separator: "/").last.map(String.init) ?? self }

    /// A file's name without its directory and its last extension.
    var fileStem: String {
        let name = fileName
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// Whether a path ends so, in whatever letters.
    func hasEnding(_ ending: String) -> Bool { lowercased().hasSuffix(ending) }
}

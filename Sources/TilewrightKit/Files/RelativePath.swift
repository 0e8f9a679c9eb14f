/// The way from one place in the file system to another.
enum RelativePath {
    /// Components from a directory to a file or directory, `..` among them; none to itself.
    static func components(from directory: String, to path: String) -> [String] {
        let from = CanonicalPath(directory).components
        let to = CanonicalPath(path).components
        let common = zip(from, to).prefix { $0 == $1 }.count
        return Array(repeating: "..", count: from.count - common) + to[common...].map(String.init)
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a path leads from the root, without links, as far as it exists.
///
/// To compare, not to open: names that are not UTF-8 are not what they were.
package struct CanonicalPath: Equatable {
    /// The names of directories from the root on, and the last name.
    package let components: [Substring]

    /// Follows a path; realpath(3).
    package init(_ path: String) {
        // Bytes again: see `splitAtLastSlash`.
        components = Self.absolute(path).utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    private static func absolute(_ path: String) -> String {
        if let target = realpath(path, nil) {
            defer { free(target) }
            return String(cString: target)
        }
        let parent = path.parentDirectory
        return (parent == path ? path : absolute(parent)) + "/" + path.fileName
    }
}

/// The way from one place in the file system to another.
package enum RelativePath {
    /// Components from a directory to a file or directory, `..` among them; none to itself.
    package static func components(from directory: String, to path: String) -> [String] {
        let from = CanonicalPath(directory).components
        let to = CanonicalPath(path).components
        let common = zip(from, to).prefix { $0 == $1 }.count
        return Array(repeating: "..", count: from.count - common) + to[common...].map(String.init)
    }
}

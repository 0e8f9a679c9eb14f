#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a path leads from the root, without links, as far as it exists.
///
/// To compare, not to open: names that are not UTF-8 are not what they were.
struct CanonicalPath: Equatable {
    /// The names of directories from the root on, and the last name.
    let components: [Substring]

    /// Follows a path; realpath(3).
    init(_ path: String) {
        components = Self.absolute(path).split(separator: "/")
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

import Files

/// The directories of tiles below OUTPUT; the last one is kept open, since neighbours share it.
struct TileDirectories {
    private let root: Directory
    private var last: (path: Substring, directory: Directory?)

    /// Starts at OUTPUT.
    init(root: Directory) {
        self.root = root
        last = ("", root)
    }

    /// Divides a path into its directory, empty for OUTPUT itself, and the name inside.
    static func split(_ path: String) -> (directory: Substring, name: String) {
        let (parent, name) = path.splitAtLastSlash
        return (parent ?? "", String(name))
    }

    /// Opens a directory by its path below OUTPUT.
    ///
    /// - Parameter create: make what is missing.
    /// - Returns: nil if it is not there, or was removed while it was being made.
    /// - Throws: `.outputRefused` if a component is a file or a symbolic link.
    mutating func open(_ path: Substring, create: Bool = false) throws -> Directory? {
        if path == last.path, last.directory != nil || !create { return last.directory }
        var directory: Directory? = root
        for bytes in path.utf8.split(separator: UInt8(ascii: "/")) {
            let name = String(Substring(bytes))
            directory =
                create
                ? try directory?.makeSubdirectory(name) : try directory?.subdirectory(name)
        }
        last = (path, directory)
        return directory
    }

    /// Removes a directory and those above it as far as they are empty.
    mutating func prune(_ path: Substring) throws {
        last = ("", root)
        var path = path
        while !path.isEmpty {
            let (parent, name) = Self.split(String(path))
            guard let directory = try open(parent),
                try directory.removeEmptySubdirectory(name)
            else { break }
            path = parent
        }
        last = ("", root)
    }
}

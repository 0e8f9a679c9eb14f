import Platform

/// The directories of tiles below OUTPUT, or below the staging of one. Those on the way to the last tile are kept open,
/// since neighbours share them; no link on the way is followed.
struct TileDirectories {
    private let root: Directory
    /// The path that was opened last.
    private var last: Substring = ""
    /// The directories on the way to it.
    private var way: [(name: String, directory: Directory)] = []

    /// Starts at OUTPUT.
    init(root: Directory) { self.root = root }

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
        if path != last { try go(to: path, create: create) }
        return path == last ? way.last?.directory ?? root : nil
    }

    private mutating func go(to path: Substring, create: Bool) throws {
        let names = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let common = zip(names, way).prefix { $0 == $1.name }.count
        way.removeSubrange(common...)
        last = ""
        for name in names[common...] {
            let parent = way.last?.directory ?? root
            let directory = create ? try parent.makeSubdirectory(name) : try parent.subdirectory(name)
            guard let directory else {
                way = []
                return
            }
            way.append((name, directory))
        }
        last = path
    }

    /// Removes a directory and those above it as far as they are empty.
    mutating func prune(_ path: Substring) throws {
        var path = path
        while !path.isEmpty {
            let (parent, name) = Self.split(String(path))
            guard let directory = try open(parent), try directory.removeEmptySubdirectory(name) else { break }
            path = parent
        }
        (last, way) = ("", [])
    }
}

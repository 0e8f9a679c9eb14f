import Platform
import Tiling

/// Opens the directories of tiles below OUTPUT, or below its staging. The directories on the path to the last
/// tile are kept open, since neighbours share them. Links in the path are not followed.
struct TileDirectories {
    private let root: Directory
    /// The last path that was opened.
    private var last: Substring = ""
    /// The directories on this path.
    private var way: [(name: String, directory: Directory)] = []

    /// Starts at a directory.
    init(root: Directory) { self.root = root }

    /// Splits a path into its directory, empty for OUTPUT itself, and the name inside.
    static func split(_ path: String) -> (directory: Substring, name: String) {
        let (parent, name) = path.splitAtLastSlash
        return (parent ?? "", String(name))
    }

    /// Opens a directory by its path below OUTPUT.
    ///
    /// - Parameter create: whether to make missing directories.
    /// - Returns: nil if it does not exist, or was removed while it was being made.
    /// - Throws: `.outputRefused` if a component is a file or a symbolic link.
    mutating func open(_ path: Substring, create: Bool = false) throws -> Directory? {
        if path != last { try go(to: path, create: create) }
        return path == last ? way.last?.directory ?? root : nil
    }

    /// The status of a file by its path below OUTPUT; nil if it does not exist.
    mutating func status(of path: String) throws -> FileStatus? {
        let (parent, name) = Self.split(path)
        return try open(parent)?.status(of: name)
    }

    /// The bytes of a tile by its path below OUTPUT; nil if it does not exist.
    mutating func readTile(_ path: String) throws -> [UInt8]? {
        let (parent, name) = Self.split(path)
        return try open(parent)?.readFile(name, most: ReadingBudget.largestTile)
    }

    private mutating func go(to path: Substring, create: Bool) throws {
        let names = String(path).pathComponents()
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

    /// Removes a directory and its parents, as far as they are empty.
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

// Compares tiles in OUTPUT with their records.
extension TileDirectories {
    /// How a file compares with its record.
    enum Comparison { case absent, different, same }

    /// Compares a file with its record; reads it only if its size is right.
    ///
    /// - Parameter bySize: whether to compare only the size, without reading the file.
    /// - Returns: `different`, too, if the name is that of a link or a device.
    /// - Throws: `.outputRefused` if a directory or a component of the path is in the way.
    mutating func compare(
        _ record: TileRecord, at path: String, bySize: Bool = false
    ) throws -> Comparison {
        let (parent, name) = Self.split(path)
        guard let directory = try open(parent), let status = try directory.status(of: name)
        else { return .absent }
        if status.kind == .directory {
            throw Failure(
                .outputRefused, "cannot write '\(directory.path(of: name))': it is a folder",
                remedy: "give another --template or OUTPUT")
        }
        guard status.kind == .file, status.size == record.size else { return .different }
        if bySize { return .same }
        return try directory.hash(ofFile: name) == record.hash ? .same : .different
    }
}

extension TilesetManifest.Section {
    /// The tiles whose files have the content, or with `bySize` only the size, of their records.
    func intact(in root: Directory, bySize: Bool) throws -> [TileRecord] {
        var directories = TileDirectories(root: root)
        return try records.sorted.filter {
            let path = names.path(of: $0.coordinate)
            return try directories.compare($0, at: path, bySize: bySize) == .same
        }
    }
}

extension [TilesetManifest.Section] {
    /// The paths of tiles, each once: several sections of killed runs may have the same path.
    var paths: [String] {
        let paths = map { section in
            section.records.sorted.map { section.names.path(of: $0.coordinate) }
        }
        guard paths.count > 1 else { return paths.first ?? [] }
        var known: Set<String> = []
        return paths.joined().filter { known.insert($0).inserted }
    }

    /// Removes tiles, and then empty directories, even those that a killed run left.
    ///
    /// - Parameter check: is called before each tile, and may throw.
    func remove(from root: Directory, checking check: () throws -> Void = {}) throws {
        var directories = TileDirectories(root: root)
        var parents: Set<Substring> = []
        for section in self {
            for tile in section.records.sorted.lazy.map(\.coordinate) {
                try check()
                let (parent, name) = TileDirectories.split(section.names.path(of: tile))
                if let directory = try directories.open(parent),
                    try directory.status(of: name)?.kind != .directory
                {
                    try directory.removeFile(name)
                }
                parents.insert(parent)
            }
        }
        for parent in Self.withAncestors(parents) { try directories.prune(parent) }
    }

    /// Directories and all their parents; each directory comes after those in it.
    private static func withAncestors(_ paths: Set<Substring>) -> [Substring] {
        var all = paths
        for path in paths {
            var path = path
            while !path.isEmpty, let parent = String(path).splitAtLastSlash.parent,
                all.insert(parent).inserted
            { path = parent }
        }
        return all.sorted { $0.utf8.count > $1.utf8.count }
    }
}

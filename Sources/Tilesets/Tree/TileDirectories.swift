import Platform
import Tiling

/// Opens the directories of tiles below OUTPUT, or below its staging. The directories on the path to the last
/// tile are kept open, since neighbours share them. Links in the path are not followed.
struct TileDirectories {
    /// The directory of all paths.
    let root: Directory
    /// The last path that was opened; nil for the root.
    private var last: Substring?
    /// The directories on this path.
    private var way: [(name: String, directory: Directory)] = []

    /// Starts at a directory.
    init(root: Directory) { self.root = root }

    /// The directory of a file, and the file's name there, by its path below OUTPUT.
    ///
    /// - Parameter create: whether to make missing directories.
    /// - Returns: nil if the directory does not exist, or was removed while it was being made.
    /// - Throws: `.outputRefused` if a component is a file or a symbolic link.
    mutating func find(
        _ path: String, create: Bool = false
    ) throws -> (directory: Directory, name: String)? {
        let (parent, name) = path.splitAtLastSlash
        if parent != last { try go(to: parent, create: create) }
        return parent == last ? (way.last?.directory ?? root, String(name)) : nil
    }

    /// The status of a file by its path below OUTPUT; nil if it does not exist.
    mutating func status(of path: String) throws -> FileStatus? {
        try find(path).flatMap { try $0.directory.status(of: $0.name) }
    }

    /// The bytes of a tile by its path below OUTPUT; nil if it does not exist.
    mutating func readTile(_ path: String) throws -> [UInt8]? {
        try find(path).flatMap { try $0.directory.readFile($0.name, most: ReadingBudget.largestTile) }
    }

    private mutating func go(to path: Substring?, create: Bool) throws {
        let names = path.map { String($0).pathComponents() } ?? []
        let common = zip(names, way).prefix { $0 == $1.name }.count
        way.removeSubrange(common...)
        last = nil
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

    /// Compares a file with its record; reads it only if its size is right.
    ///
    /// - Parameter bySize: whether to compare only the size, without reading the file.
    /// - Returns: `changed`, too, if the name is that of a link or a device.
    /// - Throws: `.outputRefused` if a directory or a component of the path is in the way.
    mutating func compare(_ record: TileRecord, at path: String, bySize: Bool = false) throws -> FileNews {
        guard let (directory, name) = try find(path), let status = try directory.status(of: name)
        else { return .added }
        if status.kind == .directory {
            throw Failure(
                .outputRefused, "cannot write '\(directory.path(of: name))': it is a folder",
                remedy: "give another --template or OUTPUT")
        }
        guard status.kind == .file, status.size == record.size else { return .changed }
        if bySize { return .same }
        return try directory.hash(ofFile: name) == record.hash ? .same : .changed
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
        var folders: Set<Substring> = []
        for section in self {
            for tile in section.records.sorted.lazy.map(\.coordinate) {
                try check()
                let path = section.names.path(of: tile)
                if let (directory, name) = try directories.find(path),
                    try directory.status(of: name)?.kind != .directory
                {
                    try directory.removeFile(name)
                }
                var folder = path.splitAtLastSlash.parent
                while let inner = folder, folders.insert(inner).inserted {
                    folder = String(inner).splitAtLastSlash.parent
                }
            }
        }
        // Each directory comes after those in it.
        for folder in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            guard let (parent, name) = try directories.find(String(folder)) else { continue }
            try parent.removeEmptySubdirectory(name)
        }
    }
}

/// How a file, or what was announced about it, compares with its new content; `added` if there is none.
enum FileNews {
    case added, changed, same

    /// This, or for a file that has its new content, how that compares with the announced contents, nil for
    /// an absent file: a killed run may have made the file without announcing it.
    func or(_ told: [ContentHash?], now content: ContentHash) -> FileNews {
        if self != .same { return self }
        if told.contains(where: { $0 != nil && $0 != content }) { return .changed }
        return told.contains(nil) ? .added : .same
    }
}

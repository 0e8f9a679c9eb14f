import Platform
import Tiling

extension TilesetManifest.Section {
    /// The tiles that are there.
    func existing(in root: Directory) throws -> TilesetManifest.Section {
        var directories = TileDirectories(root: root)
        let existing = try records.sorted.filter { record in
            let path = names.path(of: record.coordinate)
            let (parent, name) = TileDirectories.split(path)
            let status = try directories.open(parent)?.status(of: name)
            return status != nil && status?.kind != .directory
        }
        return TilesetManifest.Section(names: names, records: TileRecords(existing))
    }
}

extension [TilesetManifest.Section] {
    /// The paths of tiles, each once; sections of killed runs can have the same one.
    var paths: [String] {
        let paths = map { section in
            section.records.sorted.map { section.names.path(of: $0.coordinate) }
        }
        guard paths.count > 1 else { return paths.first ?? [] }
        var known: Set<String> = []
        return paths.joined().filter { known.insert($0).inserted }
    }

    /// Removes tiles, and the directories that are empty without them, also those that a killed run left.
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

    /// Directories and all those above them, each after what is in it.
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

    /// Whether one of the tiles has a path.
    func contain(_ path: String) -> Bool {
        contains { section in
            section.names.coordinate(ofPath: path).map(section.records.contains) ?? false
        }
    }
}

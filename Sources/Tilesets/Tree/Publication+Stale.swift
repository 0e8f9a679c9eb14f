import Files
import Tiling

extension Publication {
    /// The tiles that earlier runs made and this one did not.
    func staleTiles() -> [TilesetManifest.Section] {
        old.sections.map { section in
            let current = Ownership(of: [tiles], names: section.names)
            let stale = section.records.sorted.filter { record in
                !current.contains(record, at: section.names.path(of: record.coordinate))
            }
            return TilesetManifest.Section(names: section.names, records: TileRecords(stale))
        }
    }

    /// The tiles that are there.
    func existing(
        of section: TilesetManifest.Section
    ) throws -> TilesetManifest.Section {
        var directories = TileDirectories(root: state.root)
        let existing = try section.records.sorted.filter { record in
            let path = section.names.path(of: record.coordinate)
            let (parent, name) = TileDirectories.split(path)
            let status = try directories.open(parent)?.status(of: name)
            return status != nil && status?.kind != .directory
        }
        return TilesetManifest.Section(names: section.names, records: TileRecords(existing))
    }

    /// The paths of tiles, each once; sections of killed runs can have the same one.
    static func paths(of sections: [TilesetManifest.Section]) -> [String] {
        let paths = sections.map { section in
            section.records.sorted.map { section.names.path(of: $0.coordinate) }
        }
        guard paths.count > 1 else { return paths.first ?? [] }
        var known: Set<String> = []
        return paths.joined().filter { known.insert($0).inserted }
    }

    /// Removes tiles, and the directories that are empty without them.
    func remove(_ sections: [TilesetManifest.Section]) throws {
        var directories = TileDirectories(root: state.root)
        var parents: Set<Substring> = []
        for section in sections {
            for tile in section.records.sorted.lazy.map(\.coordinate) {
                let (parent, name) = TileDirectories.split(section.names.path(of: tile))
                if try directories.open(parent)?.removeFile(name) == true { parents.insert(parent) }
            }
        }
        for parent in parents { try directories.prune(parent) }
    }
}

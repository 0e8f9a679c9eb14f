import Tiling

/// Which files of a tileset's directory are its tiles.
struct Ownership {
    private let records: [TileRecords]
    private let paths: Set<String>

    /// Takes tiles; the paths of those that are not named as `names` says are kept in memory.
    init(of sections: [TilesetManifest.Section], names: TileNames) {
        records = sections.filter { $0.names == names }.map(\.records)
        let others = sections.filter { $0.names != names }
        paths = Set(
            others.flatMap { section in
                section.records.sorted.lazy.map { section.names.path(of: $0.coordinate) }
            })
    }

    /// Whether a tile, which is named as `names` says, has a file that is one of them.
    func contains(_ record: TileRecord, at path: String) -> Bool {
        records.contains { $0.contains(record) } || paths.contains(path)
    }
}

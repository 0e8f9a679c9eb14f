import Tiling

/// Which files of a tileset's directory are its tiles.
struct Ownership {
    private let records: [TileRecords]
    /// Hashes take a third of the memory of the paths themselves.
    private let paths: Set<ContentHash>

    /// Takes tiles; those that are not named as `names` says are known by their paths.
    init(of sections: [TilesetManifest.Section], names: TileNames) {
        records = sections.filter { $0.names == names }.map(\.records)
        let others = sections.filter { $0.names != names }
        paths = Set(
            others.flatMap { section in
                section.records.sorted.lazy.map {
                    ContentHash(of: section.names.path(of: $0.coordinate))
                }
            })
    }

    /// Whether a tile, which is named as `names` says, has a file that is one of them.
    func contains(_ record: TileRecord, at path: String) -> Bool {
        records.contains { $0.contains(record) }
            || (!paths.isEmpty && paths.contains(ContentHash(of: path)))
    }
}

import Tiling

/// Which files of a tileset's directory are its tiles, and what they hold, as a manifest says.
struct Ownership {
    /// How what a manifest says of a file compares with what is to be in it.
    enum Comparison { case added, changed, same }

    private let records: [TileRecords]
    /// Contents by the hashes of paths, which take a third of the memory of the paths themselves.
    private let others: [[ContentHash: ContentHash]]

    /// Takes tiles; those that are not named as `names` says are known by their paths.
    init(of sections: [TilesetManifest.Section], names: TileNames) {
        records = sections.filter { $0.names == names }.map(\.records)
        others = sections.filter { $0.names != names }.map { section in
            section.records.sorted.reduce(into: [:]) {
                $0[ContentHash(of: section.names.path(of: $1.coordinate))] = $1.hash
            }
        }
    }

    /// Whether a tile, which is named as `names` says, has a file that is one of them.
    func contains(_ record: TileRecord, at path: String) -> Bool {
        records.contains { $0.contains(record) }
            || (!others.isEmpty && others.contains { $0[ContentHash(of: path)] != nil })
    }

    /// Compares a tile, which is named as `names` says, with what each section says of its file.
    /// All sections count: nobody knows how far a run came that was killed while it published.
    func compare(_ record: TileRecord, at path: String) -> Comparison {
        var comparison = Comparison.same
        for section in records {
            guard let known = section.record(of: record.coordinate) else {
                comparison = .added
                continue
            }
            if known.hash != record.hash { return .changed }
        }
        if others.isEmpty { return comparison }
        let path = ContentHash(of: path)
        for section in others {
            guard let known = section[path] else {
                comparison = .added
                continue
            }
            if known != record.hash { return .changed }
        }
        return comparison
    }
}

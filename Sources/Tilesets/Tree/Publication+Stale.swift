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
}

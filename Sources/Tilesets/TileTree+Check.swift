extension TileTree {
    package func check(_ report: (TilesetFault) -> Void) throws {
        var published = PublishedTiles(root: root)
        for section in manifest?.sections ?? [] {
            for record in section.records.sorted {
                let path = section.names.path(of: record.coordinate)
                switch try published.compare(record, at: path) {
                case .same: continue
                case .absent: report(TilesetFault("tile \(path)", "is missing"))
                case .different: report(TilesetFault("tile \(path)", "is not as it was written"))
                case .foreign: report(TilesetFault("tile \(path)", "is no file"))
                }
            }
        }
    }
}

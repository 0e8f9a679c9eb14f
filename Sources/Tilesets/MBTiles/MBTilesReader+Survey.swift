import Platform
import Tiling

extension MBTilesReader {
    /// If the file stores each content once, tiles hold the same if they refer to the same content, and no
    /// more than the fronts of contents is read. Else each tile is read once.
    package func survey() throws -> TilesetSurvey {
        try reading { database in
            let layout = try MBTilesLayout(of: database, scheme: scheme)
            var survey = TilesetSurvey(storesOnce: layout.shared != nil)
            let query = try database.prepare(layout.surveyQuery)
            var cost = newCost
            while try query.step() {
                let tile = try query.address(in: layout.scheme)
                let data = try query.tileData(in: layout.scheme)
                // SQLite reads all of a content to give its front.
                try cost.addRow(bytes: layout.shared == nil ? data.count : query.integer(4) ?? 0)
                survey.note(front: Array(data.prefix(16)))
                if layout.shared == nil {
                    survey.count(tile, size: data.count, content: ContentHash(of: data))
                } else {
                    let zoom = layout.hasZoomsOfData ? "\(tile.zoom)/" : ""
                    let content = ContentHash(of: zoom + query.printed(5))
                    survey.count(tile, size: query.integer(4) ?? 0, content: content)
                }
            }
            return survey
        }
    }

    /// When the file changed, in seconds since 1970.
    package var changed: Int? { FileStamp(path)?.modifiedSeconds }
}

extension MBTilesLayout {
    /// The addresses of all tiles, and their bytes; of contents that are stored once, the front of the bytes,
    /// the number of bytes and the key.
    fileprivate var surveyQuery: String {
        guard let shared else { return tilesQuery }
        let (addresses, data, key) = (shared.addresses, shared.data, shared.key)
        let zoom = hasZoomsOfData ? " AND a.zoom_level = d.zoom_level" : ""
        return """
            SELECT a.zoom_level, a.tile_column, a.tile_row, substr(tile_data, 1, 16), length(tile_data), a.\(key)
            FROM \(addresses) AS a JOIN \(data) AS d ON a.\(key) = d.\(key)\(zoom)
            """
    }
}

internal import CTileArchives
import Foundation

/// An MBTiles archive in the app, read by the system's SQLite: https://github.com/mapbox/mbtiles-spec
struct MBTiles: TileSource {
    let url: URL
    /// The steps that a query may take: only a forged table, such as an endless view, needs more.
    private static let steps: Int32 = 100_000_000

    func facts() throws -> TilesetFacts {
        var values: [String: String] = [:]
        try rows("SELECT name, value FROM metadata LIMIT 1000") { row in
            guard let name = sqlite3_column_text(row, 0), let value = sqlite3_column_text(row, 1) else {
                return
            }
            values[String(cString: name)] = String(cString: value)
        }
        func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
        var about = TilesetDocument()
        (about.name, about.attribution, about.digest) =
            (values["name"], values["attribution"], values["digest"])
        (about.minzoom, about.maxzoom, about.tileSize) =
            (number("minzoom"), number("maxzoom"), number("tileSize"))
        about.bounds = values["bounds"]?.split(separator: ",").compactMap { Double($0) }
        if let facts = about.facts { return facts }
        throw TileError(.unreadable, "the metadata of \(url.path) lacks zooms")
    }

    func bytesNow(of tile: TileAddress) throws -> Data? {
        let (zoom, column, row) = (tile.zoom, tile.column, tile.rowFromSouth)
        let place = "zoom_level = \(zoom) AND tile_column = \(column) AND tile_row = \(row)"
        var found: Data?
        try rows("SELECT tile_data FROM tiles WHERE \(place)") { row in
            guard let bytes = sqlite3_column_blob(row, 0) else { return }
            found = Data(bytes: bytes, count: Int(sqlite3_column_bytes(row, 0)))
        }
        return found
    }

    /// Runs a query, and calls `body` for each row.
    private func rows(_ sql: String, _ body: (OpaquePointer?) -> Void) throws {
        // SQLite itself would wait for a pipe.
        _ = try LocalFile(url)
        var (database, query): (OpaquePointer?, OpaquePointer?)
        defer {
            sqlite3_finalize(query)
            sqlite3_close(database)
        }
        var status = sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READONLY, nil)
        if status == SQLITE_OK {
            sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Int32(Tile.longest))
            sqlite3_progress_handler(database, Self.steps, { _ in 1 }, nil)
            status = sqlite3_prepare_v2(database, sql, -1, &query, nil)
        }
        while status == SQLITE_OK || status == SQLITE_ROW {
            if status == SQLITE_ROW { body(query) }
            status = sqlite3_step(query)
        }
        if status == SQLITE_DONE { return }
        let isBusy = status == SQLITE_BUSY || status == SQLITE_LOCKED
        let reason = "\(url.path) cannot be read: \(String(cString: sqlite3_errstr(status)))"
        throw TileError(isBusy ? .notNow : .unreadable, reason)
    }
}

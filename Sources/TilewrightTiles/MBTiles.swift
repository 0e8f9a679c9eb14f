internal import CTileArchives
import Foundation

/// An MBTiles archive, read by the system's SQLite: https://github.com/mapbox/mbtiles-spec
final class MBTiles: NearTiles {
    private let url: URL
    private let database: OpaquePointer
    /// The steps that a query may take: only a forged table, such as an endless view, needs more.
    private static let steps: Int32 = 100_000_000

    init(_ url: URL) throws {
        // SQLite itself would wait for a pipe.
        _ = try LocalFile(url)
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(url.path, &opened, SQLITE_OPEN_READONLY, nil)
        guard status == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw Self.error(status, url)
        }
        (self.url, database) = (url, opened)
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Int32(Tile.longest))
        sqlite3_progress_handler(opened, Self.steps, { _ in 1 }, nil)
    }

    deinit { sqlite3_close(database) }

    func facts() throws -> TilesetFacts {
        var values: [String: String] = [:]
        try rows("SELECT name, value FROM metadata LIMIT 1000") { row in
            guard let name = sqlite3_column_text(row, 0), let value = sqlite3_column_text(row, 1) else {
                return
            }
            values[String(cString: name)] = String(cString: value)
        }
        func number(_ name: String) -> Int? { values[name].flatMap(Int.init) }
        let bounds = values["bounds"]?.split(separator: ",").compactMap { Double($0) }
        guard
            var facts = TilesetFacts(
                number("minzoom"), number("maxzoom"), bounds, tileSize: number("tileSize"))
        else { throw TileError(.unreadable, "the metadata of \(url.path) lacks zooms") }
        (facts.name, facts.attribution) = (values["name"] ?? "", values["attribution"] ?? "")
        facts.digest = values["digest"] ?? ""
        return facts
    }

    func bytesNow(of tile: TileAddress) throws -> Data? {
        let query = "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"
        var found: Data?
        try rows(query, [tile.zoom, tile.column, tile.rowFromSouth]) { row in
            guard let bytes = sqlite3_column_blob(row, 0) else { return }
            found = Data(bytes: bytes, count: Int(sqlite3_column_bytes(row, 0)))
        }
        return found
    }

    /// Runs a query, and calls `body` for each row.
    private func rows(_ sql: String, _ values: [Int] = [], _ body: (OpaquePointer) -> Void) throws {
        var prepared: OpaquePointer?
        var status = sqlite3_prepare_v2(database, sql, -1, &prepared, nil)
        defer { sqlite3_finalize(prepared) }
        guard status == SQLITE_OK, let prepared else { throw Self.error(status, url) }
        for (index, value) in values.enumerated() {
            sqlite3_bind_int64(prepared, Int32(index + 1), Int64(value))
        }
        status = sqlite3_step(prepared)
        while status == SQLITE_ROW {
            body(prepared)
            status = sqlite3_step(prepared)
        }
        if status != SQLITE_DONE { throw Self.error(status, url) }
    }

    private static func error(_ status: Int32, _ url: URL) -> TileError {
        let isBusy = status == SQLITE_BUSY || status == SQLITE_LOCKED
        return TileError(
            isBusy ? .notNow : .unreadable,
            "\(url.path) cannot be read: \(String(cString: sqlite3_errstr(status)))")
    }
}

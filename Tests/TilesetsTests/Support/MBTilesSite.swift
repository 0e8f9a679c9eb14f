import CStorage
import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// A directory for the MBTiles file of one test.
struct MBTilesSite {
    /// The directory.
    let directory: TemporaryDirectory
    /// The file.
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("plan.mbtiles")
    }

    /// Begins a run that writes the file, or another one.
    func open(_ path: String? = nil, force: Bool = false) throws -> MBTilesWriter {
        try MBTilesWriter(
            TilesetOptions(path: path ?? self.path, force: force), scratchDirectory: directory.url.path)
    }

    /// Makes the file of tiles, as a build does.
    @discardableResult
    func build(
        _ tiles: [EncodedTile], rows: [MetadataRow] = [], force: Bool = false
    ) throws -> TilesetSummary {
        let archive = try open(force: force)
        for tile in tiles { try archive.write(tile) }
        return try archive.finish(documents(rows: rows))
    }

    /// Runs SQL on the file, which is made if it is not there.
    func execute(_ sql: String) throws {
        try changeDatabase(path, sql)
    }

    /// The integer in the first row of a query.
    func integer(_ sql: String) throws -> Int? {
        let database = try SQLiteDatabase(FileDescriptor(reading: path), for: .readUnchanging)
        let query = try database.prepare(sql)
        return try query.step() ? query.integer(0) : nil
    }

    var url: URL { URL(filePath: path) }

    var bytes: Data { get throws { try Data(contentsOf: url) } }

    /// All tiles as a reader lends them, sorted.
    func tiles() throws -> [EncodedTile] {
        var tiles: [EncodedTile] = []
        try MBTilesReader(path).forEachTile { tiles.append($0) }
        return tiles.sorted { $0.coordinate < $1.coordinate }
    }

    /// What the check reports, a line each.
    func faults() throws -> [String] {
        var faults: [String] = []
        try MBTilesReader(path).check { faults.append("\($0.place) \($0.problem)") }
        return faults
    }

    /// Documents with nothing but rows.
    func documents(rows: [MetadataRow]) -> TilesetDocuments {
        var documents = TilesetsTests.documents()
        documents.rows = rows
        return documents
    }
}

/// The row that identifies our files.
let generatorRow = MetadataRow("generator", "tilewright")

/// Tables as mbutil makes them.
let flatSchema = """
    CREATE TABLE metadata (name text, value text);
    CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    CREATE UNIQUE INDEX name ON metadata (name);
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
    """

/// Tables as Mapbox's tools and tippecanoe make them.
let sharedSchema = """
    CREATE TABLE metadata (name text, value text);
    CREATE TABLE map (
        zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, grid_id TEXT);
    CREATE TABLE images (tile_data blob, tile_id text);
    CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
    CREATE UNIQUE INDEX images_id ON images (tile_id);
    CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
        map.tile_row AS tile_row, images.tile_data AS tile_data
        FROM map JOIN images ON images.tile_id = map.tile_id;
    """

/// Changes a database as another program does.
func changeDatabase(_ path: String, _ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    let code = sqlite3_exec(database, "PRAGMA synchronous = OFF;" + sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(database)))")
}

import CStorage
import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Writing MBTiles.
@Suite struct MBTilesWriterTests {
    private let site: MBTilesSite
    private let tiles = [
        tile(3, 4, 2), tile(3, 5, 2), tile(3, 4, 3),
        EncodedTile(
            coordinate: TileCoordinate(zoom: 3, column: 5, row: 3), bytes: Array("3/4/2 ".utf8)),
        tile(2, 2, 1),
    ]
    private let rows = [MetadataRow("name", "it's a “plan”"), generatorRow]

    init() throws { site = try MBTilesSite() }

    @Test("every tile is read back byte for byte, and every row")
    func readBack() throws {
        let summary = try site.build(tiles, rows: rows)
        #expect(try site.tiles() == tiles.sorted { $0.coordinate < $1.coordinate })
        #expect(try MBTilesReader(site.path).statement() == .rows(rows))
        #expect(Set(summary.added) == Set(tiles.map(\.coordinate)))
        #expect(try summary.bytes == site.bytes.count)
    }

    @Test("tiles of every size are read back", arguments: [0, 1, 2000, 2048, 9000, 1 << 20])
    func sizes(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) }
        let tile = EncodedTile(
            coordinate: TileCoordinate(zoom: 30, column: 1 << 30 - 1, row: 0), bytes: bytes)
        try site.build([tile])
        #expect(try site.tiles() == [tile])
    }

    @Test("the names of the tables, the southern rows and the mark are the specification's")
    func specification() throws {
        try site.build(tiles, rows: rows)
        #expect(try site.integer("PRAGMA application_id") == 0x4d50_4258)
        // 2^3 - 1 - 2 is 5.
        #expect(
            try site.integer(
                """
                SELECT count(*) FROM tiles WHERE zoom_level = 3 AND tile_column = 4
                AND tile_row = 5 AND tile_data = CAST('3/4/2 ' AS BLOB)
                """) == 1)
        #expect(try site.integer("SELECT count(*) FROM metadata WHERE name = 'name'") == 1)
        #expect(try site.faults() == ["metadata 'format' is missing"])
    }

    @Test("identical tiles are stored once")
    func duplicates() throws {
        try site.build(tiles, rows: rows)
        #expect(try site.integer("SELECT count(*) FROM tiles_data") == 4)
        #expect(try site.integer("SELECT count(*) FROM tiles") == 5)
    }

    @Test("the same tiles in the same order give the same new file")
    func sameBytes() throws {
        try site.build(tiles, rows: rows)
        let once = try site.bytes
        try FileManager.default.removeItem(at: site.url)
        try site.build(tiles, rows: rows)
        #expect(try site.bytes == once)
    }

    @Test("contents are those of a tree of the same tiles")
    func contents() throws {
        let archive = try site.open()
        var tree = try TreeWriter(Site().options())
        for tile in tiles {
            try archive.write(tile)
            try tree.write(tile)
        }
        #expect(archive.contents == tree.contents)
        try archive.discard()
        try tree.discard()
    }

    @Test("no file has the name before the end, and only this file is left")
    func temporaryFile() throws {
        let archive = try site.open()
        for tile in tiles { try archive.write(tile) }
        #expect(try !site.directory.files().contains("plan.mbtiles"))
        _ = try archive.finish(site.documents(rows: rows))
        #expect(try site.directory.files() == ["plan.mbtiles"])
    }

    @Test("a discarded run leaves nothing, not even a directory", arguments: [true, false])
    func discard(suspends: Bool) throws {
        let path = site.directory.path("new/deep/plan.mbtiles")
        let archive = try site.open(path)
        try archive.write(tiles[0])
        if suspends { try archive.suspend() } else { try archive.discard() }
        #expect(!FileManager.default.fileExists(atPath: site.directory.path("new")))
    }

    @Test("two tiles with the same address are an error, and the old file stays")
    func twice() throws {
        try site.build(tiles, rows: rows)
        let before = try site.bytes
        let failure = try #require(throws: Failure.self) {
            try site.build(tiles + [tile(3, 4, 2, "again")], rows: rows)
        }
        #expect(failure.kind == .badInput)
        #expect(failure.message.hasSuffix("there are two tiles 3/4/2"))
        #expect(try site.directory.files() == ["plan.mbtiles"])
        #expect(try site.bytes == before)
    }

    /// Files that tilewright did not make.
    static let foreign = [
        "text": Data("not a database".utf8), "empty": Data(), "no database": Data(count: 5000),
    ]

    @Test("a file that is not ours is refused, and replaced with --force", arguments: foreign.keys)
    func foreignFile(name: String) throws {
        let bytes = try #require(Self.foreign[name])
        try bytes.write(to: site.url)
        try expectRefusal(of: bytes)
        try site.build(tiles, rows: rows, force: true)
        try site.build(tiles, rows: rows)
    }

    @Test("a tileset of another program is refused")
    func foreignTileset() throws {
        try site.execute(flatSchema + "INSERT INTO metadata VALUES ('generator', 'other')")
        try expectRefusal(of: try site.bytes)
    }

    private func expectRefusal(of bytes: Data) throws {
        let failure = try #require(throws: Failure.self) { try site.build(tiles, rows: rows) }
        #expect(failure.kind == .outputRefused)
        #expect(failure.remedy?.contains("--force") == true)
        #expect(try site.bytes == bytes)
        #expect(try site.directory.files() == ["plan.mbtiles"])
    }

    @Test("a journal that SQLite left next to a database of this name is not applied to ours")
    func staleJournal() throws {
        try site.build(tiles, rows: rows)
        let whole = try site.bytes
        // A log with changes in it stays if its writer is killed.
        var database: OpaquePointer?
        #expect(sqlite3_open(site.path, &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        let changes = "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; DELETE FROM metadata"
        #expect(sqlite3_exec(database, changes, nil, nil, nil) == SQLITE_OK)
        let log = try Data(contentsOf: URL(filePath: site.path + "-wal"))
        try FileManager.default.removeItem(atPath: site.path)
        try log.write(to: URL(filePath: site.path + "-wal"))

        try site.build(tiles, rows: rows)
        #expect(try site.directory.files() == ["plan.mbtiles"])
        #expect(try site.bytes == whole)
    }

    @Test("a file that replaces the open file, and its journal, are neither read nor written")
    func exchangedFile() throws {
        try Data().write(to: site.url)
        let file = try FileDescriptor(opening: site.path, flags: O_RDWR)
        try FileManager.default.removeItem(at: site.url)
        let planted = ["", "-journal", "-wal"]
        for ending in planted { try Data("theirs".utf8).write(to: URL(filePath: site.path + ending)) }
        let tables = try SQLiteDatabase(file, for: .write)
        try tables.execute("PRAGMA journal_mode = OFF; CREATE TABLE a (b); INSERT INTO a VALUES (7)")
        let query = try SQLiteDatabase(file, for: .readUnchanging).prepare("SELECT b FROM a")
        #expect(try query.step() && query.integer(0) == 7)
        for ending in planted {
            #expect(try Data(contentsOf: URL(filePath: site.path + ending)) == Data("theirs".utf8))
        }
    }

    @Test("one run at a time writes a file")
    func busy() throws {
        let archive = try site.open()
        let failure = try #require(throws: Failure.self) {
            try site.open()
        }
        #expect(failure.kind == .busy)
        try archive.discard()
        try site.build(tiles, rows: rows)
    }

    @Test("file names that SQLite would interpret are read as names")
    func oddNames() throws {
        for name in [":memory:.mbtiles", "file:a?b=c%20#.mbtiles", "ä ö.mbtiles"] {
            let path = site.directory.path(name)
            let archive = try site.open(path)
            try archive.write(tiles[0])
            _ = try archive.finish(site.documents(rows: rows))
            #expect(try MBTilesReader.isOurs(path))
        }
        #expect(try site.directory.files().count == 3)
    }

    @Test(
        "another reader finds the database intact, and each tile at its address",
        .needs("python3"))
    func independentReader() throws {
        try site.build(tiles, rows: rows)
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            print(database.execute('PRAGMA integrity_check').fetchone()[0])
            for row in database.execute('''SELECT zoom_level, tile_column, tile_row, tile_data
                    FROM tiles ORDER BY 1, 2, 3'''):
                print(*row[:3], bytes(row[3]).decode())
            """
        let outcome = try Python.run(script, [site.path])
        #expect(
            outcome.output == """
                ok
                2 2 2 2/2/1 \("")
                3 4 4 3/4/3 \("")
                3 4 5 3/4/2 \("")
                3 5 4 3/4/2 \("")
                3 5 5 3/5/2 \("")

                """)
    }

    @Test("a clustered table takes space only for the tiles, in any order")
    func manyTiles() throws {
        // Columns from the east, rows from the north: against the order of the key.
        let edge = 120
        let tiles = (0..<edge * edge).map { index in
            EncodedTile(
                coordinate: TileCoordinate(
                    zoom: 10, column: edge - 1 - index / edge, row: index % edge),
                bytes: [UInt8](repeating: UInt8(index % 7), count: 100))
        }
        try site.build(tiles, rows: rows)
        // Zoom, column, row and number take 10 bytes and the two lengths in front of a row.
        #expect(try site.bytes.count < 16 * tiles.count)
        #expect(try site.integer("SELECT count(*) FROM tiles") == tiles.count)
    }
}

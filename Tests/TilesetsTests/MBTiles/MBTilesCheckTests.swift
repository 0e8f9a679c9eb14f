import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Files that are damaged, or contradict their metadata.
@Suite struct MBTilesCheckTests {
    private let site: MBTilesSite
    private let rows = [
        MetadataRow("name", "Plan"), MetadataRow("format", "png"),
        MetadataRow("bounds", "-1.5,48,2,49"), MetadataRow("center", "0,48.5,3"),
        MetadataRow("minzoom", "2"), MetadataRow("maxzoom", "3"), MetadataRow("tileCount", "3"),
        generatorRow,
    ]
    private let tiles = [tile(3, 4, 2), tile(3, 5, 2), tile(2, 2, 1)]

    init() throws { site = try MBTilesSite() }

    @Test("a correct file has no fault")
    func sound() throws {
        try site.build(tiles, rows: rows)
        #expect(try site.faults() == [])
    }

    /// Changes of a sound file, and the result of the check.
    static let damages = [
        ("DELETE FROM metadata WHERE name = 'name'", "metadata 'name' is missing"),
        ("UPDATE metadata SET value = 'jpeg' WHERE name = 'format'", "metadata 'format' is 'jpeg'"),
        ("UPDATE metadata SET value = '2' WHERE name = 'maxzoom'", "metadata 'maxzoom' is '2'"),
        ("UPDATE metadata SET value = '0' WHERE name = 'minzoom'", "metadata 'minzoom' is '0'"),
        ("UPDATE metadata SET value = '4' WHERE name = 'tileCount'", "metadata 'tileCount' is '4'"),
        ("UPDATE metadata SET value = '2,48,2,49' WHERE name = 'bounds'", "metadata 'bounds' are"),
        ("UPDATE metadata SET value = '1,2,3' WHERE name = 'bounds'", "metadata 'bounds' are"),
        ("UPDATE metadata SET value = '0,nan,3' WHERE name = 'center'", "metadata 'center' is"),
        ("UPDATE metadata SET value = '0,48.5' WHERE name = 'center'", "metadata 'center' is"),
        ("DELETE FROM tiles_data WHERE tile_data_id = 1", "tile 3/5/2 refers to 1"),
        ("INSERT INTO tiles_data VALUES (9, x'00')", "tiles_data 9 is not used by any tile"),
        ("UPDATE tiles_data SET tile_data = x'' WHERE tile_data_id = 0", "tile 3/4/2 has no data"),
        (
            "UPDATE tiles_shallow SET tile_row = 8 WHERE tile_column = 4",
            "tile 3/4/8 (row from the south) is outside the world"
        ),
        (
            "UPDATE tiles_shallow SET tile_row = 2.5 WHERE tile_column = 4",
            "tile 3/4/2.5 (row from the south) has its tile_row stored as a number with decimals"
        ),
        ("DROP VIEW tiles", "the database cannot read"),
        ("DROP TABLE metadata", "the database cannot read"),
        ("DROP TABLE tiles_data", "the database cannot read"),
    ]

    @Test("each fault is found", arguments: damages)
    func fault(sql: String, fault: String) throws {
        try site.build(tiles, rows: rows)
        try site.execute(sql)
        let faults = try site.faults()
        #expect(faults.contains { $0.hasPrefix(fault) }, "\(faults)")
    }

    @Test("a problem that SQLite reports is a fault on one line")
    func pages() throws {
        try site.build(tiles, rows: rows)
        var bytes = try site.bytes
        // The bytes in gaps of the second page, that of the first table: there are none.
        let page = Int(bytes[16]) << 8 | Int(bytes[17])
        bytes[page + 7] = 31
        try bytes.write(to: site.url)
        let faults = try site.faults()
        #expect(faults.contains { $0.hasPrefix("the database is damaged: ") }, "\(faults)")
        #expect(faults.allSatisfy { !$0.contains("\n") && !$0.contains("***") }, "\(faults)")
    }

    @Test(
        "values of the database are quoted on one line",
        arguments: ["format", "bounds", "center", "minzoom"])
    func quoted(name: String) throws {
        try site.build(tiles, rows: rows)
        try site.execute("UPDATE metadata SET value = 'a' || char(10) || 'b' WHERE name = '\(name)'")
        let faults = try site.faults()
        #expect(faults.contains { $0.hasPrefix("metadata '\(name)'") && $0.contains("'a b'") }, "\(faults)")
    }

    @Test("duplicates are found, and an application ID is not required")
    func doubles() throws {
        try site.execute(
            flatSchema
                + """
                DROP INDEX tile_index;
                INSERT INTO metadata VALUES ('name', ''), ('format', 'jpg');
                INSERT INTO tiles VALUES (1, 0, 0, x'00'), (1, 1, 0, x'00'), (1, 0, 0, x'01');
                """)
        #expect(try site.faults() == ["tile 1/0/1 exists 2 times"])
    }

    /// Tables, after which a file must not be read as tiles.
    static let hostile = [
        "CREATE TABLE tiles (a)", "CREATE TABLE tiles (zoom_level, tile_column, tile_row)",
        flatSchema + "INSERT INTO tiles VALUES (3, 4, 5, NULL)",
        flatSchema + "INSERT INTO tiles VALUES (-1, 0, 0, x'00')",
        flatSchema + "INSERT INTO tiles VALUES (31, 0, 0, x'00')",
        flatSchema + "INSERT INTO tiles VALUES (9223372036854775807, 0, 0, x'00')",
        flatSchema + "INSERT INTO tiles VALUES (-9223372036854775808, 0, 0, x'00')",
        flatSchema + "INSERT INTO tiles VALUES (3, 8, 0, x'00')",
        flatSchema + "INSERT INTO tiles VALUES (3, 0, -9223372036854775808, x'00')",
        flatSchema + "INSERT INTO tiles VALUES (3, 0, 9223372036854775807, x'00')",
        flatSchema + "INSERT INTO tiles VALUES ('three', 0, 0, x'00')",
        flatSchema + "INSERT INTO tiles VALUES (3, 1.5, 0, x'00')",
        flatSchema + "INSERT INTO tiles VALUES (NULL, NULL, NULL, NULL)",
        // An endless view, one of values without bound, one of another file, and one that takes
        // longer than anybody waits.
        """
        CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
        SELECT 20 AS zoom_level, i & 1023 AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n
        """,
        """
        CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
        zeroblob(1000000000) AS tile_data
        """,
        """
        CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
        readfile('/etc/passwd') AS tile_data
        """,
        """
        CREATE TABLE a (i); INSERT INTO a VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (0);
        CREATE VIEW tiles AS SELECT 9 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
        x'00' AS tile_data FROM a, a AS b, a AS c, a AS d, a AS e, a AS f, a AS g, a AS h, a AS i,
        a AS j, a AS k, a AS l
        """,
    ]

    @Test("hostile tables are an error, and faults of the check", arguments: hostile)
    func hostileTables(sql: String) throws {
        try site.execute(sql)
        let file = try MBTilesReader(site.path)
        let failure = try #require(throws: Failure.self) { try file.forEachTile { _ in } }
        #expect(failure.kind == .badInput)
        // A tile without data still counts for limits, and NULL is not a higher zoom.
        if !sql.contains("NULL") {
            #expect(throws: Failure.self) { try file.limits() }
        }
        #expect(try !site.faults().isEmpty)
    }

    @Test("tables whose code would trust the file are not read")
    func virtualTables() throws {
        try site.execute(flatSchema)
        do { try site.execute("CREATE VIRTUAL TABLE boxes USING rtree(i, a, b)") } catch {
            return  // This SQLite was built without them.
        }
        let failure = try #require(throws: Failure.self) { try MBTilesReader(site.path).limits() }
        #expect(failure.message.contains("it has virtual tables, such as 'boxes'"))
    }

    @Test("endless metadata is an error")
    func longMetadata() throws {
        try site.execute(
            flatSchema
                + """
                INSERT INTO metadata SELECT 'name' || column1, zeroblob(6000000)
                FROM (VALUES (1), (2), (3))
                """)
        let failure = try #require(throws: Failure.self) { try MBTilesReader(site.path).statement() }
        #expect(failure.message.hasSuffix("its metadata is larger than 16 MiB"))
    }

    @Test("a file that was cut is an error or has faults")
    func cutFiles() throws {
        let tiles = (0..<300).map { tile(9, $0, 2 * $0, String(repeating: "x", count: 9 * $0)) }
        try site.build(tiles, rows: rows)
        let whole = try site.bytes
        for count in stride(from: 0, to: whole.count, by: whole.count / 40) {
            try whole.prefix(count).write(to: site.url)
            #expect(try !site.faults().isEmpty, "\(count) bytes")
            _ = try? site.tiles()
            _ = try? MBTilesReader(site.path).limits()
        }
    }

    @Test("with any bytes damaged, reading yields tiles or an error")
    func damagedBytes() throws {
        var random = SplitMix(seed: 7)
        let tiles = (0..<40).map { tile(9, $0, $0, String(repeating: "x", count: 60 * $0)) }
        try site.build(tiles, rows: rows)
        let whole = try site.bytes
        for _ in 0..<100 {
            var bytes = whole
            for _ in 0..<4 {
                // Half of them are in the schema and the roots of the tables.
                let end = random.next() & 1 == 0 ? 4 * 2048 : bytes.count
                let place = Int(random.next() % UInt64(end))
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            try bytes.write(to: site.url)
            do {
                let file = try MBTilesReader(site.path)
                try file.check { _ in }
                _ = try file.limits()
                try file.forEachTile { _ in }
            } catch let failure as Failure {
                #expect(failure.kind == .badInput, "\(failure)")
            }
        }
    }

    /// Invalid rows, and the result of the check.
    static let oddRows = [
        (
            flatSchema + "DROP INDEX tile_index; INSERT INTO tiles VALUES (1, 7, 0, 'a'), (1, 7, 0, 'b')",
            "tile 1/7/0 (row from the south) exists 2 times"
        ),
        (
            sharedSchema + "INSERT INTO map VALUES (1, 7, 0, 'a', NULL)",
            "tile 1/7/0 (row from the south) refers to a, which is not in images"
        ),
        (
            sharedSchema + "INSERT INTO map VALUES (1, 0, 0, NULL, NULL)",
            "tile 1/0/1 refers to NULL, which is not in images"
        ),
        (
            sharedSchema + "INSERT INTO images VALUES (x'00', NULL)",
            "images NULL is not used by any tile"
        ),
    ]

    @Test("invalid rows are reported as they are stored", arguments: oddRows)
    func odd(sql: String, fault: String) throws {
        try site.execute(sql)
        let faults = try site.faults()
        #expect(faults.contains(fault), "\(faults)")
    }

    @Test("a tile that would take too much memory is a fault, and is not read")
    func longTile() throws {
        try site.execute(
            flatSchema
                + """
                INSERT INTO metadata VALUES ('name', 'x'), ('format', 'png');
                INSERT INTO tiles VALUES (0, 0, 0, zeroblob((64 << 20) + 1))
                """)
        var faults: [String] = []
        try MBTilesReader(site.path).check({ faults.append("\($0)") }, tiles: { _ in Issue.record("a tile") })
        #expect(faults.count == 1)
        #expect(faults[0].hasPrefix("the database: cannot read '\(site.path)': "), "\(faults)")
    }

    @Test("a check reads sound tiles, and reports once if there are none")
    func lent() throws {
        try site.build(tiles, rows: rows)
        try site.execute("UPDATE tiles_shallow SET tile_row = 8 WHERE tile_column = 4")
        var (faults, lent): ([String], [TileCoordinate]) = ([], [])
        func check() throws {
            try MBTilesReader(site.path).check(
                { faults.append("\($0)") }, tiles: { lent.append($0.coordinate) })
        }
        try check()
        #expect(lent.sorted() == [tiles[2].coordinate, tiles[1].coordinate])
        try site.execute("DROP VIEW tiles")
        (faults, lent) = ([], [])
        try check()
        #expect(faults.count == 1 && lent.isEmpty, "\(faults)")
    }

    /// Result codes of SQLite's documentation, and their kinds of failures.
    static let codes: [(code: Int32, kind: Failure.Kind, reason: String)] = [
        (1, .badInput, "why"), (7, .systemLimit, "why"), (9, .badInput, "it takes far too long"),
        (10, .inputOutput, "why"), (11, .badInput, "the database is damaged"),
        (13, .inputOutput, "no space left on device"), (18, .badInput, "why"),
        (26, .badInput, "it is not an SQLite database"),
    ]

    @Test("an error of SQLite is due to the file, the system or the memory", arguments: codes)
    func errors(code: Int32, kind: Failure.Kind, reason: String) throws {
        var error = SQLiteError("why")
        error.code = code
        let failure = error.failure("read 'x'", otherwise: .badInput)
        #expect(failure.kind == kind)
        #expect(failure.message.hasPrefix("cannot read 'x': \(reason)"), "\(failure)")
        #expect((failure.remedy != nil) == (code == 13))
        // The system's message is better than SQLite's.
        error.systemCode = EIO
        #expect(error.reason.contains("input/output error") == (code == 10))
    }

    @Test("a statement with an SQL error is an error that quotes it")
    func unknownStatement() throws {
        try Data().write(to: site.url)
        let database = try SQLiteDatabase(FileDescriptor(opening: site.path, flags: O_RDWR), for: .write)
        let error = #expect(throws: SQLiteError.self) { try database.execute("DRAW tiles") }
        #expect(error?.reason == "near \"DRAW\": syntax error, in 'DRAW tiles'")
    }
}

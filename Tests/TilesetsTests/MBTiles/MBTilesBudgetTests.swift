import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Databases that need more work than their size explains, and those that are still read.
@Suite struct MBTilesBudgetTests {
    private let site: MBTilesSite

    init() throws { site = try MBTilesSite() }

    /// A table of some tiles, and another name for its columns.
    private static let real = """
        CREATE TABLE metadata (name text, value text);
        INSERT INTO metadata VALUES ('name', 'a'), ('format', 'png');
        CREATE TABLE real (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        CREATE TABLE n (i);
        """
    private static let columns = "a.zoom_level, a.tile_column, a.tile_row, a.tile_data"

    /// Rows of a table: numbers below a count.
    private static func numbers(_ count: Int) -> String {
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(count - 1))"
    }

    private static func fill(_ count: Int, data: String = "x'89504e47'") -> String {
        "\(numbers(count)) INSERT INTO real SELECT 9, i / 64, i % 64, \(data) FROM n;"
    }

    private func time(_ body: () throws -> Void) rethrows -> Double {
        var (start, end) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        try body()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
    }

    /// Invalid views: the error and the statements that make them.
    static let views: [(reason: String, sql: String)] = [
        (
            "to read for its size",
            real + fill(64) + "CREATE VIEW tiles AS SELECT \(columns) FROM real a, real b, real c, real d;"
        ),
        (
            "uses the view 'v0'",
            real + "CREATE VIEW v0 AS SELECT * FROM real; CREATE VIEW tiles AS SELECT \(columns) FROM V0 a;"
        ),
        (
            "contains WITH",
            real + "CREATE VIEW tiles AS WITH t AS (SELECT * FROM real) SELECT \(columns) FROM t a;"
        ),
        (
            "has special characters in its name",
            real
                + "CREATE VIEW \"a b\" AS SELECT * FROM real; CREATE VIEW tiles AS SELECT \(columns) FROM real a;"
        ),
        (
            "has generated columns",
            "CREATE TABLE metadata (name, value); CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, "
                + "tile_row INTEGER, tile_data AS (zoom_level + 1));"
        ),
        (
            "too big",
            real + fill(4, data: "zeroblob(300000)")
                + "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data"
                + String(repeating: " || tile_data", count: 90) + " AS tile_data FROM real;"
        ),
        (
            "to read for its size",
            real + fill(2, data: "zeroblob(1000000) || i")
                + "\(numbers(300)) INSERT INTO n SELECT i FROM n;"
                + "CREATE VIEW tiles AS SELECT \(columns) FROM real a, n b, n c, n d "
                + "WHERE a.tile_data < a.tile_data || b.i;"
        ),
    ]

    @Test("views that would take endless time are refused soon, with the reason", arguments: views.some(1))
    func view(reason: String, sql: String) throws {
        try site.execute(sql)
        let file = try MBTilesReader(site.path)
        var faults: [String] = []
        let seconds = try time {
            let failure = try #require(throws: Failure.self) { try file.forEachTile { _ in } }
            #expect(failure.kind == .badInput)
            #expect(failure.message.contains(reason), "\(failure)")
            _ = try? file.limits()
            _ = try? file.survey()
            _ = try? file.tile(at: TileCoordinate(zoom: 9, column: 0, row: 0))
            try file.check({ faults.append("\($0)") }, tiles: { _ in })
        }
        #expect(!faults.isEmpty)
        // Five passes of 2 s each, plus time for the size.
        #expect(seconds < 30, "\(seconds) s")
    }

    @Test("a check that stops does not begin again")
    func givenUp() throws {
        try site.execute(Self.views[0].sql)
        var (faults, tiles): ([String], Int) = ([], 0)
        try MBTilesReader(site.path).check({ faults.append("\($0)") }, tiles: { _ in tiles += 1 })
        #expect(faults.filter { $0.contains("to read for its size") }.count == 1, "\(faults)")
        #expect(tiles == 0)
    }

    @Test("reading a large content of many tiles stops, even in a survey of first bytes")
    func sharedContent() throws {
        try site.execute(
            sharedSchema
                + """
                INSERT INTO images VALUES (zeroblob(4000000), 'a');
                \(Self.numbers(3000)) INSERT INTO map SELECT 9, i / 64, i % 64, 'a', NULL FROM n;
                """)
        let file = try MBTilesReader(site.path)
        var tiles = 0
        for pass in [{ try file.forEachTile { _ in tiles += 1 } }, { _ = try file.survey() }] {
            let failure = try #require(throws: Failure.self) { try pass() }
            #expect(failure.message.contains("to read for its size"))
        }
        #expect(tiles < 40)
    }

    @Test("the same small content for many tiles is read, with and without indexes", .long)
    func ocean() throws {
        for schema in [sharedSchema, sharedSchema.replacing("CREATE UNIQUE INDEX", with: "--")] {
            try? FileManager.default.removeItem(at: site.url)
            try site.execute(
                schema
                    + """
                    INSERT INTO images VALUES (zeroblob(1500), 'a'), (zeroblob(9000), 'b');
                    \(Self.numbers(20_000))
                    INSERT INTO map SELECT 9, i / 256, i % 256, iif(i % 100, 'a', 'b'), NULL FROM n;
                    """)
            let file = try MBTilesReader(site.path)
            var tiles = 0
            try file.forEachTile { _ in tiles += 1 }
            #expect(tiles == 20_000)
            #expect(try file.survey().tileCount == 20_000)
            tiles = 0
            try file.check({ _ in }, tiles: { _ in tiles += 1 })
            #expect(tiles == 20_000)
            let few = try MBTilesReader(site.path, budget: ReadingBudget(tiles: 19_999))
            for pass in [{ try few.forEachTile { _ in } }, { try few.check({ _ in }, tiles: { _ in }) }] {
                let failure = try #require(throws: Failure.self) { try pass() }
                #expect(failure.kind == .usage)
            }
        }
    }

    @Test("addresses of a megabyte are cut in messages, and not sorted")
    func longAddresses() throws {
        try site.execute(
            Self.real + Self.fill(3, data: "zeroblob(1000000) || i")
                + "\(Self.numbers(100)) INSERT INTO n SELECT i FROM n;"
                + "CREATE VIEW tiles AS SELECT a.tile_data AS zoom_level, a.tile_column, a.tile_row, x'00' AS tile_data "
                + "FROM real a, n b;")
        let faults = try site.faults()
        #expect(faults.count >= 300)
        #expect(faults.allSatisfy { $0.utf8.count < 1000 && !$0.contains("times") })
    }

    @Test("a view is not accepted as a table behind a view, whatever its name")
    func sharedViews() throws {
        try site.execute(
            Self.real + Self.fill(2)
                + """
                CREATE TABLE images (tile_data BLOB, tile_id TEXT);
                CREATE VIEW map AS SELECT *, 'a' AS tile_id FROM real;
                CREATE VIEW tiles AS SELECT \(Self.columns) FROM real a;
                """)
        let layout = try MBTilesReader(site.path).reading { try MBTilesLayout(of: $0) }
        #expect(layout.shared == nil)
    }

    @Test("virtual tables are refused before metadata is read")
    func virtualMetadata() throws {
        do { try site.execute("CREATE VIRTUAL TABLE metadata USING rtree(name, value, b)") } catch {
            return  // This SQLite was built without them.
        }
        let failure = try #require(throws: Failure.self) { try MBTilesReader(site.path).statement() }
        #expect(failure.message.contains("it has virtual tables"))
    }

    @Test("a database in WAL mode is read, and one with more pages than bytes is damaged")
    func headers() throws {
        try site.build((0..<30).map { tile(9, $0, $0) })
        let whole = try [UInt8](site.bytes)
        var wal = whole
        (wal[18], wal[19]) = (2, 2)
        try Data(wal).write(to: site.url)
        #expect(try site.tiles().count == 30)
        for pages in [[0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
            var bytes = whole
            bytes.replaceSubrange(28..<32, with: pages)
            try Data(bytes).write(to: site.url)
            #expect(time { _ = try? site.faults() } < 5)
            _ = try? site.tiles()
        }
    }
}

import Foundation
import Platform
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Patches between small tilesets.
@Suite struct PatchTests {
    private let old = [tile(3, 4, 2, "a"), tile(3, 5, 2, "b"), tile(3, 5, 3, "c"), tile(2, 2, 1, "d")]
    private let new = [tile(3, 4, 2, "a"), tile(3, 5, 2, "B"), tile(2, 2, 1, "d"), tile(4, 8, 4, "e")]
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func path(_ name: String) -> String { directory.path(name + ".mbtiles") }

    private func build(_ name: String, _ tiles: [EncodedTile], _ rows: [MetadataRow]) throws {
        let writer = try MBTilesWriter(TilesetOptions(path: path(name)), scratchDirectory: directory.url.path)
        for tile in tiles { try writer.write(tile) }
        var documents = documents()
        documents.rows = [generatorRow] + rows
        _ = try writer.finish(documents)
    }

    @discardableResult
    private func diff(_ old: String, _ new: String, to patch: String) throws -> TilesetSummary {
        let sides = try [old, new].map { try MBTilesReader(path($0)) }
        return try TilesetDifference(
            from: (sides[0], sides[0].rows()), to: (sides[1], sides[1].rows()), budget: ReadingBudget()
        ).write(to: path(patch), force: false, fsync: false)
    }

    private func makeAll() throws -> TilesetSummary {
        try build("old", old, [MetadataRow("name", "Old"), MetadataRow("credit", "x")])
        try build("new", new, [MetadataRow("name", "New"), MetadataRow("floor", "1")])
        return try diff("old", "new", to: "patch")
    }

    @Test("a patch holds what differs, as martin writes it")
    func content() throws {
        let summary = try makeAll()
        #expect(summary.added.map(\.description) == ["4/8/4"])
        #expect(summary.changed.map(\.description) == ["3/5/2"])
        #expect(summary.removed == ["3/5/3"] && summary.unchanged == 2)
        // Rows count from the south; the hashes are made by Python's MD5.
        let outcome = try Python.run(
            """
            import hashlib, sqlite3
            base = sqlite3.connect("\(path("patch"))")
            def agg(path):
                rows = sqlite3.connect(path).execute(
                    "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles ORDER BY 1, 2, 3")
                text = b"".join(b"%d%d%d" % row[:3] + (row[3] or b"") for row in rows)
                return hashlib.md5(text).hexdigest().upper()
            rows = dict(base.execute("SELECT name, value FROM metadata"))
            assert rows.pop("agg_tiles_hash_before_apply") == agg("\(path("old"))")
            assert rows.pop("agg_tiles_hash_after_apply") == agg("\(path("new"))")
            assert rows.pop("agg_tiles_hash") == agg("\(path("patch"))")
            print(sorted(rows.items(), key=str), base.execute("SELECT * FROM tiles ORDER BY 1, 2, 3").fetchall())
            """)
        #expect(
            outcome.output == "[('credit', None), ('floor', '1'), ('name', 'New')] "
                + "[(3, 5, 4, None), (3, 5, 5, b'3/5/2 B'), (4, 8, 11, b'4/8/4 e')]\n", "\(outcome.errors)")
    }

    @Test("a patch turns the old tiles and metadata into the new ones")
    func applied() throws {
        _ = try makeAll()
        let reader = try MBTilesReader(path("old"))
        let tiles = PatchedTiles(reader, rows: try reader.rows(), after: try TilePatch(path("patch")))
        try tiles.check(budget: ReadingBudget())
        var found: [EncodedTile] = []
        try tiles.forEachTile { found.append($0) }
        #expect(
            found.sorted { $0.coordinate < $1.coordinate } == new.sorted { $0.coordinate < $1.coordinate })
        #expect(Set(tiles.rows) == Set(try MBTilesReader(path("new")).rows()))
    }

    @Test("rows of the same name become one, and texts that only look the same differ")
    func rows() throws {
        try build(
            "old", old,
            [MetadataRow("credit", "a"), MetadataRow("credit", "b"), MetadataRow("name", "Caf\u{e9}")])
        try build("new", old, [MetadataRow("credit", "c"), MetadataRow("name", "Cafe\u{301}")])
        try diff("old", "new", to: "patch")
        let rows = try TilePatch(path("patch")).rows(after: MBTilesReader(path("old")).rows())
        #expect(rows == (try MBTilesReader(path("new")).rows()))
    }

    @Test("a patch for other tiles, or applied twice, is refused", arguments: ["new", "other"])
    func otherBase(name: String) throws {
        _ = try makeAll()
        try build("other", [tile(3, 4, 2, "z")], [])
        let reader = try MBTilesReader(path(name))
        let tiles = PatchedTiles(reader, rows: try reader.rows(), after: try TilePatch(path("patch")))
        let failure = try #require(throws: Failure.self) { try tiles.check(budget: ReadingBudget()) }
        #expect(failure.kind == .badInput)
        #expect(
            failure.message.contains(name == "new" ? "has been applied already" : "it is for other tiles"))
    }

    /// Damages of a patch, as SQL, and what the error says.
    static let damages = [
        ("UPDATE tiles SET tile_data = x'00' WHERE tile_data NOTNULL", "the result would not be"),
        ("DELETE FROM tiles WHERE tile_data ISNULL", "the result would not be"),
        ("DELETE FROM metadata WHERE name LIKE '%after%'", "does not say which tileset"),
        ("INSERT INTO metadata VALUES ('hash_algorithm', 'fnv1a')", "its hashes are 'fnv1a'"),
        ("CREATE TABLE bsdiffraw (zoom_level, patch_data)", "only martin can apply"),
        ("UPDATE tiles SET tile_row = tile_row + 999", "is outside the world"),
        ("DROP TABLE metadata", "no such table: metadata"),
    ]

    @Test("a damaged patch is refused", arguments: damages)
    func damaged(sql: String, message: String) throws {
        _ = try makeAll()
        try changeDatabase(path("patch"), sql)
        let failure = try #require(throws: Failure.self) {
            let reader = try MBTilesReader(path("old"))
            try PatchedTiles(reader, rows: try reader.rows(), after: try TilePatch(path("patch"))).check(
                budget: ReadingBudget())
        }
        #expect(failure.kind == .badInput && failure.message.contains(message), "\(failure)")
    }

    @Test("only a patch of ours is replaced without --force")
    func replaced() throws {
        _ = try makeAll()
        try diff("new", "old", to: "patch")
        #expect(throws: Failure.self) { try diff("old", "new", to: "new") }
        #expect(try MBTilesReader(path("new")).rows().contains(MetadataRow("name", "New")))
    }
}

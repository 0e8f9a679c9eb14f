import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// A run into an archive that an earlier run made.
@Suite struct RepeatedArchiveTests {
    // Longer than the part before them in an archive.
    private let tiles =
        (0..<8).map { tile(3, $0, 2, String(repeating: "x", count: 500)) } + [tile(2, 2, 1)]

    @Test("the same job changes nothing, and reports no changes", arguments: ArchiveKind.allCases)
    func sameJob(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        let first = try site.build(tiles)
        #expect(first.added.count == 9 && first.unchanged == 0)
        let (stamp, bytes) = (try site.stamp(), try site.bytes)

        let archive = try site.open()
        #expect(archive.isComplete)
        #expect(archive.tiles == first.added)
        let contents = archive.contents
        #expect(contents.tileCount == 9 && contents.digest.count == 32)
        var told: TilesetSummary?
        let again = try archive.finish(ArchiveSite.documents(contents, name: "plan")) { told = $0 }
        #expect(again == told && again.isEmpty)
        #expect(again.unchanged == 9 && again.bytes == bytes.count)
        #expect(try site.stamp() == stamp && site.bytes == bytes)
        #expect(try site.names() == ["plan.\(kind)"])
    }

    @Test("other documents are written around the same tiles", arguments: ArchiveKind.allCases)
    func otherDocuments(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        try site.build(tiles)
        // A run that copies the tiles does not have them.
        let summary = try site.build([], name: "another")
        #expect(summary.isEmpty && summary.unchanged == 9)
        #expect(try site.content == site.freshContent(tiles, name: "another"))
        #expect(try summary.bytes == site.bytes.count)
        let stamp = try site.stamp()
        try site.build([], name: "another")
        #expect(try site.stamp() == stamp)
    }

    @Test("another job reports the differences", arguments: ArchiveKind.allCases)
    func otherJob(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        try site.build(tiles)
        let new = [tile(3, 0, 2, "new")] + tiles[1..<6] + [tile(4, 9, 9), tile(0, 0, 0)]
        let summary = try site.build(new, job: "next")
        #expect(summary.changed.map(\.description) == ["3/0/2"])
        #expect(summary.added.map(\.description) == ["0/0/0", "4/9/9"])
        #expect(summary.removed == ["2/2/1", "3/6/2", "3/7/2"])
        #expect(summary.unchanged == 5 && summary.written == 3)
        #expect(try site.content == site.freshContent(new, job: "next", name: "plan"))
    }

    @Test("an archive that another job makes unchanged keeps its time", arguments: ArchiveKind.allCases)
    func sameTilesOfAnotherJob(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        try site.build(tiles)
        let time = try site.stamp().dropFirst()
        #expect(try site.build(tiles, job: "next").unchanged == 9)
        #expect(try site.stamp().dropFirst() == time)
        #expect(try site.content == site.freshContent(tiles, job: "next", name: "plan"))
        // The archive now belongs to that job, which need not make any tile.
        #expect(try site.build([], job: "next").unchanged == 9)
        #expect(try site.build(tiles, job: "next", name: "another").unchanged == 9)
        #expect(try site.content == site.freshContent(tiles, job: "next", name: "another"))
    }

    /// Damage of an archive: its bytes afterwards.
    static let damages: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
        ("a byte is cut off", { $0.dropLast() }), ("a page is cut off", { $0.dropLast(2048) }),
        ("half is cut off", { Array($0[..<($0.count / 2)]) }), ("nothing is left", { _ in [] }),
        ("a byte follows", { $0 + [0] }),
        ("a page follows", { $0 + [UInt8](repeating: 0, count: 2048) }),
        ("the header is gone", { [UInt8](repeating: 0, count: 100) + $0.dropFirst(100) }),
    ]

    @Test(
        "a damaged archive is not trusted, and is made again",
        arguments: ArchiveKind.allCases, damages.indices)
    func damagedArchive(kind: ArchiveKind, damage: Int) throws {
        let site = try ArchiveSite(kind)
        try site.build(tiles)
        let (whole, content) = (try site.bytes, try site.content)
        try site.write(Self.damages[damage].1(whole))
        #expect(try site.bytes != whole)
        // The owner of a file without its first bytes is unknown.
        let force = try !site.bytes.starts(with: whole.prefix(100))
        let archive = try site.open(force: force)
        #expect(!archive.isComplete, "\(Self.damages[damage].0)")
        try archive.discard()
        let summary = try site.build(tiles, force: force)
        #expect(summary.written + summary.unchanged == 9 && summary.removed.isEmpty)
        #expect(try site.content == content)
    }

    @Test("an archive of PMTiles with a damaged directory, or damaged metadata, is not trusted")
    func damagedFront() throws {
        let site = try ArchiveSite(.pmtiles)
        try site.build(tiles)
        let whole = try site.bytes
        let header = try PMTilesReader(site.path).header.get()
        for place in [100, Int(header.root.offset) + 20, Int(header.metadata.offset) + 20] {
            var bytes = whole
            bytes[place] ^= 1
            try site.write(bytes)
            try site.build(tiles, force: true)
            #expect(try site.bytes == whole)
        }
    }

    @Test("a database that another program changed is not trusted")
    func changedDatabase() throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(tiles)
        let (whole, content) = (try site.bytes, try site.content)
        // As many tiles, and pages, as before.
        try changeDatabase(
            site.path, "UPDATE tiles_data SET tile_data = x'00' WHERE tile_data_id = 3"
        )
        #expect(try site.bytes.count == whole.count)
        #expect(try site.build(tiles).changed.map(\.description) == ["3/3/2"])
        #expect(try site.content == content)
    }

    @Test("damaged tiles are not copied", arguments: ArchiveKind.allCases)
    func rottenTile(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        try site.build(tiles)
        var bytes = try site.bytes
        let tile = try #require(bytes.firstRange(of: Array("3/5/2 ".utf8)))
        bytes[tile.lowerBound] = UInt8(ascii: "8")
        try site.write(bytes)
        #expect(throws: DamagedArchive.self) { try site.build(tiles, name: "another") }
        #expect(try site.bytes == bytes && site.names() == ["plan.\(kind)"])

        var archive = try site.open(reusesTiles: false)
        #expect(!archive.isComplete)
        for tile in tiles { try archive.write(tile) }
        let summary = try archive.finish(ArchiveSite.documents(archive.contents, name: "another"))
        #expect(summary.changed.map(\.description) == ["3/5/2"] && summary.unchanged == 8)
        #expect(try site.content == site.freshContent(tiles, name: "another"))
    }

    @Test("all tiles are new if another program's file is replaced", arguments: ArchiveKind.allCases)
    func foreignFile(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        try site.write(Array("mine".utf8))
        #expect(try site.build(tiles, force: true).added.count == 9)
    }

    @Test(
        "if the changes cannot be announced, the archive stays unchanged",
        arguments: ArchiveKind.allCases)
    func untoldNews(kind: ArchiveKind) throws {
        struct Full: Error {}
        let site = try ArchiveSite(kind)
        try site.build(tiles)
        let stamp = try site.stamp()
        var archive = try site.open(job: "next")
        try archive.write(tiles[0])
        let documents = ArchiveSite.documents(archive.contents, name: "plan")
        #expect(throws: Full.self) {
            _ = try archive.finish(documents) { summary in
                #expect(summary.removed.count == 8)
                throw Full()
            }
        }
        #expect(try site.stamp() == stamp && site.names() == ["plan.\(kind)"])
        #expect(try site.build([tiles[0]], job: "next").removed.count == 8)
    }

    @Test(
        "the tiles of a database with invalid rows are unknown: all are new",
        arguments: [
            "DELETE FROM tiles_data WHERE tile_data_id = 0",
            "DELETE FROM tiles_data WHERE tile_data_id = 8",
            "UPDATE tiles_shallow SET tile_data_id = 'x' WHERE zoom_level = 2",
            """
            DROP TABLE tiles_data;
            CREATE TABLE tiles_data (tile_data_id INTEGER PRIMARY KEY, tile_data BLOB);
            INSERT INTO tiles_data VALUES (0, NULL)
            """,
        ])
    func senselessRows(sql: String) throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(tiles)
        try changeDatabase(site.path, sql)
        #expect(try site.build(tiles, job: "next").added.count == 9)
        #expect(try site.content == site.freshContent(tiles, job: "next", name: "plan"))
    }

    @Test(
        "rows that were exchanged behind SQLite's back are not copied",
        arguments: [
            "UPDATE tiles_shallow SET tile_data_id = 99 WHERE zoom_level = 2",
            "UPDATE tiles_data SET tile_data_id = 50 WHERE tile_data_id = 8",
        ])
    func exchangedRows(sql: String) throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(tiles)
        let size = try site.bytes.count
        try changeDatabase(site.path, sql)
        // The header's counts of changes, section 1.3 of SQLite's file format, as they were.
        var bytes = try site.bytes
        for place in [24, 92] { bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, 2]) }
        try site.write(bytes)
        #expect(bytes.count == size)
        #expect(throws: DamagedArchive.self) { try site.build(tiles, name: "another") }
        #expect(try site.bytes == bytes && site.names() == ["plan.mbtiles"])
    }

    @Test("something that is not a file is not recognised as our archive", arguments: ArchiveKind.allCases)
    func pipe(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        #expect(mkfifo(site.path, 0o600) == 0)
        let failure = try #require(throws: Failure.self) { try site.open() }
        #expect(failure.kind == .outputRefused && failure.message.hasSuffix("not made by tilewright"))
        #expect(try site.names() == ["plan.\(kind)"])
    }

    @Test(
        "a run that is cancelled while it compares ends, and changes nothing", arguments: ArchiveKind.allCases
    )
    func cancelled(kind: ArchiveKind) async throws {
        let site = try ArchiveSite(kind)
        try site.build(tiles)
        let stamp = try site.stamp()
        let tiles = [EncodedTile](tiles.prefix(3))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try site.build(tiles, job: "next")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try site.stamp() == stamp && site.names() == ["plan.\(kind)"])
    }

    @Test("an archive that does not state its contents is made again")
    func uncounted() throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(tiles)
        let whole = try site.bytes
        try changeDatabase(site.path, "DELETE FROM metadata WHERE name = 'tileCount'")
        #expect(try site.build(tiles).unchanged == 9)
        #expect(try site.bytes == whole)
    }
}

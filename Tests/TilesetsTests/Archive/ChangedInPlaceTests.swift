import CStorage
import Foundation
import Platform
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// A run that changes a few tiles of an archive.
@Suite struct ChangedInPlaceTests {
    private static func tiles(_ bytes: (Int) -> Int = { 3000 + $0 }) -> [EncodedTile] {
        (0..<200).map { number in
            // Each tenth tile has the same content.
            let seed = number % 10 == 0 ? 0 : number
            var random = SplitMix(seed: UInt64(seed))
            let size = bytes(seed)
            return EncodedTile(
                coordinate: TileCoordinate(zoom: 9, column: number / 10, row: number % 10),
                bytes: (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
    }

    /// Ways to change some tiles of `tiles`.
    static let edits: [(String, @Sendable (inout [EncodedTile]) -> Void)] = [
        ("other bytes", { $0[17].bytes[100] ^= 1 }),
        ("a longer tile", { $0[17].bytes += [UInt8](repeating: 7, count: 9000) }),
        ("a shorter tile", { $0[17].bytes.removeLast(2500) }),
        ("a tile of its own", { $0[30].bytes = [1, 2, 3] }),
        (
            "all shared tiles",
            { tiles in for index in stride(from: 0, to: 200, by: 10) { tiles[index].bytes = [9] } }
        ),
        ("a shared content", { $0[17].bytes = $0[10].bytes }),
        (
            "two that change places",
            { tiles in
                let first = tiles[17].bytes
                tiles[17].bytes = tiles[18].bytes
                tiles[18].bytes = first
            }
        ),
        ("a removed tile", { $0.remove(at: 33) }), ("a removed shared tile", { $0.remove(at: 40) }),
        ("new tiles", { $0 += [tile(9, 400, 400), tile(3, 0, 0)] }),
        (
            "several at once",
            { tiles in
                for index in stride(from: 5, to: 40, by: 7) {
                    tiles[index].bytes = [UInt8](repeating: UInt8(index), count: 50 * index)
                }
                tiles.removeLast(3)
                tiles.append(tile(9, 401, 401))
            }
        ),
    ]

    @Test("the result is that of a fresh run", arguments: ArchiveKind.allCases, edits.map(\.0))
    func sameAsFresh(kind: ArchiveKind, edit: String) throws {
        let site = try ArchiveSite(kind)
        let old = Self.tiles()
        try site.build(old)
        let (file, size) = (try site.stamp()[0], try site.bytes.count)
        var new = old
        try #require(Self.edits.first { $0.0 == edit }).1(&new)
        let summary = try site.build(new, job: "next")
        #expect(try site.content == site.freshContent(new, job: "next"))
        #expect(summary.unchanged + summary.written == new.count)
        #expect(try site.bytes.count == summary.bytes)
        // MBTiles is changed where it is, and PMTiles is replaced.
        #expect(try (site.stamp()[0] == file) == (kind == .mbtiles))
        #expect(summary.bytes < size + 60_000)
        // And back again, and the next run knows the file as its own.
        try site.build(old, job: "last")
        #expect(try site.content == site.freshContent(old, job: "last"))
        #expect(try site.open(job: "last").isComplete)
    }

    @Test("many small changes do not make the file grow for ever")
    func bounded() throws {
        let site = try ArchiveSite(.mbtiles)
        var tiles = Self.tiles()
        try site.build(tiles)
        let size = try site.bytes.count
        for round in 0..<40 {
            for index in 0..<5 { tiles[(round * 5 + index) % 200].bytes.removeLast(2000 + round) }
            try site.build(tiles, job: "\(round)")
            if round % 8 == 0 { tiles = Self.tiles { 3000 + $0 + round } }
        }
        #expect(try site.bytes.count < size * 3 / 2)
        #expect(try site.content == site.freshContent(tiles, job: "39"))
    }

    @Test(
        "who has the old file open goes on reading it, or reads the new one", arguments: ArchiveKind.allCases)
    func openReaders(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        let old = Self.tiles()
        try site.build(old)
        let reader: any TilesetReader =
            kind == .mbtiles ? try MBTilesReader(site.path) : try PMTilesReader(site.path)
        #expect(try reader.tile(at: old[17].coordinate) == old[17].bytes)
        var new = old
        new[17].bytes.reverse()
        try site.build(new, job: "next")
        let expected = kind == .mbtiles ? new : old
        for index in [0, 17, 18, 199] {
            #expect(try reader.tile(at: expected[index].coordinate) == expected[index].bytes)
        }
    }

    /// Another program that reads all tiles with SQLite, and waits after the first one. In this process, its
    /// locks would end with the next file that is closed; fcntl(2).
    private final class SlowReader {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())
        private var said = Data()

        init(_ path: String) throws {
            let script = """
                import sqlite3, sys
                rows = sqlite3.connect(sys.argv[1]).execute("SELECT tile_data FROM tiles")
                first = rows.fetchone()
                print("reading", flush=True)
                sys.stdin.readline()
                print(1 + len(rows.fetchall()))
                """
            process.executableURL = URL(filePath: Python.path() ?? "/usr/bin/python3")
            process.arguments = ["-c", script, path]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            said = output.fileHandleForReading.availableData
        }

        /// Lets it read the rest, and returns what it has printed.
        func end() throws -> String {
            try input.fileHandleForWriting.write(contentsOf: Data("go\n".utf8))
            said += try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: said, as: UTF8.self)
        }
    }

    /// Tiles of which some have other bytes.
    private static func changedTiles() -> [EncodedTile] {
        var tiles = tiles()
        for index in 0..<20 { tiles[index].bytes.reverse() }
        return tiles
    }

    @Test("a change waits for readers, and a reader sees the old tiles until its end", .needs("python3"))
    func waits() throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(Self.tiles())
        let reader = try SlowReader(site.path)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            #expect(throws: Never.self) { try site.build(Self.changedTiles(), job: "next") }
            isDone.signal()
        }
        let isEarly = isDone.wait(timeout: .now() + 0.3) == .success
        #expect(!isEarly)
        #expect(try reader.end() == "reading\n200\n")
        if !isEarly { isDone.wait() }
        #expect(try site.content == site.freshContent(Self.changedTiles(), job: "next"))
    }

    @Test(
        "a reader that takes too long keeps the old file, and a new one takes its place", .long,
        .needs("python3"))
    func slowReader() throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(Self.tiles())
        let file = try site.stamp()[0]
        let reader = try SlowReader(site.path)
        let summary = try site.build(Self.changedTiles(), job: "next")
        #expect(try site.stamp()[0] != file && summary.bytes == site.bytes.count)
        #expect(try reader.end() == "reading\n200\n")
        #expect(try site.content == site.freshContent(Self.changedTiles(), job: "next"))
        #expect(try site.names() == ["plan.mbtiles"])
    }

    /// Reasons why a file is not changed where it is, and how they come about.
    static let reasons: [(String, @Sendable (ArchiveSite) throws -> Void)] = [
        (
            "another name",
            { try FileManager.default.linkItem(atPath: $0.path, toPath: $0.path + ".yesterday") }
        ),
        (
            "a trigger",
            { site in
                try changeDatabase(
                    site.path,
                    "CREATE TRIGGER t AFTER INSERT ON metadata BEGIN DELETE FROM tiles_data; END")
                // The file says that tilewright was the last to change it.
                let reader = try MBTilesReader(site.path)
                let header = try reader.header()
                let next = try #require(header).changes + 1
                try changeDatabase(site.path, "PRAGMA user_version = \(next)")
            }
        ),
        ("a log", { try changeDatabase($0.path, "PRAGMA journal_mode = WAL; PRAGMA journal_mode = DELETE") }),
    ]

    @Test("a file that others have to do with is replaced", arguments: reasons.map(\.0))
    func replaced(reason: String) throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(Self.tiles())
        let file = try site.stamp()[0]
        try #require(Self.reasons.first { $0.0 == reason }).1(site)
        try site.build(Self.changedTiles(), job: "next")
        #expect(try site.stamp()[0] != file)
        #expect(try site.content == site.freshContent(Self.changedTiles(), job: "next"))
    }

    @Test("a file that loses much is replaced, so that it shrinks")
    func shrinks() throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(Self.tiles())
        let size = try site.bytes.count
        let few = Array(Self.tiles()[..<40])
        try site.build(few, job: "next")
        #expect(try site.content == site.freshContent(few, job: "next"))
        #expect(try site.bytes.count * 3 < size)
    }

    @Test("a change that is not committed leaves nothing")
    func rollback() throws {
        let site = try ArchiveSite(.mbtiles)
        let old = Self.tiles()
        try site.build(old)
        let bytes = try site.bytes
        struct Stop: Error {}
        var archive = try site.open(job: "next")
        for index in 0..<10 { try archive.write(EncodedTile(coordinate: old[index].coordinate, bytes: [1])) }
        for tile in old[10...] { try archive.write(tile) }
        #expect(throws: Stop.self) {
            _ = try archive.finish(ArchiveSite.documents(archive.contents, name: "plan")) { _ in throw Stop()
            }
        }
        #expect(try site.bytes == bytes)
        #expect(try site.names() == ["plan.mbtiles"])
    }

    /// Leaves the file as a program does that was killed while it changed the file: with a journal.
    private func killWhileChanging(_ path: String) throws {
        let (copy, journal) = (path + ".copy", path + "-journal")
        var database: OpaquePointer?
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        // Little memory for pages, so that changed pages are written before the end.
        let changes = """
            PRAGMA cache_size = 2; BEGIN;
            UPDATE tiles_data SET tile_data = zeroblob(3000); DELETE FROM tiles_shallow WHERE tile_column > 3
            """
        try #require(sqlite3_exec(database, changes, nil, nil, nil) == SQLITE_OK)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        try FileManager.default.copyItem(atPath: journal, toPath: copy + "-journal")
        sqlite3_close(database)
        for ending in ["", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + ending)
            try FileManager.default.moveItem(atPath: copy + ending, toPath: path + ending)
        }
    }

    @Test(
        "what a killed run of ours has left is undone by the next one that reads or writes",
        arguments: [true, false])
    func killed(writes: Bool) throws {
        let site = try ArchiveSite(.mbtiles)
        let old = Self.tiles()
        try site.build(old)
        let content = try site.content
        try killWhileChanging(site.path)
        try Data().write(to: URL(filePath: site.path + ".tilewright-partial"))
        if writes {
            var new = old
            new[3].bytes = [5]
            try site.build(new, job: "next")
            #expect(try site.content == site.freshContent(new, job: "next"))
        } else {
            #expect(try site.content == content)
        }
        #expect(try site.names() == ["plan.mbtiles"])
    }

    @Test("what another program has left is reported, and stays")
    func killedOther() throws {
        let site = try ArchiveSite(.mbtiles)
        try site.build(Self.tiles())
        try killWhileChanging(site.path)
        let files = try ["", "-journal"].map { try Data(contentsOf: URL(filePath: site.path + $0)) }
        let failure = try #require(throws: Failure.self) { _ = try MBTilesReader(site.path).rows() }
        #expect(failure.kind == .badInput && failure.message.contains("-journal"))
        #expect(throws: Failure.self) { try site.build(Self.tiles(), job: "next") }
        #expect(try ["", "-journal"].map { try Data(contentsOf: URL(filePath: site.path + $0)) } == files)
    }
}

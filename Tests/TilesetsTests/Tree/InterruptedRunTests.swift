import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

@Suite struct InterruptedRunTests {
    private let site: Site
    private let tiles = (0..<8).map { tile(3, $0, 2) }

    init() throws { site = try Site() }

    /// Begins a run and stops it, as a signal would.
    private func interrupt(after count: Int, _ options: TreeOptions) throws {
        var tileset = try TreeWriter(options)
        for tile in tiles.prefix(count) { try tileset.write(tile) }
    }

    @Test("the same job continues from the tiles of an interrupted run")
    func resume() throws {
        try interrupt(after: 5, site.options())
        #expect(try site.files().isEmpty)
        var tileset = try TreeWriter(site.options())
        #expect(tileset.staged == Set(tiles.prefix(5).map(\.coordinate)))
        for tile in tiles.dropFirst(5) { try tileset.write(tile) }
        let summary = try tileset.finish(documents())
        #expect(summary.written == 8)
        #expect(try site.files().count == 8)
    }

    @Test("a run that is stopped keeps its tiles, and leaves nothing if it has none")
    func suspend() throws {
        try TreeWriter(site.options()).suspend()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: site.directory.url.path) == [])
        var tileset = try TreeWriter(site.options())
        try tileset.write(tiles[0])
        try tileset.suspend()
        let next = try TreeWriter(site.options())
        #expect(next.staged == [tiles[0].coordinate])
        try next.suspend()
        #expect(try TreeWriter(site.options()).staged == [tiles[0].coordinate])
    }

    @Test("a file that replaces a staged tile gets neither the name nor the mode of the old tile")
    func exchangedStaged() throws {
        let options = try site.options()
        let state = try TilesetFolder(path: options.tileset.path, floor: nil, force: false)
        var staging = try StagedTiles(in: state.home, job: options.job)
        let record = try staging.write(tile(3, 1, 2))
        try site.write("old", to: "3/1/2.png")
        try state.root.writeFile("secret", [2])
        #expect(chmod(state.root.path(of: "3/1/2.png"), 0o666) == 0)
        #expect(chmod(state.root.path(of: "secret"), 0o600) == 0)
        let column = state.home.path(of: "staging/3/1")
        #expect(rename(state.root.path(of: "secret"), column + "/2") == 0)
        #expect(throws: Failure.self) {
            try staging.move([record], to: state.root, as: options.names, threads: 1)
        }
        #expect(try site.text("tiles/3/1/2.png") == "old")
        #expect(
            try FileManager.default.attributesOfItem(atPath: column + "/2")[.posixPermissions] as? Int
                == 0o600)
    }

    @Test("a staged tile may be written again")
    func rewriteStaged() throws {
        try interrupt(after: 5, site.options())
        var tileset = try TreeWriter(site.options())
        for tile in tiles { try tileset.write(tile) }
        #expect(try tileset.finish(documents()).bytes == 8 * 6)
    }

    @Test("another job's tiles are removed, not published")
    func otherJob() throws {
        try interrupt(after: 5, site.options())
        #expect(try site.build([tiles[7]], site.options(job: "other")).written == 1)
        #expect(try site.files() == ["3/7/2.png": "3/7/2 "])
    }

    @Test("a tile that lost its bytes in a power failure is written again")
    func emptyStagedFile() throws {
        try interrupt(after: 2, site.options())
        try site.write("", to: staged(0))
        let staged = try TreeWriter(site.options()).staged
        #expect(staged == [tiles[1].coordinate])
    }

    private func staged(_ column: Int) -> String { ".tilewright/tileset/staging/3/\(column)/2" }

    @Test("a tile that a killed run left unfinished is written again")
    func halfATile() throws {
        try interrupt(after: 3, site.options())
        try site.write("3/2", to: staged(2))
        // A run that begins again, and is killed before it reaches this tile.
        try interrupt(after: 0, site.options())
        try write(tiles[3], after: tiles.prefix(2))
        let next = try TreeWriter(site.options())
        #expect(next.staged == [tiles[0], tiles[1], tiles[3]].reduce(into: []) { $0.insert($1.coordinate) })
    }

    /// Writes a tile in a run that is killed, which must find those before.
    private func write(_ tile: EncodedTile, after others: some Sequence<EncodedTile>) throws {
        var tileset = try TreeWriter(site.options())
        #expect(tileset.staged == Set(others.map(\.coordinate)))
        try tileset.write(tile)
    }

    /// Damaged journals of three tiles, and how many tiles then count.
    private static let journals: [(damage: @Sendable (Data) -> Data, staged: Int)] = [
        ({ _ in Data() }, 0), ({ _ in Data("half a line".utf8) }, 0), ({ $0.dropLast(5) }, 2),
        ({ $0 + Data(repeating: 255, count: 32) }, 3), ({ $0 + $0.suffix(96) }, 3),
        ({ Data("tilewright journal 2 ".utf8) + $0.dropFirst(21) }, 0),
    ]

    @Test("a journal counts as far as it is whole", arguments: journals.indices)
    func damagedJournal(index: Int) throws {
        let journal = Self.journals[index]
        try interrupt(after: 3, site.options())
        let file = URL(filePath: "\(site.path)/.tilewright/tileset/staging/journal")
        try journal.damage(Data(contentsOf: file)).write(to: file)
        #expect(
            try TreeWriter(site.options()).staged
                == Set(tiles.prefix(journal.staged).map(\.coordinate)))
    }

    @Test("tiles that an earlier version staged are made again")
    func earlierVersion() throws {
        let staging = ".tilewright/tileset/staging"
        try site.write(ContentHash(of: "job").hex, to: "\(staging)/job")
        try site.write("", to: "\(staging)/latest")
        try site.write("old", to: "\(staging)/3/0/2.png")
        #expect(try site.build(tiles, site.options()).written == 8)
        #expect(try site.files()["3/0/2.png"] == "3/0/2 ")
    }

    @Test("files that no run could have staged are not touched")
    func strangeStagedFiles() throws {
        try interrupt(after: 1, site.options())
        for name in [
            "3/-1/2", "3/8/2", "3/1/+2", "99/1/2", "3/1/x", "x/1/2", "3/1/2.png",
        ] {
            try site.write("strange", to: ".tilewright/tileset/staging/\(name)")
        }
        #expect(try TreeWriter(site.options()).staged == [tiles[0].coordinate])
    }

    @Test("a run that fails on its input leaves no trace")
    func discardNew() throws {
        var options = try site.options()
        options.tileset.path = site.directory.path("a/b/tiles")
        var tileset = try TreeWriter(options)
        try tileset.write(tiles[0])
        try tileset.discard()
        #expect(try FileManager.default.subpathsOfDirectory(atPath: site.directory.url.path) == [])
    }

    @Test("a run that fails on its input leaves a published tileset unchanged")
    func discardPublished() throws {
        try site.build(tiles, site.options())
        let before = try site.directory.files()
        var tileset = try TreeWriter(site.options(job: "next"))
        try tileset.write(tile(3, 0, 2, "new"))
        try tileset.discard()
        #expect(try site.directory.files() == before)
        #expect(try site.files()["3/0/2.png"] == "3/0/2 ")
    }

    @Test("an existing directory stays when a run fails on its input")
    func discardForeign() throws {
        try site.write("mine", to: "notes.txt")
        try TreeWriter(site.options(force: true)).discard()
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: site.path) == ["notes.txt"])
    }

    /// The state of a run that was killed after it had moved some tiles: the manifest names what was
    /// and what will be, the rest is still staged.
    private func killWhilePublishing(
        _ tiles: [EncodedTile], moved: Int, _ options: TreeOptions
    ) throws {
        let state = try TilesetFolder(path: options.tileset.path, floor: nil, force: false)
        let old = try state.readManifest(force: false)
        var staging = try StagedTiles(in: state.home, job: options.job)
        let written = try tiles.map { try staging.write($0) }
        let records = TileRecords(written)
        let section = TilesetManifest.Section(names: options.names, records: records)
        try state.write(old.adding(TilesetManifest(sections: [section], job: options.job)))
        try staging.move(Array(written.prefix(moved)), to: state.root, as: options.names, threads: 1)
    }

    @Test(
        "a run that was killed while publishing is completed by the same command",
        arguments: [0, 3, 8])
    func killedWhilePublishing(moved: Int) throws {
        try site.build(
            [tile(3, 0, 2, "old"), tiles[1], tile(2, 1, 1)], site.options(job: "before"))
        try killWhilePublishing(tiles, moved: moved, site.options())
        let tileset = try TreeWriter(site.options())
        #expect(tileset.staged == Set(tiles.map(\.coordinate)), "nothing is encoded twice")
        let summary = try tileset.finish(documents())
        #expect(summary.unchanged == 1, "what it had moved is news that nobody was told")
        #expect(summary.changed == [tiles[0].coordinate])
        #expect(summary.added == tiles.dropFirst(2).map(\.coordinate))
        #expect(summary.removed == ["2/1/1.png"])
        let expected = tiles.map { ("3/\($0.coordinate.column)/2.png", "\($0.coordinate) ") }
        #expect(try site.files() == Dictionary(uniqueKeysWithValues: expected))
    }

    @Test("after a first run that was killed while publishing, all tiles are reported as new")
    func firstRunKilledWhilePublishing() throws {
        try killWhilePublishing(tiles, moved: 5, site.options())
        let summary = try TreeWriter(site.options()).finish(documents())
        #expect(summary.added == tiles.map(\.coordinate))
        #expect(try site.build(tiles, site.options(job: "next")).unchanged == 8)
    }

    @Test("tiles that a killed run removed, or moved and the next run restores, are reported")
    func removedByKilledRun() throws {
        try site.build([tiles[0], tile(2, 1, 1)], site.options(job: "before"))
        try killWhilePublishing([tile(3, 0, 2, "new")], moved: 1, site.options(job: "killed"))
        try FileManager.default.removeItem(atPath: "\(site.path)/2/1/1.png")
        let summary = try site.build([tiles[0]], site.options(job: "after"))
        #expect(summary.changed == [tiles[0].coordinate] && summary.added.isEmpty)
        #expect(summary.removed == ["2/1/1.png"])
    }

    @Test("a run that ends before it announces its changes announces them the next time")
    func untoldNews() throws {
        struct Full: Error {}
        try site.build([tile(3, 0, 2, "old"), tile(2, 1, 1)], site.options(job: "before"))
        for _ in 0..<2 {
            var tileset = try TreeWriter(site.options())
            for tile in tiles where !tileset.staged.contains(tile.coordinate) {
                try tileset.write(tile)
            }
            var told: TilesetSummary?
            #expect(throws: Full.self) {
                _ = try tileset.finish(documents()) {
                    told = $0
                    throw Full()
                }
            }
            #expect(told?.changed == [tiles[0].coordinate])
            #expect(told?.added == tiles.dropFirst().map(\.coordinate))
            #expect(told?.removed == ["2/1/1.png"])
        }
        #expect(try TreeWriter(site.options()).finish(documents()).added.count == 7)
        #expect(try TreeWriter(site.options()).finish(documents()).unchanged == 8)
    }

    @Test("the next run knows the files that several killed runs left", arguments: [true, false])
    func killedTwice(sameTemplate: Bool) throws {
        try site.build([tile(2, 1, 1)], site.options(job: "first"))
        try killWhilePublishing([tile(3, 1, 1)], moved: 1, site.options(job: "second"))
        let template = sameTemplate ? TileTemplate.standard : "t_{z}_{x}_{y}.png"
        try killWhilePublishing(
            [tile(4, 1, 1)], moved: 1, site.options(template: template, job: "third"))
        #expect(try site.files().count == 3)
        let summary = try site.build([tile(5, 1, 1)], site.options(job: "fourth"))
        #expect(try site.files() == ["5/1/1.png": "5/1/1 "])
        let last = sameTemplate ? "4/1/1.png" : "t_4_1_1.png"
        #expect(summary.removed == ["2/1/1.png", "3/1/1.png", last])
        #expect(!site.exists("3"))
    }

    /// Whether this process may mount a file system, which not even root may in most containers.
    private static let mayMount: Bool = {
        guard getuid() == 0, let directory = try? TemporaryDirectory(),
            (try? Tool.run("mount", ["-t", "tmpfs", "tmpfs", directory.url.path]).status) == 0
        else { return false }
        return (try? Tool.run("umount", [directory.url.path]).status) == 0
    }()

    @Test(
        "a full disk stops the run, and the same command continues when there is space",
        .enabled(if: mayMount, "this process may not mount a file system"))
    func fullDisk() throws {
        var options = try site.options()
        let disk = site.directory.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let mounted = try Tool.run("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk])
        try #require(mounted.status == 0, "\(mounted.errors)")
        defer { _ = try? Tool.run("umount", [disk]) }
        options.tileset.path = "\(disk)/tiles"
        func large(_ column: Int) -> EncodedTile {
            let coordinate = TileCoordinate(zoom: 6, column: column, row: 1)
            return EncodedTile(
                coordinate: coordinate, bytes: [UInt8](repeating: UInt8(column), count: 40_000))
        }
        let failure = try #require(throws: Failure.self) {
            var tileset = try TreeWriter(options)
            for column in 0..<10 { try tileset.write(large(column)) }
        }
        #expect(failure.kind == .inputOutput)
        #expect(failure.message.contains("no space left on device"), "\(failure.message)")
        #expect(failure.message.contains("\(disk)/tiles"))
        #expect(failure.remedy != nil)
        let enlarged = try Tool.run("mount", ["-o", "remount,size=1m", disk])
        #expect(enlarged.status == 0)
        var tileset = try TreeWriter(options)
        let staged = tileset.staged
        #expect(!staged.isEmpty)
        for column in 0..<10 where !staged.contains(large(column).coordinate) {
            try tileset.write(large(column))
        }
        #expect(try tileset.finish(documents()).written == 10)
    }
}

import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

@Suite struct TreeWriterTests {
    private let site: Site
    private let tiles = [tile(3, 4, 2), tile(3, 5, 2), tile(2, 2, 1)]
    private let sideFiles = [SideFile(name: "tilejson.json", bytes: Array("{}".utf8))]

    init() throws { site = try Site() }

    @Test("a build leaves its tiles and side files, and nothing staged")
    func firstBuild() throws {
        let summary = try site.build(tiles, sideFiles: sideFiles, site.options())
        #expect(
            try site.files() == [
                "3/4/2.png": "3/4/2 ", "3/5/2.png": "3/5/2 ", "2/2/1.png": "2/2/1 ",
                "tilejson.json": "{}",
            ])
        #expect(Set(summary.added) == Set(tiles.map(\.coordinate)))
        #expect(summary.written == 3)
        #expect(summary.unchanged == 0)
        #expect(summary.bytes == 18)
        #expect(!site.exists(".tilewright/tileset/staging"))
    }

    @Test("nothing is published before the end")
    func staging() throws {
        var tileset = try TreeWriter(site.options())
        for tile in tiles { try tileset.write(tile) }
        #expect(try site.files().isEmpty)
        _ = try tileset.finish(documents())
        #expect(try site.files().count == 3)
    }

    @Test("a build without changes does not touch any file")
    func unchanged() throws {
        try site.build(tiles, sideFiles: sideFiles, site.options())
        let names = try site.files().keys.sorted()
        let before = try names.map(site.stamp)
        let summary = try site.build(tiles, sideFiles: sideFiles, site.options())
        #expect(try names.map(site.stamp) == before)
        #expect(summary.unchanged == 3)
        #expect(summary.written == 0)
        #expect(summary.removed.isEmpty)
        #expect(summary.bytes == 18)
    }

    @Test("a job that was done finds its tiles, and writes documents only if they differ")
    func complete() throws {
        try site.build(tiles, sideFiles: sideFiles, site.options())
        let manifest = try site.stamp(".tilewright/tileset/manifest")
        let names = tiles.map { "\($0.coordinate).png" }
        let before = try names.map(site.stamp)

        let same = try TreeWriter(site.options())
        #expect(same.isComplete && same.staged.isEmpty)
        #expect(same.tiles.map(\.description) == ["2/2/1", "3/4/2", "3/5/2"])
        #expect(same.contents.tileCount == 3)
        #expect(try same.finish(documents(sideFiles)).unchanged == 3)
        #expect(try site.stamp(".tilewright/tileset/manifest") == manifest)

        let renamed = SideFile(name: "tilejson.json", bytes: Array("{1}".utf8))
        #expect(try TreeWriter(site.options()).finish(documents([renamed])).bytes == 18)
        #expect(try site.files()["tilejson.json"] == "{1}")
        #expect(try names.map(site.stamp) == before)
        #expect(try !TreeWriter(site.options(job: "other")).isComplete)
    }

    @Test("a job that was done makes only what is missing or has another size")
    func incomplete() throws {
        try site.build(tiles, sideFiles: sideFiles, site.options())
        let kept = try site.stamp("2/2/1.png")
        try site.directory.remove("tiles/3/4/2.png")
        try site.write("short", to: "3/5/2.png")
        var tileset = try TreeWriter(site.options())
        #expect(!tileset.isComplete)
        #expect(tileset.staged == [tiles[2].coordinate])
        for tile in tiles.prefix(2) { try tileset.write(tile) }
        let summary = try tileset.finish(documents(sideFiles))
        #expect(summary.added == [tiles[0].coordinate])
        #expect(summary.changed == [tiles[1].coordinate])
        #expect(summary.unchanged == 1)
        #expect(try site.stamp("2/2/1.png") == kept)
        #expect(try TreeWriter(site.options()).isComplete)
    }

    @Test("only changed tiles are rewritten, missing tiles repaired, stale tiles removed")
    func rebuild() throws {
        try site.build(tiles + [tile(1, 1, 0)], sideFiles: sideFiles, site.options())
        let kept = try site.stamp("3/4/2.png")
        try FileManager.default.removeItem(atPath: "\(site.path)/2/2/1.png")
        let changed = [tiles[0], tile(3, 5, 2, "new"), tiles[2], tile(3, 6, 2)]
        let summary = try site.build(
            changed, sideFiles: [SideFile(name: "tilejson.json", bytes: Array("[]".utf8))],
            site.options(job: "next"))
        #expect(
            try site.files() == [
                "3/4/2.png": "3/4/2 ", "3/5/2.png": "3/5/2 new", "2/2/1.png": "2/2/1 ",
                "3/6/2.png": "3/6/2 ", "tilejson.json": "[]",
            ])
        #expect(try site.stamp("3/4/2.png") == kept)
        #expect(Set(summary.added) == [tiles[2].coordinate, tile(3, 6, 2).coordinate])
        #expect(summary.changed == [tiles[1].coordinate])
        #expect(summary.removed == ["1/1/0.png"])
        #expect(summary.unchanged == 1)
        #expect(!site.exists("1"), "empty directories go with the last stale tile")
    }

    @Test("another job repairs a damaged tile of the right length")
    func repair() throws {
        try site.build(tiles, site.options())
        try site.write("3/4/X ", to: "3/4/2.png")
        let summary = try site.build(tiles, site.options(job: "next"))
        #expect(summary.changed == [tiles[0].coordinate])
        #expect(try site.files()["3/4/2.png"] == "3/4/2 ")
    }

    @Test("a change of template or scheme moves all tiles, and leaves none behind")
    func templateChange() throws {
        // Under TMS, the tile of row 1 has the file that row 2 had: 3 - 1 = 2.
        let tiles = [tile(2, 1, 1), tile(2, 1, 2), tile(2, 1, 0)]
        try site.build(tiles, site.options())
        try site.build(tiles, site.options(scheme: .tms))
        #expect(
            try site.files() == [
                "2/1/2.png": "2/1/1 ", "2/1/1.png": "2/1/2 ", "2/1/3.png": "2/1/0 ",
            ])
        try site.build([tiles[0]], site.options(template: "L_{z}_{x}_{y}.png"))
        #expect(try site.files() == ["L_2_1_1.png": "2/1/1 "])
        #expect(!site.exists("2"))
    }

    @Test("files that are not ours stay, even among our tiles")
    func foreignFiles() throws {
        try site.build(tiles + [tile(1, 1, 0)], site.options())
        try site.write("mine", to: "1/1/notes.txt")
        try site.write("mine", to: "index.html")
        try site.build(tiles, site.options(job: "next"))
        #expect(try site.files()["1/1/notes.txt"] == "mine")
        #expect(try site.files()["index.html"] == "mine")
        #expect(try site.files()["1/1/0.png"] == nil)
    }

    @Test("a directory that is not ours is refused, but used with --force")
    func takeOver() throws {
        try site.write("mine", to: "3/4/2.png")
        try site.write("mine", to: "notes.txt")
        let failure = try #require(throws: Failure.self) {
            try TreeWriter(site.options())
        }
        #expect(failure.kind == .outputRefused)
        #expect(failure.remedy?.contains("--force") == true)
        #expect(!site.exists(".tilewright"))
        let summary = try site.build(tiles, site.options(force: true))
        #expect(summary.changed == [tiles[0].coordinate])
        #expect(try site.files()["notes.txt"] == "mine")
        #expect(try site.files()["3/4/2.png"] == "3/4/2 ")
    }

    @Test("an empty directory needs no --force")
    func emptyDirectory() throws {
        try FileManager.default.createDirectory(
            atPath: site.path, withIntermediateDirectories: true)
        #expect(try site.build(tiles, site.options()).written == 3)
    }

    @Test(
        "a file that is not ours is refused before anything is published",
        arguments: ["3/5/2.png", "tilejson.json"])
    func foreignInTheWay(name: String) throws {
        try site.build([], site.options(job: "before"))
        try site.write("mine", to: name)
        let failure = try #require(throws: Failure.self) {
            try site.build(tiles, sideFiles: sideFiles, site.options())
        }
        #expect(failure.kind == .outputRefused)
        #expect(failure.message.contains("\(site.path)/\(name)"))
        #expect(try site.files() == [name: "mine"])
        // The tiles are still staged, so that --force costs nothing.
        let forced = try TreeWriter(site.options(force: true))
        #expect(forced.staged == Set(tiles.map(\.coordinate)))
        #expect(try forced.finish(documents(sideFiles)).bytes == 18)
        #expect(try site.files()[name] != "mine")
    }

    @Test("an output that is a file, or below a file, is refused")
    func outputIsFile() throws {
        _ = try site.directory.write("mine", to: "tiles")
        for path in [site.path, "\(site.path)/below"] {
            var options = try site.options()
            options.tileset.path = path
            let failure = try #require(throws: Failure.self) { try TreeWriter(options) }
            #expect(failure.kind == .outputRefused)
            #expect(failure.message.contains(path))
        }
        #expect(try site.text("tiles") == "mine")
    }

    @Test("an output that is a link to nothing is refused")
    func danglingLink() throws {
        try FileManager.default.createSymbolicLink(
            atPath: site.path, withDestinationPath: site.directory.path("nothing"))
        let failure = try #require(throws: Failure.self) { try TreeWriter(site.options()) }
        #expect(failure.kind == .outputRefused)
        #expect(failure.message.contains("symbolic link to nothing"))
        #expect(try site.directory.files().isEmpty)
    }

    @Test(
        "an output that cannot be created is refused, and nothing is left",
        .enabled(if: FileManager.default.fileExists(atPath: "/sys/kernel"), "there is no sysfs"))
    func unwritable() throws {
        // Not even root can make a directory in sysfs.
        var options = try site.options()
        options.tileset.path = "/sys/kernel/tilewright/tiles"
        let failure = try #require(throws: Failure.self) { try TreeWriter(options) }
        #expect(failure.kind == .outputRefused)
        #expect(failure.message.contains("'/sys/kernel/tilewright/tiles'"))
    }

    @Test("a link inside the output is never followed", arguments: ["3", "3/4"])
    func linkedDirectory(name: String) throws {
        try site.build(tiles, site.options())
        let outside = site.directory.path("outside")
        try FileManager.default.moveItem(atPath: "\(site.path)/\(name)", toPath: outside)
        try FileManager.default.createSymbolicLink(
            atPath: "\(site.path)/\(name)", withDestinationPath: outside)
        let before = try site.directory.files()
        for tiles in [[tile(3, 4, 2, "new")], [tile(2, 2, 1)]] {
            let failure = try #require(throws: Failure.self) {
                try site.build(tiles, site.options(job: "next"))
            }
            #expect(failure.kind == .outputRefused)
            #expect(failure.message.contains("symbolic link"), "\(failure.message)")
            try TreeWriter(site.options(job: "next")).discard()
        }
        #expect(try site.directory.files() == before)
    }

    @Test("a link that replaces a tile or our state is not followed when writing")
    func linkedFile() throws {
        try site.build(tiles, site.options())
        let outside = try site.directory.write("mine", to: "outside")
        try FileManager.default.removeItem(atPath: "\(site.path)/3/4/2.png")
        try FileManager.default.createSymbolicLink(
            atPath: "\(site.path)/3/4/2.png", withDestinationPath: outside)
        try site.build(tiles, site.options())
        #expect(try site.text("outside") == "mine")
        #expect(try site.files()["3/4/2.png"] == "3/4/2 ")

        try FileManager.default.moveItem(
            atPath: "\(site.path)/.tilewright", toPath: site.directory.path("state"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(site.path)/.tilewright", withDestinationPath: site.directory.path("state"))
        let failure = try #require(throws: Failure.self) { try TreeWriter(site.options()) }
        #expect(failure.kind == .outputRefused)
    }

    @Test("a damaged manifest is an error, and --force ignores it")
    func damagedManifest() throws {
        try site.build(tiles, site.options())
        let path = "\(site.path)/.tilewright/tileset/manifest"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        for damaged in [bytes, Data(bytes.dropLast()), Data()] {
            try damaged.write(to: URL(filePath: path))
            let failure = try #require(throws: Failure.self) {
                try TreeWriter(site.options())
            }
            #expect(failure.kind == .outputRefused)
            #expect(failure.message.contains("damaged"))
        }
        #expect(try site.build(tiles, site.options(force: true)).unchanged == 3)
    }

    @Test(
        "several threads publish the same as one thread",
        arguments: [TileTemplate.standard, "{z}/{x}_{y}.png", "t_{z}_{x}_{y}.png"].some(1))
    func threads(template: String) throws {
        let tiles = (0..<40).flatMap { column in (0..<10).map { tile(7, column, $0) } }
        // In half of the columns there are tiles already.
        let early = tiles.filter { $0.coordinate.column % 2 == 0 && $0.coordinate.row < 5 }
        try site.build(early, site.options(template: template).with(jobs: 4))
        let several = try site.build(tiles, site.options(template: template, job: "next").with(jobs: 4))
        let files = try site.files()
        let other = try Site()
        try other.build(tiles, other.options(template: template))
        #expect(try files == other.files() && files.count == 400)
        #expect(several.unchanged == 100 && several.added.count == 300)
    }

    @Test("a failure in one thread is reported, and the same run continues from there")
    func failureOfAThread() throws {
        let tiles = (0..<40).flatMap { column in (0..<10).map { tile(7, column, $0) } }
        var tileset = try TreeWriter(site.options().with(jobs: 4))
        for tile in tiles { try tileset.write(tile) }
        let lost = ".tilewright/tileset/staging/7/11"
        try FileManager.default.removeItem(atPath: "\(site.path)/\(lost)/3")
        let failure = try #require(throws: Failure.self) { _ = try tileset.finish(documents()) }
        #expect(failure.message.contains("7/11/3.png': its staged file is gone"))
        #expect(try site.build(tiles, site.options().with(jobs: 4)).written == 400)
        #expect(try site.files().count == 400)
    }

    @Test("tiles have the time of their publication, not of their staging")
    func timeOfPublication() throws {
        var first = try TreeWriter(site.options())
        for tile in tiles { try first.write(tile) }
        try first.suspend()
        let staging = URL(filePath: "\(site.path)/.tilewright/tileset/staging")
        let staged = try FileManager.default.subpathsOfDirectory(atPath: staging.path)
            .map { staging.appending(path: $0).path }
        for file in staged {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: file)
        }
        try site.build([], site.options())
        let published = try FileManager.default.subpathsOfDirectory(atPath: site.path)
            .filter { $0.hasSuffix(".png") }
        #expect(published.count == tiles.count)
        for path in published {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: "\(site.path)/\(path)")
            let time = try #require(attributes[.modificationDate] as? Date)
            #expect(time > Date(timeIntervalSinceNow: -1800), "\(path)")
        }
    }

    @Test("with fsync the result is the same")
    func fsync() throws {
        #expect(try site.build(tiles, sideFiles: sideFiles, site.options(fsync: true)).written == 3)
        #expect(try site.files().count == 4)
    }
}

extension TreeOptions {
    fileprivate func with(jobs: Int) -> Self {
        var options = self
        options.threads = jobs
        return options
    }
}

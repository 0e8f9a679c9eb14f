import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Tilesets that are removed from a folder, and archives.
@Suite struct TreeRemovalTests {
    private let site: Site
    private let documents = [SideFile(name: "tilejson.json", bytes: Array("{}".utf8))]

    init() throws { site = try Site() }

    private func floor(_ floor: String, job: String = "job") throws -> TreeOptions {
        try site.options(template: "{z}/{x}/{y}-{floor}.png", floor: floor, job: job)
    }

    @discardableResult
    private func remove(_ floors: [String?]?) throws -> [RemovedTileset] {
        try TreeRemoval(site.path, floors: floors).run { _ in }
    }

    private var paths: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: site.directory.url.path).sorted() }
    }

    @Test("nothing stays of a folder that contains nothing else")
    func all() throws {
        try site.build([tile(1, 1, 1), tile(3, 2, 2)], sideFiles: documents, site.options())
        let removed = try remove(nil)
        #expect(removed.map(\.tiles) == [["1/1/1.png", "3/2/2.png"]])
        #expect(removed.map(\.documents) == [["tilejson.json"]])
        #expect(try paths == [])
    }

    @Test("a floor is removed alone, and the others stay unchanged")
    func oneFloor() throws {
        for name in ["0", "1"] { try site.build([tile(2, 1, 1)], floor(name)) }
        try site.build([tile(2, 3, 1), tile(2, 1, 1)], floor("1", job: "next"))
        #expect(try remove(["1"])[0].tiles == ["2/1/1-1.png", "2/3/1-1.png"])
        #expect(try site.files() == ["2/1/1-0.png": "2/1/1 "])
        #expect(!site.exists("2/3") && !site.exists(".tilewright/floor-1"))
        #expect(try TreeWriter(floor("0")).isComplete)
    }

    @Test("files that are not ours stay, and so do their folders")
    func foreignFiles() throws {
        try site.build([tile(1, 1, 1), tile(1, 0, 0)], site.options())
        try site.write("mine", to: "1/1/notes.txt")
        try FileManager.default.removeItem(atPath: "\(site.path)/1/0/0.png")
        try FileManager.default.createDirectory(
            atPath: "\(site.path)/1/0/0.png", withIntermediateDirectories: false)
        try remove(nil)
        #expect(try site.files() == ["1/1/notes.txt": "mine"])
        #expect(site.exists("1/0/0.png") && !site.exists(".tilewright"))
    }

    @Test("a tile that another floor owns, too, stays with it")
    func sharedTile() throws {
        try site.build([tile(1, 1, 1), tile(1, 0, 1)], site.options(floor: "0"))
        try site.build([tile(1, 1, 1, "new")], site.options(floor: "1", force: true))
        #expect(try remove(["0"])[0].tiles == ["1/0/1.png"])
        #expect(try site.files() == ["1/1/1.png": "1/1/1 new"])
        #expect(try remove(["1"])[0].tiles == ["1/1/1.png"])
        #expect(try paths == [])
    }

    @Test("staged tiles of a stopped run are removed, too")
    func staged() throws {
        var tileset = try TreeWriter(floor("0"))
        try tileset.write(tile(1, 1, 1))
        try tileset.suspend()
        #expect(try remove(["0"])[0].tiles == [])
        #expect(try paths == [])
    }

    @Test("empty directories that a killed run left are removed")
    func emptyDirectories() throws {
        try site.build([tile(3, 1, 1), tile(3, 2, 2)], site.options())
        try FileManager.default.removeItem(atPath: "\(site.path)/3/1/1.png")
        try FileManager.default.removeItem(atPath: "\(site.path)/3/2")
        try remove(nil)
        #expect(try paths == [])
    }

    @Test("the next removal clears what a killed removal left")
    func killedAtItsEnd() throws {
        for name in ["tiles/.tilewright/tileset", "tiles/.tilewright", "tiles"] {
            try FileManager.default.createDirectory(
                atPath: site.directory.path(name), withIntermediateDirectories: true)
            #expect(try remove(nil).allSatisfy { $0.tiles.isEmpty && $0.documents.isEmpty })
            #expect(try paths == [])
        }
    }

    @Test("a tileset that a run is writing is busy, and nothing is removed")
    func busy() throws {
        for name in ["0", "1"] { try site.build([tile(2, 1, 1)], floor(name)) }
        let before = try site.files()
        let tileset = try TreeWriter(floor("1"))
        for floors in [["1"], nil] {
            let failure = try #require(throws: Failure.self) { try remove(floors) }
            #expect(failure.kind == .busy)
        }
        #expect(try site.files() == before)
        try remove(["0"])
        try tileset.suspend()
    }

    @Test("a missing floor is reported with the existing floors")
    func missing() throws {
        #expect(try #require(throws: Failure.self) { try remove(nil) }.kind == .missingInput)
        try site.write("mine", to: "notes.txt")
        #expect(try #require(throws: Failure.self) { try remove(nil) }.kind == .outputRefused)
        try FileManager.default.removeItem(atPath: site.path)
        for name in ["1", "0"] { try site.build([tile(2, 1, 1)], floor(name)) }
        let failure = try #require(throws: Failure.self) { try remove(["0", "2"]) }
        #expect(failure.kind == .missingInput)
        #expect(failure.message == "cannot remove floor '2' from '\(site.path)': there is no such floor")
        #expect(failure.remedy == "choose one with --floor: '0' or '1'; or give --all")
        #expect(try site.files().count == 2)
        try site.write("damaged", to: ".tilewright/floor-1/manifest")
        #expect(try #require(throws: Failure.self) { try remove(["1"]) }.kind == .outputRefused)
        #expect(throws: Failure.self) { try remove(["0"]) }
        #expect(try site.files().count == 2)
    }

    @Test("a removal that could not be announced is announced by the next one")
    func untold() throws {
        struct Full: Error {}
        try site.build([tile(2, 1, 1)], sideFiles: documents, site.options())
        for _ in 0..<2 {
            var told: [RemovedTileset] = []
            #expect(throws: Full.self) {
                try TreeRemoval(site.path, floors: nil).run {
                    told = $0
                    throw Full()
                }
            }
            #expect(told.map(\.tiles) == [["2/1/1.png"]] && told.map(\.documents) == [["tilejson.json"]])
        }
        #expect(try remove(nil)[0].tiles == ["2/1/1.png"])
    }

    @Test("an archive goes with its companion files, and lists its tiles", arguments: ArchiveKind.allCases)
    func archives(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        try site.build([tile(3, 2, 1), tile(1, 1, 1)])
        try Data("mine".utf8).write(to: site.directory.url.appending(path: "notes.txt"))
        let writer = try site.open(job: "next")
        #expect(try #require(throws: Failure.self) { try removal(of: site) }.kind == .busy)
        try writer.discard()

        struct Full: Error {}
        #expect(throws: Full.self) { try removal(of: site).run { throw Full() } }
        #expect(try site.names() == ["notes.txt", "plan.\(kind)"])
        let again = try removal(of: site)
        #expect(again.tiles == ["1/1/1", "3/2/1"])
        try again.run {}
        #expect(try site.names() == ["notes.txt"])
        #expect(try #require(throws: Failure.self) { try removal(of: site) }.kind == .missingInput)
        try Data().write(to: URL(filePath: site.path + ".tilewright-partial"))
        try removal(of: site).run {}
        #expect(try site.names() == ["notes.txt"])
    }

    @Test("an archive of another program stays, and so does a link", arguments: ArchiveKind.allCases)
    func foreignArchives(kind: ArchiveKind) throws {
        let site = try ArchiveSite(kind)
        try site.write(Array("mine".utf8))
        #expect(try #require(throws: Failure.self) { try removal(of: site) }.kind == .outputRefused)
        #expect(try site.names() == ["plan.\(kind)"])
        let other = site.directory.path("other.\(kind)")
        try FileManager.default.removeItem(atPath: site.path)
        try site.build([tile(1, 1, 1)])
        try FileManager.default.moveItem(atPath: site.path, toPath: other)
        try FileManager.default.createSymbolicLink(atPath: site.path, withDestinationPath: other)
        #expect(try #require(throws: Failure.self) { try removal(of: site) }.kind == .outputRefused)
    }

    private func removal(of site: ArchiveSite) throws -> ArchiveRemoval {
        switch site.kind {
        case .mbtiles: try ArchiveRemoval(mbtiles: site.path)
        case .pmtiles: try ArchiveRemoval(pmtiles: site.path)
        }
    }
}

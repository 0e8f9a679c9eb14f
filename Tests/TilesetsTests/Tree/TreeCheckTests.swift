import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Trees with missing, replaced or foreign files.
@Suite struct TreeCheckTests {
    private let site: Site
    private let tiles = [tile(3, 4, 2), tile(3, 4, 3), tile(3, 5, 2)]
    private let document = SideFile(name: "tilejson.json", bytes: Array("{}".utf8))

    init() throws { site = try Site() }

    private func reader() throws -> TreeReader {
        try TreeReader(site.path, floor: nil) { _, ending in
            try TileNames(
                TileTemplate("{z}/{x}/{y}.\(ending.isEmpty ? "png" : ending)"), fileExtension: "png",
                floor: nil, scheme: .xyz)
        }
    }

    private func check() throws -> (faults: [String], tiles: [TileCoordinate]) {
        var (faults, tiles): ([String], [TileCoordinate]) = ([], [])
        try reader().check({ faults.append("\($0)") }, tiles: { tiles.append($0.coordinate) })
        return (faults, tiles.sorted())
    }

    private func remove(_ name: String) throws { try site.directory.remove("tiles/" + name) }

    private func link(_ name: String, to target: String) {
        #expect(symlink(target, "\(site.path)/\(name)") == 0)
    }

    @Test("one tile is read without the others, and a missing tile is nil", arguments: [true, false])
    func oneTile(hasList: Bool) throws {
        try site.build(tiles, sideFiles: [document], site.options())
        if !hasList { try remove(".tilewright") }
        let tree = try reader()
        for tile in tiles { #expect(try tree.tile(at: tile.coordinate) == tile.bytes) }
        for absent in [tile(3, 4, 4), tile(3, 6, 2), tile(2, 1, 1)] {
            #expect(try tree.tile(at: absent.coordinate) == nil)
        }
        try remove("3/5")
        link("3/5", to: "4")
        let failure = try #require(throws: Failure.self) { try tree.tile(at: tiles[2].coordinate) }
        #expect(failure.kind == .missingInput && failure.message.hasSuffix("it is a symbolic link"))
    }

    @Test("a missing tile of the manifest is an error for a reader, with a remedy")
    func missingTile() throws {
        try site.build(tiles, sideFiles: [document], site.options())
        try remove("3/4/3.png")
        var read: [TileCoordinate] = []
        let failure = try #require(throws: Failure.self) {
            try reader().forEachTile { read.append($0.coordinate) }
        }
        #expect(failure.kind == .badInput)
        #expect(failure.message == "cannot read '\(site.path)/3/4/3.png': the tile is missing")
        #expect(failure.remedy?.contains("tilewright verify") == true)
        #expect(read == [tiles[0].coordinate])
    }

    @Test("a check reports what replaces a tile, and reads the other tiles")
    func places() throws {
        try site.build(tiles + [tile(3, 6, 1)], sideFiles: [document], site.options())
        try remove("3/4/2.png")
        try site.write("", to: "3/4/2.png/file")
        try site.write("3/4/3 ?", to: "3/4/3.png")
        try remove("3/5")
        try remove("3/6")
        link("3/6", to: "4")
        let (faults, lent) = try check()
        #expect(
            faults == [
                "tile 3/4/2.png: is not a file",
                "tile 3/4/3.png: has 7 bytes, but was written with 6",
                "tile 3/5/2.png: is missing",
                "tile 3/6/1.png: cannot open folder '\(site.path)/3/6': it is a symbolic link",
            ])
        #expect(lent.isEmpty)
        // The same number of other bytes.
        try site.write("3/4/3!", to: "3/4/3.png")
        #expect(try check().faults[1] == "tile 3/4/3.png: has changed since it was written")
    }

    @Test("in a tree without a manifest, anything named like a tile counts, and must be a file")
    func copies() throws {
        try site.build(tiles, sideFiles: [document], site.options())
        try remove(".tilewright")
        link("3/4/5.png", to: "2.png")
        let (faults, lent) = try check()
        #expect(faults == ["tile 3/4/5.png: is not a file"])
        #expect(lent == tiles.map(\.coordinate).sorted())
    }

    @Test("a tree whose run did not end, or with a damaged manifest, is not read")
    func unfinished() throws {
        let options = try site.options()
        try site.build(tiles, sideFiles: [document], options)
        let state = try TilesetFolder(path: site.path, floor: nil, force: false)
        let section = TilesetManifest.Section(names: options.names, records: TileRecords())
        try state.write(TilesetManifest().adding(TilesetManifest(sections: [section], job: options.job)))
        let unfinished = try #require(throws: Failure.self) { try reader() }
        #expect(unfinished.kind == .badInput && unfinished.message.hasSuffix("was interrupted"))
        try site.write("damaged", to: ".tilewright/tileset/manifest")
        let damaged = try #require(throws: Failure.self) { try reader() }
        #expect(damaged.kind == .badInput)
        #expect(
            damaged.message == "cannot read '\(site.path)/.tilewright/tileset/manifest': it is damaged")
    }

    @Test("only a folder with a manifest is a floor")
    func floors() throws {
        try site.build(tiles, sideFiles: [document], site.options())
        try site.write("", to: ".tilewright/floor-2/lock")
        try site.write("", to: ".tilewright/other/manifest")
        #expect(try TreeReader.floors(of: site.path) == [nil])
        try site.write("", to: ".tilewright/floor-2/manifest")
        #expect(try TreeReader.floors(of: site.path) == [nil, "2"])
    }

    @Test("a tree with a manifest needs no document")
    func noDocument() throws {
        try site.build(tiles, site.options())
        #expect(try reader().statement() == .rows([]))
        #expect(try reader().limits() == [TileRange(zoom: 3, columns: 4...5, rows: 2...3)])
    }

    @Test("in another program's tree, the first tile determines the names")
    func foreign() throws {
        for name in ["README", "notes/3.txt", "3/notes.txt", "3/4/.a.png", "3/4/notes.txt", "3/4/x.y.webp"] {
            try site.write("?", to: name)
        }
        #expect(throws: Failure.self) { try reader() }
        try site.write("a", to: "3/4/5.webp")
        #expect(try reader().statement() == .rows([MetadataRow("format", "webp")]))
        #expect(try check() == ([], [TileCoordinate(zoom: 3, column: 4, row: 5)]))
        try site.write("{}", to: "metadata.json")
        #expect(try reader().statement() == .metadataJSON(Array("{}".utf8)))
        #expect(try check().tiles.count == 1)
    }

    @Test("a description of TMS determines the scheme, and is refused if not in Web Mercator")
    func tileMapResource() throws {
        try site.write("a", to: "3/4/5.png")
        try site.write("<TileSets profile=\"mercator\"/>", to: "tilemapresource.xml")
        #expect(
            try reader().statement()
                == .rows([MetadataRow("format", "png"), MetadataRow("scheme", "tms")]))
        try site.write("<TileSets profile=\"geodetic\"/>", to: "tilemapresource.xml")
        let failure = try #require(throws: Failure.self) { try reader() }
        #expect(failure.kind == .badInput && failure.message.hasSuffix("not in Web Mercator"))
    }

    @Test("tiles of two extensions are refused: one of them would be ignored")
    func extensions() throws {
        try site.write("a", to: "3/4/5.png")
        try site.write("a", to: "3/4/9.jpg")
        #expect(try check().tiles.count == 1, "there is no row 9 at zoom 3")
        try site.write("b", to: "3/4/6.jpg")
        let failure = try #require(throws: Failure.self) { try reader().limits() }
        #expect(
            failure.message == "cannot read '\(site.path)/3/4/6.jpg': other tiles end in .png")
    }

    @Test("a directory with the name of a tile is refused before anything is published")
    func directoryInTheWay() throws {
        try site.build([tiles[0]], site.options())
        try site.write("mine", to: "3/4/3.png/file")
        let failure = try #require(throws: Failure.self) {
            try site.build(tiles, site.options(job: "next", force: true))
        }
        #expect(failure.kind == .outputRefused)
        #expect(failure.message == "cannot write '\(site.path)/3/4/3.png': it is a folder")
        #expect(try site.files() == ["3/4/2.png": "3/4/2 ", "3/4/3.png/file": "mine"])
    }

    @Test("a staged tile that is removed is an error, and the next run makes it")
    func stagedTileGone() throws {
        var tileset = try TreeWriter(site.options())
        for tile in tiles { try tileset.write(tile) }
        try remove(".tilewright/tileset/staging/3/4/3")
        let failure = try #require(throws: Failure.self) { try tileset.finish(documents()) }
        #expect(failure.kind == .inputOutput)
        #expect(failure.message == "cannot write '\(site.path)/3/4/3.png': its staged file is gone")
        try site.build(tiles, site.options())
        #expect(try site.files().count == 3)
    }

    @Test("a tile with the same name in another scheme, and the same content, is unchanged")
    func sameNameInOtherScheme() throws {
        try site.build([tile(0, 0, 0), tile(1, 0, 0, "a")], site.options())
        // Row 0 of zoom 1 is row 1 from the south: its file has the name of another tile.
        let summary = try site.build(
            [tile(0, 0, 0), tile(1, 0, 1, "b")], site.options(scheme: .tms, job: "next"))
        #expect(summary.unchanged == 1)
        #expect(summary.changed == [TileCoordinate(zoom: 1, column: 0, row: 1)])
        #expect(summary.removed.isEmpty)
    }

    @Test("nothing is staged or published in a directory that was removed")
    func removed() throws {
        let state = try TilesetFolder(path: site.path, floor: nil, force: false)
        let gone = try #require(try state.root.makeSubdirectory("gone"))
        try remove("gone")
        let staging = try #require(throws: Failure.self) {
            try StagedTiles(in: gone, job: ContentHash(of: "job"))
        }
        #expect(staging.kind == .inputOutput && staging.message.hasSuffix("it was removed"))
        let publication = try #require(throws: Failure.self) {
            try state.publish([1], as: "file", in: gone, fsync: true)
        }
        #expect(publication.kind == .inputOutput)
        #expect(
            publication.message == "cannot write '\(site.path)/gone/file': its folder is gone")
    }
}

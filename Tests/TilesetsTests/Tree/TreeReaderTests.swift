import Platform
import TestSupport
import Testing
import Tiling

@testable import Tilesets

@Suite struct TreeReaderTests {
    @Test(
        "a path leads back to its tile",
        arguments: [
            ("{z}/{x}/{y}.png", TileScheme.xyz), ("{z}/{x}/{y}.png", .tms),
            ("L1_{z}_{x}_{y}", .xyz),
            ("{z}/{x}/{-y}.png", .xyz), ("q{quadkey}.png", .xyz), ("q{quadkey}/{z}-{x}-{y}", .tms),
        ])
    func paths(template: String, scheme: TileScheme) throws {
        let names = try TileNames(
            TileTemplate(template), fileExtension: "png", floor: nil, scheme: scheme)
        for tile in [(0, 0, 0), (1, 0, 1), (7, 127, 3), (22, 4_194_303, 12), (30, 5, 1 << 29)] {
            let tile = TileCoordinate(zoom: tile.0, column: tile.1, row: tile.2)
            #expect(names.coordinate(ofPath: names.path(of: tile)) == tile)
        }
    }

    @Test(
        "other paths are not tiles",
        arguments: [
            "7/3/1", "7/3/1.png.tmp", "7/03/1.png", "7/128/1.png", "31/0/0.png", "7/3/-1.png", "",
            "7/99999999999999999999/1.png", "tilejson.json", "a/7/3/1.png", "7/3/1.PNG",
        ])
    func otherPaths(path: String) throws {
        let names = try TileNames(
            TileTemplate(TileTemplate.standard), fileExtension: "png", floor: nil, scheme: .xyz)
        #expect(names.coordinate(ofPath: path) == nil)
    }

    @Test(
        "a tree gives back its tiles, with its list of files and without", arguments: [true, false])
    func tiles(hasList: Bool) throws {
        let site = try Site()
        let tiles = [tile(0, 0, 0), tile(1, 0, 1), tile(1, 1, 1), tile(2, 1, 3)]
        let document = SideFile(name: "tilejson.json", bytes: Array("{}".utf8))
        let options = try site.options()
        try site.build(tiles, sideFiles: [document], options)
        if !hasList { try site.directory.remove("tiles/.tilewright") }
        let tree = try TreeReader(site.path, floor: nil) { _, _ in options.names }
        var read: [TileCoordinate: [UInt8]] = [:]
        try tree.forEachTile { read[$0.coordinate] = $0.bytes }
        #expect(read == Dictionary(uniqueKeysWithValues: tiles.map { ($0.coordinate, $0.bytes) }))
        #expect(tree.statement() == .tileJSON(document.bytes))
        #expect(try tree.limits().map(\.columns) == [0...0, 0...1, 1...1])
    }

    @Test("floors are distinguished, and a tree without a TileJSON is refused")
    func floors() throws {
        let site = try Site()
        for floor in ["-1", "2"] {
            let document = SideFile(name: "tilejson-\(floor).json", bytes: Array("{}".utf8))
            let options = try site.options(template: "L{floor}_{z}_{x}_{y}", floor: floor)
            try site.build([tile(0, 0, 0, floor)], sideFiles: [document], options)
        }
        #expect(try TreeReader.floors(of: site.path) == ["-1", "2"])
        for (floor, says) in [(nil, "several floors"), ("3", "no floor '3'")] {
            let failure = try #require(throws: Failure.self) {
                try TreeReader(site.path, floor: floor) { _, _ in try site.options().names }
            }
            #expect(failure.message.contains(says))
            #expect(failure.remedy == "choose one with --floor: '-1' or '2'")
        }
    }

    @Test("a gap wider than half the world says that tiles cross the antimeridian")
    func antimeridian() {
        var zooms = TilesByZoom()
        for column in [126, 127, 0, 1] {
            zooms.count(TileCoordinate(zoom: 7, column: column, row: 5))
        }
        for column in [0, 3] { zooms.count(TileCoordinate(zoom: 2, column: column, row: 1)) }
        for column in [1, 2] { zooms.count(TileCoordinate(zoom: 3, column: column, row: 1)) }
        let limits = zooms.limits
        #expect(limits.map(\.zoom) == [2, 2, 3, 7, 7])
        #expect(limits.map(\.columns) == [3...3, 0...0, 1...2, 126...127, 0...1])
    }
}

@Suite struct TileTallyTests {
    @Test("without tiles, no parent is missing")
    func empty() {
        TileTally().forEachMissingParent { Issue.record("\($0)") }
        #expect(TileTally().limits.isEmpty && TileTally().contents.tileCount == 0)
    }

    @Test("a quadkey has a digit for each zoom, and there are 30 below the first", arguments: [0, 30, 31])
    func quadkeys(count: Int) throws {
        let names = try TileNames(
            TileTemplate("q{quadkey}.png"), fileExtension: "png", floor: nil, scheme: .xyz)
        // Digits 3 lead to the south-eastern corner: column and row 2^zoom - 1.
        let corner = 1 << count - 1
        let tile = names.coordinate(ofPath: "q" + String(repeating: "3", count: count) + ".png")
        #expect(tile == (count > 30 ? nil : TileCoordinate(zoom: count, column: corner, row: corner)))
    }

    @Test("holes in a pyramid are found once each, however many finer tiles there are")
    func missingParents() {
        var tally = TileTally()
        for tile in [
            tile(0, 0, 0), tile(2, 0, 0), tile(2, 1, 1), tile(3, 7, 7), tile(3, 6, 7),
            tile(2, 3, 3),
        ] { tally.count(tile) }
        tally.count(missing: TileCoordinate(zoom: 1, column: 1, row: 1))
        var missing: [String] = []
        tally.forEachMissingParent { missing.append("\($0)") }
        #expect(missing == ["1/0/0"])
        #expect(tally.tileCount == 7)
        #expect(tally.limits.map(\.zoom) == [0, 1, 2, 3])
    }
}

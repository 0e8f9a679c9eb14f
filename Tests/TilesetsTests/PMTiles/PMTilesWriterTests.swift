import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

@Suite struct PMTilesWriterTests {
    private let site: PMTilesSite
    private let tiles = [tile(3, 4, 2), tile(3, 5, 2), tile(2, 2, 1), tile(0, 0, 0)]

    init() throws { site = try PMTilesSite() }

    @Test("an archive has its tiles in the order of their IDs, and no fault")
    func build() throws {
        let summary = try site.build(tiles)
        let ordered = tiles.sorted { TileID($0.coordinate) < TileID($1.coordinate) }
        #expect(try site.tiles().map(\.text) == ordered.map(\.text))
        #expect(try site.faults() == [])
        #expect(summary.added.count == 4)
        #expect(try summary.bytes == site.bytes.count)
        #expect(try site.names() == ["plan.pmtiles"])
    }

    @Test("the header has the correct numbers")
    func header() throws {
        // The middle of three is the first again, so that there are two runs and a single tile.
        try site.build([tile(0, 0, 0, ""), same(1, 0, 0), same(1, 0, 1), same(1, 1, 0)])
        let header = try PMTilesReader(site.path).header.get()
        #expect(header.addressedTiles == 4)
        #expect(header.tileEntries == 3)
        #expect(header.tileContents == 2)
        #expect(header.isClustered)
        #expect((header.minZoom, header.maxZoom, header.centerZoom) == (0, 1, 0))
        #expect(header.tileType == .png)
        #expect(header.tileCompression == .none)
        #expect(header.bounds == [0, 0, 10_000_000, 10_000_000])
        #expect(header.center == [5_000_000, 5_000_000])
        #expect(header.leaves.offset > 0)
        #expect(header.leaves.length == 0)
        #expect(header.data.end == UInt64(try site.bytes.count))
    }

    private func same(_ zoom: Int, _ column: Int, _ row: Int) -> EncodedTile {
        EncodedTile(
            coordinate: TileCoordinate(zoom: zoom, column: column, row: row), bytes: [1, 2, 3])
    }

    @Test("the same tiles give the same bytes, in whatever order they come", .long)
    func order() throws {
        let tiles = manyTiles(30_000)
        try site.build(tiles)
        let bytes = try site.bytes
        var random = SplitMix(seed: 7)
        for tiles in [tiles.shuffled(using: &random), tiles.reversed()] {
            try FileManager.default.removeItem(atPath: site.path)
            try site.build(tiles)
            #expect(try site.bytes == bytes)
        }
    }

    @Test("identical tiles are stored once")
    func duplicates() throws {
        let tiles = manyTiles(10_000)
        try site.build(tiles)
        let header = try PMTilesReader(site.path).header.get()
        #expect(header.tileContents == 9001)
        #expect(header.data.length == UInt64(Set(tiles.map(\.bytes)).map(\.count).reduce(0, +)))
    }

    @Test("a hundred thousand tiles need leaf directories, and the root fits into the first read", .long)
    func leaves() throws {
        let tiles = manyTiles(100_000)
        try site.build(tiles)
        let header = try PMTilesReader(site.path).header.get()
        #expect(header.leaves.length > 0)
        #expect(header.root.offset + header.root.length <= 16_384)
        #expect(try site.faults() == [])
        let read = try site.tiles()
        #expect(read.count == tiles.count)
        #expect(Set(read.map(\.text)) == Set(tiles.map(\.text)))
    }

    @Test("contents have the digest of the same tiles in a tree")
    func contents() throws {
        let tiles = manyTiles(3000)
        let archive = try site.archive()
        for tile in tiles { try archive.write(tile) }
        let records = tiles.map {
            TileRecord($0.coordinate, size: $0.bytes.count, hash: ContentHash(of: $0.bytes))
        }
        #expect(archive.contents == TilesetContents(ofSorted: TileRecords(records).sorted))
        // Asking changes nothing.
        #expect(archive.contents.tileCount == 3000)
        try archive.discard()
    }

    @Test("tiles larger than the buffers, and smaller ones between them, are intact")
    func largeTiles() throws {
        let tiles = [5_000_000, 3, 1_048_576, 4_194_304, 1, 9_000_000].enumerated().map {
            EncodedTile(
                coordinate: TileCoordinate(zoom: 4, column: $0.offset, row: 3),
                bytes: [UInt8](repeating: UInt8($0.offset), count: $0.element))
        }
        try site.build(tiles)
        let read = try site.tiles()
        #expect(read.count == 6)
        for tile in read {
            #expect(tile.bytes == tiles[tile.coordinate.column].bytes)
        }
    }

    @Test("the metadata is read back")
    func statement() throws {
        try site.build(tiles)
        let file = try PMTilesReader(site.path)
        let json = #"{"name": "plan", "generator": "tilewright"}"#
        #expect(
            try file.statement()
                == .pmtiles(
                    json: Array(json.utf8), bounds: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1),
                    format: .png))
        #expect(
            try file.limits() == [
                TileRange(zoom: 0, columns: 0...0, rows: 0...0),
                TileRange(zoom: 2, columns: 2...2, rows: 1...1),
                TileRange(zoom: 3, columns: 4...5, rows: 2...2),
            ])
    }

    @Test("an archive of ours is replaced; another program's is refused, but replaced with --force")
    func ownership() throws {
        try site.build(tiles)
        try site.build([tiles[0]])
        #expect(try site.tiles().count == 1)

        let foreign = try PMTilesSite()
        let archive = try foreign.archive()
        try archive.write(tiles[0])
        _ = try archive.finish(archiveDocuments(json: #"{"generator": "another"}"#))
        for bytes in [try foreign.bytes, Array("not an archive".utf8), []] {
            try foreign.write(bytes)
            let failure = try #require(throws: Failure.self) { try foreign.archive() }
            #expect(failure.kind == .outputRefused)
            #expect(failure.remedy?.contains("--force") == true)
            #expect(try foreign.bytes == bytes)
            #expect(try foreign.names() == ["plan.pmtiles"])
        }
        try foreign.build(tiles, force: true)
        #expect(try foreign.tiles().count == 4)
    }

    @Test("a directory of this name is refused, even with --force")
    func directory() throws {
        try FileManager.default.createDirectory(
            atPath: site.path, withIntermediateDirectories: true)
        let failure = try #require(throws: Failure.self) { try site.archive(force: true) }
        #expect(failure.kind == .outputRefused)
    }

    @Test("one run at a time writes an archive")
    func busy() throws {
        let first = try site.archive()
        let failure = try #require(throws: Failure.self) { try site.archive() }
        #expect(failure.kind == .busy)
        try first.write(tiles[0])
        _ = try first.finish(archiveDocuments())
        #expect(try site.tiles().count == 1)
    }

    @Test("a run that ends early leaves only the old file", arguments: [true, false])
    func discard(suspends: Bool) throws {
        try site.build(tiles)
        let bytes = try site.bytes
        let archive = try site.archive()
        try archive.write(tile(1, 1, 1))
        if suspends { try archive.suspend() } else { try archive.discard() }
        #expect(try site.bytes == bytes)
        #expect(try site.names() == ["plan.pmtiles"])
    }

    @Test("no file has the archive's name before it is complete")
    func atomicity() throws {
        let archive = try site.archive()
        try archive.write(tiles[0])
        #expect(try !site.names().contains("plan.pmtiles"))
        _ = try archive.finish(archiveDocuments())
        #expect(try site.names() == ["plan.pmtiles"])
    }

    @Test("tiles that cannot become an archive are an error, and nothing is left")
    func refusals() throws {
        func failure(_ tiles: [EncodedTile], _ format: TileFormat = .png) throws -> Failure {
            let archive = try site.archive()
            let failure = try #require(throws: Failure.self) {
                for tile in tiles { try archive.write(tile) }
                _ = try archive.finish(archiveDocuments(format: format))
            }
            try archive.discard()
            #expect(try site.names().isEmpty)
            return failure
        }
        #expect(try failure([]).message.contains("there are no tiles"))
        #expect(try failure([tiles[0], tiles[1], tiles[0]]).message.contains("two tiles 3/4/2"))
        let empty = EncodedTile(coordinate: tiles[0].coordinate, bytes: [])
        #expect(try failure([empty]).message.contains("tile 3/4/2: it has 0 bytes"))
        let several = try failure(tiles, .auto)
        #expect(several.kind == .usage)
        #expect(several.remedy?.contains("webp") == true)
    }

    @Test("a missing directory for scratch files is an error that names it")
    func scratch() throws {
        let failure = try #require(throws: Failure.self) {
            try PMTilesWriter(TilesetOptions(path: site.path), scratchDirectory: "/no/such")
        }
        #expect(failure.message.contains("'/no/such'"))
        #expect(try site.names().isEmpty)
    }
}

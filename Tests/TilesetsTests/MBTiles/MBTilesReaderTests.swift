import Platform
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Reading MBTiles of any program.
@Suite struct MBTilesReaderTests {
    private let site: MBTilesSite

    init() throws { site = try MBTilesSite() }

    @Test("tables of other programs are read", arguments: [true, false])
    func foreignTables(sharesTiles: Bool) throws {
        try site.execute(
            sharesTiles
                ? sharedSchema
                    + """
                    INSERT INTO images VALUES (x'0102', 'a'), (x'03', 'b');
                    INSERT INTO map VALUES (3, 4, 5, 'a', NULL), (3, 4, 4, 'b', NULL);
                    """
                : flatSchema
                    + "INSERT INTO tiles VALUES (3, 4, 5, x'0102'), (3, 4, 4, x'03');")
        try site.execute("INSERT INTO metadata VALUES ('name', 'x'), ('maxzoom', 3), ('y', NULL)")
        #expect(
            try site.tiles() == [
                EncodedTile(
                    coordinate: TileCoordinate(zoom: 3, column: 4, row: 2), bytes: [1, 2]),
                EncodedTile(coordinate: TileCoordinate(zoom: 3, column: 4, row: 3), bytes: [3]),
            ])
        #expect(
            try MBTilesReader(site.path).statement()
                == .rows([
                    MetadataRow("name", "x"), MetadataRow("maxzoom", "3"), MetadataRow("y", ""),
                ]))
        #expect(
            try MBTilesReader(site.path).limits() == [
                TileRange(zoom: 3, columns: 4...4, rows: 2...3)
            ])
    }

    @Test(
        "rows count from the south, unless a row of the metadata or the user says otherwise",
        arguments: [
            (nil, nil, true), ("xyz", nil, false), ("XYZ", nil, false), ("tms", nil, true),
            ("zxy", nil, true),
            (nil, TileScheme.xyz, false), ("xyz", .tms, true), ("tms", .xyz, false),
        ] as [(String?, TileScheme?, Bool)])
    func schemes(stated: String?, given: TileScheme?, isFromSouth: Bool) throws {
        try site.execute(flatSchema + "INSERT INTO tiles VALUES (3, 4, 5, x'0102');")
        if let stated { try site.execute("INSERT INTO metadata VALUES ('scheme', '\(stated)')") }
        let reader = try MBTilesReader(site.path, scheme: given)
        let tile = TileCoordinate(zoom: 3, column: 4, row: isFromSouth ? 2 : 5)
        var found: [EncodedTile] = []
        try reader.forEachTile { found.append($0) }
        #expect(found == [EncodedTile(coordinate: tile, bytes: [1, 2])])
        #expect(try reader.tile(at: tile) == [1, 2])
        #expect(try reader.limits() == [TileRange(zoom: 3, columns: 4...4, rows: tile.row...tile.row)])
        #expect(try reader.survey().limits.map(\.rows) == [tile.row...tile.row])
        #expect(try reader.storedScheme == (isFromSouth ? .tms : .xyz))
    }

    /// Addresses as zoom, column, row from the south; and limits with rows from the north.
    static let limitSamples: [(tiles: String, limits: [TileRange])] = [
        ("", []),
        ("(0, 0, 0)", [TileRange(zoom: 0, columns: 0...0, rows: 0...0)]),
        (
            "(4, 3, 15), (4, 9, 11), (6, 20, 0)",
            [
                TileRange(zoom: 4, columns: 3...9, rows: 0...4),
                TileRange(zoom: 6, columns: 20...20, rows: 63...63),
            ]
        ),
        // Only both ends of the world: a tileset across the antimeridian.
        (
            "(4, 0, 8), (4, 1, 8), (4, 14, 8), (4, 15, 7)",
            [
                TileRange(zoom: 4, columns: 14...15, rows: 7...8),
                TileRange(zoom: 4, columns: 0...1, rows: 7...8),
            ]
        ),
        (
            "(4, 0, 8), (4, 5, 8), (4, 11, 8), (4, 15, 8)",
            [TileRange(zoom: 4, columns: 0...15, rows: 7...7)]
        ),
        (
            "(30, 1073741823, 0)",
            [
                TileRange(
                    zoom: 30, columns: 1_073_741_823...1_073_741_823,
                    rows: 1_073_741_823...1_073_741_823)
            ]
        ),
    ]

    @Test("limits are those of the rows of each zoom", arguments: limitSamples)
    func limits(tiles: String, limits: [TileRange]) throws {
        try site.execute(flatSchema)
        if !tiles.isEmpty {
            try site.execute(
                "INSERT INTO tiles SELECT column1, column2, column3, x'00' FROM (VALUES \(tiles))")
        }
        #expect(try MBTilesReader(site.path).limits() == limits)
    }

    @Test("a database in WAL mode is read, and no file is made next to it")
    func writeAheadLog() throws {
        try site.execute(flatSchema)
        try site.execute(
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
            INSERT INTO tiles VALUES (0, 0, 0, x'00')
            """)
        #expect(try site.bytes[18] == 2, "the file format's number of that mode")
        #expect(try site.directory.files() == ["plan.mbtiles"])
        #expect(try site.tiles().count == 1)
        #expect(try site.directory.files() == ["plan.mbtiles"])
    }

    @Test("a file that a program has not finished is refused", arguments: ["-wal", "-journal"])
    func unfinished(ending: String) throws {
        try site.execute(flatSchema)
        try Data([0x37, 0x7f]).write(to: URL(filePath: site.path + ending))
        let failure = try #require(throws: Failure.self) { try MBTilesReader(site.path).rows() }
        #expect(failure.kind == .badInput)
        #expect(failure.message.contains("plan.mbtiles\(ending)'"))
        // An empty log, or a journal that begins with zeros, has no effect any more.
        try Data([0]).write(to: URL(filePath: site.path + ending))
        #expect(try site.tiles().isEmpty)
    }

    @Test("something that is not a file is refused, and so is a missing file")
    func noFile() throws {
        #expect(throws: Failure.self) { try MBTilesReader(site.directory.url.path) }
        let failure = try #require(throws: Failure.self) { try MBTilesReader(site.path) }
        #expect(failure.kind == .missingInput)
        #expect(mkfifo(site.path, 0o600) == 0)
        #expect(throws: Failure.self) { try MBTilesReader(site.path) }
    }

    @Test(
        "a tileset that GDAL wrote is read tile by tile",
        .needs("gdal_translate", "python3"))
    func gdal() throws {
        let script = """
            import sqlite3, subprocess, sys
            header = 'P5 64 64 255\\n'.encode()
            open('a.pgm', 'wb').write(header + bytes(range(64)) * 64)
            subprocess.run(['gdal_translate', '-q', '-of', 'MBTILES', '-co', 'TILE_FORMAT=PNG',
                '-a_srs', 'EPSG:3857', '-a_ullr', '1000000', '6000400', '1000400', '6000000',
                'a.pgm', 'plan.mbtiles'], check=True)
            for z, x, y, data in sqlite3.connect('plan.mbtiles').execute('''SELECT zoom_level,
                    tile_column, tile_row, tile_data FROM tiles ORDER BY 1, 2, 3 DESC'''):
                print(z, x, 2 ** z - 1 - y, len(data), sum(data))
            """
        let expected = try Python.run(script, in: site.directory.url)
        #expect(expected.status == 0, "\(expected.errors)")
        let read = try site.tiles().sorted {
            ($0.coordinate.zoom, $0.coordinate.column, $0.coordinate.row)
                < ($1.coordinate.zoom, $1.coordinate.column, $1.coordinate.row)
        }.map {
            let (tile, sum) = ($0.coordinate, $0.bytes.reduce(0) { $0 + Int($1) })
            return "\(tile.zoom) \(tile.column) \(tile.row) \($0.bytes.count) \(sum)"
        }
        #expect(!read.isEmpty)
        #expect(read == expected.output.split(separator: "\n").map(String.init))
        #expect(try site.faults() == [])
        let finest = try #require(try MBTilesReader(site.path).limits().last)
        let width = 40_075_016.69 / Double(1 << finest.zoom)
        #expect(finest.columns.contains(Int((20_037_508.34 + 1_000_200) / width)))
        #expect(finest.rows.contains(Int((20_037_508.34 - 6_000_200) / width)))
    }

    @Test("one tile is read without the others, and a missing tile is nil")
    func oneTile() throws {
        try site.execute(flatSchema + "INSERT INTO tiles VALUES (3, 4, 5, x'0102'), (3, 4, 4, NULL)")
        let file = try MBTilesReader(site.path)
        #expect(try file.tile(at: TileCoordinate(zoom: 3, column: 4, row: 2)) == [1, 2])
        #expect(try file.tile(at: TileCoordinate(zoom: 3, column: 5, row: 2)) == nil)
        let failure = try #require(throws: Failure.self) {
            try file.tile(at: TileCoordinate(zoom: 3, column: 4, row: 3))
        }
        #expect(failure.message.hasSuffix("tile 3/4/4 (row from the south) has no data"))
    }

    @Test("a file without tiles has no first tile, and a metadata row without a name is read")
    func almostEmpty() throws {
        try site.execute(flatSchema + "INSERT INTO metadata VALUES (NULL, 'x')")
        let file = try MBTilesReader(site.path)
        #expect(try file.firstTile() == nil)
        #expect(try file.statement() == .rows([MetadataRow("", "x")]))
    }

    @Test("a file name with special characters of a URL is read as a name")
    func name() throws {
        let path = site.directory.path("a\nb #?%41.mbtiles")
        let archive = try site.open(path)
        try archive.write(tile(3, 4, 2))
        _ = try archive.finish(site.documents(rows: []))
        #expect(try site.directory.files() == ["a\nb #?%41.mbtiles"])
        #expect(try MBTilesReader(path).firstTile() == tile(3, 4, 2))
    }
}

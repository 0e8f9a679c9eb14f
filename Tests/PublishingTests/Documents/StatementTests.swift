import Diagnostics
import Publishing
import Testing
import Tilesets
import Tiling

/// Metadata that are read back out of what they were written into.
@Suite struct StatementTests {
    private static func tileset(baseURL: String? = nil) -> TilesetMetadata {
        var tileset = metadata(scheme: .tms, baseURL: baseURL, floor: "-1", tileSize: 512)
        tileset.description = "Straße \"7\""
        tileset.contents = TilesetContents(tileCount: 7, digest: "0123")
        return tileset
    }

    @Test("a TileJSON says all", arguments: [nil, "https://example.org/t/"])
    func tileJSON(baseURL: String?) throws {
        let tileset = Self.tileset(baseURL: baseURL)
        let statement = TilesetStatement.tileJSON(TileJSON(tileset).file.bytes)
        let read = try TilesetMetadata(reading: statement, limits: { [] }, path: "out")
        #expect(read == tileset)
    }

    @Test("rows and the JSON of archives say all but the address", arguments: [nil, "4567"])
    func archives(job: String?) throws {
        var tileset = Self.tileset()
        tileset.scheme = .xyz
        tileset.template = ""
        let documents = TilesetDocuments(tileset)
        let statements = [
            TilesetStatement.rows(documents.rows(job: job)),
            .pmtiles(json: documents.json(job), bounds: tileset.bounds, format: .png),
        ]
        for statement in statements {
            let read = try TilesetMetadata(
                reading: statement, limits: { tileset.limits }, path: "x")
            #expect(read == tileset)
        }
    }

    @Test("what a foreign statement leaves out comes from the tiles")
    func foreign() throws {
        let limits = [TileMatrixLimits(zoom: 2, columns: 1...1, rows: 1...1)]
        let read = try TilesetMetadata(
            reading: .rows([MetadataRow("format", "image/jpeg")]), limits: { limits }, path: "x")
        #expect(read.format == .jpeg)
        #expect(read.contents == nil)
        // The northern edge of row 1 of zoom 2 is atan(sinh(pi / 2)), as mercantile has it.
        #expect(read.bounds.minX == -90)
        #expect(abs(read.bounds.maxY - 66.51326044311186) < 1e-9)
        #expect(abs(read.bounds.minY) < 1e-9)
    }

    @Test("vector tiles and damaged JSON are refused")
    func refused() {
        for statement in [
            TilesetStatement.rows([MetadataRow("format", "pbf")]),
            .tileJSON(Array("{".utf8)),
        ] {
            #expect(throws: Failure.self) {
                try TilesetMetadata(reading: statement, limits: { [] }, path: "x")
            }
        }
    }
}

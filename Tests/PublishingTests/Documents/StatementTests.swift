import Platform
import Testing
import Tilesets
import Tiling

@testable import Publishing

/// Metadata that are read back out of what they were written into.
@Suite struct StatementTests {
    private static func tileset(baseURL: String? = nil) -> TilesetMetadata {
        var tileset = metadata(scheme: .tms, baseURL: baseURL, floor: "-1", tileSize: 512)
        tileset.description = "Straße \"7\""
        tileset.contents = TilesetContents(tileCount: 7, digest: "0123")
        return tileset
    }

    @Test("a TileJSON has all members", arguments: [nil, "https://example.org/t/"])
    func tileJSON(baseURL: String?) throws {
        let tileset = Self.tileset(baseURL: baseURL)
        let statement = TilesetStatement.tileJSON(tileset.tileJSON.bytes)
        let read = try TilesetMetadata(reading: statement, limits: { [] }, path: "out")
        #expect(read == tileset)
    }

    @Test(
        "rows and the JSON of archives have all members except the address",
        arguments: [nil, ContentHash(of: "4567")])
    func archives(job: ContentHash?) throws {
        var tileset = Self.tileset()
        tileset.scheme = .xyz
        tileset.template = ""
        let documents = TilesetDocuments(tileset)
        let origin = TilesetOrigin(job: job, images: [SourceImage(path: "a/b.png")])
        let statements = [
            TilesetStatement.rows(documents.rows(origin: origin)),
            .pmtiles(json: documents.json(origin), bounds: tileset.bounds, format: .png),
        ]
        for statement in statements {
            let read = try TilesetMetadata(
                reading: statement, limits: { tileset.limits }, path: "x")
            #expect(read == tileset)
        }
    }

    @Test("members that are missing in a foreign statement come from the tiles")
    func foreign() throws {
        let limits = [TileRange(zoom: 2, columns: 1...1, rows: 1...1)]
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

    private static func read(_ tileJSON: String) throws -> TilesetMetadata {
        let statement = TilesetStatement.tileJSON(Array(tileJSON.utf8))
        return try TilesetMetadata(reading: statement, limits: { [] }, path: "out")
    }

    @Test(
        "the format is the stated one, otherwise the extension of an address",
        arguments: [
            (#"{"format": "webp"}"#, TileFormat.webp), (#"{"tiles": ["{z}/{x}/{y}.JPG"]}"#, .jpeg),
            (#"{"tiles": ["https://a.org/{z}/{x}/{y}"]}"#, .png), (#"{"tiles": ["{z}"]}"#, .png),
            ("{}", .png),
            (#"{"tiles": ["{z}/{x}/{y}.webp"], "format": 7}"#, .webp),
            (#"{"mediaTypes": ["image/png", "image/jpeg"]}"#, .auto),
        ])
    func format(json: String, format: TileFormat) throws { #expect(try Self.read(json).format == format) }

    @Test(
        "an address is divided at the last slash before the first placeholder",
        arguments: [
            ("https://a.org/t/{z}/{x}/{y}.png", "https://a.org/t/", "{z}/{x}/{y}.png"),
            ("https://a.org/t/L%201%2{z}", "https://a.org/t/", "L 1%2{z}"),
            ("{s}://a.org/{z}/{x}/{y}", nil, "{s}://a.org/{z}/{x}/{y}"), ("t/{z}%20", nil, "t/{z} "),
        ] as [(String, String?, String)])
    func addresses(address: String, base: String?, template: String) throws {
        let read = try Self.read(#"{"tiles": ["\#(address)"]}"#)
        #expect(read.baseURL == base && read.template == template)
    }

    @Test(
        "invalid members count as missing",
        arguments: [
            #""tileSize": 4097"#, #""tileSize": 0"#, #""tileSize": "inf""#, #""tileSize": true"#,
            #""tileSize": [256]"#, #""tileCount": null"#,
        ])
    func nonsense(member: String) throws {
        let read = try Self.read("{\(member)}")
        #expect(read.tileSize == 256 && read.contents == nil)
    }

    @Test("a tile count is read without a digest, and the last of two rows is used")
    func count() throws {
        #expect(
            try Self.read(#"{"tileCount": 7}"#).contents == TilesetContents(tileCount: 7, digest: ""))
        let rows = [MetadataRow("name", "a"), MetadataRow("format", "png"), MetadataRow("name", "b")]
        let read = try TilesetMetadata(reading: .rows(rows), limits: { [] }, path: "x")
        #expect(read.name == "b")
    }

    /// Bounds of an image, as west, south, east, north, and what is left of them beside tile 2/2/1, which
    /// goes from 0 to 90 degrees east and from the equator to 66.51326044311186 degrees north.
    static let imageBounds: [(image: [Double], fitted: [Double])] = [
        ([10, 10, 20, 20], [10, 10, 20, 20]), ([-10, -10, 100, 80], [0, 0, 90, 66.51326044311186]),
        ([95, 70, 99, 80], [0, 0, 90, 66.51326044311186]),
        ([-9, -9, -5, -5], [0, 0, 90, 66.51326044311186]),
    ]

    @Test("bounds reach no farther than the tiles, and to all of them", arguments: imageBounds)
    func fitted(image: [Double], fitted: [Double]) {
        let limits = [TileRange(zoom: 2, columns: 2...2, rows: 1...1)]
        var tileset = metadata(
            bounds: BoundingBox(minX: image[0], minY: image[1], maxX: image[2], maxY: image[3]),
            limits: limits)
        tileset.fitBounds()
        let found = [
            tileset.bounds.minX, tileset.bounds.minY, tileset.bounds.maxX, tileset.bounds.maxY,
        ]
        for (found, fitted) in zip(found, fitted) { #expect(abs(found - fitted) < 1e-9) }
    }

    @Test("without tiles, bounds stay, but within the world of tiles")
    func noTiles() {
        var tileset = metadata(limits: [])
        let bounds = tileset.bounds
        tileset.fitBounds()
        #expect(tileset.bounds == bounds)
        for box in [TileRange.lonLatBounds(of: []), TileRange.innerBounds(of: [])] {
            #expect(box.minX == -180 && box.maxX == 180)
            #expect(abs(box.maxY - 85.0511287798066) < 1e-9 && abs(box.minY + 85.0511287798066) < 1e-9)
        }
    }
}

import Foundation
import Publishing
import Testing
import Tilesets
import Tiling

@Suite struct TileJSONTests {
    private static let fiji = BoundingBox(minX: 179.5, minY: -17, maxX: 180.25, maxY: -16)

    private static let cases: [TilesetMetadata] = [
        metadata(),
        metadata(scheme: .tms, baseURL: "https://tiles.example.org/a"),
        metadata(bounds: BoundingBox(minX: -180, minY: -85.0511287798066, maxX: 180, maxY: 85)),
        metadata(bounds: fiji),
        metadata(bounds: BoundingBox(minX: 11.5, minY: 48.1, maxX: 11.5 + 1e-12, maxY: 48.1)),
        metadata(bounds: BoundingBox(minX: -1e-9, minY: -1e-9, maxX: 1e-9, maxY: 1e-9)),
        metadata(limits: [TileRange(zoom: 0, columns: 0...0, rows: 0...0)]),
        metadata(limits: []),
    ]

    /// The rules of sections 3.2 to 3.18 of the TileJSON 3.0.0 specification.
    @Test("a document obeys TileJSON 3.0.0", arguments: cases)
    func specification(metadata: TilesetMetadata) throws {
        let document = try parsed(metadata.tileJSON)
        #expect(document["tilejson"] as? String == "3.0.0")
        let tiles = try #require(document["tiles"] as? [String])
        #expect(!tiles.isEmpty)
        let version = try #require(document["version"] as? String)
        #expect(version.split(separator: ".").compactMap { Int($0) }.count == 3)
        #expect(["xyz", "tms"].contains(document["scheme"] as? String))

        let minzoom = document["minzoom"] as? Int ?? 0
        let maxzoom = document["maxzoom"] as? Int ?? 30
        #expect(0 <= minzoom && minzoom <= maxzoom && maxzoom <= 30)

        let bounds = try #require(document["bounds"] as? [Double])
        #expect(bounds.count == 4)
        #expect(-180 <= bounds[0] && bounds[0] < bounds[2] && bounds[2] <= 180)
        #expect(-90 <= bounds[1] && bounds[1] < bounds[3] && bounds[3] <= 90)

        guard let center = document["center"] as? [Double] else {
            #expect(metadata.limits.isEmpty)
            return
        }
        #expect(center.count == 3)
        #expect(bounds[0] <= center[0] && center[0] <= bounds[2])
        #expect(bounds[1] <= center[1] && center[1] <= bounds[3])
        #expect(Double(minzoom) <= center[2] && center[2] <= Double(maxzoom))
        #expect(center[2] == center[2].rounded())
    }

    @Test("bounds contain the tileset's, and are read back from the text unchanged")
    func tightBounds() throws {
        let box = BoundingBox(minX: -0.13, minY: 51.400000049, maxX: 0.100000051, maxY: 51.6)
        let document = try parsed(metadata(bounds: box).tileJSON)
        #expect(document["bounds"] as? [Double] == [-0.13, 51.4, 0.1000001, 51.6])
    }

    @Test("bounds are never empty, even in the units of PMTiles")
    func neverEmpty() throws {
        let box = BoundingBox(minX: 11.5, minY: 48.1, maxX: 11.5 + 1e-12, maxY: 48.1)
        let document = try parsed(metadata(bounds: box).tileJSON)
        let units = try #require(document["bounds"] as? [Double]).map { Int(($0 * 1e7).rounded()) }
        #expect(units[0] < units[2])
        #expect(units[1] < units[3])
    }

    @Test("no number has an exponent")
    func noExponent() {
        let box = BoundingBox(minX: -1e-9, minY: 1e-7, maxX: 1e-9, maxY: 3e-7)
        let text = String(decoding: metadata(bounds: box).tileJSON.bytes, as: UTF8.self)
        #expect(text.contains("\"bounds\": [-0.0000001, 0.0000001, 0.0000001, 0.0000003]"))
    }

    @Test("bounds do not wrap the antimeridian, and the center stays on the tileset")
    func antimeridian() throws {
        let document = try parsed(metadata(bounds: Self.fiji).tileJSON)
        #expect(document["bounds"] as? [Double] == [-180, -17, 180, -16])
        let center = try #require(document["center"] as? [Double])
        #expect(Array(center.prefix(2)) == [179.875, -16.5])
        let east = BoundingBox(minX: 179.75, minY: -17, maxX: 180.75, maxY: -16)
        let eastern = try parsed(metadata(bounds: east).tileJSON)
        #expect((eastern["center"] as? [Double])?.first == -179.75)
    }

    @Test(
        "addresses are URLs: absolute if the base is known",
        arguments: [
            (nil, "{z}/{x}/{y}.png", "{z}/{x}/{y}.png"),
            ("https://a.org/t", "{z}/{x}/{y}.png", "https://a.org/t/{z}/{x}/{y}.png"),
            ("https://a.org/t/", "{z}/{x}/{y}.png", "https://a.org/t/{z}/{x}/{y}.png"),
            (nil, "Étage 1#/L{z}_{x}_{y}@2x.png", "%C3%89tage%201%23/L{z}_{x}_{y}@2x.png"),
            (nil, "a:b%/{z}/{x}/{-y}", "a%3Ab%25/{z}/{x}/{-y}"),
        ] as [(String?, String, String)])
    func addresses(baseURL: String?, template: String, address: String) throws {
        let document = try parsed(metadata(template: template, baseURL: baseURL).tileJSON)
        #expect(document["tiles"] as? [String] == [address])
    }

    @Test("the tiles that exist are listed per zoom, rows from the north under every scheme")
    func limits() throws {
        let limits = [
            TileRange(zoom: 7, columns: 127...127, rows: 68...69),
            TileRange(zoom: 7, columns: 0...0, rows: 68...69),
        ]
        let document = try parsed(
            metadata(scheme: .tms, bounds: Self.fiji, limits: limits).tileJSON)
        let entries = try #require(document["tileMatrixSetLimits"] as? [[String: Any]])
        #expect(entries.map { $0["tileMatrix"] as? String } == ["7", "7"])
        #expect(entries.map { $0["minTileCol"] as? Int } == [127, 0])
        #expect(entries.map { $0["maxTileCol"] as? Int } == [127, 0])
        #expect(entries.map { $0["minTileRow"] as? Int } == [68, 68])
        #expect(entries.map { $0["maxTileRow"] as? Int } == [69, 69])
        #expect(document["scheme"] as? String == "tms")
        #expect(document["tileSize"] as? Int == 256)
        #expect(document["format"] as? String == "png")
    }

    @Test("a first look shows the whole tileset", arguments: [(256, 13), (512, 12), (1024, 12)])
    func centerZoom(tileSize: Int, zoom: Int) throws {
        let document = try parsed(metadata(tileSize: tileSize).tileJSON)
        #expect((document["center"] as? [Double])?.last == Double(zoom))
    }

    @Test("all texts survive")
    func texts() throws {
        let name = "\"E\\G\" </script> \u{1}\u{1F}\n\t\r \u{2028} é 🗺 \u{7F}"
        let document = try parsed(metadata(name: name).tileJSON)
        #expect(document["name"] as? String == name)
    }

    @Test("a floor's document has its name")
    func names() {
        #expect(metadata().tileJSON.name == "tilejson.json")
        #expect(metadata(floor: "EG").tileJSON.name == "tilejson-EG.json")
    }

    @Test(
        "characters that a URL cannot contain are escaped, and read back",
        arguments: [
            ("a\tb/{z}/{x}/{y}.png", "a%09b/{z}/{x}/{y}.png"),
            ("50%41/{z}/{x}/{y}.png", "50%2541/{z}/{x}/{y}.png"),
            ("Straße {z}_{x}_{y}", "Stra%C3%9Fe%20{z}_{x}_{y}"),
        ])
    func escapes(template: String, address: String) throws {
        for base in [nil, "https://a.org/t/"] {
            let tileset = metadata(template: template, baseURL: base)
            let file = tileset.tileJSON
            #expect(try parsed(file)["tiles"] as? [String] == [(base ?? "") + address])
            let read = try TilesetMetadata(
                reading: .tileJSON(file.bytes), limits: { [] }, path: "out")
            // The base ends at the last slash before the first placeholder.
            let whole = try #require(((base ?? "") + address).removingPercentEncoding)
            let readWhole = (read.baseURL?.removingPercentEncoding ?? "") + read.template
            #expect(readWhole == whole && whole == (base ?? "") + template)
        }
    }
}

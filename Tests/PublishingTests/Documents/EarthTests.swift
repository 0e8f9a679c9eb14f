import Foundation
import Publishing
import Testing
import Tilesets
import Tiling

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Documents for Google Earth and for the Tile Map Service.
@Suite struct EarthTests {
    private static let tiles = [
        (9, 243, 166), (10, 486, 332), (11, 972, 664), (11, 973, 665), (12, 1945, 1329),
        (13, 3890, 2658), (13, 3891, 2658),
    ].map { TileCoordinate(zoom: $0.0, column: $0.1, row: $0.2) }

    @Test("a superoverlay reaches every tile once, from any distance down")
    func superOverlay() throws {
        let files = SuperOverlay(metadata(), tiles: Self.tiles).files
        let elements = try Dictionary(
            uniqueKeysWithValues: files.map { ($0.name, try XMLElements($0)) })
        #expect(files.last?.name == "doc.kml")
        // Three zooms to a document, the finest ones full: 9 and 10, then 11 to 13.
        let expected: Set = [
            "doc.kml", "doc-9-243-166.kml", "doc-11-972-664.kml", "doc-11-973-665.kml",
        ]
        #expect(Set(elements.keys) == expected)
        let hrefs = elements.values.flatMap { $0.texts("href") }
        let links = hrefs.filter { $0.hasSuffix(".kml") }
        #expect(Set(links) == Set(elements.keys).subtracting(["doc.kml"]))
        #expect(links.count == Set(links).count)
        let pictures = hrefs.filter { $0.hasSuffix(".png") }
        #expect(pictures.sorted() == Self.tiles.map { "\($0).png" }.sorted())
    }

    @Test("a tile of a superoverlay has the box of mercantile.bounds")
    func tileBounds() throws {
        let tile = TileCoordinate(zoom: 10, column: 486, row: 332)
        let file = try #require(SuperOverlay(metadata(), tiles: [tile]).files.first)
        let elements = try XMLElements(file)
        let expected = [
            "north": 53.33087298301705, "south": 53.12040528310657, "east": -8.7890625,
            "west": -9.140625,
        ]
        for (edge, degrees) in expected {
            for text in elements.texts(edge) {
                #expect(abs(try #require(Double(text)) - degrees) < 1e-9)
            }
            #expect(elements.texts(edge).count == 2)
        }
    }

    @Test("the document of the Tile Map Service has metres, its profile, and the tiles' pixel size")
    func tileMapResource() throws {
        let tileset = metadata(
            scheme: .tms, baseURL: "https://example.org/t", name: "A & \"B\" <\u{1}>", tileSize: 512
        )
        let file = try #require(TileMapResource.file(of: tileset))
        #expect(file.name == "tilemapresource.xml")
        let elements = try XMLElements(file)
        #expect(elements.texts("Title") == ["A & \"B\" <>"])
        #expect(elements.texts("SRS") == ["EPSG:3857"])
        #expect(elements.attributes("TileSets") == [["profile": "global-mercator"]])
        let format = [
            "width": "512", "height": "512", "mime-type": "image/png", "extension": "png",
        ]
        #expect(elements.attributes("TileFormat") == [format])
        let edge = "-20037508.342789244"
        #expect(elements.attributes("Origin") == [["x": edge, "y": edge]])
        let sets = elements.attributes("TileSet")
        #expect(sets.map { $0["order"] } == ["12", "13", "14"])
        #expect(sets.first?["href"] == "https://example.org/t/12")
        // 156543.03392804097 at zoom 0 and 256 pixels.
        let cell = try #require(sets.first?["units-per-pixel"].flatMap(Double.init))
        #expect(abs(cell - 156543.03392804097 / 8192) < 1e-9)
        // echo 11.5 48.1 | cs2cs -f %.3f +proj=longlat +to EPSG:3857
        let box = try #require(elements.attributes("BoundingBox").first)
        #expect(box["minx"] == "1280174.144")
        #expect(box["miny"] == "6123507.425")
    }

    @Test(
        "rows from the north, and other names, have no document of the Tile Map Service",
        arguments: [
            (TileScheme.xyz, "{z}/{x}/{y}.png"), (.tms, "L_{z}_{x}_{y}.png"),
            (.tms, "q{quadkey}.png"),
        ])
    func noTileMapResource(scheme: TileScheme, template: String) {
        #expect(TileMapResource.file(of: metadata(scheme: scheme, template: template)) == nil)
    }
}

extension EarthTests {
    @Test("the documents of a floor have its name, even in links between them")
    func floor() throws {
        var tileset = metadata(floor: "EG 1")
        tileset.description = "A & B"
        let tiles = [(0, 0, 0), (3, 1, 2)].map { TileCoordinate(zoom: $0.0, column: $0.1, row: $0.2) }
        let files = SuperOverlay(tileset, tiles: tiles).files
        #expect(files.map(\.name) == ["doc-EG 1-0-0-0.kml", "doc-EG 1-1-0-0.kml", "doc-EG 1.kml"])
        #expect(try XMLElements(files[0]).texts("href") == ["0/0/0.png", "doc-EG%201-1-0-0.kml"])
        #expect(try XMLElements(files[2]).texts("href") == ["doc-EG%201-0-0-0.kml"])
        #expect(try XMLElements(files[2]).texts("description") == ["A & B"])
        #expect(TileMapResource.file(of: metadata(scheme: .tms, floor: "2"))?.name == "tilemapresource-2.xml")
    }

    @Test("if a document in between is missing, the first one links to the finer ones")
    func gap() throws {
        // Documents begin at zooms 0, 1 and 4; there is nothing at 1 to 3.
        let tiles = [(0, 0, 0), (6, 9, 9)].map { TileCoordinate(zoom: $0.0, column: $0.1, row: $0.2) }
        let files = SuperOverlay(metadata(), tiles: tiles).files
        #expect(files.map(\.name) == ["doc-0-0-0.kml", "doc-4-2-2.kml", "doc.kml"])
        #expect(try XMLElements(files[0]).texts("href") == ["0/0/0.png"])
        #expect(try XMLElements(files[2]).texts("href") == ["doc-0-0-0.kml", "doc-4-2-2.kml"])
    }

    @Test("a tileset without tiles has documents without tiles")
    func empty() throws {
        let files = SuperOverlay(metadata(), tiles: []).files
        #expect(files.map(\.name) == ["doc.kml"])
        #expect(try XMLElements(files[0]).texts("href") == [])
        let resource = try #require(TileMapResource.file(of: metadata(scheme: .tms, limits: [])))
        #expect(try XMLElements(resource).attributes("TileSet") == [])
    }
}

/// The elements of an XML document, as Foundation reads it.
private final class XMLElements: NSObject, XMLParserDelegate {
    private var elements: [(name: String, attributes: [String: String], text: String)] = []
    private var open: [Int] = []

    init(_ file: SideFile) throws {
        super.init()
        let parser = XMLParser(data: Data(file.bytes))
        parser.delegate = self
        guard parser.parse() else { throw CocoaError(.fileReadCorruptFile) }
    }

    func texts(_ name: String) -> [String] { elements.filter { $0.name == name }.map(\.text) }

    func attributes(_ name: String) -> [[String: String]] {
        elements.filter { $0.name == name }.map(\.attributes)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append((name, attributes, ""))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let last = open.last { elements[last].text += text }
    }

    func parser(
        _ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }
}

import Tiling
import Foundation
import Publishing
import Testing
import Tilesets

@Suite struct MetadataJSONTests {
    @Test("every value is a text, as importers need it")
    func texts() throws {
        let document = try parsed(metadata(scheme: .tms).metadataJSON)
        #expect(
            document as? [String: String] == [
                "name": "Plan", "description": "", "version": "1.0.0", "type": "overlay",
                "format": "png", "scheme": "tms", "bounds": "11.5,48.1,11.6,48.2",
                "center": "11.55,48.15,13", "minzoom": "12", "maxzoom": "14", "attribution": "",
                "tileSize": "256", "generator": "tilewright",
            ])
    }

    @Test("a tileset without tiles claims no zooms")
    func empty() throws {
        let document = try parsed(metadata(limits: []).metadataJSON)
        #expect(document["minzoom"] == nil)
        #expect(document["center"] == nil)
        #expect(document["bounds"] != nil)
    }

    @Test("the documents of all containers share the members beyond their specifications")
    func ownMembers() throws {
        var tileset = metadata(floor: "-1", tileSize: 512)
        tileset.format = .auto
        tileset.contents = TilesetContents(tileCount: 12, digest: "0f")
        let rows = Dictionary(
            uniqueKeysWithValues: tileset.metadataRows.map { ($0.name, $0.value) })
        let archive = try parsed(SideFile(name: "", bytes: tileset.archiveJSON()))
        let tileJSON = try parsed(tileset.tileJSON)
        for document in [archive, tileJSON] {
            #expect(document["tileSize"] as? Int == 512)
            #expect(document["tileCount"] as? Int == 12)
            for name in ["floor", "digest", "generator"] {
                #expect(document[name] as? String == rows[name])
            }
            #expect(document["mediaTypes"] as? [String] == ["image/png", "image/jpeg"])
        }
        #expect(rows["mediaTypes"] == "image/png,image/jpeg")
        #expect(rows["tileCount"] == "12")
    }

    @Test("a floor's document has its name")
    func names() {
        #expect(metadata().metadataJSON.name == "metadata.json")
        #expect(metadata(floor: "-1").metadataJSON.name == "metadata--1.json")
    }
}

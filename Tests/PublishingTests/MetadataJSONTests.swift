import Foundation
import Publishing
import Testing
import Tiling

@Suite struct MetadataJSONTests {
    @Test("every value is a text, as importers need it")
    func texts() throws {
        let document = try parsed(MetadataJSON(metadata(scheme: .tms)).file)
        #expect(
            document as? [String: String] == [
                "name": "Plan", "description": "", "version": "1.0.0", "type": "overlay",
                "format": "png", "scheme": "tms", "bounds": "11.5,48.1,11.6,48.2",
                "center": "11.55,48.15,13", "minzoom": "12", "maxzoom": "14", "attribution": "",
            ])
    }

    @Test("a tileset without tiles claims no zooms")
    func empty() throws {
        let document = try parsed(MetadataJSON(metadata(limits: [])).file)
        #expect(document["minzoom"] == nil)
        #expect(document["center"] == nil)
        #expect(document["bounds"] != nil)
    }

    @Test("a floor's document has its name")
    func names() {
        #expect(MetadataJSON(metadata()).file.name == "metadata.json")
        #expect(MetadataJSON(metadata(floor: "-1")).file.name == "metadata--1.json")
    }
}

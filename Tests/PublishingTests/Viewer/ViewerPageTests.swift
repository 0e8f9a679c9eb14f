import Tiling
import Foundation
import Publishing
import Testing
import Tilesets

@Suite struct ViewerPageTests {
    private static func page(
        _ tilesets: [ViewerPage.Tileset], library: MapLibrary = .hosted
    ) throws -> String {
        String(decoding: try #require(ViewerPage(tilesets, library: library)).html, as: UTF8.self)
    }

    private static func tree(_ metadata: TilesetMetadata, path: [String] = []) -> ViewerPage.Tileset {
        ViewerPage.Tileset(metadata, path: path, isArchive: false)
    }

    /// What stands in the page for its script.
    private static func tilesets(in page: String) throws -> [[String: Any]] {
        let start = try #require(page.firstRange(of: "id=\"tilesets\">")).upperBound
        let json = page[start...].prefix { $0 != "<" }
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        return try #require((object as? [String: Any])?["tilesets"] as? [[String: Any]])
    }

    @Test("the page holds what its script needs of each floor")
    func tilesets() throws {
        var upper = metadata(
            scheme: .tms, floor: "1", name: "Upper", tileSize: 512,
            contents: TilesetContents(tileCount: 3, digest: "0123456789"))
        upper.attribution = "© <a href=\"https://a.org\">A</a>"
        let page = try Self.page([
            Self.tree(upper, path: ["..", "a b"]),
            ViewerPage.Tileset(metadata(), path: ["plan 1.pmtiles"], isArchive: true),
        ])
        let tilesets = try Self.tilesets(in: page)
        #expect(tilesets.count == 2)
        #expect(tilesets[0]["name"] as? String == "Upper")
        #expect(tilesets[0]["label"] as? String == "1")
        #expect(tilesets[0]["address"] as? String == "../a%20b/{z}/{x}/{y}.png")
        #expect(tilesets[0]["attribution"] as? String == upper.attribution)
        #expect(tilesets[0]["scheme"] as? String == "tms")
        #expect(tilesets[0]["tileSize"] as? Int == 512)
        #expect(tilesets[0]["version"] as? String == "01234567")
        #expect(tilesets[0]["minzoom"] as? Int == 12)
        #expect(tilesets[0]["maxzoom"] as? Int == 14)
        #expect((tilesets[0]["limits"] as? [[Int]])?.last == [14, 8715, 8719, 5670, 5676])
        #expect(tilesets[1]["archive"] as? String == "plan%201.pmtiles")
        #expect(tilesets[1]["address"] == nil)
        #expect(tilesets[1]["label"] as? String == "Plan")
    }

    @Test("across the antimeridian the bounds go on counting, so that the page fits the tileset")
    func antimeridian() throws {
        let tilesets = try Self.tilesets(in: Self.page([Self.tree(fiji())]))
        #expect(tilesets[0]["bounds"] as? [Double] == [177.1875, -17, 182.8125, -16])
    }

    @Test("a name ends neither an element nor the JSON")
    func hostileName() throws {
        let plain = try Self.page([Self.tree(metadata())])
        let page = try Self.page([Self.tree(metadata(name: hostileText))])
        let name = try Self.tilesets(in: page)[0]["name"] as? String
        #expect(name == hostileText)
        for mark in ["</script", "<!--", "</title"] {
            #expect(
                page.components(separatedBy: mark).count
                    == plain.components(separatedBy: mark).count)
        }
        #expect(page.contains("&lt;/script&gt;&lt;!-- ?? é 🗺"))
    }

    @Test("Leaflet comes from the web by version and hash, or is a part of the page")
    func library() throws {
        let hosted = try Self.page([Self.tree(metadata())])
        #expect(hosted.contains("https://unpkg.com/leaflet@1.9.4/dist/leaflet.js"))
        #expect(hosted.components(separatedBy: "integrity=\"sha256-").count == 3)
        let library = MapLibrary.embedded(
            script: "let L = '</script><!--__TITLE__';", style: "a { b: '</style>' }")
        let page = try Self.page([Self.tree(metadata())], library: library)
        #expect(page.contains("let L = '<\\/script><\\!--__TITLE__';"))
        #expect(page.contains("a { b: '<\\/style>' }"))
        #expect(!page.contains("https://unpkg.com"))
    }

    @Test("a page of ours is known, another is not")
    func ours() throws {
        #expect(PageKind(of: try Self.page([Self.tree(metadata())])) == .viewer)
        #expect(PageKind(of: "<!doctype html><title>tilewright</title>") == nil)
    }

    @Test("there is no page without tiles")
    func empty() {
        #expect(ViewerPage([], library: .hosted) == nil)
        #expect(ViewerPage([Self.tree(metadata(limits: []))], library: .hosted) == nil)
    }
}

import Tiling
import Foundation
import Publishing
import Testing
import Tilesets

@Suite struct ViewerPageTests {
    private static func page(
        _ tilesets: [ViewerPage.Tileset], library: MapLibrary = .hosted
    ) throws -> String {
        try page([ViewerPage.Building(nil, floors: tilesets)], title: nil, library: library)
    }

    private static func page(
        _ buildings: [ViewerPage.Building], title: String?, library: MapLibrary = .hosted
    ) throws -> String {
        let page = try #require(ViewerPage.html(buildings, title: title, library: library))
        return String(decoding: page, as: UTF8.self)
    }

    private static func tree(_ metadata: TilesetMetadata, path: [String] = []) -> ViewerPage.Tileset {
        ViewerPage.Tileset(metadata, path: path, isArchive: false)
    }

    /// The page's data for its script.
    private static func buildings(in page: String) throws -> [[String: Any]] {
        let start = try #require(page.firstRange(of: "id=\"tilesets\">")).upperBound
        let json = page[start...].prefix { $0 != "<" }
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        return try #require((object as? [String: Any])?["buildings"] as? [[String: Any]])
    }

    private static func floors(_ building: [String: Any]) -> [[String: Any]] {
        building["floors"] as? [[String: Any]] ?? []
    }

    private static func tilesets(in page: String) throws -> [[String: Any]] {
        try buildings(in: page).flatMap(floors)
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
        #expect((tilesets[0]["limits"] as? [[Int]])?.last == [14, 8715, 5670, 8719, 5676])
        #expect(tilesets[1]["archive"] as? String == "plan%201.pmtiles")
        #expect(tilesets[1]["address"] == nil)
        #expect(tilesets[1]["label"] as? String == "Plan")
    }

    @Test("floors of a building have labels, levels and a first one; without these, what the tileset says")
    func floorsOfABuilding() throws {
        var ground = Self.tree(metadata(floor: "0"))
        (ground.label, ground.shortName, ground.ordinal) = ("Ground floor", "G", 0)
        var upper = Self.tree(metadata(floor: "1"))
        upper.isDefault = true
        let page = try Self.page(
            [
                ViewerPage.Building("Mall", floors: [upper, ground]),
                ViewerPage.Building(nil, floors: [Self.tree(metadata(floor: "A")), ground]),
            ], title: "Harbour")
        let buildings = try Self.buildings(in: page)
        #expect(page.contains("<title>Harbour</title>"))
        #expect(buildings.map { $0["name"] as? String } == ["Mall", ""])
        #expect(buildings.map { $0["isBuilding"] as? Bool } == [true, false])
        #expect(buildings.map { $0["first"] as? Int } == [0, 1])
        let floors = Self.floors(buildings[0])
        #expect(floors.map { $0["key"] as? String } == ["1", "0"])
        #expect(floors.map { $0["label"] as? String } == ["1", "Ground floor"])
        #expect(floors.map { $0["shortName"] as? String } == ["1", "G"])
        #expect(floors.map { $0["ordinal"] as? Int } == [1, 0])
        #expect(Self.floors(buildings[1]).map { $0["ordinal"] as? Int } == [nil, 0])
    }

    @Test("links name each building and each floor by a unique name")
    func distinctNames() throws {
        let old = Self.tree(metadata(floor: "0"), path: ["old"])
        let new = Self.tree(metadata(floor: "0"), path: ["new"])
        let buildings = try Self.buildings(
            in: Self.page(
                [
                    ViewerPage.Building("Mall", floors: [old]), ViewerPage.Building("Mall", floors: [new]),
                    ViewerPage.Building(nil, floors: [old, new, new]),
                ], title: nil))
        #expect(buildings.map { $0["key"] as? String } == ["Mall (old)", "Mall (new)", ""])
        #expect(buildings.map { $0["name"] as? String } == ["Mall (old)", "Mall (new)", ""])
        let floors = Self.floors(buildings[2])
        #expect(floors.map { $0["key"] as? String } == ["0 (old)", "0 (new)", "0 (new) #2"])
        #expect(floors.map { $0["label"] as? String } == ["0 (old)", "0 (new)", "0 (new) #2"])
    }

    @Test("a tileset is complete if it has all tiles of its limits")
    func completeness() throws {
        let limits = [TileRange(zoom: 3, columns: 1...2, rows: 4...6)]
        let isComplete = try [6, 5].map { count in
            let tileset = metadata(limits: limits, contents: TilesetContents(tileCount: count, digest: ""))
            return try Self.tilesets(in: Self.page([Self.tree(tileset)]))[0]["isComplete"] as? Bool
        }
        #expect(isComplete == [true, false])
    }

    @Test("across the antimeridian the bounds continue beyond 180, so that the page fits the tileset")
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

    @Test("a shared page has a place for its tiles, the numbers of its tilesets, and no addresses")
    func shared() throws {
        var hostile = metadata(floor: "1", contents: TilesetContents(tileCount: 3, digest: "0123456789"))
        (hostile.name, hostile.description) = ("<!--tiles-->\n", "</script><!--tiles-->\n")
        let floors = [ViewerPage.Tileset(metadata(scheme: .tms), inside: 0), .init(hostile, inside: 7)]
        let library = MapLibrary.embedded(script: "let L = '<!--tiles-->\n'", style: "/* <!--tiles-->\n */")
        let page = try #require(
            ViewerPage.shared([.init(nil, floors: floors)], title: nil, library: library, basemap: ""))
        let (head, foot) = (
            String(decoding: page.head, as: UTF8.self), String(decoding: page.foot, as: UTF8.self)
        )
        #expect(foot.hasPrefix("<script>\n") && foot.contains("class Viewer"))
        let tilesets = try Self.tilesets(in: head)
        #expect(tilesets.map { $0["inside"] as? Int } == [0, 7])
        #expect(
            tilesets.allSatisfy {
                $0["address"] as? String == "{z}/{x}/{y}" && $0["scheme"] as? String == "xyz"
            })
        #expect(head.contains("img-src data:;") && PageKind(of: head) == .shared)
        #expect(try !Self.page(floors).contains("Content-Security-Policy"))
        #expect(ViewerPage.shared([], title: nil, library: library, basemap: nil) == nil)
    }

    @Test("pages of the guide have its header, and load nothing from elsewhere; other pages have none")
    func guided() throws {
        let title = "A <b> __TITLE__"
        for step in [GuideStep.pages, .build, .share] {
            let heading = GuideHeading(step: step, title: title, open: [.pages, .place])
            let page = String(
                decoding: GuidePage.html(heading, state: #"{"name":"</script>"}"#), as: UTF8.self)
            #expect(PageKind(of: page) == .guide)
            #expect(page.contains("default-src 'none'") && !page.contains("http://"))
            #expect(page.contains("<bdi>A &lt;b&gt; __TITLE__</bdi>"))
            #expect(page.contains(#"{"name":"\u003C/script>"}"#))
            #expect(page.contains(#""step": "\#(step.rawValue)""#))
        }
        let floors = [Self.tree(metadata())]
        let heading = GuideHeading(step: .look, title: title, open: Set(GuideStep.allCases))
        let page = try #require(
            ViewerPage.html([.init(nil, floors: floors)], title: nil, library: .hosted, guide: heading))
        let html = String(decoding: page, as: UTF8.self)
        #expect(PageKind(of: html) == .viewer && html.contains("id=\"guide-steps\""))
        #expect(try !Self.page(floors).contains("guide-steps"))
    }

    @Test("a page of tilewright is recognised, another page is not")
    func ours() throws {
        #expect(PageKind(of: try Self.page([Self.tree(metadata())])) == .viewer)
        #expect(PageKind(of: "<!doctype html><title>tilewright</title>") == nil)
    }

    @Test("there is no page without tiles")
    func empty() {
        #expect(ViewerPage.html([], title: nil, library: .hosted) == nil)
        for tilesets in [[], [Self.tree(metadata(limits: []))]] {
            let building = ViewerPage.Building(nil, floors: tilesets)
            #expect(ViewerPage.html([building], title: nil, library: .hosted) == nil)
        }
    }
}

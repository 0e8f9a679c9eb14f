import Platform
import Foundation
import TestSupport
import Testing
import TilewrightKit
import Tiling

/// Finished tilesets: copies, checks, pages and snippets.
struct StoredTilesetTests {
    private let site: Site

    init() throws { site = try Site() }

    /// A site with a tileset in each container.
    private func build(_ outputs: [String]) async throws {
        for output in outputs { _ = try await TilesetBuild(site.request(output)).run() }
    }

    private func tiles(_ path: String) throws -> [TileCoordinate: [UInt8]] {
        var tiles: [TileCoordinate: [UInt8]] = [:]
        try StoredTileset(path).forEachTile { tiles[$0.coordinate] = $0.bytes }
        return tiles
    }

    @Test(
        "A folder is a tileset, and so is an archive by its name; any other path is an image",
        arguments: [
            ("folder/", true), ("folder", true), ("scan.png/", true), ("no.pmtiles", true),
            ("No.MBTiles", true), ("plan.png", false), ("no.tif", false), ("nothing", false),
            ("@list", false),
        ])
    func tilesetOrImage(name: String, isTileset: Bool) throws {
        for folder in ["folder", "scan.png"] { try site.write([1], to: folder + "/1") }
        #expect(StoredTileset.isTileset(site.path(name)) == isTileset)
    }

    @Test(
        "A copy holds the same tiles, in any container",
        arguments: [("out", "a.pmtiles"), ("out.mbtiles", "a"), ("out.pmtiles", "a.mbtiles")])
    func copies(input: String, output: String) async throws {
        try await build([input])
        var request = ConversionRequest(site.path(input), to: site.path(output))
        request.labels.name = "another name"
        let conversion = try TilesetConversion(request)
        let summary = try conversion.run()
        #expect(summary.added.count == conversion.tileCount)
        #expect(try tiles(site.path(input)) == tiles(site.path(output)))
        #expect(try StoredTileset(site.path(output)).metadata.name == "another name")
        var done: [Int] = []
        #expect(try TilesetConversion(request).run { done.append($0) }.isEmpty)
        #expect(done.last == conversion.tileCount)
    }

    @Test("Folders of other programs are copied; other folders are refused with the reason")
    func foreign() async throws {
        try await build(["out"])
        let source = try tiles(site.path("out"))
        for (tile, bytes) in source {
            try site.write(bytes, to: "theirs/\(tile.zoom)/\(tile.column)/\(tile.row).png")
        }
        _ = try TilesetConversion(ConversionRequest(site.path("theirs"), to: site.path("copy"))).run()
        #expect(try tiles(site.path("copy")) == source)
        let tile = try #require(source.first)
        let webp = Array("RIFF\u{0}\u{0}\u{0}\u{0}WEBPVP8 ".utf8)
        let cases: [(String, [UInt8], String)] = [
            ("text", Array("no image".utf8), "is not a PNG, JPEG or WebP"),
            ("mixed", webp, "its tiles are png and webp"),
        ]
        for (folder, second, words) in cases {
            try site.write(tile.value, to: "\(folder)/3/1/1.png")
            try site.write(second, to: "\(folder)/3/1/2.png")
            expectRefusal(.badInput, words) {
                try TilesetConversion(ConversionRequest(site.path(folder), to: site.path("c")))
            }
        }
    }

    @Test(
        "A contradictory request for a copy is refused",
        arguments: [
            ("itself", "into itself"), ("types", "its tiles are PNG or JPEG, and PMTiles has"),
            ("template", "--template does not apply to MBTiles"),
            ("floor", "--floor does not apply to"), ("scheme", "--in-scheme does not apply to"),
            ("told", "its TileJSON states"), ("url", "has a query"), ("fragment", "has a fragment"),
            ("blank", "contains a space"),
        ].some(3))
    func refusedCopies(what: String, words: String) async throws {
        let encoding = TileEncoding(what == "types" ? .auto : .png)
        let input = ["floor", "scheme"].contains(what) ? "out.pmtiles" : "out"
        var build = site.request(input, encoding: encoding)
        if what == "types" {
            // Tiles inside are opaque, but tiles at the edges are not.
            build.pyramid.zoom = ZoomRange(zoom: 19)
        }
        _ = try await TilesetBuild(build).run()
        var request = ConversionRequest(site.path(input), to: site.path("copy"))
        switch what {
        case "itself": request.output = site.path("out/")
        case "types": request.output = site.path("copy.pmtiles")
        case "template":
            request.output = site.path("copy.mbtiles")
            request.template = "{z}-{x}-{y}.{ext}"
        case "floor": request.floor = "1"
        case "scheme", "told": request.inScheme = .tms
        case "url": request.url = "https://example.org/?a=b"
        case "fragment": request.url = "https://example.org/#a"
        default: request.url = "https://example.org/a b"
        }
        expectRefusal(.usage, words) { try TilesetConversion(request) }
    }

    @Test("A missing tile and a damaged tile are faults")
    func faults() async throws {
        try await build(["out"])
        let all = try tiles(site.path("out")).keys.sorted()
        let names = all.map { "out/\($0.zoom)/\($0.column)/\($0.row).png" }
        try FileManager.default.removeItem(atPath: site.path(names[0]))
        try site.write(site.bytes(names[1]).dropLast(9), to: names[1])
        var faults = 0
        var began: [Int] = []
        var checked: [TilesetCheck.Checked] = []
        let summary = try TilesetCheck(site.path("out")).run { event in
            switch event {
            case .began(let count): began.append(count)
            case .fault: faults += 1
            case .checked(let one): checked.append(one)
            case .progressed, .ended, .warning: break
            }
        }
        #expect(faults >= 2 && summary.faults == faults)
        #expect(began == [all.count] && summary.tiles == all.count)
        #expect(checked.map(\.summary) == [summary] && checked[0].path == site.path("out"))
    }

    @Test("A folder without tiles cannot be shown or copied")
    func empty() throws {
        let json = "{\"tilejson\": \"3.0.0\", \"tiles\": [\"{z}/{x}/{y}.png\"]}"
        try site.write(json.utf8, to: "empty/tilejson.json")
        let path = site.path("empty")
        expectRefusal(.badInput, "it has no tiles") { try TilesetPage([path]) }
        expectRefusal(.badInput, "it has no tiles") { try TilesetSnippet(path, for: .maplibre) }
        expectRefusal(.badInput, "it holds no tiles") {
            try TilesetConversion(ConversionRequest(path, to: site.path("copy")))
        }
    }

    @Test("A folder in whose template several tiles have one address is refused")
    func address() throws {
        let json = "{\"tilejson\": \"3.0.0\", \"tiles\": [\"{z}/{x}.png\"]}"
        try site.write(json.utf8, to: "a/tilejson.json")
        expectRefusal(.badInput, "cannot read '\(site.path("a"))'") { try StoredTileset(site.path("a")) }
    }

    @Test("An archive whose directory is empty is refused, but can be checked")
    func emptyArchive() throws {
        try site.write(Self.emptyArchive, to: "a.pmtiles")
        let path = site.path("a.pmtiles")
        expectRefusal(.badInput, "its root directory is empty") { try StoredTileset(path) }
        let summary = try TilesetCheck(path).run { _ in }
        #expect(summary.tiles == 0 && summary.faults > 0)
    }

    /// By the specification of PMTiles 3: a header of 127 bytes, a root directory of no entries, and
    /// metadata of no members, none of them compressed.
    private static var emptyArchive: [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(value >> (8 * $0) & 255) } }
        var bytes = Array("PMTiles".utf8) + [3]
        for section in [(127, 1), (128, 2), (130, 0), (130, 0)] {
            bytes += number(section.0) + number(section.1)
        }
        bytes += [UInt8](repeating: 0, count: 24) + [1, 1, 1, 2, 0, 0]
        return bytes + [UInt8](repeating: 0, count: 25) + [0] + Array("{}".utf8)
    }

    @Test("A page lists floors by their numbers, the uppermost first, and then others")
    func floors() async throws {
        for floor in ["1", "-1", "10", "roof", "attic", nil] {
            var request = site.request(zoom: 16...16)
            request.output.floor = floor
            if floor != nil { request.output.template = "{floor}/{z}/{x}/{y}.{ext}" }
            request.output.labels.name = "storey \(floor ?? "none")"
            _ = try await TilesetBuild(request).run()
        }
        let page = try TilesetPage([site.path("out/")])
        #expect(page.path == site.path("out/index.html"))
        try page.write()
        #expect(try TilesetPage([site.path("out")]).path == page.path)
        let text = try site.text("out/index.html")
        let order = ["10", "1", "-1", "none", "attic", "roof"].map { "\"storey \($0)\"" }
        let places = order.compactMap { text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == order.count && places == places.sorted())
    }

    @Test("A page is in a folder or next to an archive, and does not overwrite other programs' pages")
    func pages() async throws {
        try await build(["out", "out.pmtiles", "out.mbtiles"])
        #expect(try TilesetPage([site.path("out")]).path == site.path("out/index.html"))
        let page = try TilesetPage([site.path("out.pmtiles")])
        #expect(page.path == site.path("out.html"))
        try site.write("somebody's".utf8, to: "out.html")
        expectRefusal(.outputRefused, "the page there was not made by tilewright") { try page.write() }
        try page.write(force: true)
        try page.write()
        #expect(try site.text("out.html").contains("tilewright"))
        let both = [site.path("out"), site.path("out.pmtiles")]
        #expect(try TilesetPage(both, at: site.path("both.htm")).path == site.path("both.htm"))
        expectRefusal(.usage, "there is no default page for several tilesets") { try TilesetPage(both) }
        expectRefusal(.usage, "the page is an HTML file") { try TilesetPage(both, at: site.path("both")) }
        expectRefusal(.badInput, "browsers cannot read MBTiles") {
            try TilesetPage([site.path("out.mbtiles")])
        }
        expectRefusal(.missingInput, "there is no such file") {
            try TilesetPage([site.path("out")], assets: site.path("out/"))
        }
        try site.write("no map".utf8, to: "leaflet.js")
        expectRefusal(.badInput, "it is not Leaflet 1") {
            try TilesetPage([site.path("out")], assets: site.path(""))
        }
    }

    @Test("A snippet of tiles inside an app has their path there, if its client can read them")
    func localSnippets() async throws {
        try await build(["out", "out.pmtiles", "out.mbtiles"])
        func snippet(_ path: String, _ client: SnippetClient, _ local: String = "") throws -> TilesetSnippet {
            var options = SnippetOptions()
            options.local = local
            return try TilesetSnippet(site.path(path), for: client, options: options)
        }
        for path in ["out", "out.pmtiles", "out.mbtiles"] {
            for client in [SnippetClient.iosSwift, .mapkitSwift, .androidKotlin] {
                let code = try snippet(path, client)
                #expect(code.warning == nil && code.text.contains(path) && !code.text.contains("https://"))
                #expect(try snippet(path, client, "maps/plan").text.contains("maps/plan"))
            }
        }
        expectRefusal(.usage, "leaflet cannot read MBTiles inside the app") {
            try snippet("out.mbtiles", .leaflet)
        }
        expectRefusal(.usage, "print the code for ios-swift") { try snippet("out", .iosObjC) }
        var options = SnippetOptions()
        (options.local, options.url) = ("", "https://a.org")
        expectRefusal(.usage, "--url and --local exclude each other") {
            try TilesetSnippet(site.path("out"), for: .leaflet, options: options)
        }
        options = SnippetOptions()
        options.scale = 3
        let native = try TilesetSnippet(site.path("out"), for: .reactNativeMaps, options: options)
        #expect(native.text.contains("tileSize={768}"))
        expectRefusal(.usage, "it fits every display") {
            try TilesetSnippet(site.path("out"), for: .iosSwift, options: options)
        }
        options = SnippetOptions()
        options.isPage = true
        expectRefusal(.usage, "--page is for google-js, leaflet, maplibre, openlayers") {
            try TilesetSnippet(site.path("out"), for: .iosSwift, options: options)
        }
    }

    @Test("A snippet has the given address, or an example with a warning")
    func snippets() async throws {
        try await build(["out", "out.pmtiles", "out.mbtiles"])
        func snippet(_ path: String, for client: SnippetClient, url: String) throws -> TilesetSnippet {
            var options = SnippetOptions()
            options.url = url
            return try TilesetSnippet(site.path(path), for: client, options: options)
        }
        let told = try snippet("out", for: .leaflet, url: "https://tiles.example/{z}/{x}/{y}.png")
        #expect(told.warning == nil && told.text.contains("https://tiles.example/{z}/{x}/{y}.png"))
        let open = try TilesetSnippet(site.path("out"), for: .openlayers)
        #expect(open.warning?.contains("is an example: replace it, or give --url") == true)
        for (archive, client) in [("out.mbtiles", SnippetClient.maplibre), ("out.pmtiles", .iosObjC)] {
            let served = try TilesetSnippet(site.path(archive), for: client)
            #expect(served.warning?.hasSuffix("the client needs a server that reads the archive") == true)
        }
        let read = try snippet("out.pmtiles", for: .maplibre, url: "https://a.example/b.pmtiles?token=1")
        #expect(read.warning == nil && read.text.contains("https://a.example/b.pmtiles?token=1"))
        expectRefusal(.usage, "needs {z}, {x} and {y}") {
            try snippet("out", for: .leaflet, url: "https://a.example/{z}")
        }
        for url in ["file:///tiles", "bundle:tiles", "ASSET:tiles"] {
            expectRefusal(.usage, "is an address on a server") { try snippet("out", for: .leaflet, url: url) }
        }
        expectRefusal(.usage, "an archive holds one tileset") {
            try TilesetSnippet(site.path("out.pmtiles"), for: .leaflet, floor: "1")
        }
        expectRefusal(.missingInput, "there is no such folder") {
            try TilesetSnippet(site.path("none"), for: .leaflet)
        }
    }
}

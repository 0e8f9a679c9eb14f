import TestSupport
import Testing
import Tilesets
import Tiling

@testable import Publishing

@Suite struct SnippetTests {
    private static let tilesets: [TilesetMetadata] = [
        metadata(), metadata(scheme: .tms, tileSize: 512), metadata(template: "q/{quadkey}.png"),
        metadata(floor: "-1", name: hostileText), fiji(),
        metadata(name: "__LIMITS__", contents: TilesetContents(tileCount: 3, digest: "0123456789")),
    ]

    @Test("no placeholder is left, no two blank lines follow", arguments: SnippetClient.allCases)
    func placeholders(client: SnippetClient) throws {
        for tileset in Self.tilesets {
            for url in ["https://a.org/t", nil] {
                let code = try snippet(tileset, for: client, url: url)
                #expect(!code.replacing("\"__LIMITS__\"", with: "").contains("__"))
                #expect(!code.contains("\n\n\n"))
                #expect(code.hasSuffix("\n") && !code.hasSuffix("\n\n"))
                #expect(code.contains("REPLACE") == (url == nil) || client == .maplibreStyle)
                // With the package or the module; limits take a line for two zooms.
                #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count <= 81)
            }
        }
    }

    @Test("a tileset without tiles has no code")
    func empty() {
        let address = ClientAddress(ofTree: metadata(), url: nil)
        #expect(ClientSnippet(metadata(limits: []), for: .leaflet, at: address) == nil)
    }

    @Test(
        "addresses are made as each language does it",
        arguments: [
            (.iosSwift, #""https://a.org/t/\(zoom)/\(x)/\(y).png""#),
            (.mapkitSwift, #"tiles: "https://a.org/t/{z}/{x}/{y}.png","#),
            (.androidKotlin, #""https://a.org/t/{z}/{x}/{y}.png""#),
            (.googleJS, #"tiles: "https://a.org/t/{z}/{x}/{y}.png""#),
            (.maplibreStyle, #""tiles": ["https://a.org/t/{z}/{x}/{y}.png"]"#),
            (.flutterMap, #"urlTemplate: "https://a.org/t/{z}/{x}/{y}.png""#),
            (.reactNativeMaps, #"urlTemplate={"https://a.org/t/{z}/{x}/{y}.png"}"#),
            (.leaflet, #""https://a.org/t/{z}/{x}/{y}.png""#),
            (.maplibre, #"["https://a.org/t/{z}/{x}/{y}.png"]"#),
            (.openlayers, #"url: "https://a.org/t/{z}/{x}/{y}.png""#),
            (
                .iosObjC,
                #"stringWithFormat:@"https://a.org/t/%lu/%lu/%lu.png", (unsigned long)zoom,"#
            ),
        ] as [(SnippetClient, String)])
    func address(client: SnippetClient, expression: String) throws {
        #expect(try snippet(metadata(), for: client).contains(expression))
    }

    /// Row `y` of XYZ is `2^z - 1 - y` in the Tile Map Service.
    @Test(
        "rows from the south are a setting of the client if it has one, otherwise computed",
        arguments: [
            (.iosSwift, #"\((1 << zoom) - 1 - y)"#), (.mapkitSwift, "/{-y}.png"),
            (.iosObjC, "(unsigned long)(((NSUInteger)1 << zoom) - 1 - y)"),
            (.androidKotlin, "/{-y}.png"), (.googleJS, #"scheme: "tms""#),
            (.maplibreStyle, #""scheme": "tms""#), (.flutterMap, "tms: true"),
            (.reactNativeMaps, "flipY={true}"),
            (.leaflet, "tms: true,"), (.maplibre, #"scheme: "tms","#), (.openlayers, "/{-y}.png"),
        ] as [(SnippetClient, String)])
    func tms(client: SnippetClient, code: String) throws {
        #expect(try snippet(metadata(scheme: .tms), for: client).contains(code))
        #expect(try !snippet(metadata(), for: client).contains(code))
        let address = "https://b.org/{z}/{x}/{-y}.png"
        #expect(try snippet(metadata(), for: client, url: address).contains(code))
    }

    @Test("a quadkey is computed if the client does not support it", arguments: SnippetClient.allCases)
    func quadkey(client: SnippetClient) throws {
        let code = try snippet(metadata(template: "{quadkey}.png"), for: client)
        let computed: [SnippetClient] = [.iosSwift, .iosObjC, .leaflet, .openlayers]
        #expect(code.contains("0 NW, 1 NE, 2 SW, 3 SE") == computed.contains(client))
        #expect(try !snippet(metadata(), for: client).contains("uadkey"))
        #expect(!code.contains("=>,"), "one comma stands behind several lines")
    }

    @Test("a quadkey is that of the row from the north, whatever the scheme")
    func quadkeyOfTMS() throws {
        for client in [SnippetClient.leaflet, .maplibre] {
            let code = try snippet(metadata(scheme: .tms, template: "{quadkey}.png"), for: client)
            #expect(!code.contains("tms"))
        }
        let both = metadata(scheme: .tms, template: "{y}/{quadkey}.png")
        let code = try snippet(both, for: .leaflet)
        #expect(code.contains("/{-y}/{quadkey}.png") && !code.contains("tms: true"))
    }

    /// The last zoom is 14; Leaflet enlarges by itself, and counts zooms from the tiles'.
    @Test(
        "tiles are enlarged by three zooms, or up to the zoom that is given",
        arguments: [
            (.androidKotlin, ["17", "setMaxZoomPreference(17.0f)"]),
            (.googleJS, ["PlanTilesLayer(archivePlanTiles, 17)", "    maxZoom: 17,\n    // These"]),
            (.mapkitSwift, ["enlargedTo: 17)", "minCenterCoordinateDistance: distance(zoom: 17,"]),
            (.flutterMap, ["maxNativeZoom: 14,", "maxZoom: 17,"]),
            (.reactNativeMaps, ["maximumNativeZ={14}", "maximumZ={17}"]),
            (.leaflet, ["maxNativeZoom: 14,\n    maxZoom: 17,", "setMaxZoom(17)"]),
            // Its zooms are one less.
            (.maplibre, ["maxzoom: 14", "setMaxZoom(16)"]), (.openlayers, ["maxZoom: 14,", "maxZoom: 17,"]),
        ] as [(SnippetClient, [String])])
    func enlarges(client: SnippetClient, parts: [String]) throws {
        let code = try snippet(metadata(), for: client)
        for part in parts { #expect(code.contains(part), "\(part)") }
        let farther = try snippet(metadata(), for: client, enlargeTo: 19)
        let off = try snippet(metadata(), for: client, enlargeTo: 14)
        for part in parts {
            #expect(farther.contains(part.replacing("17", with: "19").replacing("(16)", with: "(18)")))
            #expect(off.contains(part.replacing("17", with: "14").replacing("(16)", with: "(13)")))
        }
    }

    @Test("the SDK's layer of addresses enlarges nothing, and the library's as far as is asked")
    func short() throws {
        let short = try snippet(metadata(), for: .iosSwift)
        #expect(short.contains("GMSURLTileLayer(urlConstructor: url)") && short.contains("maxZoom: 14)"))
        #expect(!short.contains("TilewrightTiles"))
        let long = try snippet(metadata(), for: .iosSwift, enlargeTo: 19)
        #expect(long.contains("import TilewrightTiles") && long.contains(": GMSTileLayer {"))
        #expect(long.contains("enlargedTo: 19)") && long.contains("maxZoom: 19)"))
        #expect(try snippet(metadata(), for: .iosObjC, enlargeTo: 19).contains("maxZoom:14]"))
    }

    @Test("tiles inside the app have an address there, and their layer answers at once")
    func local() throws {
        for (isArchive, opening) in [
            (false, #"tiles: "maps/a%20b/{z}/{x}/{y}.png", in: Bundle.main.resourceURL,"#),
            (true, #"URL(string: "maps/a%20b", relativeTo: Bundle.main.resourceURL)!,"#),
        ] {
            let address = ClientAddress(local: "maps/a b", isArchive: isArchive, metadata())
            let code = try #require(ClientSnippet(metadata(), for: .iosSwift, at: address)).text
            #expect(code.contains(opening) && code.contains(": GMSSyncTileLayer {"))
            let kotlin = try #require(ClientSnippet(metadata(), for: .androidKotlin, at: address)).text
            #expect(kotlin.contains("\"asset:maps/a%20b") || kotlin.contains("\"asset:maps/a b"))
            let style = try #require(ClientSnippet(metadata(), for: .maplibreStyle, at: address)).text
            #expect(style.contains(isArchive ? "\"pmtiles://asset://maps/" : "\"asset://maps/"))
        }
    }

    /// Tile 3/3/5 of 45 degrees, in a view of 390 points with 64 at each edge: log2(262 / 256 * 360 / 45), or
    /// 3.033, is the zoom, and the middle between 40.98 and 66 degrees south on Mercator's map is at 55.41.
    @Test(
        "the camera shows all of the tileset, and is limited to it",
        arguments: [
            (.iosSwift, ["latitude: -55.41", "longitude: -22.5, zoom: 3)", "setMinZoom(3, maxZoom: 3)"]),
            (.iosObjC, ["Latitude:-55.41", "zoom:3]", "setMinZoom:3 maxZoom:3]"]),
            (.maplibreStyle, ["\"center\": [-22.5, -55.41", "\"zoom\": 2.03,"]),
            (.androidKotlin, ["LatLng(-55.41", "(target, 3.03f)", "setMinZoomPreference(3.0f)"]),
            (.googleJS, ["west: -45, south: -66, east: 0, north: -40.979", "minZoom: 3,\n    maxZoom: 6,"]),
            (
                .mapkitSwift,
                [
                    "let latitude: Double = -55.41", "distance(zoom: 6, at: latitude, in: mapView)",
                    "distance(zoom: 3, at: latitude, in: mapView)",
                ]
            ),
            (.leaflet, ["[[-66, -45], [-40.979", "setMinZoom(3)"]),
            (.maplibre, ["[-45, -66, 0, -40.979", "setMinZoom(2)"]),
            (.openlayers, ["[-45, -66, 0, -40.979", "minZoom: 3,\n    maxZoom: 6,"]),
        ] as [(SnippetClient, [String])])
    func camera(client: SnippetClient, parts: [String]) throws {
        let tileset = metadata(
            bounds: BoundingBox(minX: -45, minY: -66, maxX: 0, maxY: -40),
            limits: [TileRange(zoom: 3, columns: 3...3, rows: 5...5)])
        let code = try snippet(tileset, for: client)
        for part in parts {
            #expect(code.replacing(",\n            longitude", with: ", longitude").contains(part), "\(part)")
        }
    }

    @Test(
        "a map of the whole world has limits that its client can express", arguments: SnippetClient.allCases)
    func world(client: SnippetClient) throws {
        let tileset = metadata(
            bounds: BoundingBox(minX: -180, minY: -85, maxX: 180, maxY: 85),
            limits: [TileRange(zoom: 0, columns: 0...0, rows: 0...0)])
        let code = try snippet(tileset, for: client)
        switch client {
        case .iosSwift, .iosObjC: #expect(!code.contains("cameraTargetBounds"))
        case .androidKotlin: #expect(code.contains("LatLng(85.0, 179.9999999)"))
        case .googleJS: #expect(code.contains("east: 180,"))
        default: #expect(code.contains("180"))
        }
    }

    @Test(
        "tiles of 512 pixels are drawn sharper; a comment explains the alternative",
        arguments: [
            (.iosSwift, "tileSize = Int(256 * ", nil), (.iosObjC, "tileSize = 256 * ", nil),
            (.mapkitSwift, "tileSize: 512,", nil),
            (.googleJS, "Size(256, 256);", "Size(512, 512)"),
            (.leaflet, "tileSize: 256,", "tileSize: 512, zoomOffset: -1"),
            (.leaflet, "maxNativeZoom: 14,", "maxNativeZoom: 15,"),
            (.maplibre, "tileSize: 256,", "512 they are shown larger"),
            (.openlayers, "tilePixelRatio: 2,", "tileSize: 512"),
        ] as [(SnippetClient, String, String?)])
    func tileSize(client: SnippetClient, setting: String, other: String?) throws {
        let code = try snippet(metadata(tileSize: 512), for: client)
        let (comments, lines) = code.split(separator: "\n").reduce(into: ("", "")) { parts, line in
            let isComment = line.drop { $0 == " " }.hasPrefix("//")
            if isComment { parts.0 += line + "\n" } else { parts.1 += line + "\n" }
        }
        #expect(lines.contains(setting))
        if let other { #expect(comments.contains(other)) }
    }

    @Test(
        "across the antimeridian there are two ranges of columns, and the area is the smaller part",
        arguments: [
            (.iosSwift, ["[7, 127, 69, 127, 70], [7, 0, 69, 0, 70],", ": 177.1875)"]),
            (.iosObjC, ["{7, 127, 69, 127, 70}, {7, 0, 69, 0, 70},", "-177.1875)"]),
            (.androidKotlin, ["LatLng(-16.0, -177.1875)"]),
            (.googleJS, ["[7, 0, 69, 0, 70],", "west: 177.1875", "east: -177.1875"]),
            (.maplibreStyle, ["[-180, -17, 180, -16]"]),
            (.leaflet, ["[[-17, 177.1875], [-16, 182.8125]]"]),
            (
                .maplibre,
                [
                    #"add("plan", [177.1875, -17, 180, -16]);"#,
                    #"add("plan-east", [-180, -17, -177.1875, -16]);"#,
                ]
            ),
            (.openlayers, ["[177.1875, -17, 182.8125, -16]"]),
        ] as [(SnippetClient, [String])])
    func antimeridian(client: SnippetClient, parts: [String]) throws {
        let code = try snippet(fiji(), for: client)
        for part in parts { #expect(code.contains(part), "\(part)") }
    }

    /// At zoom 14, mercantile has column 8715 from 11.49169921875 and row 5670 up to 48.37084770.
    @Test("a client's area never exceeds the tiles, whatever the bounds are")
    func tilesOnly() throws {
        let wide = BoundingBox(minX: 11, minY: 48.3, maxX: 11.55, maxY: 49)
        let code = try snippet(metadata(bounds: wide), for: .leaflet)
        #expect(code.contains("bounds: [[48.3, 11.4916993], [48.3708477, 11.55]],"))
        let elsewhere = BoundingBox(minX: 5, minY: 5, maxX: 6, maxY: 6)
        let other = try snippet(metadata(bounds: elsewhere), for: .leaflet)
        #expect(other.contains("[48.3708477, 11.6015625]],"))
    }

    @Test("an update has another address, so that no cache serves old tiles")
    func version() throws {
        let contents = TilesetContents(tileCount: 3, digest: "0123456789abcdef")
        let tileset = metadata(contents: contents)
        #expect(try snippet(tileset, for: .leaflet).contains(".png?v=01234567\""))
        let url = "https://a.org/{z}/{x}/{y}?key=1"
        #expect(try snippet(tileset, for: .leaflet, url: url).contains("?key=1&v=01234567\""))
    }

    @Test("MapLibre opens an archive; for others its tiles come from a server")
    func archives() throws {
        var tileset = metadata()
        tileset.template = ""
        let archive = ClientAddress(ofArchive: tileset, name: "a b.pmtiles", url: "https://a.org")
        let code = try #require(ClientSnippet(tileset, for: .maplibre, at: archive)).text
        #expect(code.contains(#""pmtiles://" + "https://a.org/a%20b.pmtiles""#))
        let served = try ClientAddress(ofServed: tileset, name: "plan", url: nil)
        let leaflet = try #require(ClientSnippet(tileset, for: .leaflet, at: served)).text
        #expect(leaflet.contains("\"https://example.org/plan/{z}/{x}/{y}.png\""))
        #expect(leaflet.contains("REPLACE"))
        #expect(throws: (any Error).self) {
            try ClientAddress(ofServed: tileset, name: "plan", url: "https://a.org/plan.pmtiles")
        }
    }

    /// The escapes of each language's own grammar.
    @Test(
        "texts are escaped for the language",
        arguments: [
            (.leaflet, #""\"\\ \`\${x} \x3C/script> \u2028\u0000""#),
            (.googleJS, #""\"\\ \`\${x} \x3C/script> \u2028\u0000""#),
        ] as [(SnippetClient, String)])
    func literals(client: SnippetClient, literal: String) throws {
        var tileset = metadata(name: "\"\\ `${x} </script> \u{2028}\0")
        tileset.attribution = tileset.name
        #expect(try snippet(tileset, for: client).contains(literal))
    }

    @Test(
        "addresses are escaped for the language",
        arguments: [
            (.iosSwift, #""https://a.org/\"\u{0}$\\\(zoom)"#),
            (.iosObjC, #"@"https://a.org/\"\000$\\%lu"#),
            (.androidKotlin, #""https://a.org/\"\u0000\$\\{z}"#),
            (.flutterMap, #""https://a.org/\"\u{0}\$\\{z}"#),
            (.maplibreStyle, #""https://a.org/\"\u0000$\\{z}"#),
        ] as [(SnippetClient, String)])
    func addressLiterals(client: SnippetClient, literal: String) throws {
        let url = "https://a.org/\"\0$\\{z}/{x}/{y}"
        #expect(try snippet(metadata(), for: client, url: url).contains(literal))
    }

    @Test("percent signs of an address are not a format", arguments: [SnippetClient.iosObjC])
    func percent(client: SnippetClient) throws {
        let code = try snippet(metadata(template: "é/{z}/{x}/{y}.png"), for: client)
        #expect(code.contains("/%%C3%%A9/%lu"))
    }

    @Test(
        "a title is one line, and ends no script element",
        arguments: SnippetClient.allCases.filter { $0 != .maplibreStyle })
    func title(client: SnippetClient) throws {
        let code = try snippet(metadata(name: hostileText), for: client)
        let first = try #require(code.split(separator: "\n").first)
        #expect(first.hasPrefix("// \"") && first.contains("end\\\": "))
        #expect(!code.contains("</script"))
    }

    /// Addresses that a user can give, and what they are the addresses of.
    static let archiveAddresses: [(url: String?, address: ClientAddress)] = [
        ("https://a.org/t", ClientAddress(text: "https://a.org/t/a%20b.pmtiles", kind: .archive)),
        ("https://a.org/t/", ClientAddress(text: "https://a.org/t/a%20b.pmtiles", kind: .archive)),
        ("https://a.org/c.pmtiles", ClientAddress(text: "https://a.org/c.pmtiles", kind: .archive)),
        ("https://a.org/get?id=7", ClientAddress(text: "https://a.org/get?id=7", kind: .archive)),
        ("https://a.org/{z}/{x}/{y}.png", ClientAddress(text: "https://a.org/{z}/{x}/{y}.png")),
        ("https://a.org/{quadkey}", ClientAddress(text: "https://a.org/{quadkey}")),
        (nil, ClientAddress(text: "https://example.org/a%20b.pmtiles", kind: .archive, isExample: true)),
    ]

    @Test("an address is of an archive, of its folder or of tiles", arguments: archiveAddresses)
    func archiveAddress(url: String?, address: ClientAddress) {
        #expect(ClientAddress(ofArchive: metadata(), name: "a b.pmtiles", url: url) == address)
    }

    @Test(
        "the credit is an option of the JavaScript clients that have one",
        arguments: [
            (.leaflet, #"attribution: "us""#), (.maplibre, #"attribution: "us""#),
            (.openlayers, #"attributions: "us""#), (.googleJS, "Credit on the map: us ."),
        ] as [(SnippetClient, String)])
    func credit(client: SnippetClient, code: String) throws {
        var tileset = metadata()
        #expect(try !snippet(tileset, for: client).contains(code))
        tileset.attribution = "us"
        #expect(try snippet(tileset, for: client).contains(code))
    }

    @Test(
        "only capital letters between two underscores on each side are a placeholder",
        arguments: [
            ("__A__", "1"), ("__init__ = __A__;", "__init__ = 1;"), ("____A", "____A"),
            ("x __ y __A__", "x __ y 1"), ("__A", "__A"), ("// __B__,", "// 2\n// 3,"), ("__C__", ""),
        ])
    func template(text: String, filled: String) {
        let template = SourceTemplate(text)
        #expect(template.filled(["A": ["1"], "B": ["2", "3"], "C": []]) == filled)
    }
}

import Foundation
import TestSupport
import Testing

/// The command `share`: what is in its file, how large it may be, and where it finds Leaflet.
@Suite struct ShareCommandTests {
    private let workshop: Workshop

    init() throws {
        workshop = try Workshop()
        try addLeaflet(in: "lib", "own")
    }

    private func addLeaflet(in folder: String, _ mark: String) throws {
        try FileManager.default.createDirectory(
            at: workshop.file(folder), withIntermediateDirectories: true)
        try workshop.write("L.version=\"1.9.4\",L.tileLayer='\(mark)'".utf8, to: "\(folder)/leaflet.js")
        try workshop.write(".leaflet-pane { left: 0 }".utf8, to: "\(folder)/leaflet.css")
    }

    private func share(_ arguments: [String]) throws -> Tool.Outcome {
        try workshop.run(["share", "-o", "page.html", "--viewer-assets", "lib"] + arguments)
    }

    private func text(_ name: String = "page.html") throws -> String {
        try String(contentsOf: workshop.file(name), encoding: .utf8)
    }

    /// The elements with tiles: their ids and texts.
    private func elements() throws -> [String: String] {
        let matches = try text().matches(of: /<script type="text\/plain" id="([0-9\/]+)">([^<]*)<\/script>/)
        return Dictionary(matches.map { (String($0.1), String($0.2)) }) { one, _ in one }
    }

    @Test("the file holds the tiles of any container byte by byte, equal ones once, and is always the same")
    func contents() throws {
        var plain = Picture(width: 900, height: 600, colour: (200, 220, 240, 255))
        plain.fill(0..<40, 0..<40, (10, 20, 30, 255))
        try plain.write(to: workshop.path("plan.png"))
        try workshop.build(["--name", "Plan", "--zoom", "16-19"])
        for archive in ["out.mbtiles", "out.pmtiles"] {
            try Program.succeed(["convert", "out", archive], in: workshop.url)
        }
        let outcome = try share(["out"])
        #expect(outcome.status == 0 && outcome.output == "page.html\n", "\(outcome.errors)")
        let bytes = try Data(contentsOf: workshop.file("page.html"))
        let elements = try elements()
        let tiles = try Snapshot(of: workshop.file("out")).tiles
        #expect(elements.count == tiles.count && tiles.count > 30)
        for (name, tile) in tiles {
            let own = try #require(elements["0/" + name.prefix { $0 != "." }])
            let content = own.first == "=" ? try #require(elements[String(own.dropFirst())]) : own
            #expect(content == "png;base64," + tile.base64EncodedString())
        }
        let once = Dictionary(grouping: tiles.keys) { name in
            "\(name.prefix { $0 != "/" }) \(tiles[name]?.base64EncodedString() ?? "")"
        }
        #expect(elements.values.count { $0.first != "=" } == once.count && once.count < tiles.count)
        for input in ["out", "out.mbtiles", "out.pmtiles"] {
            #expect(try share([input]).status == 0)
            #expect(try Data(contentsOf: workshop.file("page.html")) == bytes, "\(input)")
        }
        #expect(try !text().contains(workshop.path("")))
    }

    @Test("a page that is too large is refused with the zooms that fit, and those fit")
    func size() throws {
        try Picture.plan(width: 1500, height: 1000).write(to: workshop.path("plan.png"))
        try workshop.build(["--zoom", "14-19"])
        #expect(try share(["out"]).status == 0)
        let whole = try Data(contentsOf: workshop.file("page.html")).count
        let tiles = try elements().values.reduce(0) { $0 + $1.utf8.count }
        try FileManager.default.removeItem(at: workshop.file("page.html"))
        for limit in [whole - 1, whole - tiles / 2, whole - tiles * 9 / 10] {
            let refused = try share(["out", "--max-bytes", "\(limit)"])
            #expect(refused.status == 64 && !workshop.has("page.html"), "\(limit): \(refused.errors)")
            let named = try #require(refused.errors.firstMatch(of: /--zoom 14-(\d+) \(/))
            let last = try #require(Int(named.1))
            let fits = try share(["out", "--max-bytes", "\(limit)", "--zoom", "14-\(last)"])
            #expect(fits.status == 0, "\(fits.errors)")
            #expect(try Data(contentsOf: workshop.file("page.html")).count <= limit)
            try FileManager.default.removeItem(at: workshop.file("page.html"))
            #expect(try share(["out", "--max-bytes", "\(limit)", "--zoom", "14-\(last + 1)"]).status == 64)
            let larger = try #require(refused.errors.firstMatch(of: /--max-bytes (\d+M)\n/))
            #expect(try share(["out", "--max-bytes", String(larger.1)]).status == 0)
            try FileManager.default.removeItem(at: workshop.file("page.html"))
        }
        #expect(try share(["out", "--max-bytes", "\(whole)"]).status == 0)
        let nothing = try share(["out", "--max-bytes", "10K"])
        #expect(nothing.status == 64 && !nothing.errors.contains("--zoom"))
    }

    @Test("pages contain the system's Leaflet; share needs it, others load it from the web without it")
    func library() throws {
        try workshop.build()
        try addLeaflet(in: "share/javascript/leaflet", "the system's")
        func run(_ arguments: [String], _ folders: String) throws -> Tool.Outcome {
            try Program.run(arguments, environment: ["XDG_DATA_DIRS=\(folders)"], in: workshop.url)
        }
        let share = ["share", "out", "-o", "page.html"], viewer = ["viewer", "out", "-o", "look.html"]
        let missing = try run(share, "/nowhere")
        #expect(missing.status == 66 && missing.errors.contains("apt install libjs-leaflet"))
        #expect(missing.errors.contains("--viewer-assets"))
        #expect(try run(viewer, "/nowhere").status == 0)
        #expect(try text("look.html").contains("https://unpkg.com/leaflet@"))
        let found = "/nowhere:" + workshop.path("share")
        for (command, page) in [(share, "page.html"), (viewer, "look.html")] {
            #expect(try run(command, found).status == 0)
            let text = try text(page)
            #expect(text.contains("'the system's'") && !text.contains("unpkg.com"))
            #expect(text.contains("Volodymyr Agafonkin") && text.contains("THIS SOFTWARE IS PROVIDED"))
            #expect(try run(command + ["--viewer-assets", "lib"], found).status == 0)
            #expect(try self.text(page).contains("L.tileLayer='own'"))
        }
        try workshop.write("jQuery".utf8, to: "share/javascript/leaflet/leaflet.js")
        #expect(try run(share, found).status == 65)
        #expect(try run(viewer, found).status == 0)
    }

    @Test("a page loads nothing but the map that it is given")
    func background() throws {
        try workshop.build()
        let policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
        let loading = [
            ([], "data:"), (["--basemap", "none"], "data:"), (["--basemap", "openstreetmap"], "http"),
            (["--basemap", "https://e.org/{z}/{x}/{y}.png"], "http"),
        ]
        for (options, source) in loading {
            #expect(try share(["out"] + options).status == 0)
            let stated = try #require(text().firstMatch(of: policy)?.1)
            #expect(stated.hasPrefix("default-src 'none'; img-src data:"))
            #expect(stated.contains(source) && stated.contains("http") == (source == "http"))
        }
        #expect(try text().contains("\"basemap\": \"https://e.org/{z}/{x}/{y}.png\""))
    }

    @Test("one floor or all, and a floor without tiles at these zooms is left out")
    func floors() throws {
        try workshop.drawFloors()
        try workshop.write(Workshop.house(zoom: "15-17").utf8, to: "house.yaml")
        try Program.succeed(["house.yaml"], in: workshop.url)
        #expect(try share(["house.yaml"]).status == 0)
        let all = try elements()
        #expect(Set(all.keys.map { $0.prefix { $0 != "/" } }) == ["0", "1", "2"])
        #expect(try share(["tiles", "--floor", "B1", "--zoom", "17"]).status == 0)
        let one = try elements()
        #expect(!one.isEmpty && one.keys.allSatisfy { $0.hasPrefix("2/17/") })
        #expect(try text().contains("\"label\": \"Basement\"") && !text().contains("First floor"))
        let unknown = try share(["house.yaml", "--floor", "7"])
        #expect(unknown.status == 66 && unknown.errors.contains("'1', '0' and 'B1'"))
        try workshop.build(["--zoom", "14"], to: "low")
        let left = try share(["house.yaml", "low", "--zoom", "16-"])
        #expect(left.status == 0 && left.errors.contains("no tiles at these zooms"), "\(left.errors)")
        #expect(try share(["low", "--zoom", "16-"]).status == 65)
    }

    @Test("what cannot be shared is refused, and a page that share did not write stays")
    func refused() throws {
        try workshop.build()
        for (arguments, status, words) in [
            (["nowhere"], 66, "nowhere"), (["out", "--max-bytes", "1G"], 64, "256M"),
            (["out", "--basemap", "tiles/{z}/{x}/{y}.png"], 64, "--basemap"),
            (["out", "--basemap", "https://e.org/"], 64, "{z}"),
            (["out", "-o", "page.txt"], 64, ".html"), (["out", "-o", "nowhere/a.html"], 73, "cannot write"),
        ] {
            let outcome = try share(arguments)
            #expect(outcome.status == status && outcome.errors.contains(words), "\(arguments) \(outcome)")
        }
        #expect(try workshop.run(["share", "out"]).status == 64)
        try Program.succeed(["viewer", "out", "-o", "page.html"], in: workshop.url)
        let other = try share(["out"])
        #expect(other.status == 73 && other.errors.contains("tilewright viewer"))
        #expect(try share(["out", "--force"]).status == 0)
        let tile = try #require(Snapshot(of: workshop.file("out")).tiles.keys.sorted().last)
        try workshop.write("<svg onload='alert(1)'/>".utf8, to: "out/\(tile)")
        let damaged = try share(["out"])
        #expect(damaged.status == 65 && damaged.errors.contains("is not a PNG, JPEG or WebP"))
    }
}

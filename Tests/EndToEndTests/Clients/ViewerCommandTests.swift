import Foundation
import TestSupport
import Testing

/// The commands `viewer` and `snippet` on folders of tiles, and their errors.
@Suite struct ViewerCommandTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: workshop.file(name), encoding: .utf8)
    }

    @Test("the page of a folder is its index.html, and a later page replaces it")
    func index() throws {
        try workshop.build()
        for _ in 1...2 {
            let outcome = try workshop.run(["viewer", "out"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output == "out/index.html\n")
        }
        #expect(try text("out/index.html").contains("\"address\": \"{z}/{x}/{y}.png\""))
        // A later build leaves the page alone.
        try workshop.build(["--zoom", "16"])
        #expect(workshop.has("out/index.html"))
    }

    @Test("a page that tilewright did not write stays, unless --force is given")
    func foreign() throws {
        try workshop.build()
        try workshop.write("<!doctype html>".utf8, to: "out/index.html")
        let refused = try workshop.run(["viewer", "out"])
        #expect(refused.status == 73)
        #expect(refused.errors.contains("cannot write 'out/index.html'"))
        #expect(try text("out/index.html") == "<!doctype html>")
        #expect(try workshop.run(["viewer", "out", "--force"]).status == 0)
        #expect(try text("out/index.html").contains("tilewright"))
    }

    @Test("floors and folders share a page, the uppermost floor first", .long)
    func floors() throws {
        let template = ["--template", "L{floor}_{z}_{x}_{y}.{ext}"]
        for floor in ["-1", "0", "10", "2"] { try workshop.build(["--floor", floor] + template) }
        try workshop.build(to: "other place")
        try FileManager.default.createDirectory(
            at: workshop.file("pages"), withIntermediateDirectories: true)
        let outcome = try workshop.run(["viewer", "out", "other place", "-o", "pages/all.html"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let addresses = try text("pages/all.html").matches(of: /"address": "([^"]*)"/).map(\.1)
        #expect(
            addresses == ["10", "2", "0", "-1"].map { "../out/L\($0)_{z}_{x}_{y}.png" }
                + ["../other%20place/{z}/{x}/{y}.png"])
        let unnamed = try workshop.run(["viewer", "out", "other place"])
        #expect(unnamed.status == 64 && unnamed.errors.contains("name it with -o"))

        let snippet = try workshop.run(["snippet", "out", "--for", "leaflet"])
        #expect(snippet.status == 64)
        #expect(snippet.errors.contains("choose one with --floor: '-1', '0', '10' or '2'"))
        let lowest = try workshop.run(["snippet", "out", "--for", "leaflet", "--floor", "-1"])
        #expect(lowest.output.contains("L-1_{z}_{x}_{y}.png"))
    }

    @Test("the page of an archive is next to it; code for it uses a library, or needs a server")
    func archive() throws {
        try workshop.build(to: "plan.pmtiles")
        let outcome = try workshop.run(["viewer", "plan.pmtiles"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try text("plan.html").contains("\"archive\": \"plan.pmtiles\""))
        let url = ["--url", "https://a.org/plan.pmtiles"]
        let own = try workshop.run(["snippet", "plan.pmtiles", "--for", "maplibre"] + url)
        #expect(own.output.contains("\"pmtiles://\" + \"https://a.org/plan.pmtiles?v="))
        let library = try workshop.run(["snippet", "plan.pmtiles", "--for", "leaflet"] + url)
        #expect(library.output.contains("import { TileArchive } from \"./tilewright-tiles.js\";"))
        let other = try workshop.run(["snippet", "plan.pmtiles", "--for", "ios-objc"] + url)
        #expect(other.status == 64 && other.errors.contains("{z}/{x}/{y}"))
        let served = try workshop.run(["snippet", "plan.pmtiles", "--for", "ios-objc"])
        #expect(served.output.contains("@\"https://example.org/plan/%lu/%lu/%lu.png"))
        #expect(served.errors.contains("a server that reads the archive"))
        let floor = try workshop.run(
            ["snippet", "plan.pmtiles", "--for", "maplibre", "--floor", "1"])
        #expect(floor.status == 64)
    }

    @Test("Leaflet is put into the page from a folder, if it is Leaflet")
    func assets() throws {
        try workshop.build()
        let arguments = ["viewer", "out", "--viewer-assets", "lib"]
        #expect(try workshop.run(arguments).status == 66)
        try FileManager.default.createDirectory(
            at: workshop.file("lib"), withIntermediateDirectories: true)
        try workshop.write("let jQuery = '1.2.3'".utf8, to: "lib/leaflet.js")
        try workshop.write(".leaflet-pane { left: 0 }".utf8, to: "lib/leaflet.css")
        #expect(try workshop.run(arguments).status == 65)
        #expect(!workshop.has("out/index.html"))
        try workshop.write("L.version=\"1.9.4\",L.tileLayer=1".utf8, to: "lib/leaflet.js")
        #expect(try workshop.run(arguments).status == 0)
        #expect(try text("out/index.html").contains("L.tileLayer=1"))
    }

    @Test(
        "inputs that cannot be shown are refused with a remedy",
        arguments: ([
            (["viewer", "plan.mbtiles"], 65, "tilewright convert"),
            (["viewer", "nowhere"], 66, "no such folder"),
            (["viewer", "."], 65, "tilejson.json"),
            (["viewer", "out", "-o", "page.txt"], 64, "choose a name that ends in .html"),
            (["viewer", "out", "-o", "nowhere/page.html"], 73, "cannot write"),
            (["snippet", "out"], 64, "--for"),
            (["snippet", "out", "--for", "flutter"], 64, "maplibre"),
            (["snippet", "out", "--for", "leaflet", "--floor", "3"], 66, "it has no floor '3'"),
            (["snippet", "out", "--for", "leaflet", "--enlarge-to", "3"], 64, "below the last"),
            (["snippet", "out", "--for", "leaflet", "--enlarge-to", "31"], 64, "0 to 30"),
        ] as [([String], Int32, String)]).some(2))
    func refusals(arguments: [String], status: Int32, reason: String) throws {
        try workshop.build()
        let outcome = try workshop.run(arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("code has the address of the TileJSON, or of --url, else an example and a warning")
    func addresses() throws {
        try workshop.build()
        let example = try workshop.run(["snippet", "out", "--for", "leaflet"])
        #expect(example.output.contains("\"https://example.org/tiles/{z}/{x}/{y}.png?v="))
        #expect(example.errors.hasPrefix("warning: the address in the code is an example"))
        let url = ["--url", "https://a.org/b"]
        let given = try workshop.run(["snippet", "out", "--for", "leaflet"] + url)
        try workshop.build(url)
        let known = try workshop.run(["snippet", "out", "--for", "leaflet"])
        #expect(given.output.contains("\"https://a.org/b/{z}/{x}/{y}.png?v="))
        #expect(known.output == given.output)
        #expect(known.errors.isEmpty)
    }
}

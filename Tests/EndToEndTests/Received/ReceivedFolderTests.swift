import Foundation
import TestSupport
import Testing

/// Folders that ask for far more than what is in them explains.
@Suite struct ReceivedFolderTests {
    private let site: ReceivedSite

    init() throws { site = try ReceivedSite() }

    @Test("a list of files with more tiles than --max-tiles is refused", .long)
    func mostTiles() throws {
        let commands =
            ReceivedSite.readsTiles + ReceivedSite.reads("house") + [
                "place plan.png --over tiles -o place.html --force", "serve --listen 127.0.0.1:0 tiles",
                "serve --listen 127.0.0.1:0 house", "verify house.yaml",
            ]
        try site.refuseAll(commands.map { $0 + " --max-tiles 3" }, status: 64, "--max-tiles allows 3")
        // They go without looking at each.
        #expect(try site.run(["remove", "tiles", "--all", "--max-tiles", "3"]).status == 0)
    }

    @Test("a list of files that is a hole in a file is damaged, and not read")
    func hole() throws {
        let manifest = "tiles/.tilewright/tileset/manifest"
        try site.write([], to: manifest)
        let file = try FileHandle(forWritingTo: URL(filePath: site.path(manifest)))
        try file.truncate(atOffset: 1 << 40)
        try file.close()
        try site.refuseAll(ReceivedSite.readsTiles, status: 65, "manifest'")
    }

    @Test(
        "a list of files with thousands of parts is not one of this program's",
        arguments: ["tiles", "side"].some(1))
    func parts(kind: String) throws {
        let line = kind == "side" ? "side tilejson.json" : "tiles 0 xyz {z}_{x}_{y}.png"
        try site.sign(adding: Array(repeating: line, count: 2000))
        try site.refuseAll(["info tiles", "verify tiles"], status: 65, "it is damaged")
    }

    @Test("an index of 4^30 tiles is not written out in a list of changes")
    func indexedTiles() throws {
        let index = String(decoding: try site.bytes("house/building.json"), as: UTF8.self)
        let edge = (1 << 30) - 1
        let changed = index.replacing(
            /"limits": \[\[.*?\]\]/, with: "\"limits\": [[30, 0, 0, \(edge), \(edge)]]"
        )
        .replacing("\"digest\": \"", with: "\"digest\": \"0")
        try #require(changed.contains("\(edge)]]") && changed.contains("\"digest\": \"0"))
        try site.write(changed.utf8, to: "house/building.json")
        try site.refuseAll(["house.yaml --changes list"], status: 64, "--max-tiles allows")
        #expect(try site.run(["house.yaml"]).status == 0)
        #expect(try site.run(["house.yaml", "--changes", "list"]).status == 0)
    }

    @Test("impossible bounds cause no index and no crash", .long)
    func bounds() throws {
        let index = String(decoding: try site.bytes("house/building.json"), as: UTF8.self)
        for bounds in ["-1e300, 0, 1e300, 1", "2, 48, 1, 47", "0, 0, 1e19, 1"] {
            let changed = index.replacing(/"bounds": \[.*?\]/, with: "\"bounds\": [\(bounds)]")
            try #require(changed.contains("[\(bounds)]"))
            try site.write(changed.utf8, to: "house/building.json")
            try site.runAll(["info house", "verify house", "viewer house -o page.html --force", "house.yaml"])
        }
    }

    @Test("other programs' folders may have more columns than the limit of open files")
    func columns() throws {
        for column in 0..<300 { try site.write([], to: "others/9/\(column)/none") }
        try site.write(site.bytes("tiles/16/33132/22780.png"), to: "others/9/400/7.png")
        let info = try Tool.run(
            "bash", ["-c", "ulimit -n 100 && exec \"$0\" info others", Program.path],
            in: URL(filePath: site.path("")))
        #expect(info.status == 0, "\(info)")
    }

    @Test("deeply nested directories are refused, and not followed to their end")
    func depth() throws {
        let (others, staging) = ("others/9/1", "tiles/.tilewright/tileset/staging")
        try site.write(site.bytes("tiles/16/33132/22780.png"), to: others + "/7.png")
        let way = String(repeating: "a/", count: 500)
        for folder in [others, "tiles", staging] { try site.write([], to: "\(folder)/\(way)none") }
        let commands = [
            "info others", "verify others", "verify tiles",
            "plan.png --bounds \(Workshop.bounds) --zoom 16 -o tiles",
        ]
        try site.refuseAll(commands, status: 65, "folders are nested")
    }
}

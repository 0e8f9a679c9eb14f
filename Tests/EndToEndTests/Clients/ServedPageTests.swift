import Foundation
import TestSupport
import Testing

/// The page that `serve` gives shows, pixel by pixel, what the page shows that `viewer` makes of a folder.
@Suite(
    .long, .needsServer,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash", "cp"))
struct ServedPageTests {
    /// A page that `serve` gives, and commands that change what it shows.
    private struct Page {
        let name: String
        let server: TileServer
        let commands: [[String]]
    }

    /// What was seen of pages.
    private struct Visit {
        let boxes: [String: [Double]]
        let pictures: TemporaryDirectory

        /// The map of a page with one of the floors, before or after its commands were run.
        func map(_ page: String, _ floor: Int, isAfter: Bool = false) throws -> Picture {
            let box = try #require(boxes[page]).map { Int($0) }
            try #require(box[2] > 300 && box[3] > 200)
            return try Picture(contentsOf: pictures.path("\(page)\(isAfter ? "-after" : "")-\(floor).png"))
                .part(box[0]..<box[0] + box[2], box[1]..<box[1] + box[3])
        }
    }

    /// Where `viewer` has made pages of the plans: as they are first, and as the commands leave them.
    private static let states = [("old", 20), ("new", 200)]
    private static let assets = ["--viewer-assets", MapLibraries.leaflet?.path ?? ""]

    private let scratch: TemporaryDirectory
    private let site: WebServer

    init() throws {
        scratch = try TemporaryDirectory()
        site = try WebServer(of: scratch.url, log: scratch.url.appending(path: "server.log"))
    }

    /// Makes a folder, and draws a plan in it with a patch from a column on.
    private func folder(_ name: String, image: String, patch column: Int) throws -> URL {
        let folder = scratch.url.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var plan = Picture.plan(width: 300, height: 200)
        plan.fill(column..<column + 40, 40..<160, (UInt8(column), 120, 60, 255))
        try plan.write(to: folder.appending(path: image).path)
        return folder
    }

    /// Looks at the pages of `viewer`, whose addresses are given, and of `serve`.
    private func visit(
        _ references: KeyValuePairs<String, String>, _ pages: [Page], floors: [String], size: String
    ) throws -> Visit {
        let fragment = "#17/48.001/2.0015&background=white"
        var list = references.map { name, path in
            ["name": name, "url": "\(site.address)/\(path)\(fragment)"] as [String: Any]
        }
        for page in pages {
            let commands = size == "wide" ? page.commands : []
            list.append(
                ["name": page.name, "url": "\(page.server.address)/\(fragment)", "commands": commands])
        }
        let plan = try JSONSerialization.data(withJSONObject: ["pages": list, "floors": floors])
        let pictures = try TemporaryDirectory()
        let said = try Browser.act(
            "Viewer/view_served.py", on: try #require(URL(string: list[0]["url"] as? String ?? "")),
            [size, pictures.url.path, String(decoding: plan, as: UTF8.self)]
                + Browser.screenshots("served-\(size)-\(floors.count)"))
        #expect(said["problems"] as? [String] == [])
        #expect(said["wider"] as? Int == 0)
        let asked = try #require(said["asked"] as? [String])
        let foreign = asked.filter { !$0.hasPrefix("http://127.0.0.1:") && !$0.hasPrefix("data:") }
        #expect(foreign == [])
        return Visit(boxes: try #require(said["boxes"] as? [String: [Double]]), pictures: pictures)
    }

    @Test("folders, archives and images look the same; a reloaded page shows the new build")
    func tilesets() throws {
        func build(_ output: String, in folder: URL) throws {
            try Program.succeed(["plan.png", "--bounds", Workshop.bounds, "-o", output], in: folder)
        }
        for (state, column) in Self.states {
            let folder = try folder(state, image: "plan.png", patch: column)
            try build("plan", in: folder)
            try Program.succeed(["viewer", "plan"] + Self.assets, in: folder)
        }
        let pages = try ["plan", "plan.pmtiles", "plan.mbtiles", "plan.png"].map { thing in
            let folder = try folder("of-\(thing)", image: "plan.png", patch: 20)
            let image = folder.appending(path: "plan.png").path
            var commands = [["cp", scratch.path("new/plan.png"), image]]
            var options = ["--bounds", Workshop.bounds]
            if thing != "plan.png" {
                try build(thing, in: folder)
                commands.append(
                    [Program.path, image] + options + ["-o", folder.appending(path: thing).path])
                options = []
            }
            let server = try TileServer([thing] + options + Self.assets, in: folder)
            return Page(name: thing, server: server, commands: commands)
        }
        for size in ["phone", "wide"] {
            let visit = try visit(
                ["old": "old/plan/index.html", "new": "new/plan/index.html"], pages, floors: [], size: size)
            let (old, new) = (try visit.map("old", 0), try visit.map("new", 0))
            #expect(old != new)
            for page in pages {
                #expect(try visit.map(page.name, 0) == old, "\(page.name), \(size)")
                guard size == "wide" else { continue }
                #expect(try visit.map(page.name, 0, isAfter: true) == new, "\(page.name)")
            }
        }
    }

    @Test("the floors of a building are shown alike whether it is built or not")
    func building() throws {
        func house(_ name: String, patch: Int) throws -> URL {
            var house = try folder(name, image: "b1.png", patch: 60)
            house = try folder(name, image: "0.png", patch: 130)
            house = try folder(name, image: "1.png", patch: patch)
            try Data(Workshop.house(zoom: "15-17").utf8).write(to: house.appending(path: "house.yaml"))
            return house
        }
        for (state, column) in Self.states {
            let folder = try house(state, patch: column)
            try Program.succeed(["house.yaml"], in: folder)
            try Program.succeed(["viewer", "house.yaml"] + Self.assets, in: folder)
        }
        let pages = try [("unbuilt", "house.yaml"), ("built", "house.yaml"), ("folder", "tiles")].map {
            name, thing in
            let folder = try house(name, patch: 20)
            var commands = [["cp", scratch.path("new/1.png"), folder.appending(path: "1.png").path]]
            if name != "unbuilt" {
                try Program.succeed(["house.yaml"], in: folder)
                commands.append([Program.path, folder.appending(path: "house.yaml").path])
            }
            return Page(
                name: name, server: try TileServer([thing] + Self.assets, in: folder), commands: commands)
        }
        for size in ["phone", "wide"] {
            let visit = try visit(
                ["old": "old/tiles/index.html", "new": "new/tiles/index.html"], pages,
                floors: ["B1: Basement", "0: Ground floor", "1: First floor"], size: size)
            for floor in 0..<3 {
                let (old, new) = (try visit.map("old", floor), try visit.map("new", floor))
                #expect((old == new) == (floor < 2))
                for other in 0..<floor { #expect(try visit.map("old", other) != old) }
                for page in pages {
                    #expect(try visit.map(page.name, floor) == old, "\(page.name), \(size), floor \(floor)")
                    guard size == "wide" else { continue }
                    let after = try visit.map(page.name, floor, isAfter: true)
                    #expect(after == new, "\(page.name), floor \(floor)")
                }
            }
        }
    }
}

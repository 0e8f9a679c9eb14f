import Foundation
import TestSupport
import Testing

/// The page of `viewer` for a campus, by real pointers, fingers and keys, and what is seen, pixel by pixel.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash"))
struct ViewerCampusTests {
    private let campus: Campus
    private let pictures: TemporaryDirectory

    init() throws {
        campus = try Campus()
        pictures = try TemporaryDirectory()
        try campus.succeed(["campus.yaml"])
        try campus.succeed(["viewer", "campus.yaml", "--viewer-assets", MapLibraries.leaflet?.path ?? ""])
    }

    /// What somebody does with the page, whose every state has a name, and what the server was asked for.
    private struct Visit {
        let said: [String: Any]
        let steps: [String: [String: Any]]
        let pictures: TemporaryDirectory

        func hash(_ step: String) -> String? { steps[step]?["hash"] as? String }

        func chosen(_ step: String) -> [String]? { steps[step]?["chosen"] as? [String] }

        func pressed(_ step: String) -> [String]? { steps[step]?["pressed"] as? [String] }

        /// What is seen at a place next to a building's middle, in pixels of the page.
        func colour(_ building: String, nextTo offset: Int = 0, at step: String) throws -> Picture.Colour {
            let place = try #require(steps[step]?[building] as? [Double])
            let picture = try Picture(contentsOf: pictures.path("\(step).png"))
            return picture[Int(place[0]) + offset, Int(place[1])]
        }
    }

    private func visit(_ way: String, from disk: Bool = false) throws -> Visit {
        let server = try WebServer(of: campus.url, log: campus.file("server.log"))
        let page = disk ? campus.file("tiles/index.html") : URL(string: "\(server.address)/tiles/index.html")
        let said = try Browser.act(
            "Viewer/view_campus.py", on: try #require(page),
            [way, pictures.url.path] + Browser.screenshots(way))
        let steps = try #require(said["steps"] as? [[String: Any]])
        let named = steps.map { ($0["name"] as? String ?? "", $0) }
        #expect(said["problems"] as? [String] == [])
        #expect(said["unnamed"] as? [String] == [], "a screen reader has a name for everything")
        #expect(said["overlaps"] as? [String] == [])
        #expect(said["wider"] as? Int == 0)
        let site = disk ? "file://\(campus.url.path)" : server.address
        try checkRequests(of: said, from: site + "/")
        return Visit(
            said: said, steps: Dictionary(named, uniquingKeysWith: { $1 }), pictures: pictures)
    }

    /// The page asks for the tiles of the index, and for no others; elsewhere for nothing but the background.
    private func checkRequests(of said: [String: Any], from site: String) throws {
        let asked = try #require(said["asked"] as? [String])
        var count = 0
        for url in asked where !url.hasPrefix("https://tile.openstreetmap.org/") && !url.hasSuffix(".ico") {
            guard url.hasPrefix(site) else {
                #expect(["data:", "blob:", "about"].contains { url.hasPrefix($0) }, "\(url)")
                continue
            }
            let path = url.dropFirst(site.count).prefix { $0 != "?" && $0 != "#" }
            let pattern = /tiles\/(\w+)\/(\w+)\/(\d+)\/(\d+)\/(\d+)\.png/
            guard let match = path.wholeMatch(of: pattern) else {
                #expect(path == "tiles/index.html")
                continue
            }
            count += 1
            let address = [match.3, match.4, match.5].compactMap { Int($0) }
            let isThere = try isWithinLimits(address, building: String(match.1), floor: String(match.2))
            #expect(isThere, "\(path)")
        }
        #expect(count > 0)
    }

    private func isWithinLimits(_ tile: [Int], building: String, floor: String) throws -> Bool {
        let data = try Data(contentsOf: campus.file("tiles/\(building)/building.json"))
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let floors = json?["floors"] as? [[String: Any]] ?? []
        let limits = floors.first { $0["floor"] as? String == floor }?["limits"] as? [[Int]] ?? []
        return limits.contains {
            $0[0] == tile[0] && $0[1]...$0[3] ~= tile[1] && $0[2]...$0[4] ~= tile[2]
        }
    }

    private func expect(_ found: Picture.Colour, _ name: String, _ what: Comment) throws {
        let colour = try #require(Campus.colours[name])
        let pairs = [(found.red, colour.red), (found.green, colour.green), (found.blue, colour.blue)]
        let distance = pairs.map { abs(Int($0.0) - Int($0.1)) }.max() ?? 255
        #expect(distance <= 1, "\(what): \(found), not \(name)")
    }

    @Test(
        "each building shows a floor, a level switches all buildings that have it, and a link restores both")
    func switches() throws {
        let visit = try visit("switch")
        // The step, and the floors of the mall and of the pavilion that are seen.
        let seen = [
            ("default", "0", "0"), ("gallery", "0", "1"), ("level-1", "1", "1"), ("level-B1", "B1", "1"),
            ("arrow", "0", "1"), ("link", "0", "1"),
        ]
        for (step, mall, pavilion) in seen {
            try expect(visit.colour("mall", at: step), "mall-\(mall)", "\(step)")
            try expect(visit.colour("pavilion", at: step), "pavilion-\(pavilion)", "\(step)")
            let hash = try #require(visit.hash(step))
            #expect(hash.contains("&floor=Mall/\(mall)&floor=Pavilion/\(pavilion)&background=white"))
        }
        #expect(visit.chosen("level-B1") == ["B1: Basement", "1: Gallery"])
        #expect(visit.pressed("default") == ["0"] && visit.pressed("gallery") == [])
        #expect(visit.pressed("level-1") == ["1"] && visit.pressed("level-B1") == ["B1"])
        #expect(try visit.colour("pavilion", at: "hidden") == (255, 255, 255, 255))
        #expect(visit.hash("hidden")?.contains("&hidden=Pavilion") == true)
        #expect(visit.hash("link") == visit.hash("arrow"))
        // A floor that is not there leaves the one that is shown.
        #expect(visit.chosen("typed") == ["1: First floor", "1: Gallery"])
    }

    @Test("a divider shows one floor on its left and another one on its right, by the mouse and by keys")
    func comparison() throws {
        let visit = try visit("compare")
        let seen = [
            ("right", "0", "0"), ("left", "1", "1"), ("End", "0", "0"), ("Home", "1", "1"),
            ("link", "0", "0"), ("basement", "B1", "B1"),
        ]
        for (step, west, east) in seen {
            try expect(visit.colour("mall", nextTo: -30, at: step), "mall-\(west)", "\(step)")
            try expect(visit.colour("mall", nextTo: 30, at: step), "mall-\(east)", "\(step)")
            try expect(visit.colour("pavilion", at: step), "pavilion-0", "\(step)")
        }
        let values = try #require(visit.said["values"] as? [String]).compactMap { Int($0) }
        try #require(values.count == 5)
        #expect(values[1] == values[0] + 3 && values[2] == values[0] + 2)
        #expect(Array(values[3...]) == [100, 0])
        #expect(visit.said["role"] as? String == "slider")
        #expect(visit.hash("link") == visit.said["link"] as? String)
        // Of another building, it is that building's floor.
        #expect(visit.chosen("other-building") == ["B1: Basement", "1: Gallery"])
        #expect(visit.hash("other-building")?.contains("&left=Mall/B1&right=Pavilion/1") == true)
    }

    @Test("a finger switches floors, moves the divider, and reads the very pixel of the tile")
    func touch() throws {
        let visit = try visit("touch")
        #expect(visit.said["small"] as? [String] == [] && visit.said["smallSettings"] as? [String] == [])
        try expect(visit.colour("mall", at: "phone"), "mall-1", "phone")
        try expect(visit.colour("pavilion", at: "phone"), "pavilion-1", "phone")
        let readouts = try #require(visit.said["readouts"] as? [[String: String]])
        try #require(readouts.count == 3)
        for readout in readouts.prefix(2) { try checkReadout(readout, of: "tiles/mall/1") }
        #expect(readouts[0]["value"]?.hasPrefix("#fa1482, alpha 37.6 %") == true)
        #expect(readouts[2]["value"]?.hasPrefix("transparent") == true)
        // The divider stands right of the middle, where the first floor is compared with the one below.
        try expect(visit.colour("mall", nextTo: -10, at: "swiped"), "mall-1", "left of it")
        let share = try #require(visit.hash("swiped")?.firstMatch(of: /divide=([0-9.]+)/)?.1)
        #expect(visit.hash("settings")?.contains("divide=0.5") == true && Double(share) != 0.5)
    }

    /// Compares what the page says of a pixel with the file, as another reader decodes it.
    private func checkReadout(_ readout: [String: String], of folder: String) throws {
        let place = try #require(readout["place"]).split(separator: ", ").compactMap { Double($0) }
        let pattern = /Tile (\d+)\/(\d+)\/(\d+), pixel (\d+), (\d+)/
        let match = try #require(readout["tile"]?.wholeMatch(of: pattern))
        let numbers = [match.1, match.2, match.3, match.4, match.5].compactMap { Int($0) }
        // A pixel of a tile is some 1e-5 degrees, and what is written 1e-6.
        let pixel = Place(longitude: place[0], latitude: place[1]).pixel(zoom: numbers[0])
        #expect(abs(pixel.x - Double(numbers[1] * 256 + numbers[3]) - 0.5) < 0.75)
        #expect(abs(pixel.y - Double(numbers[2] * 256 + numbers[4]) - 0.5) < 0.75)
        let tile = try Picture(
            contentsOf: campus.file("\(folder)/\(numbers[0])/\(numbers[1])/\(numbers[2]).png").path)
        let colour = tile[numbers[3], numbers[4]]
        let digits = [colour.red, colour.green, colour.blue].map {
            String(Int($0) | 256, radix: 16).dropFirst()
        }
        let alpha = (Double(colour.alpha) / 2.55 * 10).rounded() / 10
        let text = String(format: "#\(digits.joined()), alpha %g %%", alpha)
        #expect(readout["value"]?.hasPrefix(text) == true, "\(readout["value"] ?? ""), not \(text)")
    }

    @Test("a missing tile is marked, unlike areas where none was built", arguments: [false, true])
    func borders(fromDisk: Bool) throws {
        let lost = "17/66265/45561"
        try FileManager.default.removeItem(at: campus.file("tiles/mall/0/\(lost).png"))
        let visit = try visit("borders", from: fromDisk)
        let boxes = try #require(visit.said["boxes"] as? [[String]])
        #expect(boxes.filter { $0[1] == "missing" }.map { $0[0] } == [lost])
        let marked = try #require(boxes.first { $0[1] == "missing" })
        #expect(marked[2].contains("missing: mall/0/\(lost).png"))
        #expect(boxes.contains { $0[1] == "outside" && $0[2].contains("outside") })
        for box in boxes {
            let tile = box[0].split(separator: "/").compactMap { Int($0) }
            let isInside = try [("mall", "0"), ("pavilion", "0")].contains {
                try isWithinLimits(tile, building: $0.0, floor: $0.1)
            }
            #expect((box[1] != "outside") == isInside, "\(box[0])")
        }
        #expect((visit.said["count"] as? String)?.contains("1 missing") == true)
        // A browser does not let a page look into files of a disk.
        let value = try #require((visit.said["readout"] as? [String: String])?["value"])
        #expect(value.hasPrefix(fromDisk ? "colours need a web server" : "#c82828, alpha 100 %"), "\(value)")
    }
}

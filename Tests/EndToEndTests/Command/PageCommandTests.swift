import Foundation
import TestSupport
import Testing

/// `--page`: the pages of one file take the place of files of their own.
@Suite struct PageCommandTests {
    private let workshop: Workshop
    private let place = ["--bounds", Workshop.bounds]

    /// `scan.tif` of three pages, and `0.png`, `1.png` and `2.png`, which show the same.
    init() throws {
        workshop = try Workshop()
        let pages = (0..<3).map { index in
            var plan = Picture.plan(width: 300, height: 200)
            for index in stride(from: 0, to: plan.rgba.count, by: 4) where plan.rgba[index + 3] < 255 {
                plan.rgba.replaceSubrange(index..<index + 4, with: [255, 255, 255, 255])
            }
            plan.fill(20 * index..<20 * index + 30, 40..<160, (UInt8(90 * index), 120, 60, 255))
            return plan
        }
        for (index, page) in pages.enumerated() { try page.write(to: workshop.path("\(index).png")) }
        try workshop.write(Scan(pages).bytes, to: "scan.tif")
    }

    private func tiles(_ output: String) throws -> [String: Data] {
        try Snapshot(of: workshop.file(output)).tiles
    }

    @Test("a page has the tiles of a separate image; without --page the first page is used", .long)
    func sameTiles() throws {
        for (index, page) in [[], ["--page", "2"], ["--page", "3"]].enumerated() {
            try workshop.build(of: "\(index).png", to: "own\(index)")
            try workshop.build(page, of: "scan.tif", to: "page\(index)")
            #expect(try tiles("page\(index)") == tiles("own\(index)"))
            #expect(try !tiles("own\(index)").isEmpty)
        }
        let json = try String(contentsOf: workshop.file("page1/tilejson.json"), encoding: .utf8)
        #expect(json.contains("\"name\": \"scan, page 2\""))
    }

    @Test("the first page has the same tiles as without --page")
    func firstPage() throws {
        try workshop.build(of: "scan.tif", to: "out")
        let outcome = try workshop.run(["scan.tif", "--page", "1", "-o", "out"] + place)
        #expect(outcome.errors.hasPrefix("0 tiles written"), "\(outcome.errors)")
    }

    @Test("another page of the same file is another image, and refused for its tileset", .long)
    func otherPage() throws {
        try workshop.build(["--page", "2"], of: "scan.tif", to: "out")
        for page in [[], ["--page", "3"]] {
            let outcome = try workshop.run(["scan.tif", "-o", "out"] + place + page)
            #expect(outcome.status == 73)
            #expect(
                outcome.errors.hasPrefix("error: 'out' was made from page 2 of 'scan.tif': "),
                "\(outcome.errors)")
        }
        let again = try workshop.run(["scan.tif", "--page", "2", "-o", "out"] + place)
        #expect(again.errors.hasPrefix("0 tiles written"), "\(again.errors)")
        #expect(try workshop.run(["scan.tif", "--page", "3", "-o", "out", "--force"] + place).status == 0)
    }

    @Test("a page that is not there, and pages of a file that has none, are one clear line", .long)
    func refusals() throws {
        let missing = try workshop.run(["info", "scan.tif", "--page", "4"] + place)
        #expect(missing.status == 65)
        #expect(
            missing.errors == """
                error: cannot read page 4 of 'scan.tif': the file has 3 pages
                       ask for one of them with --page

                """)
        let none = try workshop.run(["info", "plan.png", "--page", "2"] + place)
        #expect(none.status == 65 && none.errors.contains("cannot read page 2 of 'plan.png'"))
        #expect(try workshop.run(["info", "plan.png", "--page", "1"] + place).status == 0)
        for page in ["0", "-1", "two", ""] {
            #expect(try workshop.run(["info", "scan.tif", "--page", page] + place).status == 64)
        }
        let manifest = try workshop.run(["house.yaml", "--page", "2"])
        #expect(
            manifest.status == 64 && manifest.errors.contains("--page cannot be combined with the manifest"))
    }

    @Test("info says which page of how many, and how to ask for another")
    func info() throws {
        let first = try workshop.run(["info", "scan.tif"] + place).output
        #expect(first.contains("the first of 3 pages\n"))
        #expect(first.contains("           --page N chooses another page\n"))
        let second = try workshop.run(["info", "scan.tif", "--page", "2"] + place).output
        #expect(second.contains("page 2 of 3\n") && !second.contains("--page N"))
        let json = try workshop.run(["info", "scan.tif", "--page", "2", "--json"] + place).output
        let report = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let image = try #require(report?["image"] as? [String: Any])
        #expect(image["page"] as? Int == 2 && image["pages"] as? Int == 3)
        #expect(try !workshop.run(["info", "0.png", "--json"] + place).output.contains("\"page"))
    }

    @Test("tile, snapshot, camera and fit take the page", .long)
    func otherCommands() throws {
        try workshop.build(["--page", "2"], of: "scan.tif", to: "out")
        let (name, bytes) = try #require(tiles("out").first { $0.key.hasPrefix("17/") })
        let address = String(name.prefix { $0 != "." })
        try Program.succeed(
            ["tile", "scan.tif", "--page", "2", "-o", "tile.png", address] + place, in: workshop.url)
        #expect(try Data(contentsOf: workshop.file("tile.png")) == bytes)
        for (image, page) in [("scan.tif", ["--page", "2"]), ("1.png", [])] {
            try Program.succeed(
                ["snapshot", image, "-o", "\(image).view.png"] + place + page, in: workshop.url)
        }
        #expect(
            try Picture(contentsOf: workshop.path("scan.tif.view.png"))
                == Picture(contentsOf: workshop.path("1.png.view.png")))
        #expect(try workshop.run(["camera", "scan.tif", "--page", "2"] + place).status == 0)
        let points = ["--gcp", "0,0,2,48.002", "--gcp", "300,0,2.003,48.002", "--gcp", "0,200,2,48"]
        #expect(try workshop.run(["fit", "scan.tif", "--page", "2"] + points).status == 0)
        let world = try workshop.run(["fit", "scan.tif", "--page", "2", "-o", "scan.tfw"] + points)
        #expect(world.errors.contains("'scan.tfw' applies to all pages of 'scan.tif'"), "\(world.errors)")
    }

    @Test("the points of a page are saved next to the file under their own name, and found there", .long)
    func placing() throws {
        let outcome = try workshop.run(["place", "scan.tif", "--page", "2"])
        #expect(outcome.output == "scan.page2.html\n", "\(outcome.errors)")
        let floors = try #require(workshop.pageData("scan.page2.html")["floors"] as? [[String: Any]])
        let plan = try #require(floors.first?["plan"] as? [String: Any])
        #expect(plan["page"] as? Int == 2 && plan["name"] as? String == "scan.tif")
        let text = ([SavedRows.header] + SavedRows.rows).joined(separator: "\n") + "\n"
        try workshop.write(text.utf8, to: "saved.points")
        let taken = try workshop.run(["place", "scan.tif", "--page", "2", "--take", "saved.points"])
        #expect(taken.output == "scan.tif.page2.points\n", "\(taken.errors)")
        let info = try workshop.run(["info", "scan.tif", "--page", "2"])
        #expect(info.output.contains("control points of 'scan.tif.page2.points'"), "\(info.errors)")
        #expect(try workshop.run(["info", "scan.tif"]).status == 65)
        #expect(try workshop.run(["place", "scan.tif"]).output == "scan.html\n")
    }

    @Test("a building is built of the pages of one file, with the tiles of separate images")
    func building() throws {
        func manifest(_ images: [String], _ output: String) -> String {
            let floors = images.enumerated().map { index, image in "  - {floor: \(index), image: \(image)}\n"
            }
            return """
                name: House
                output: \(output)
                bounds: \(Workshop.bounds)
                floors:

                """ + floors.joined()
        }
        try workshop.write(
            manifest(["scan.tif", "scan.tif, page: 2", "scan.tif, page: 3"], "pages").utf8, to: "pages.yaml")
        try Program.succeed(["pages.yaml", "--depfile", "pages.d"], in: workshop.url)
        let index = try Data(contentsOf: workshop.file("pages/building.json"))
        let pages = try Data(contentsOf: workshop.file("pages.yaml"))
        try workshop.write(manifest(["0.png", "1.png", "2.png"], "own").utf8, to: "pages.yaml")
        try Program.succeed(["pages.yaml"], in: workshop.url)
        try workshop.write(pages, to: "pages.yaml")
        #expect(try tiles("pages") == tiles("own"))
        #expect(try Data(contentsOf: workshop.file("own/building.json")) == index)
        let dependencies = try String(contentsOf: workshop.file("pages.d"), encoding: .utf8)
        #expect(dependencies.contains("pages.yaml \\\n  scan.tif\n"), "\(dependencies)")
        let again = try Program.succeed(["pages.yaml"], in: workshop.url)
        #expect(again.errors.hasPrefix("3 floors: 0 tiles written"), "\(again.errors)")
        // A floor has points of its own.
        try workshop.write(
            manifest(["scan.tif", "scan.tif, page: 2"], "x").replacing(/bounds.*\n/, with: "").utf8,
            to: "open.yaml")
        let text = ([SavedRows.header] + SavedRows.rows).joined(separator: "\n") + "\n"
        try workshop.write(text.utf8, to: "scan.tif.page2.points")
        let taken = try workshop.run(["place", "open.yaml", "--take", "scan.tif.page2.points"])
        #expect(taken.output == "scan.tif.page2.points\n", "\(taken.errors)")
    }

    @Test("the server takes a page, also to place it", .needsServer)
    func serving() throws {
        let text = ([SavedRows.header] + SavedRows.rows).joined(separator: "\n") + "\n"
        try workshop.write(text.utf8, to: "scan.tif.page2.points")
        let server = try TileServer(["scan.tif", "--page", "2", "--place"], in: workshop.url)
        #expect(try server.ask("/scan.json").text.contains("\"scan, page 2\""))
        #expect(try server.ask("/scan/place").text.contains("\"page\": 2"))
    }
}

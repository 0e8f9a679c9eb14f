import Foundation
import TestSupport
import Testing

/// Options of documents that are drawn, and commands other than `build`.
@Suite(.needsRenderer)
struct DrawnOptionTests {
    private static let place = ["--bounds", Workshop.bounds]

    private func workshop(pages: [String] = [Drawing.plan]) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.write(Data(Drawing.pdf(600, 400, pages: pages).utf8), to: "plan.pdf")
        return workshop
    }

    @Test(
        "Invalid input is an error of one line with a remedy",
        arguments: [
            (["plan.pdf", "--page", "3"], Int32(65), "there is no page 3"),
            (["plan.pdf", "--layers", "Walls"], 65, "Walls"),
            (["plan.pdf", "--bands", "1"], 64, "'plan.pdf': a PDF or SVG has no samples"),
            (["plan.pdf", "--rescale", "0,9"], 64, "--rescale does not apply"),
            (["plan.pdf", "--keep-colors"], 64, "--keep-colors does not apply"),
            (["plan.png", "--layers", "Walls"], 64, "--layers does not apply to 'plan.png'"),
            (["plan.png", "--password-file", "plan.png"], 64, "--password-file does not apply"),
            (["plan.pdf", "--password-file", "none"], 66, "cannot read 'none'"),
            (["plan.pdf", "--layers", ","], 64, "names no layer"),
            (["plan.pdf", "--overviews", "both"], 64, "both"),
        ].some(4))
    func refusals(arguments: [String], status: Int32, words: String) throws {
        let outcome = try workshop().run(["info"] + arguments + Self.place)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }.count == 1)
    }

    @Test("Pictures that an SVG links to are drawn, count as inputs, and are named if they are not there")
    func linkedPictures() throws {
        let workshop = try Workshop()
        let image = "<image xlink:href='scan.png' width='60' height='40' preserveAspectRatio='none'/>"
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='60' height='40'>\
            \(image)<rect x='10' y='10' width='20' height='10' fill='#f00'/></svg>
            """
        try workshop.write(Data(svg.utf8), to: "drawn.svg")
        let build = ["drawn.svg", "--bounds", Workshop.bounds, "-z", "16", "-o", "out"]
        let missing = try workshop.run(build)
        #expect(
            missing.status == 0
                && missing.errors.contains("warning: 'drawn.svg' shows 'scan.png', which is no"))
        let without = try Snapshot(of: workshop.file("out")).tiles
        var seen = [without]
        for picture in [try Data(contentsOf: workshop.file("plan.png")), try #require(without.values.first)] {
            try workshop.write(picture, to: "scan.png")
            let outcome = try workshop.run(build + ["--depfile", "out.d"])
            #expect(outcome.status == 0 && !outcome.errors.contains("scan.png"), "\(outcome.errors)")
            let tiles = try Snapshot(of: workshop.file("out")).tiles
            #expect(!seen.contains(tiles))
            seen.append(tiles)
            #expect(try String(contentsOf: workshop.file("out.d"), encoding: .utf8).contains("scan.png"))
        }
        #expect(try workshop.run(build).errors.contains("0 tiles written"))
    }

    @Test("Fonts that an SVG names and the machine lacks are a warning of their own")
    func fonts() throws {
        let workshop = try Workshop()
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'>\
            <text y='20' font-family='No Such Font, sans-serif'>A</text></svg>
            """
        try workshop.write(Data(svg.utf8), to: "drawn.svg")
        let info = try workshop.run(["info", "drawn.svg", "--bounds", Workshop.bounds, "--json"])
        #expect(
            info.errors.contains("'drawn.svg' has texts in fonts that are not installed here, 'No Such Font'")
        )
        #expect(info.output.contains("\"fonts\""))
    }

    @Test("Pages are told apart, and a building has one for each floor")
    func pages() throws {
        let workshop = try workshop(pages: ["1 0 0 rg 0 0 600 400 re f", "0 0 1 rg 0 0 600 400 re f"])
        for (page, blue) in [("1", UInt8(0)), ("2", 255)] {
            try workshop.build(["--page", page, "--zoom", "16"], of: "plan.pdf", to: "page\(page)")
            let picture = try Mosaic(of: workshop.file("page\(page)"), zoom: 16).picture
            #expect(
                stride(from: 0, to: picture.rgba.count, by: 4).contains {
                    picture.rgba[$0 + 3] == 255 && picture.rgba[$0 + 2] == blue
                })
        }
        try workshop.write(
            Data(
                """
                output: tiles
                template: "{floor}/{z}/{x}/{y}.{ext}"
                bounds: \(Workshop.bounds)
                zoom: 16-17
                floors:
                  - {floor: 0, image: plan.pdf}
                  - {floor: 1, image: plan.pdf, page: 2}
                """.utf8), to: "building.yaml")
        try Program.succeed(["building.yaml"], in: workshop.url)
        let floors = ["0", "1"].map { try? Snapshot(of: workshop.file("tiles/\($0)")).tiles }
        #expect(floors[0]?.isEmpty == false && floors[0]?.count == floors[1]?.count && floors[0] != floors[1])
        let once = try Snapshot(of: workshop.file("page2")).tiles.filter { $0.key.hasPrefix("16/") }
        #expect(once.allSatisfy { floors[1]?[$0.key] == $0.value })
    }

    @Test("Places are counted in pixels of --dpi, and 150 to the inch without it", .long)
    func resolution() throws {
        let workshop = try workshop()
        func corners(_ options: [String]) throws -> [Place] {
            let outcome = try Program.succeed(["info", "plan.pdf", "--json"] + options, in: workshop.url)
            return try Report(outcome.output).corners
        }
        func points(_ scale: Double) -> [String] {
            [(0.0, 0.0, "2,48.002"), (600, 0, "2.003,48.002"), (0, 400, "2,48")].flatMap { x, y, place in
                ["--gcp", "\(x * scale),\(y * scale),\(place)"]
            }
        }
        let wanted = [(2, 48.002), (2.003, 48.002), (2.003, 48), (2, 48)]
        for found in [
            try corners(points(150.0 / 72)), try corners(points(1) + ["--dpi", "72"]),
            try corners(["--bounds", Workshop.bounds]),
            try corners(["--bounds", Workshop.bounds, "--dpi", "71"]),
        ] {
            for (corner, wanted) in zip(found, wanted) {
                // Three points make a rectangle of metres, and bounds one of degrees: a centimetre apart.
                let (east, north) = (corner.longitude - wanted.0, corner.latitude - wanted.1)
                #expect(abs(east) < 2e-7 && abs(north) < 2e-7, "\(found)")
            }
        }
        // 1:100: the paper of 600 points is 21.1667 m of ground.
        for dpi in [[], ["--dpi", "300"]] {
            let found = try corners(["--anchor", "0,0,2,48", "--scale", "1:100"] + dpi)
            let width = found[0].offset(to: found[1]).east
            #expect(abs(width - 100 * 600 * 0.0254 / 72) < 1e-3, "\(width)")
        }
    }

    @Test("A second run has nothing to do, until how the page is drawn changes", .long)
    func unchanged() throws {
        let workshop = try workshop()
        let arguments = ["plan.pdf", "--zoom", "15-17", "-o", "out"] + Self.place
        try Program.succeed(arguments, in: workshop.url)
        let again = try Program.succeed(arguments, in: workshop.url)
        #expect((again.output + again.errors).contains("0 tiles written"), "\(again.output)\(again.errors)")
        let halved = try Program.succeed(arguments + ["--overviews", "halved"], in: workshop.url)
        #expect(
            !(halved.output + halved.errors).hasPrefix("0 tiles written"), "\(halved.output)\(halved.errors)")
        let finest = try Mosaic(of: workshop.file("out"), zoom: 17)
        try workshop.build(["--zoom", "17"], of: "plan.pdf", to: "alone")
        #expect(try Mosaic(of: workshop.file("alone"), zoom: 17).picture == finest.picture)
    }

    @Test("Pages lie over and under images in one tileset")
    func severalSources() throws {
        let workshop = try workshop(pages: ["1 0 0 rg 100 100 400 200 re f"])
        for name in ["plan.pdf", "plan.png"] {
            let (columns, rows) = name == "plan.pdf" ? (1250.0, 834.0) : (300, 200)
            let (width, height) = (0.003 / columns, 0.002 / rows)
            let lines = "\(width)\n0\n0\n\(-height)\n\(2 + width / 2)\n\(48.002 - height / 2)"
            try workshop.write(Data(lines.utf8), to: name == "plan.pdf" ? "plan.pfw" : "plan.pgw")
        }
        try Program.succeed(
            ["plan.png", "plan.pdf", "--crs", "EPSG:4326", "--zoom", "16-17", "-o", "both"], in: workshop.url)
        let both = try Mosaic(of: workshop.file("both"), zoom: 17).picture
        let reds = stride(from: 0, to: both.rgba.count, by: 4).filter {
            both.rgba[$0..<$0 + 4].elementsEqual([255, 0, 0, 255])
        }
        #expect(reds.count > 10_000, "\(reds.count)")
    }

    @Test("A snapshot, the page of place and a fit show the page", .long)
    func otherCommands() throws {
        let workshop = try workshop(pages: ["1 0 0 rg 0 0 600 400 re f"])
        try Program.succeed(
            ["snapshot", "plan.pdf", "--size", "200x200", "-o", "view.png"] + Self.place, in: workshop.url)
        let view = try Picture(contentsOf: workshop.path("view.png"))
        #expect(view[100, 100] == (255, 0, 0, 255))
        try Program.succeed(["place", "plan.pdf", "-o", "place.html", "--near", "2,48"], in: workshop.url)
        let page = try String(contentsOf: workshop.file("place.html"), encoding: .utf8)
        #expect(page.contains("1250") && page.contains("data:image/png"))
        let gcps = ["0,0,2,48.002", "1250,0,2.003,48.002", "1250,833.333,2.003,48"].flatMap { ["--gcp", $0] }
        let fit = try Program.succeed(["fit", "plan.pdf", "--plot", "fit.png"] + gcps, in: workshop.url)
        #expect(fit.output.contains("affine") && workshop.has("fit.png"))
    }

    @Test(
        "An SVG with a mask, a filter and a blended group is whole however it is turned",
        arguments: [90, 210, 330].some(1))
    func turnedGroups(bearing: Int) throws {
        let workshop = try Workshop()
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="300" height="200">
            <defs><mask id="m"><rect width="300" height="200" fill="white"/></mask>
            <filter id="f"><feGaussianBlur stdDeviation="1"/></filter></defs>
            <rect x="20" y="20" width="100" height="60" fill="blue" mask="url(#m)"/>
            <rect x="150" y="20" width="100" height="60" fill="lime" filter="url(#f)"/>
            <g opacity="0.6"><rect x="20" y="110" width="100" height="60" fill="red"/></g></svg>
            """
        try workshop.write(Data(svg.utf8), to: "groups.svg")
        func counts(_ bearing: Int) throws -> [Int] {
            let output = "out\(bearing)"
            try Program.succeed(
                [
                    "groups.svg", "--anchor", "150,100,2,48", "--scale", "0.5", "--bearing", "\(bearing)",
                    "--zoom", "18",
                    "-o", output,
                ], in: workshop.url)
            let rgba = try Mosaic(of: workshop.file(output), zoom: 18).picture.rgba
            return [2, 1, 0].map { channel in
                stride(from: 0, to: rgba.count, by: 4).count {
                    rgba[$0 + 3] > 100 && rgba[$0 + channel] > 200
                }
            }
        }
        for (turned, upright) in zip(try counts(bearing), try counts(0)) {
            #expect(upright > 5000 && abs(turned - upright) < upright / 20, "\(turned) of \(upright)")
        }
    }
}

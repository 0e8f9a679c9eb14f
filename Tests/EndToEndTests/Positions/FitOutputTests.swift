import Foundation
import TestSupport
import Testing

/// What `fit -o` writes, and what it never writes over.
struct FitOutputTests {
    private static let points = [
        "--gcp", "0,0,2,48.002", "--gcp", "300,0,2.003,48.002", "--gcp", "0,200,2,48",
    ]

    @Test(
        "A name without a world file's extension is refused",
        arguments: ["plan.png", "plan.prj", "fitted", "fitted.txt", "my.new/fitted"])
    func foreignName(name: String) throws {
        let workshop = try Workshop()
        let before = try Snapshot(of: workshop.url)
        let outcome = try workshop.run(["fit", "plan.png", "-o", name] + Self.points)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: cannot write '\(name)': that is not the name"))
        #expect(try Snapshot(of: workshop.url) == before)
    }

    @Test(
        "A world file gets its .prj",
        arguments: [("a.pgw", "a.prj"), ("a.JGW", "a.prj"), ("a.b.wld", "a.b.prj")])
    func pair(name: String, projection: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(["fit", "plan.png", "-o", name] + Self.points)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workshop.has(name))
        #expect(workshop.has(projection))
    }

    @Test("In a folder a world file gets the image's name; another name is said not to be found")
    func nameOfTheImage() throws {
        let workshop = try Workshop()
        let named = try workshop.run(["fit", "plan.png", "-o", "."] + Self.points)
        #expect(named.status == 0 && named.errors == "", "\(named.errors)")
        #expect(workshop.has("plan.pgw") && workshop.has("plan.prj"))
        #expect(try workshop.run(["info", "plan.png"]).status == 0)
        let other = try workshop.run(["fit", "plan.png", "-o", "plan.jgw"] + Self.points)
        #expect(other.status == 0)
        #expect(
            other.errors
                == "warning: 'plan.jgw' is not found automatically for 'plan.png': name it 'plan.pgw', or "
                + "build with --world-file plan.jgw\n")
    }

    /// Points of a plan of 300 x 200 pixels, on paper that has warped a little.
    private static let bent = [
        "10,20,2.0001,48.0018", "290,15,2.00292,48.00183", "280,190,2.00281,48.00012",
        "12,185,2.00013,48.00011", "150,150,2.00152,48.00051", "80,75,2.00079,48.00126",
        "210,90,2.00211,48.00109",
    ].flatMap { ["--gcp", $0] }

    @Test("A transform that bends lines cannot be a world file", arguments: ["polynomial2", "tps"])
    func curved(model: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(
            ["fit", "plan.png", "--transform", model, "-o", "a.pgw"] + Self.bent)
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix(
                "error: cannot write 'a.pgw': a world file cannot hold a \(model) fit\n"))
        #expect(!workshop.has("a.pgw") && !workshop.has("a.prj"))
        let failed = try workshop.run(
            ["fit", "plan.png", "--transform", model, "--max-residual", "0.001"] + Self.bent)
        #expect(failed.status == 1)
    }

    @Test("The table has numbers for long names, and leave-one-out errors")
    func table() throws {
        let workshop = try Workshop()
        let lines = try Program.succeed(
            ["fit", "plan.png", "--transform", "tps"] + Self.bent, in: workshop.url
        ).output.split(separator: "\n")
        #expect(lines[0] == "tps transform, 7 control points")
        #expect(lines[1].hasSuffix("column    row  pixels  metres  left out (m)"))
        #expect(lines[2].hasPrefix("1  10,20,2.0001,48.0018 "))
        #expect(lines[9].hasPrefix("   RMS "))
        // The columns are as wide as their text.
        #expect(Set(lines[1...9].map(\.count)).count == 1)
        #expect(lines[10].hasPrefix("worst when left out: '"))
        let two = try Program.succeed(
            ["fit", "plan.png"] + Self.bent.prefix(4), in: workshop.url
        ).output.split(separator: "\n")
        #expect(two.last?.hasPrefix("so few points are always met exactly") == true)
    }

    private struct Report: Decodable {
        struct Point: Decodable {
            let name: String
            let pixel: [Double]
            let place: [Double]
            let pixels: Double?
            let metres: Double?
            let leftOut: Double?
        }
        struct Means: Decodable {
            let pixels: Double?
            let metres: Double?
            let leftOut: Double?
        }
        let transform: String
        let points: [Point]
        let rms: Means
        let suspect: String?
        let square: Double?
    }

    @Test("JSON has the table's values, and null for unknown ones")
    func json() throws {
        let workshop = try Workshop()
        let outcome = try Program.succeed(["fit", "plan.png", "--json"] + Self.bent, in: workshop.url)
        let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        #expect(report.transform == "affine" && report.suspect == nil)
        #expect(report.points.map(\.name).first == "10,20,2.0001,48.0018")
        #expect(report.points[0].pixel == [10, 20] && report.points[0].place == [2.0001, 48.0018])
        let table = try Program.succeed(["fit", "plan.png"] + Self.bent, in: workshop.url).output
        for point in report.points {
            let numbers = try [point.pixels, point.metres, point.leftOut].map { try #require($0) }
            let texts = zip(numbers, [2, 3, 3]).map { String(format: "%.\($1)f", $0) }
            #expect(table.contains("\(point.name) ") && texts.allSatisfy(table.contains))
        }
        #expect(table.contains(String(format: "%.3f", report.rms.leftOut ?? 0)))
        // A pixel is 1e-5 degrees wide and high: at latitude 48.001 its sides are as the radii of
        // curvature of the ellipsoid, 6 389 961 m x cos 48.001 = 4 275 658 m and 6 370 772 m.
        #expect(abs((report.square ?? 0) - 4_275_658 / 6_370_772) < 0.02)
        let two = try Program.succeed(
            ["fit", "plan.png", "--json"] + Self.points.prefix(4), in: workshop.url
        ).output
        #expect(two.contains("\"leftOut\" : null") && two.contains("\"suspect\" : null"))
    }

    @Test(
        "A picture is drawn of a TIFF whose overviews hold no averages", .long,
        .needs("gdaladdo", "gdal_translate"))
    func plotOfPickedOverviews() throws {
        let workshop = try Workshop()
        for (tool, arguments) in [
            ("gdal_translate", ["-q", "-outsize", "4200", "2800", "plan.png", "plan.tif"]),
            ("gdaladdo", ["-q", "-r", "nearest", "plan.tif", "2", "4"]),
        ] {
            let outcome = try Tool.run(tool, arguments, in: workshop.url)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let outcome = try workshop.run(["fit", "plan.tif", "--plot", "fit.svg"] + Self.points)
        #expect(outcome.status == 0 && workshop.has("fit.svg"), "\(outcome.errors)")
    }

    /// An SVG as another reader of XML sees it.
    private struct Plot: Decodable {
        struct Mark: Decodable {
            let title: String
            let color: String
            let place: [Double]
        }
        let marks: [Mark]
        let texts: [String]
        let image: [String: String]
        let tags: [String]

        init(contentsOf path: String) throws {
            let outcome = try Python.run(
                """
                import json, sys, xml.etree.ElementTree as etree
                ns = "{http://www.w3.org/2000/svg}"
                root = etree.parse(sys.argv[1]).getroot()
                marks = [
                    {"title": group.find(ns + "title").text, "color": group.get("stroke"),
                     "place": [float(group.find(ns + "circle").get(key)) for key in ("cx", "cy")]}
                    for group in root.iter(ns + "g") if group.find(ns + "title") is not None]
                print(json.dumps({
                    "marks": marks, "texts": ["".join(text.itertext()) for text in root.iter(ns + "text")],
                    "image": {key.split("}")[-1]: value for key, value in root.find(f".//{ns}image").items()},
                    "tags": sorted({element.tag.replace(ns, "") for element in root.iter()})}))
                """, [path])
            #expect(outcome.status == 0, "\(outcome.errors)")
            self = try JSONDecoder().decode(Self.self, from: Data(outcome.output.utf8))
        }
    }

    private static let seenPoints = [
        "30,40,2,48", "170,50,2.001,48", "160,270,2.001,47.998", "40,260,2.0002,47.998",
    ]

    /// Plots a black image that is stored turned: it is seen 200 wide and 300 high, 16 / 3 units to a pixel.
    private func plotTurned(to name: String) throws -> Workshop {
        let workshop = try Workshop()
        try Picture(width: 300, height: 200, colour: (0, 0, 0, 255))
            .write(to: workshop.path("scan.png"), orientation: 6)
        try Program.succeed(
            ["fit", "scan.png", "--plot", name, "--crop", "20,30,160,250"]
                + Self.seenPoints.flatMap { ["--gcp", $0] }, in: workshop.url)
        return workshop
    }

    @Test(
        "A picture of a fit shows the whole image with marks where its points are seen", .long,
        .needs("python3"))
    func plot() throws {
        let workshop = try plotTurned(to: "seen.svg")
        let plot = try Plot(contentsOf: workshop.path("seen.svg"))
        for (point, mark) in zip(Self.seenPoints, plot.marks) {
            let numbers = point.split(separator: ",").compactMap { Double($0) }
            #expect(mark.title.hasPrefix("\(point), ") && mark.color == "#005ab5")
            #expect(zip(mark.place, numbers).allSatisfy { abs($0 - 16 / 3 * $1) < 0.01 }, "\(mark)")
        }
        // Long names are numbers.
        #expect(["1", "2", "3", "4"].allSatisfy { number in plot.texts.contains { $0.hasPrefix(number) } })
        let image = plot.image
        #expect(
            image["width"] == "300" && image["height"] == "200"
                && image["transform"] == "matrix(0 1 -1 0 200 0)")
        let address = try #require(image["href"]?.split(separator: ","))
        #expect(address[0] == "data:image/png;base64")
        try workshop.write(#require(Data(base64Encoded: String(address[1]))), to: "inside.png")
        let inside = try Picture(contentsOf: workshop.path("inside.png"))
        #expect(inside.width == 300 && inside.height == 200 && inside[150, 100] == (0, 0, 0, 255))
    }

    @Test("The renderer draws the same into a PNG file", .needsRenderer)
    func drawnPlot() throws {
        let workshop = try plotTurned(to: "seen.png")
        let seen = try Picture(contentsOf: workshop.path("seen.png"))
        // 60 units around the image, at least 1000 for the legend, which is below.
        let edge = (width: 1067, height: 1600)
        #expect(edge.width + 120...edge.width + 600 ~= seen.width && seen.height > edge.height + 240)
        func place(_ x: Double, _ y: Double) -> (Int, Int) { (60 + Int(16 * x / 3), 60 + Int(16 * y / 3)) }
        for point in Self.seenPoints {
            let numbers = point.split(separator: ",").compactMap { Double($0) }
            let (x, y) = place(numbers[0], numbers[1])
            let pixel = seen[x, y]
            #expect(pixel.blue > 150 && pixel.red < 50, "\(point)")
        }
        // Black, paled; paler where it is cropped off.
        let (inside, outside) = (place(100, 150), place(7, 175))
        #expect(seen[inside.0, inside.1] == (140, 140, 140, 255))
        #expect(seen[outside.0, outside.1].red == 217)
        #expect(seen[5, 5] == (255, 255, 255, 255))
    }

    @Test("Without the renderer, a PNG file is refused, and an SVG is named as the way out")
    func plotWithoutRenderer() throws {
        let workshop = try Workshop()
        let alone = workshop.path("tilewright")
        try Program.copy(to: alone)
        func plot(_ name: String) throws -> Tool.Outcome {
            try Tool.run(
                "/usr/bin/env", ["PATH=/nowhere", alone, "fit", "plan.png", "--plot", name] + Self.points,
                in: workshop.url)
        }
        let refused = try plot("fit.png")
        #expect(refused.status == 66 && refused.output == "")
        #expect(
            refused.errors
                == """
                error: cannot write 'fit.png': 'tilewright-render', which draws a PNG, is neither next to this program \
                nor in PATH
                       'make companions' builds it; or choose a name that ends in .svg

                """)
        #expect(!workshop.has("fit.png"))
        let drawn = try plot("fit.SVG")
        #expect(drawn.status == 0 && drawn.errors == "" && workshop.has("fit.SVG"))
    }

    @Test("Names of points are only text in a picture", .needs("python3"))
    func hostileNames() throws {
        let workshop = try Workshop()
        let names = ["<script>", "'&lt;", "a\"\" x=\"\"1", "漢字"]
        let rows = zip(
            names, [(0, 0, 2.0, 48.002), (300, 0, 2.003, 48.002), (0, 200, 2, 48), (300, 200, 2.003, 48)]
        )
        .map { "\($1.2),\($1.3),\($1.0),-\($1.1),1,0,0,0,\"\($0)\"," }
        try workshop.write(([SavedRows.header] + rows).joined(separator: "\n").utf8, to: "saved.points")
        try Program.succeed(
            ["fit", "plan.png", "--gcps", "saved.points", "--plot", "fit.svg"], in: workshop.url)
        let plot = try Plot(contentsOf: workshop.path("fit.svg"))
        for (mark, name) in zip(plot.marks, names) {
            let name = name.replacing("\"\"", with: "\"")
            #expect(mark.title.hasPrefix("\(name), "), "\(mark)")
            #expect(plot.texts.contains { $0.hasPrefix(name) })
        }
        #expect(
            plot.tags == [
                "circle", "clipPath", "g", "image", "path", "rect", "svg", "text", "title", "tspan",
            ])
    }

    @Test(
        "A picture never replaces the image, and never gets another file type's name",
        arguments: [
            ("plan.png", "that is the image itself"),
            ("fit.jpg", "the picture of a fit is an SVG or PNG file\n"),
            ("fit", "the picture of a fit is an SVG or PNG file\n"),
        ])
    func plotName(name: String, reason: String) throws {
        let workshop = try Workshop()
        let before = try Snapshot(of: workshop.url)
        let outcome = try workshop.run(["fit", "plan.png", "--plot", name] + Self.points)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: cannot write '\(name)': \(reason)"))
        #expect(try Snapshot(of: workshop.url) == before)
    }

    @Test(
        "Points that have no fit are drawn without the one that is wrong, which is named", .long,
        .needs("python3"))
    func plotOfNoFit() throws {
        let workshop = try Workshop()
        let swapped = Self.bent.dropLast(2) + ["--gcp", "210,90,48.00109,2.00211"]
        for model in ["affine", "projective"] {
            let outcome = try workshop.run(
                ["fit", "plan.png", "--transform", model, "--plot", "\(model).svg"] + swapped)
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.contains(
                    "the control point '210,90,48.00109,2.00211' is probably wrong: longitude and latitude"))
            let plot = try Plot(contentsOf: workshop.path("\(model).svg"))
            // The wrong point is red, and the others are blue.
            let wrong = plot.marks.filter { $0.color == "#d53c00" }
            #expect(plot.marks.count == 7 && wrong.map(\.place) == [[1120, 480]])
            #expect(wrong[0].title.hasPrefix("210,90,48.00109,2.00211, "))
            #expect(
                plot.texts.contains("'left out' is probably wrong: without it the others agree far better"))
        }
    }

    @Test("All models are compared, and the best one is recommended, for programs, too")
    func comparison() throws {
        let workshop = try Workshop()
        let all = ["fit", "plan.png", "--transform", "all"]
        let table = try Program.succeed(all + Self.bent, in: workshop.url).output.split(separator: "\n")
        #expect(table.count == 7 && table[0].hasPrefix("transform "))
        let report = try JSONDecoder().decode(
            Comparison.self,
            from: Data(try Program.succeed(all + Self.bent + ["--json"], in: workshop.url).output.utf8))
        #expect(table[6].hasPrefix("use --transform \(report.take ?? ""):"))
        for (line, trial) in zip(table[1...], report.transforms) {
            let metres = try #require(trial.rms?.metres)
            #expect(line.hasPrefix(trial.transform) && line.contains(String(format: "%.3f", metres)))
        }
        let few = try Program.succeed(all + Self.bent.prefix(4), in: workshop.url).output
        #expect(few.contains("needs 3 control points, but there are 2"))
        #expect(try workshop.run(["info"] + all.dropFirst() + Self.bent).status == 64)
        #expect(try workshop.run(all + Self.bent + ["--plot", "a.png"]).status == 64)
    }

    private struct Comparison: Decodable {
        struct Trial: Decodable {
            let transform: String
            let rms: Report.Means?
        }
        let transforms: [Trial]
        let take: String?
    }

    @Test("A name that is not a picture's is refused, even if the points have no fit")
    func plotNameOfNoFit() throws {
        let workshop = try Workshop()
        let swapped = Self.bent.dropLast(2) + ["--gcp", "210,90,48.00109,2.00211"]
        let outcome = try workshop.run(["fit", "plan.png", "--plot", "fit.jpg"] + swapped)
        #expect(outcome.status == 64 && outcome.errors.hasPrefix("error: cannot write 'fit.jpg'"))
    }

    @Test("A fit that is not good enough is drawn nevertheless", .long)
    func plotOfBadFit() throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(
            ["fit", "plan.png", "--plot", "bad.svg", "--max-residual", "0.001"] + Self.bent)
        #expect(outcome.status == 1)
        #expect(workshop.has("bad.svg"))
    }
}

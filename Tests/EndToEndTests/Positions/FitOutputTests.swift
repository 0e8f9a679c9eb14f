import Foundation
import TestSupport
import Testing

/// What `fit -o` writes, and what it never writes over.
struct FitOutputTests {
    private static let points = [
        "--gcp", "0,0,2,48.002", "--gcp", "300,0,2.003,48.002", "--gcp", "0,200,2,48",
    ]

    @Test(
        "A name that no world file has is refused",
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
                == "warning: 'plan.png' does not find 'plan.jgw' by itself: name it 'plan.pgw', or build with "
                + "--world-file plan.jgw\n")
    }

    /// Points of a plan of 300 x 200 pixels, on paper that has warped a little.
    private static let bent = [
        "10,20,2.0001,48.0018", "290,15,2.00292,48.00183", "280,190,2.00281,48.00012",
        "12,185,2.00013,48.00011", "150,150,2.00152,48.00051", "80,75,2.00079,48.00126",
        "210,90,2.00211,48.00109",
    ].flatMap { ["--gcp", $0] }

    @Test("What bends lines goes into no world file", arguments: ["polynomial2", "tps"])
    func curved(model: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(
            ["fit", "plan.png", "--transform", model, "-o", "a.pgw"] + Self.bent)
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix(
                "error: cannot write 'a.pgw': no world file can hold a \(model) fit\n"))
        #expect(!workshop.has("a.pgw") && !workshop.has("a.prj"))
        let failed = try workshop.run(
            ["fit", "plan.png", "--transform", model, "--max-residual", "0.001"] + Self.bent)
        #expect(failed.status == 1)
    }

    @Test("The table has numbers for long names, and the misses of points left out")
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

    @Test("JSON says what the table says, and null where nothing is known")
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
        let outcome = try workshop.run(["fit", "plan.tif", "--plot", "fit.png"] + Self.points)
        #expect(outcome.status == 0 && workshop.has("fit.png"), "\(outcome.errors)")
    }

    @Test("A picture of a fit shows the whole image with marks where its points are seen", .long)
    func plot() throws {
        let workshop = try Workshop()
        // Stored turned: it is seen 200 wide and 300 high.
        try Picture(width: 300, height: 200, colour: (0, 0, 0, 255))
            .write(to: workshop.path("scan.png"), orientation: 6)
        let points = [
            "30,40,2,48", "170,50,2.001,48", "160,270,2.001,47.998", "40,260,2.0002,47.998",
        ]
        try Program.succeed(
            ["fit", "scan.png", "--plot", "seen.png", "--crop", "20,30,160,250"]
                + points.flatMap { ["--gcp", $0] }, in: workshop.url)
        let seen = try Picture(contentsOf: workshop.path("seen.png"))
        // As many times as large as makes the longer side 1000 pixels.
        #expect(seen.width == 800 && seen.height > 1200)
        for point in points {
            let numbers = point.split(separator: ",").compactMap { Int($0) }
            let pixel = seen[4 * numbers[0], 4 * numbers[1]]
            #expect(pixel.blue > 150 && pixel.red < 50, "\(point)")
        }
        // Black, paled; paler where it is cropped off.
        #expect(seen[400, 600] == (140, 140, 140, 255))
        #expect(seen[30, 700] == (217, 217, 217, 255))
    }

    @Test(
        "A picture never takes the image's own place, nor another file type's name",
        arguments: [
            ("plan.png", "that is the image itself"), ("fit.jpg", "the picture of a fit is"),
        ])
    func plotName(name: String, reason: String) throws {
        let workshop = try Workshop()
        let before = try Snapshot(of: workshop.url)
        let outcome = try workshop.run(["fit", "plan.png", "--plot", name] + Self.points)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: cannot write '\(name)': \(reason)"))
        #expect(try Snapshot(of: workshop.url) == before)
    }

    @Test("Points that have no fit are drawn without the one that is wrong, which is named", .long)
    func plotOfNoFit() throws {
        let workshop = try Workshop()
        let swapped = Self.bent.dropLast(2) + ["--gcp", "210,90,48.00109,2.00211"]
        for model in ["affine", "projective"] {
            let outcome = try workshop.run(
                ["fit", "plan.png", "--transform", model, "--plot", "\(model).png"] + swapped)
            #expect(outcome.status == 65)
            #expect(
                outcome.errors.contains(
                    "the control point '210,90,48.00109,2.00211' is probably wrong: longitude and latitude"))
            let seen = try Picture(contentsOf: workshop.path("\(model).png"))
            // Enlarged to a width of 1200: the wrong point is red, and the others are blue, give or take the
            // paper at the edges of their dots.
            let (wrong, right) = (seen[4 * 210, 4 * 90], seen[4 * 10, 4 * 20])
            #expect(wrong.red > 150 && wrong.blue < 100 && right.blue > 150 && right.red < 100)
        }
    }

    @Test("All models are compared, and the one to take is said, also for programs")
    func comparison() throws {
        let workshop = try Workshop()
        let all = ["fit", "plan.png", "--transform", "all"]
        let table = try Program.succeed(all + Self.bent, in: workshop.url).output.split(separator: "\n")
        #expect(table.count == 7 && table[0].hasPrefix("transform "))
        let report = try JSONDecoder().decode(
            Comparison.self,
            from: Data(try Program.succeed(all + Self.bent + ["--json"], in: workshop.url).output.utf8))
        #expect(table[6].hasPrefix("take \(report.take ?? ""):"))
        for (line, trial) in zip(table[1...], report.transforms) {
            let metres = try #require(trial.rms?.metres)
            #expect(line.hasPrefix(trial.transform) && line.contains(String(format: "%.3f", metres)))
        }
        let few = try Program.succeed(all + Self.bent.prefix(4), in: workshop.url).output
        #expect(few.contains("needs 3 control points, and there are 2"))
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

    @Test("A fit that is not good enough is drawn all the same", .long)
    func plotOfBadFit() throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(
            ["fit", "plan.png", "--plot", "bad.png", "--max-residual", "0.001"] + Self.bent)
        #expect(outcome.status == 1)
        #expect(workshop.has("bad.png"))
    }
}

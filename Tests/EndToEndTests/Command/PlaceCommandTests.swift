import Foundation
import TestSupport
import Testing

/// The command `place`: the page that it writes, and the points that it takes back.
@Suite struct PlaceCommandTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: workshop.file(name), encoding: .utf8)
    }

    /// The data that a page holds for its script.
    private func data(_ page: String) throws -> [String: Any] { try workshop.pageData(page) }

    /// The only plan of a page.
    private func plan(_ page: String) throws -> [String: Any] {
        let floors = try #require(try data(page)["floors"] as? [[String: Any]])
        try #require(floors.count == 1)
        return try #require(floors[0]["plan"] as? [String: Any])
    }

    private func save(_ rows: [String], as name: String = "saved.points") throws {
        let text = ([SavedRows.header] + rows).joined(separator: "\n") + "\n"
        try workshop.write(text.utf8, to: name)
    }

    @Test("the page is next to the image, knows its full size and contains a reduced picture")
    func page() throws {
        // As on a machine without Leaflet.
        let outcome = try Program.run(
            ["place", "plan.png", "--preview", "100", "--near", "2,48"],
            environment: ["XDG_DATA_DIRS=/nowhere"], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "plan.html\n")
        let page = try data("plan.html")
        let plan = try plan("plan.html")
        #expect(plan["width"] as? Int == 300 && plan["height"] as? Int == 200)
        #expect(plan["scale"] as? [Double] == [3, 3])
        #expect(page["near"] as? [Double] == [2, 48])
        let picture = #/id="picture-0">data:image/png;base64,([^<]+)</#
        let base64 = try #require(try text("plan.html").firstMatch(of: picture)?.1)
        let bytes = try #require(Data(base64Encoded: String(base64)))
        try workshop.write(bytes, to: "small.png")
        let small = try Picture(contentsOf: workshop.path("small.png"))
        #expect(small.width == 100 && small.height == 67)
        #expect(try text("plan.html").contains("integrity=\"sha256-"))
        // A later one takes its place.
        #expect(try workshop.run(["place", "plan.png"]).status == 0)
    }

    @Test("a plan that has a position begins there, and its points are in the page")
    func position() throws {
        try save(SavedRows.rows, as: "plan.png.points")
        try Program.succeed(["place", "plan.png"], in: workshop.url)
        let plan = try plan("plan.html")
        let points = try #require(plan["points"] as? [[String: Any]])
        #expect(points.map { $0["name"] as? String } == ["a", "b", "c"])
        #expect(points[1]["pixel"] as? [Double] == [300, 0])
        #expect(plan["pointsSize"] as? String == "300x200")
        let corners = try #require(plan["corners"] as? [[Double]])
        #expect(abs(corners[2][0] - 2.003) < 1e-6 && abs(corners[2][1] - 48) < 1e-6)
    }

    @Test("tilesets of every container, images and GeoJSON are shown under the plan")
    func layers() throws {
        for output in ["out", "a.mbtiles", "b.pmtiles"] { try workshop.build(to: output) }
        let lines = #"{"type":"LineString","coordinates":[[2,48],[2.003,48.002]],"name":"</script>"}"#
        try workshop.write(lines.utf8, to: "lines.geojson")
        try save(SavedRows.rows, as: "placed.png.points")
        try workshop.plan.write(to: workshop.path("placed.png"))
        let things = ["out", "a.mbtiles", "b.pmtiles", "placed.png", "lines.geojson"]
        let outcome = try workshop.run(["place", "plan.png"] + things.flatMap { ["--over", $0] })
        #expect(outcome.status == 0, "\(outcome.errors)")
        let page = try data("plan.html")
        let layers = try #require(page["layers"] as? [[String: Any]])
        #expect(layers.map { $0["name"] as? String } == things)
        for layer in layers.prefix(4) {
            let bounds = try #require(layer["bounds"] as? [Double])
            for (edge, expected) in zip(bounds, [2, 48, 2.003, 48.002]) {
                // A pixel or two of the picture.
                #expect(abs(edge - expected) < 4e-5, "\(layer["name"] ?? "")")
            }
        }
        #expect(try text("plan.html").contains(#"id="lines-4">{"type":"LineString""#))
        #expect(try !text("plan.html").contains(#""</script>""#))
    }

    @Test(
        "outlines of KML and KMZ are shown as GeoJSON, and a KMZ with a picture is an image",
        .needs("python3"))
    func outlines() throws {
        let point = "<Placemark><Point><coordinates>2.001,48.001,7</coordinates></Point></Placemark>"
        let kml = "<kml><Document>\(point)</Document></kml>"
        let overlay =
            "<GroundOverlay><Icon><href>plan.png</href></Icon><LatLonBox><north>48.002</north><south>48</south>"
            + "<east>2.003</east><west>2</west></LatLonBox></GroundOverlay>"
        let picture = kml.replacing("</Document>", with: overlay + "</Document>")
        try workshop.write(kml.utf8, to: "a.kml")
        try workshop.write(picture.utf8, to: "picture.kml")
        let script = """
            import zipfile
            for name, document in (("b", "a"), ("c", "picture")):
                with zipfile.ZipFile(name + ".kmz", "w") as archive:
                    archive.write(document + ".kml", "doc.kml")
                    archive.write("plan.png")
            """
        let made = try Tool.run("python3", ["-c", script], in: workshop.url)
        try #require(made.status == 0, "\(made.errors)")
        let files = ["a.kml", "b.kmz", "c.kmz"]
        let outcome = try workshop.run(["place", "plan.png"] + files.flatMap { ["--over", $0] })
        #expect(outcome.status == 0, "\(outcome.errors)")
        let layers = try #require(try data("plan.html")["layers"] as? [[String: Any]])
        #expect(layers.map { $0["name"] as? String } == files)
        #expect(layers.map { $0["bounds"] != nil } == [false, false, true])
        let json =
            #"{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [2.001, 48.001]}]}"#
        for index in 0...1 { #expect(try text("plan.html").contains("id=\"lines-\(index)\">\(json)<")) }
    }

    @Test("saved points are checked and put next to the image, where every command finds them")
    func take() throws {
        try save(SavedRows.rows)
        let outcome = try workshop.run(["place", "plan.png", "--take", "saved.points"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "plan.png.points\n")
        #expect(outcome.errors.contains("3 points, affine fit"))
        let fit = try workshop.run(["fit", "plan.png"])
        #expect(fit.status == 0 && fit.output.contains("affine transform, 3 control points"))
        // Again, by a pipe: a file of our own is replaced.
        try save(Array(SavedRows.rows.prefix(2)))
        let piped = try Tool.run(
            "sh", ["-c", "cat saved.points | '\(Program.path)' place plan.png --take -"], in: workshop.url)
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(piped.errors.contains("2 points, similarity fit"))
    }

    @Test(
        "points that do not belong to the image are refused, and nothing is written",
        arguments: [
            (SavedRows.rows.map { $0.replacing("300x200", with: "600x400") }, "600x400"),
            (
                [SavedRows.rows[0], SavedRows.rows[1].replacing(",b,", with: ",a,"), SavedRows.rows[2]],
                "two points are called 'a'"
            ),
            ([SavedRows.rows[0]], "needs 2 control points"),
            ([SavedRows.rows[0], SavedRows.rows[0].replacing(",a,", with: ",b,")], "the same pixel"),
            (["2,48,x,0,1,0,0,0,a,300x200"], "is not a number"),
        ] as [([String], String)])
    func refusedPoints(rows: [String], reason: String) throws {
        try save(rows)
        let outcome = try workshop.run(["place", "plan.png", "--take", "saved.points"])
        #expect(outcome.status == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(!workshop.has("plan.png.points"))
    }

    @Test("points that QGIS saved stay, unless --force is given")
    func foreignPoints() throws {
        let old = "mapX,mapY,sourceX,sourceY,enable\n2,48,1,-1,1\n2.1,48.1,9,-9,1\n"
        try workshop.write(old.utf8, to: "plan.png.points")
        try save(SavedRows.rows)
        let arguments = ["place", "plan.png", "--take", "saved.points"]
        let refused = try workshop.run(arguments)
        #expect(refused.status == 73 && refused.errors.contains("--force"), "\(refused.errors)")
        #expect(try text("plan.png.points") == old)
        #expect(try workshop.run(arguments + ["--force"]).status == 0)
        #expect(try text("plan.png.points").contains("imageSize"))
    }

    @Test(
        "invalid options are refused with a remedy",
        arguments: ([
            (["place", "nowhere.png"], 66, "nowhere.png"),
            (["place", "plan.png", "-o", "page.txt"], 64, "choose a name that ends in .html"),
            (["place", "plan.png", "--near", "200,95"], 64, "--near"),
            (["place", "plan.png", "--basemap", "https://example.org"], 64, "{z}, {x} and {y}"),
            (["place", "plan.png", "--preview", "7"], 64, "--preview 7"),
            (["place", "plan.png", "--over", "plan.png"], 65, "it has no position"),
            (["place", "plan.png", "--over", "bad.geojson"], 65, "it is not GeoJSON"),
            (["place", "plan.png", "--over", "bad.kml"], 65, "line 1 is not XML"),
            (["place", "plan.png", "--over", "empty.kml"], 65, "it has no Placemark with a point"),
            (["place", "plan.png", "--take", "nowhere.points"], 66, "there is no such file"),
            (["place", "plan.png", "--take", "a", "--preview", "99"], 64, "cannot be combined with --take"),
            (["place", "plan.png", "--take", "a", "--take", "b"], 64, "an image takes one file of points"),
            (["place", "plan.png", "--floor", "1"], 64, "which is not a manifest"),
            (["place", "plan.png", "--take", "a", "--floor", "1"], 64, "which is not a manifest"),
            (["place", "plan.png", "--viewer-assets", "lib"], 66, "leaflet.js"),
        ] as [([String], Int32, String)]).some(7))
    func refusals(arguments: [String], status: Int32, reason: String) throws {
        for name in ["bad.geojson", "bad.kml"] { try workshop.write("{".utf8, to: name) }
        try workshop.write("<kml/>".utf8, to: "empty.kml")
        let outcome = try workshop.run(arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.output.isEmpty && !workshop.has("plan.html"))
    }

    @Test("pages of 'place' and 'viewer' do not overwrite each other", .long)
    func pagesOfOneName() throws {
        try workshop.build(to: "plan.pmtiles")
        try Program.succeed(["place", "plan.png"], in: workshop.url)
        let placing = try text("plan.html")
        let viewer = try workshop.run(["viewer", "plan.pmtiles"])
        #expect(viewer.status == 73, "\(viewer.errors)")
        #expect(viewer.errors.contains("the page there was written by 'tilewright place'"))
        #expect(viewer.errors.contains("choose another name with -o"))
        #expect(try text("plan.html") == placing)
        try Program.succeed(["viewer", "plan.pmtiles", "--force"], in: workshop.url)
        let place = try workshop.run(["place", "plan.png"])
        #expect(place.status == 73, "\(place.errors)")
        #expect(place.errors.contains("the page there was written by 'tilewright viewer'"))
        #expect(try workshop.run(["place", "plan.png", "-o", "lay.html"]).status == 0)
    }

    @Test("a new edition of the image keeps its points, with a warning that its size differs")
    func newEdition() throws {
        try save(SavedRows.rows.map { $0.replacing("300x200", with: "150x100") }, as: "plan.png.points")
        try Program.succeed(["place", "plan.png"], in: workshop.url)
        let plan = try plan("plan.html")
        #expect((plan["points"] as? [[String: Any]])?.count == 3)
        #expect(plan["pointsSize"] as? String == "150x100" && plan["width"] as? Int == 300)
        let taken = try workshop.run(["place", "plan.png", "--take", "plan.png.points"])
        #expect(taken.status == 65, "\(taken.errors)")
        #expect(taken.errors.contains("150x100") && taken.errors.contains("300x200"))
    }

    @Test("points with names of a floor below are offered to the plan, if they are in use")
    func sharedPoints() throws {
        let rows = zip(SavedRows.rows, [",Lift A,", ",Stair,", ",old,"]).map { row, name in
            row.replacing(/,[abc],/, with: name)
        }
        try save(rows.dropLast() + [rows[2].replacing(",1,0,0,", with: ",0,0,0,")], as: "below.png.points")
        try workshop.plan.write(to: workshop.path("below.png"))
        let arguments = ["place", "plan.png", "--over", "below.png", "--force"]
        #expect(try workshop.run(arguments).status == 0)
        let layers = try #require(try data("plan.html")["layers"] as? [[String: Any]])
        let points = try #require(layers[0]["points"] as? [[String: Any]])
        #expect(points.map { $0["name"] as? String } == ["Lift A", "Stair"])
        #expect(points[1]["place"] as? [Double] == [2.003, 48.002])
        // QGIS gives none a name.
        let nameless = "mapX,mapY,sourceX,sourceY,enable\n2,48.002,0,0,1\n2.003,48.002,300,0,1\n"
        try workshop.write(nameless.utf8, to: "below.png.points")
        #expect(try workshop.run(arguments).status == 0)
        #expect(try data("plan.html")["layers"].map { "\($0)" }?.contains("points") == false)
    }

    @Test("a page that tilewright did not write stays, unless --force is given")
    func foreignPage() throws {
        try workshop.write("<!doctype html>".utf8, to: "plan.html")
        let refused = try workshop.run(["place", "plan.png"])
        #expect(refused.status == 73 && refused.errors.contains("cannot write 'plan.html'"))
        #expect(try workshop.run(["place", "plan.png", "--force"]).status == 0)
    }
}

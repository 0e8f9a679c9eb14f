import Foundation
import TestSupport
import Testing

/// CAD drawings as sources, with a program that answers as `tilewright-cad` does.
@Suite(.needsRenderer, .needs("python3"))
struct CADTests {
    private static let crs = ["--crs", "EPSG:25832"]

    private func corners(_ info: [String: Any]) throws -> [[Double]] {
        try #require((info["position"] as? [String: Any])?["corners"] as? [[Double]])
    }

    @Test("A drawing is described with its layout, layers and unit, and is drawn once")
    func described() throws {
        let cad = try CADWorkshop(
            "write(pdf()); say(page(missing_fonts=['simplex.shx'], warnings=['a reference is missing']))")
        let outcome = try cad.run(["info", "plan.dxf"] + Self.crs)
        #expect(outcome.status == 0)
        for words in [
            "plan.dxf: DXF, model space at 1:100, 211.7 x 141.1 mm, in metres", "--layout NAME chooses 'A1'",
            "layers     'WALLS'; not shown: 'TEXT' (off)", "position   the drawing's coordinates, ETRS89",
        ] { #expect(outcome.output.contains(words), "\(outcome.output)") }
        for words in ["'simplex.shx'", "'plan.dxf': a reference is missing"] {
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
        #expect(cad.requests.count == 1 && cad.leftovers == [])
        let image = try #require(try cad.info(Self.crs)["image"] as? [String: Any])
        let drawing = try #require(image["drawing"] as? [String: Any])
        #expect(
            drawing["layout"] as? String == "Model" && drawing["layouts"] as? [String] == ["Model", "A1"])
        let layers = try #require(drawing["layers"] as? [[String: Any]])
        #expect(layers.map { $0["state"] as? String } == ["shown", "off"])
        #expect(layers.map { $0["isShown"] as? Bool } == [true, false])
    }

    @Test("Without a position, a drawing is described first, and coordinates of a map are noticed")
    func withoutPosition() throws {
        let cad = try CADWorkshop()
        let far = try cad.run(["info", "plan.dxf"])
        #expect(far.status == 65 && far.output.contains("DXF, model space"))
        #expect(far.errors.contains("add --crs EPSG:n") && cad.requests.count == 1, "\(far.errors)")
        try cad.install("write(pdf()); say(page(units_from_points=[1, 0, 0, 0, -1, 400]))")
        let near = try cad.run(["info", "plan.dxf"])
        #expect(near.status == 65 && !near.errors.contains("EPSG:n"), "\(near.errors)")
    }

    @Test(
        "Options that do not apply are errors with a way out",
        arguments: [
            (["plan.dxf", "--page", "2"], "--page does not apply", "--layout NAME"),
            (["plan.dxf", "--bands", "1"], "'plan.dxf': a CAD drawing has no samples", "leave it out"),
            (["plan.dxf", "--password-file", "plan.dxf"], "--password-file does not apply", "leave it out"),
            (["plan.png", "--layout", "A1"], "--layout does not apply to 'plan.png'", "leave it out"),
            (["plan.png", "--layers", "A1"], "it is not a PDF or CAD drawing", "leave it out"),
            (["plan.png", "--scale", "1:50"], "--scale needs --anchor", "add --anchor"),
            (["plan.png", "--anchor", "0,0,2,48"], "--anchor needs the plan's scale", "--scale 1:N"),
            (["plan.dxf", "--bearing", "5"], "--bearing needs --anchor", "leave --bearing out"),
        ])
    func refusals(arguments: [String], words: String, remedy: String) throws {
        let cad = try CADWorkshop()
        let outcome = try cad.run(["info"] + arguments)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(words) && outcome.errors.contains(remedy), "\(outcome.errors)")
        #expect(cad.requests.isEmpty)
    }

    @Test("The scale is that of the page and of the ground")
    func scale() throws {
        let cad = try CADWorkshop()
        let anchor = ["--anchor", "0,0,10,53"]
        for (options, scale, pixel) in [
            (anchor, nil, 100 * 0.0254 / 150), (anchor + ["--scale", "1:50"], 50, 50 * 0.0254 / 150),
            (anchor + ["--scale", "1:50", "--dpi", "300"], 50, 50 * 0.0254 / 300),
            (anchor + ["--scale", "0.0254", "--dpi", "300"], 300, 0.0254),
            (Self.crs + ["--scale", "1:200"], 200, 200 * 0.0254 / 150),
        ] as [([String], Double?, Double)] {
            let position = try #require(try cad.info(options)["position"] as? [String: Any])
            let size = try #require(position["cellSize"] as? Double)
            // A grid has a scale of its own on the ground.
            #expect(abs(size / pixel - 1) < 1e-3, "\(options): \(size)")
            #expect(cad.requests.last?["scale"] as? Double == scale, "\(options)")
        }
        // A sheet that shows no model space has no scale.
        try cad.install("write(pdf()); say(page(units_from_points=None))")
        let sheet = try cad.run(["info", "plan.dxf", "--layout", "A1"] + anchor)
        #expect(sheet.status == 64 && sheet.errors.contains("--anchor needs the plan's scale"))
    }

    @Test("A page that is far too large or too small says what to do about the drawing")
    func sizes() throws {
        let anchor = ["info", "plan.dxf", "--anchor", "0,0,10,53"]
        let large =
            "WIDTH, HEIGHT = 500000, 300000; write(pdf()); say(page(far_content='INSERT is far: delete it'))"
        let cad = try CADWorkshop(large)
        let refused = try cad.run(anchor)
        #expect(refused.status == 64, "\(refused.errors)")
        #expect(
            refused.errors.contains("INSERT is far: delete it; or give a coarser --scale 1:N"),
            "\(refused.errors)")
        try cad.install("write(pdf()); say(page(metres_per_unit=0.0254 / 1000, far_content='INSERT is far'))")
        let small = try cad.run(anchor)
        #expect(small.status == 0 && small.errors.contains("'plan.dxf': INSERT is far"), "\(small.errors)")
        #expect(small.errors.contains("check its unit in CAD"), "\(small.errors)")
    }

    /// Longitude and latitude of a place, by PROJ's own program.
    private func place(_ x: Double, _ y: Double) throws -> [Double] {
        let outcome = try Tool.run(
            "cs2cs", ["-f", "%.12f", "EPSG:25832", "EPSG:4326"], input: "\(x) \(y)\n")
        let numbers = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        return [numbers[1], numbers[0]]
    }

    /// A millimetre on the ground, in degrees of latitude.
    private static let millimetre = 9e-9

    @Test(
        "Map coordinates are exact to a millimetre, in any unit, and as GEODATA places them", .needs("cs2cs"))
    func coordinates() throws {
        let size = 100 * 0.0254 / 72
        // Turned by 90 degrees: what is right on the page is north.
        let turned = """
            dict(crs='EPSG:25832', design_point=[565000, 5932000], reference_point=[600000, 5900000], \
            metres_from_units=[0, -1, 1, 0])
            """
        for (answer, options, left, right) in [
            ("page()", Self.crs, (565000, 5_932_000 + 400 * size), (565000 + 600 * size, 5_932_000)),
            (
                "page(metres_per_unit=0.001, units_from_points=[35, 0, 565e6, 0, -35, 5932e6])", Self.crs,
                (565000, 5_932_000), (565021, 5_931_986)
            ),
            (
                // The drawing names no unit: its coordinates are those of the system.
                "page(metres_per_unit=0.001, is_unit_assumed=True, units_from_points=[1, 0, 565000, 0, -1, 5932000])",
                Self.crs, (565000, 5_932_000), (565600, 5_931_600)
            ),
            (
                "page(geodata=\(turned))", [], (600000 - 400 * size, 5_900_000),
                (600000, 5_900_000 + 600 * size)
            ),
        ] as [(String, [String], (Double, Double), (Double, Double))] {
            let cad = try CADWorkshop("write(pdf()); say(\(answer))")
            let info = try cad.info(options)
            let found = try corners(info)
            for (corner, expected) in [(found[0], left), (found[2], right)] {
                let place = try place(expected.0, expected.1)
                #expect(abs(corner[0] - place[0]) < Self.millimetre, "\(answer): \(corner) \(place)")
                #expect(abs(corner[1] - place[1]) < Self.millimetre, "\(answer): \(corner) \(place)")
            }
            let source = (info["position"] as? [String: Any])?["source"] as? String
            #expect(source == (options.isEmpty ? "GEODATA" : "the drawing's coordinates"))
        }
    }

    @Test("A drawing whose map coordinates cannot be in its unit is drawn again in another")
    func wrongUnit() throws {
        let cad = try CADWorkshop(
            """
            unit = request['unit']
            write(pdf()); say(page(metres_per_unit=unit or 0.001, warnings=['metres are taken'] if unit else [],
                units_from_points=[1, 0, 565000, 0, -1, 5932000]))
            """)
        let outcome = try cad.run(["info", "plan.dxf"] + Self.crs)
        #expect(cad.requests.map { $0["unit"] as? Double } == [nil, 1])
        #expect(outcome.errors.contains("metres are taken"), "\(outcome.errors)")
        let (found, expected) = try (corners(cad.info(Self.crs))[0], place(565_000, 5_932_000))
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) < Self.millimetre }, "\(found) \(expected)")
        // Then, the system is not that of the drawing's coordinates.
        let bounds = try cad.info(Self.crs + ["--bounds", "565000,5932000,565100,5932100"])
        #expect((bounds["position"] as? [String: Any])?["source"] as? String == "bounds")
        #expect(cad.requests.last?["unit"] is NSNull)
    }

    @Test(
        "GEODATA around a longitude and latitude has metres on the ground; --crs replaces a system that is unknown"
    )
    func geodata() throws {
        let place = "design_point=[565000, 5932000], reference_point=[10, 53], metres_from_units=[1, 0, 0, 1]"
        let cad = try CADWorkshop("write(pdf()); say(page(geodata=dict(crs='EPSG:4326', \(place))))")
        let found = try corners(try cad.info([]))
        #expect(abs(found[3][0] - 10) < Self.millimetre && abs(found[3][1] - 53) < Self.millimetre)
        // The radius of the parallel on WGS 84.
        let latitude = 53 * Double.pi / 180
        let curvature = 6_378_137 / (1 - 0.00669437999014 * sin(latitude) * sin(latitude)).squareRoot()
        let width = (found[2][0] - 10) * Double.pi / 180 * curvature * cos(latitude)
        #expect(abs(width - 600 * 100 * 0.0254 / 72) < 0.001)
        try cad.install("write(pdf()); say(page(geodata=dict(crs=None, \(place))))")
        #expect(try cad.run(["info", "plan.dxf"]).status == 65)
        #expect(try corners(try cad.info(["--crs", "EPSG:4326"])) == found)
    }

    @Test("A build fails if a file that the drawing refers to changes meanwhile")
    func changed() throws {
        let cad = try CADWorkshop("write(pdf()); say(page(files=[request['folder'] + '/base.dxf']))")
        try cad.workshop.write("4".utf8, to: "base.dxf")
        let renderer = try FileManager.default.destinationOfSymbolicLink(
            atPath: cad.workshop.path("bin/tilewright-render"))
        try FileManager.default.removeItem(atPath: cad.workshop.path("bin/tilewright-render"))
        // When it starts, the drawing has been read.
        try FakeCAD.install(
            "#!/bin/sh\necho 4 >> '\(cad.workshop.path("base.dxf"))'\nexec '\(renderer)' \"$@\"",
            at: cad.workshop.path("bin/tilewright-render"))
        let outcome = try cad.run(["plan.dxf", "-z", "20", "-o", "out"] + Self.crs)
        #expect(outcome.status == 74 && outcome.errors.contains("base.dxf': it changed"), "\(outcome.errors)")
        #expect(!cad.workshop.has("out/tilejson.json"))
    }

    @Test(
        "A build is repeated if the drawing, its options or a file that it refers to changes, and only then")
    func repeated() throws {
        let cad = try CADWorkshop(
            """
            base = request['folder'] + '/base.dxf'
            width = os.path.getsize(base) + (5 if request['layers'] else 0)
            write(pdf(b'%d w 50 50 500 300 re S' % width)); say(page(files=[base]))
            """)
        try cad.workshop.write("4444".utf8, to: "base.dxf")
        let build = ["plan.dxf", "-z", "20", "-o", "out"] + Self.crs
        func written(_ options: [String] = []) throws -> String {
            let outcome = try cad.run(build + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.errors
        }
        let first = try written()
        #expect(!first.contains("0 tiles written") && cad.requests.count == 1)
        #expect(try written().contains(" 0 tiles written") || written().contains("\n0 tiles written"))
        try cad.workshop.write("88888888".utf8, to: "base.dxf")
        #expect(!(try written().contains("\n0 tiles written")))
        #expect(!(try written(["--layers", "WALLS"]).contains("\n0 tiles written")))
        #expect(cad.leftovers == [])
    }

    @Test("A manifest chooses layouts, and a dark background is told")
    func manifest() throws {
        let cad = try CADWorkshop()
        let manifest = """
            output: tiles
            crs: EPSG:25832
            zoom: 18
            floors:
              - {floor: 0, image: plan.dxf, scale: "1:50"}
              - {floor: 1, image: plan.dxf, layout: A1, layers: [WALLS], background: "#000000"}
            """
        try cad.workshop.write(manifest.utf8, to: "building.yaml")
        let outcome = try cad.run(["building.yaml"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let requests = cad.requests
        #expect(requests.map { $0["scale"] as? Double } == [50, nil])
        #expect(requests.map { $0["layout"] as? String } == [nil, "A1"])
        #expect(requests.map { $0["is_on_dark"] as? Bool } == [false, true])
        let wrong = manifest.replacing("plan.dxf, scale", with: "plan.png, scale")
        try cad.workshop.write(wrong.utf8, to: "building.yaml")
        let refused = try cad.run(["building.yaml"])
        #expect(refused.status == 64 && refused.errors.contains("building.yaml:5:"), "\(refused.errors)")
    }

    @Test("The time that a large drawing takes is told before it is read, and its progress while it is")
    func time() throws {
        let cad = try CADWorkshop(
            "say({'progress': {'stage': 'reading', 'share': 0.25}}); " + FakeCAD.plain)
        try cad.workshop.write(
            (FakeCAD.drawing + String(repeating: " ", count: 20_000_000)).utf8, to: "plan.dxf")
        let build = ["plan.dxf", "-z", "18", "-o", "out"] + Self.crs
        let line = "reading 'plan.dxf' (20.0 MB) takes about 30 seconds\n"
        #expect(try cad.run(["info", "plan.dxf"] + Self.crs).errors.contains(line))
        #expect(try cad.run(build).errors.contains(line))
        #expect(try cad.run(build + ["-q"]).errors == "")
        let events = try cad.run(build + ["--progress", "json"]).errors
        #expect(!events.contains("takes about"))
        #expect(events.contains("\"phase\":\"reading\",\"partsDone\":25,\"partsTotal\":100"), "\(events)")
    }

    /// Converters that write a DXF, as LibreDWG and the ODA File Converter are called.
    private static let converters = [
        "dwg2dxf":
            "#!/bin/sh\n[ $1 = -y ] && [ $2 = -o ] && /bin/cp \"$4\" \"$3\" && echo 'Reading DWG' >&2\n",
        "ODAFileConverter": """
        #!/bin/sh
        [ "$QT_QPA_PLATFORM" = offscreen ] && [ "$3 $4 $5 $6 $7" = "ACAD2018 DXF 0 1 drawing.dwg" ] || exit 1
        /bin/cp "$1/drawing.dwg" "$2/drawing.dxf"\n
        """,
    ]

    @Test(
        "A DWG is converted to DXF first, by what is installed", arguments: ["dwg2dxf", "ODAFileConverter"])
    func converted(name: String) throws {
        let cad = try CADWorkshop(tools: [name: try #require(Self.converters[name])])
        let outcome = try cad.run(["info", "plan.dwg"] + Self.crs)
        #expect(
            outcome.status == 0 && outcome.output.contains("plan.dwg: DWG, model space"), "\(outcome.errors)")
        #expect((cad.requests.first?["head"] as? String)?.hasPrefix("AC1032") == true)
        #expect(cad.requests.first?["path"] as? String == "plan.dwg" && cad.leftovers == [])
    }

    @Test("A DWG without a converter, or that none converts, is an error with a way out")
    func unconverted() throws {
        let bare = try CADWorkshop().run(["info", "plan.dwg"] + Self.crs)
        #expect(bare.status == 66)
        for words in ["neither 'dwg2dxf' nor 'ODAFileConverter' is in PATH", "LibreDWG", "plot it to a PDF"] {
            #expect(bare.errors.contains(words), "\(bare.errors)")
        }
        for (script, words) in [
            (
                "#!/bin/sh\necho 'ERROR: bad CRC' >&2; echo >&2; exit 1\n",
                "'dwg2dxf' cannot convert it to DXF: ERROR: bad CRC"
            ),
            ("#!/bin/sh\nexit 0\n", "it wrote no DXF"),
        ] {
            let cad = try CADWorkshop(tools: ["dwg2dxf": script])
            let outcome = try cad.run(["info", "plan.dwg"] + Self.crs)
            #expect(outcome.status == 65 && outcome.errors.contains(words), "\(outcome.errors)")
            #expect(cad.leftovers == [])
        }
    }

    @Test(
        "Without tilewright-cad, the error says how to get it; a page that differs from its description is refused"
    )
    func missing() throws {
        let outcome = try CADWorkshop(nil).run(["info", "plan.dxf"] + Self.crs)
        #expect(outcome.status == 66)
        for words in [
            "'tilewright-cad', which draws a DXF, is neither", "make companions", "plot the drawing to a PDF",
        ] {
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
        let other = try CADWorkshop("write(pdf()); say(page(width=601))").run(
            ["info", "plan.dxf"] + Self.crs)
        #expect(other.status == 70 || other.errors.contains("describes another page"), "\(other.errors)")
    }
}

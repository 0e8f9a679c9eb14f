import Foundation
import TestSupport
import Testing

/// A KMZ in the place of an image: image and position come out of it.
@Suite struct KMZCommandTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private static let box =
        "<LatLonBox><north>48.002</north><south>48</south><east>2.003</east><west>2</west></LatLonBox>"

    private static func overlay(_ image: String, box: String = box) -> String {
        "<GroundOverlay><color>7fffffff</color><Icon><href>\(image)</href></Icon>\(box)</GroundOverlay>"
    }

    private static func document(_ content: String) -> [UInt8] {
        Array("<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\(content)</Document></kml>".utf8)
    }

    private var plan: [UInt8] {
        get throws { try [UInt8](Data(contentsOf: workshop.file("plan.png"))) }
    }

    /// An archive of a document and `files/plan.png`, or what is said in its place.
    private func write(
        _ content: String = overlay("files/plan.png"), at place: String = "doc.kml",
        with images: [ZIPBuilder.Entry]? = nil, to name: String = "plan.kmz"
    ) throws {
        let document = ZIPBuilder.Entry(place, Self.document(content))
        let images = try images ?? [ZIPBuilder.Entry("files/plan.png", plan)]
        try workshop.write(ZIPBuilder([document] + images).bytes, to: name)
    }

    private func tiles(_ output: String) throws -> [String: Data] {
        try Snapshot(of: workshop.file(output)).tiles
    }

    /// Builds the plan with the overlay's position.
    private func buildPlan() throws {
        try workshop.write(Self.document(Self.overlay("plan.png")), to: "plan.kml")
        try Program.succeed(["plan.png", "--kml", "plan.kml", "-o", "own"], in: workshop.url)
    }

    @Test("the tiles are those of the image with the overlay's position, and nothing is left behind")
    func sameTiles() throws {
        try buildPlan()
        try write()
        try FileManager.default.createDirectory(
            at: workshop.file("scratch"), withIntermediateDirectories: false)
        try Program.succeed(
            ["plan.kmz", "-o", "out", "--tmpdir", "scratch", "--depfile", "out.d"], in: workshop.url)
        #expect(try tiles("out") == tiles("own"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("scratch")).isEmpty)
        #expect(try String(contentsOf: workshop.file("out.d"), encoding: .utf8).contains("plan.kmz\n"))
        let again = try Program.succeed(["plan.kmz", "-o", "out"], in: workshop.url)
        #expect(again.errors.hasPrefix("0 tiles written"), "\(again.errors)")
        let info = try Program.succeed(["info", "plan.kmz"], in: workshop.url).output
        #expect(info.contains("plan.kmz: PNG") && info.contains("'files/plan.png' in the archive"))
        #expect(info.contains("ground overlay of 'plan.kmz'"))
    }

    @Test(
        "what programs write is read: deflated, with the numbers of large archives, whatever the names end in",
        .needs("python3"))
    func archives() throws {
        try buildPlan()
        try workshop.write(Self.document(Self.overlay("files/My%20plan.dat")), to: "doc.kml")
        let script = """
            import zipfile
            with zipfile.ZipFile('deflated.kmz', 'w', zipfile.ZIP_DEFLATED) as archive:
                archive.write('doc.kml')
                archive.write('plan.png', 'files/My plan.dat')
            with zipfile.ZipFile('streamed.kmz', 'w', zipfile.ZIP_DEFLATED) as archive:
                for name, source in [('doc.kml', 'doc.kml'), ('files/My plan.dat', 'plan.png')]:
                    with archive.open(name, 'w', force_zip64=True) as file:
                        file.write(open(source, 'rb').read())
            """
        let outcome = try Python.run(script, in: workshop.url)
        try #require(outcome.status == 0, "\(outcome.errors)")
        var large = ZIPBuilder.Entry("files/My plan.dat", try plan)
        large.isLarge = true
        try write(Self.overlay("files/My%20plan.dat"), with: [large], to: "large.kmz")
        for name in ["deflated", "streamed", "large"] {
            try Program.succeed(["\(name).kmz", "-o", name], in: workshop.url)
            #expect(try tiles(name) == tiles("own"), "\(name)")
        }
    }

    @Test("addresses count from the document, in either notation")
    func addresses() throws {
        for (place, address, name) in [
            ("doc.kml", "./plan.png", "plan.png"), ("a/b.kml", "../files/plan.png", "files/plan.png"),
            ("a/b.kml", "plan.png", "a/plan.png"), ("doc.kml", "files\\plan.png", "files/plan.png"),
            ("doc.kml", "files/plan.png", "files\\plan.png"), ("doc.kml", "Files/Plan.PNG", "files/plan.png"),
        ] {
            try write(Self.overlay(address), at: place, with: [ZIPBuilder.Entry(name, plan)])
            let outcome = try workshop.run(["info", "plan.kmz"])
            #expect(outcome.status == 0, "\(address): \(outcome.errors)")
        }
    }

    @Test("an image outside the archive is an error, and nothing is downloaded", .long)
    func outside() throws {
        try workshop.plan.write(to: workshop.path("secret.png"))
        for (address, reason) in [
            ("https://example.org/plan.png", "is not in the archive but at 'https://example.org/plan.png'"),
            ("//example.org/plan.png", "is not in the archive but at"),
            ("../secret.png", "'../secret.png' is outside the archive"),
            ("files/../../secret.png", "is outside the archive"),
            (workshop.path("secret.png"), "is outside the archive"),
            ("C:\\plan.png", "is outside the archive"), ("file:secret.png", "is outside the archive"),
            ("secret.png", "'secret.png' is not in the archive"), ("", "has no image"),
        ] {
            try write(Self.overlay(address))
            let outcome = try workshop.run(["info", "plan.kmz"])
            #expect(outcome.status == 65, "\(address)")
            #expect(outcome.errors.hasPrefix("error: cannot read 'plan.kmz': "), "\(outcome.errors)")
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        }
    }

    @Test("--page chooses one of several overlays; a superoverlay is refused")
    func several() throws {
        let east = Self.box.replacing("2.003", with: "2.006").replacing("<west>2<", with: "<west>2.003<")
        let second = Picture(width: 30, height: 20, colour: (9, 99, 200, 255))
        try write(
            Self.overlay("files/plan.png") + Self.overlay("b.png", box: east),
            with: [
                ZIPBuilder.Entry("files/plan.png", plan), ZIPBuilder.Entry("b.png", [UInt8](second.png())),
            ])
        let open = try workshop.run(["info", "plan.kmz"])
        #expect(open.status == 65)
        #expect(
            open.errors == """
                error: cannot read 'plan.kmz': it has 2 overlays: 'files/plan.png', 'b.png'
                       choose one with --page: 1 is the first

                """, "\(open.errors)")
        let chosen = try workshop.run(["info", "plan.kmz", "--page", "2"]).output
        #expect(chosen.contains("30 x 20 pixels") && chosen.contains("2.00300000, 48.00200000"), "\(chosen)")
        #expect(try workshop.run(["plan.kmz", "--page", "1", "-o", "out"]).status == 0)
        let other = try workshop.run(["plan.kmz", "--page", "2", "-o", "out"])
        #expect(other.status == 73 && other.errors.contains("'out' was made from 'plan.kmz'"))
        let third = try workshop.run(["info", "plan.kmz", "--page", "3"])
        #expect(third.status == 65 && third.errors.contains("page 3 of 'plan.kmz': it has 2 overlays"))
        try write("<NetworkLink><Link><href>0/0/0.kml</href></Link></NetworkLink>")
        let linked = try workshop.run(["info", "plan.kmz"])
        #expect(linked.status == 65 && linked.errors.contains("it is a superoverlay"))
        let overlay = Self.overlay("files/plan.png", box: Self.box)
        try write("<NetworkLink><Region/><Link><href>0/0/0.kml</href></Link></NetworkLink>" + overlay)
        #expect(try workshop.run(["info", "plan.kmz"]).status == 65)
        // A link to something else is no part of the picture.
        try write(
            "<NetworkLink><Link><href>https://example.org/bus.kml</href></Link></NetworkLink>" + overlay)
        #expect(try workshop.run(["info", "plan.kmz"]).status == 0)
    }

    @Test("a given position is used, even if the overlay has none")
    func positions() throws {
        for box in [Self.box, ""] {
            try write(Self.overlay("files/plan.png", box: box))
            let info = try workshop.run(["info", "plan.kmz", "--bounds", "10,50,10.003,50.002"])
            #expect(info.status == 0 && info.output.contains("10.00000000, 50.00200000"), "\(info.errors)")
        }
        #expect(try workshop.run(["info", "plan.kmz"]).status == 65)
    }

    @Test("every command and manifests support KMZ", .long)
    func commands() throws {
        try buildPlan()
        try write()
        let (name, bytes) = try #require(tiles("own").first { $0.key.hasPrefix("17/") })
        let address = String(name.prefix { $0 != "." })
        try Program.succeed(["tile", "plan.kmz", "-o", "tile.png", address], in: workshop.url)
        #expect(try Data(contentsOf: workshop.file("tile.png")) == bytes)
        try Program.succeed(["snapshot", "plan.kmz", "-o", "view.png"], in: workshop.url)
        #expect(try workshop.run(["camera", "plan.kmz"]).status == 0)
        let points = ["--gcp", "0,0,2,48.002", "--gcp", "300,0,2.003,48.002", "--gcp", "0,200,2,48"]
        #expect(try workshop.run(["fit", "plan.kmz", "--plot", "fit.svg"] + points).status == 0)
        #expect(try workshop.run(["place", "plan.kmz"]).output == "plan.html\n")
        let floors = try #require(workshop.pageData("plan.html")["floors"] as? [[String: Any]])
        #expect((floors[0]["plan"] as? [String: Any])?["width"] as? Int == 300)
        try workshop.write(
            "output: house\nfloors:\n  - {floor: 0, image: plan.kmz}\n".utf8, to: "house.yaml")
        try Program.succeed(["house.yaml"], in: workshop.url)
        let built = try tiles("house")
        #expect(try Set(built.values) == Set(tiles("own").values))
    }

    @Test("it is served", .long, .needsServer)
    func serving() throws {
        try buildPlan()
        try write()
        let (name, bytes) = try #require(tiles("own").first { $0.key.hasPrefix("17/") })
        let server = try TileServer(["plan.kmz"], in: workshop.url)
        #expect(try server.ask("/plan/\(name)").body == bytes)
    }

    @Test("errors name the image in the archive, and the archive", .long)
    func damage() throws {
        try write(with: [ZIPBuilder.Entry("files/plan.png", Array(plan.prefix(300)))])
        let image = try workshop.run(["plan.kmz", "-o", "out"])
        #expect(image.status == 65)
        #expect(image.errors.hasPrefix("error: cannot read 'plan.kmz: files/plan.png': "), "\(image.errors)")
        try write(with: [ZIPBuilder.Entry("files/plan.png", Array("GIF89a".utf8))])
        let type = try workshop.run(["info", "plan.kmz"])
        #expect(type.errors.contains("'plan.kmz: files/plan.png': it is a GIF"), "\(type.errors)")
        #expect(type.errors.contains("unpack the archive, and convert the image"))

        func entry(_ change: (inout ZIPBuilder.Entry) -> Void) throws -> ZIPBuilder.Entry {
            var entry = ZIPBuilder.Entry("files/plan.png", try plan)
            change(&entry)
            return entry
        }
        for (entry, reason) in [
            (try entry { $0.flags = 1 }, "is encrypted"),
            (try entry { $0.method = 12 }, "uses an unsupported compression"),
            (try entry { $0.method = 8 }, "cannot be inflated"),
            // What would fill the disk.
            (
                try entry {
                    $0.method = 8
                    $0.size = 1_900_000_000
                }, "cannot be inflated to its 1900000000 bytes"
            ),
            (
                try entry {
                    $0.size = 1 << 40
                    $0.isLarge = true
                }, "is too large"
            ), (try entry { $0.size = 0 }, "is empty"),
        ] {
            try write(with: [entry])
            let outcome = try workshop.run(["info", "plan.kmz"])
            #expect(outcome.status == 65 && outcome.errors.contains(reason), "\(outcome.errors)")
        }
        let whole = try Data(contentsOf: workshop.file("plan.kmz"))
        try workshop.write(whole.prefix(whole.count / 2), to: "plan.kmz")
        let cut = try workshop.run(["info", "plan.kmz"])
        #expect(cut.status == 65 && cut.errors.contains("cannot read 'plan.kmz': it is not a ZIP archive"))
        try write()
        let full = try workshop.run(["info", "plan.kmz", "--tmpdir", "nowhere"])
        #expect(full.status != 0 && full.errors.contains("--tmpdir FOLDER"), "\(full.errors)")
    }

    @Test("the error for another archive says how to use it")
    func otherArchives() throws {
        try workshop.write(ZIPBuilder([ZIPBuilder.Entry("plan.png", plan)]).bytes, to: "plans.zip")
        let outcome = try workshop.run(["info", "plans.zip"])
        #expect(outcome.status == 65 && outcome.errors.contains("unpack it first: unzip plans.zip"))
        try workshop.write([0x50, 0x4B, 3, 4], to: "plan.kmz")
        let damaged = try workshop.run(["info", "plan.kmz"])
        #expect(damaged.status == 65 && damaged.errors.contains("it is not a ZIP archive, or is cut off"))
    }
}

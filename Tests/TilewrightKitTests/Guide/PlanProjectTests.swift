import Foundation
import Platform
import TestSupport
import Testing

@testable import TilewrightKit

/// Buildings that are made step by step, without a page.
struct PlanProjectTests {
    private let site: Site

    init() throws {
        site = try Site()
        for name in ["a.png", "b.png"] { try site.draw(name, width: 300, height: 200) }
    }

    private func project(_ names: String...) throws -> PlanProject { try PlanProject(names.map(site.path)) }

    private func shown(_ project: PlanProject) throws -> [String: Any] {
        let json = try JSONSerialization.jsonObject(with: Data(project.shown().utf8))
        return try #require(json as? [String: Any])
    }

    /// The floors of the pages that are shown, by the pages' names.
    private func floors(_ project: PlanProject) throws -> [String: String] {
        let sheets = try #require(try shown(project)["sheets"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: sheets.compactMap { sheet in
                let floor = sheet["floor"] as? [String: Any]
                return (floor?["floor"] as? String).map { (sheet["id"] as? String ?? "", $0) }
            })
    }

    /// A floor as the page sends it.
    private func floor(
        _ id: String, _ name: String, _ ordinal: Int = 0, label: String? = nil, isDefault: Bool = false,
        crop: [Int]? = nil
    ) -> [String: Any] {
        var floor: [String: Any] = [
            "id": id, "floor": name, "label": label ?? name, "ordinal": ordinal, "isDefault": isDefault,
        ]
        floor["crop"] = crop
        return floor
    }

    private func change(
        _ project: PlanProject, _ floors: [[String: Any]], name: String? = nil, revision: String? = nil
    ) throws {
        let revision = try revision ?? shown(project)["revision"] as? String ?? ""
        var body: [String: Any] = ["revision": revision, "floors": floors]
        body["name"] = name
        let json = try JSONSerialization.data(withJSONObject: body)
        try project.change(JSONDecoder().decode(PagesChange.self, from: json))
    }

    private func save(
        _ project: PlanProject, _ floor: String, _ text: String?, isOwn: Bool = false,
        _ more: [String: Any] = [:]
    ) throws -> [String] {
        var body: [String: Any] = ["floor": floor, "isOwn": isOwn].merging(more) { $1 }
        body["text"] = text
        let json = try JSONSerialization.data(withJSONObject: body)
        return try project.save(JSONDecoder().decode(PositionChange.self, from: json))
    }

    /// Points in three corners of an image, as the page saves them.
    private var points: String {
        "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize\n"
            + "2,48.002,0,0,1,0,0,0,a,300x200\n2.003,48.002,300,0,1,0,0,0,b,300x200\n"
            + "2,48,0,-200,1,0,0,0,c,300x200\n"
    }

    private let outline =
        #"{"type": "Polygon", "coordinates": [[[2, 48], [2.002, 48], [2.002, 48.001], [2, 48]]]}"#

    // The first step

    @Test("pages become floors of a manifest that a person can read")
    func pages() throws {
        let project = try project("a.png", "b.png")
        try change(
            project,
            [
                floor("1-1", "2", 2, label: "Second # \"floor\"", isDefault: true),
                floor("0-1", "B1", -1, crop: [10, 20, 100, 50]),
            ], name: " House ")
        #expect(
            try site.text("building.yaml") == """
                # The floors of a building and where they are, for tilewright.
                # 'tilewright open' changes this file, and keeps what others write into it.
                name: House
                output: tiles
                floors:
                  - floor: B1
                    ordinal: -1
                    image: a.png
                    crop: [10, 20, 100, 50]
                  - floor: 2
                    label: "Second # \\"floor\\""
                    default: true
                    image: b.png

                """)
        #expect(try floors(project) == ["0-1": "B1", "1-1": "2"])
    }

    @Test("what others write into the manifest stays")
    func others() throws {
        let source = """
            # Ours
            output: tiles # here
            floors:
            - floor: 1 # ground
              label: "1"
              ordinal: 1
              default: false
              image: ./a.png
              crop: 0,0,300,200
              description: All of it

            # The second is new.
            - {floor: 2, image: b.png, zoom: 17}
            zoom: 15-17

            """
        try site.write(source.utf8, to: "house.yaml")
        let project = try project("house.yaml")
        let all = [floor("0-1", "1", 1, crop: [0, 0, 300, 200]), floor("1-1", "2", 2)]
        try change(project, all)
        #expect(try site.text("house.yaml") == source)
        try change(project, [floor("0-1", "1", 1, label: "Hall", crop: [1, 2, 3, 4]), all[1]])
        #expect(
            try site.text("house.yaml")
                == source.replacing("label: \"1\"", with: "label: Hall")
                .replacing("crop: 0,0,300,200", with: "crop: [1, 2, 3, 4]"))
    }

    @Test("floors that the page does not show stay")
    func unseen() throws {
        try site.write([1, 2, 3], to: "damaged.png")
        let source = """
            output: tiles
            floors:
              - {floor: 1, image: [a.png, b.png], label: Both}
              - {floor: 2, image: a.png, crop: "0,0,100,100"}
              - {floor: 3, image: a.png, crop: "100,0,100,100"}
              - {floor: 4, image: damaged.png}

            """
        try site.write(source.utf8, to: "house.yaml")
        let project = try project("house.yaml")
        #expect(try floors(project) == ["0-1": "2"])
        try change(project, [floor("0-1", "2", 2, crop: [0, 0, 100, 100])])
        #expect(try site.text("house.yaml") == source)
        try change(project, [floor("1-1", "5", 5)])
        #expect(
            try site.text("house.yaml")
                == source.replacing("  - {floor: 2, image: a.png, crop: \"0,0,100,100\"}\n", with: "")
                + "  - floor: 5\n    image: b.png\n")
    }

    @Test("keys of all floors count for the pages that are shown")
    func common() throws {
        try site.write(
            "output: t\ncrop: 0,0,9,9\nfloors:\n- {floor: 1, image: a.png}\n".utf8, to: "house.yaml")
        let project = try project("house.yaml", "b.png")
        try change(project, [floor("0-1", "2", 2), floor("1-1", "1", 1, crop: [0, 0, 9, 9])])
        #expect(
            try site.text("house.yaml").hasSuffix(
                "- {floor: 1, image: a.png}\n- floor: 2\n  image: b.png\n  crop: [0, 0, 300, 200]\n"))
        #expect(try floors(project) == ["0-1": "2", "1-1": "1"])
    }

    @Test("a plan in another folder is named by its path, and found again")
    func elsewhere() throws {
        try site.draw("plans/a.png", width: 300, height: 200)
        try site.draw("other/b.png", width: 300, height: 200)
        let project = try project("plans/a.png", "other/b.png")
        try change(project, [floor("0-1", "1", 1), floor("1-1", "2", 2)])
        let text = try site.text("plans/building.yaml")
        #expect(text.contains("image: a.png\n"))
        #expect(text.contains("/other/b.png"))
        #expect(try floors(PlanProject([site.path("plans/building.yaml")])) == ["0-1": "1", "1-1": "2"])
    }

    @Test(
        "floors that cannot be are refused, and the manifest stays",
        arguments: [
            "../x", "a/b", "..", ".", "", "a\nb", "{a}", "\u{0}", String(repeating: "x", count: 129),
        ])
    func refused(name: String) throws {
        let project = try project("a.png")
        #expect(throws: Failure.self) { try change(project, [floor("0-1", name, 1)]) }
        #expect(!site.has("building.yaml"))
        try change(project, [floor("0-1", "1", 1)])
        let text = try site.text("building.yaml")
        #expect(throws: Failure.self) { try change(project, [floor("0-1", name, 1)]) }
        #expect(try site.text("building.yaml") == text)
    }

    @Test(
        "any other name of a floor is the same when it is read again",
        arguments: [
            "true", "~", "1e3", "😀", "null", "#x", "x: y", "- a", "\"", "*a", "01", "\u{2028}", "\u{FFFF}",
        ])
    func names(name: String) throws {
        let project = try project("a.png")
        try change(project, [floor("0-1", name, 1, label: name + "\n")])
        #expect(try floors(project) == ["0-1": name])
    }

    @Test(
        "frames beyond the page are refused",
        arguments: [
            [-1, 0, 5, 5], [0, 0, 301, 1], [.max, 0, 1, 1], [.min, 0, .max, 1], [0, 0, 0, 1], [0, 0, 1], [],
        ])
    func frames(crop: [Int]) throws {
        let project = try project("a.png")
        expectRefusal(.usage, "the frame of floor '1' reaches beyond its page") {
            try change(project, [floor("0-1", "1", 1, crop: crop)])
        }
        #expect(!site.has("building.yaml"))
    }

    @Test("changes to an older manifest, no floors, unknown pages and endless names are refused")
    func conflicts() throws {
        let project = try project("a.png", "b.png")
        try change(project, [floor("0-1", "1", 1)])
        let text = try site.text("building.yaml")
        #expect(throws: ManifestChanged.self) { try change(project, [floor("0-1", "2", 2)], revision: "") }
        try site.write((text + "# by hand\n").utf8, to: "building.yaml")
        let revision = try #require(try shown(project)["revision"] as? String)
        try site.write((text + "zoom: 17\n").utf8, to: "building.yaml")
        #expect(throws: ManifestChanged.self) {
            try change(project, [floor("0-1", "2", 2)], revision: revision)
        }
        expectRefusal(.usage, "at least one floor") { try change(project, []) }
        expectRefusal(.usage, "does not exist any more") { try change(project, [floor("7-1", "1", 1)]) }
        expectRefusal(.usage, "larger than 1 MiB") {
            try change(project, [floor("0-1", "1", 1, label: String(repeating: "x", count: 1 << 20))])
        }
        expectRefusal(.usage, "already defined") {
            try change(project, [floor("0-1", "1", 1), floor("1-1", "1", 2)])
        }
        #expect(try site.text("building.yaml") == text + "zoom: 17\n")
    }

    @Test("a manifest that is a link stays a link, and folders, links to nothing and campuses are refused")
    func kinds() throws {
        try site.write("output: t\nfloors: [{floor: 1, image: a.png}]\n".utf8, to: "real.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: site.path("house.yaml"), withDestinationPath: "real.yaml")
        let linked = try project("house.yaml")
        try change(linked, [floor("0-1", "2", 2)])
        #expect(try site.text("real.yaml").contains("floor: 2"))
        #expect(FileStatus(at: site.path("house.yaml")) == FileStatus(at: site.path("real.yaml")))
        try site.write("output: t\nbuildings: [real.yaml]\n".utf8, to: "campus.yaml")
        expectRefusal(.usage, "it lists several buildings") { try project("campus.yaml") }
        expectRefusal(.usage, "are both manifests") { try project("real.yaml", "house.yaml") }
        expectRefusal(.missingInput, "there is no such file") { try project("none.pdf") }
        expectRefusal(.missingInput, "it is not a file") { try project("/") }
    }

    @Test("pages keep their names when the manifest names their plan no more, and can be chosen again")
    func dropped() throws {
        try site.draw("c.png", width: 300, height: 200)
        let rows = ["a", "b", "c"].enumerated().map { "  - {floor: \($0), image: \($1).png}\n" }.joined()
        try site.write("output: t\nfloors:\n\(rows)".utf8, to: "house.yaml")
        let project = try project("house.yaml")
        let last = floor("2-1", "2", 2)
        try change(project, [last])
        #expect(try floors(project) == ["2-1": "2"])
        try change(project, [floor("1-1", "1", 1), last])
        #expect(try site.text("house.yaml").contains("image: b.png"))
        #expect(try floors(project) == ["1-1": "1", "2-1": "2"])
        // Another run counts the plans anew: what a page of this one knows does not fit.
        let known = try #require(try shown(project)["revision"] as? String)
        let next = try self.project("house.yaml")
        #expect(throws: ManifestChanged.self) { try change(next, [last], revision: known) }
    }

    @Test("a manifest from somebody else does not make the guide write or remove files outside of its folder")
    func strangers() throws {
        let old = points.replacing("2.003", with: "2.004")
        for name in ["mine/a.points", "mine/b.png.points"] { try site.write(old.utf8, to: name) }
        try site.draw("mine/b.png", width: 300, height: 200)
        try site.draw("received/a.png", width: 300, height: 200)
        let source = """
            output: ../tiles
            floors:
              - {floor: 1, image: a.png, gcps: ../mine/a.points}
              - {floor: 2, image: ../mine/b.png}
              - {floor: 3, image: a.png, gcps: linked/a.points}

            """
        try site.write(source.utf8, to: "received/house.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: site.path("received/linked"), withDestinationPath: "../mine")
        let project = try project("received/house.yaml")
        for (floor, isOwn) in [("1", true), ("2", true), ("3", true)] {
            expectRefusal(.outputRefused, "it is outside of the folder of") {
                try save(project, floor, points, isOwn: isOwn)
            }
            _ = try save(project, floor, nil, isOwn: isOwn)
        }
        #expect(try site.text("mine/a.points") == old && site.text("mine/b.png.points") == old)
        let common = "gcps: ../mine/a.points\n" + source.replacing(", gcps: ../mine/a.points", with: "")
        try site.write(common.utf8, to: "received/house.yaml")
        expectRefusal(.outputRefused, "it is outside of the folder of") { try save(project, "1", points) }
        _ = try save(project, "1", nil)
        #expect(try site.text("mine/a.points") == old)
        let build = ProjectBuild(project)
        for output in ["../tiles", "linked/tiles", site.path("tiles"), "linked/{floor}.pmtiles"] {
            try site.write(source.replacing("../tiles", with: output).utf8, to: "received/house.yaml")
            expectRefusal(.outputRefused, "it is outside of the folder of") { try build.start() }
            expectRefusal(.outputRefused, "it is outside of the folder of") { try build.remove() }
        }
        // The user has named the plan.
        try site.write(source.utf8, to: "received/house.yaml")
        let named = try self.project("received/house.yaml", "mine/b.png")
        _ = try save(named, "2", points, isOwn: true)
        #expect(try site.text("mine/b.png.points") == points)
    }

    @Test(
        "pipes that a manifest names are refused, and not waited for",
        arguments: ["image: pipe", "image: a.png, gcps: pipe", "image: a.png, cutline: pipe"])
    func pipes(keys: String) throws {
        try #require(mkfifo(site.path("pipe"), 0o600) == 0)
        try site.write("output: t\nfloors: [{floor: 1, \(keys)}]\n".utf8, to: "house.yaml")
        let project = try project("house.yaml")
        expectRefusal(.missingInput, "not a regular file") { try project.shown() }
    }

    @Test("a manifest that is a link is changed only if the user has named it")
    func links() throws {
        try site.write("output: t\nfloors: [{floor: 1, image: a.png}]\n".utf8, to: "real.yaml")
        let text = try site.text("real.yaml")
        try FileManager.default.createSymbolicLink(
            atPath: site.path("building.yaml"), withDestinationPath: "real.yaml")
        let found = try project("a.png")
        expectRefusal(.outputRefused, "not a regular file") { try change(found, [floor("0-1", "2", 2)]) }
        #expect(try site.text("real.yaml") == text)
    }

    @Test("a position that another program puts next to a plan, or takes away, is noticed")
    func found() throws {
        let project = try project("a.png")
        try change(project, [floor("0-1", "1", 1)])
        func isPlaced() throws -> Bool? { try shown(project)["isPlaced"] as? Bool }
        #expect(try isPlaced() == false)
        try site.write("nonsense".utf8, to: "a.png.points")
        #expect(try isPlaced() == false)
        try site.write(points.utf8, to: "a.png.points")
        #expect(try isPlaced() == true)
        try FileManager.default.removeItem(atPath: site.path("a.png.points"))
        #expect(try isPlaced() == false)
    }

    // The position

    @Test("the first position holds for all floors, a second one for its floor only, and both can be removed")
    func positions() throws {
        let project = try project("a.png", "b.png")
        try change(project, [floor("0-1", "1", 1), floor("1-1", "2", 2)])
        let before = try site.text("building.yaml")
        let common = before.replacing("floors:", with: "gcps: building.points\nfloors:")
        #expect(try save(project, "1", points, ["transform": "affine"]) == [])
        #expect(try site.text("building.yaml") == common)
        #expect(try site.text("building.points") == points)
        #expect(try shown(project)["isPlaced"] as? Bool == true)
        _ = try save(project, "1", points, ["transform": "similarity"])
        #expect(
            try site.text("building.yaml")
                == common.replacing("points\n", with: "points\ntransform: similarity\n"))
        _ = try save(project, "1", points, ["transform": "affine"])
        _ = try save(project, "2", points, isOwn: true)
        #expect(try site.text("building.yaml") == common + "    gcps: b.png.points\n")
        #expect(try site.text("b.png.points") == points)
        _ = try save(project, "2", nil, isOwn: true)
        #expect(try site.text("building.yaml") == common)
        #expect(!site.has("b.png.points"))
        _ = try save(project, "1", nil)
        #expect(try site.text("building.yaml") == before)
        #expect(!site.has("building.points"))
        #expect(try shown(project)["isPlaced"] as? Bool == false)
    }

    @Test("points without a fit, and details that do not belong to points, change nothing but the points")
    func badPositions() throws {
        let project = try project("a.png")
        try change(project, [floor("0-1", "1", 1)])
        let text = try site.text("building.yaml")
        for (points, more) in [
            ("nothing", [:]), (String(points.prefix { $0 != "\n" }), [:]),
            (points.replacing("300x200", with: "9x9"), [:]),
        ] as [(String, [String: Any])] {
            #expect(throws: Failure.self) { _ = try save(project, "1", points, more) }
            #expect(try site.text("building.yaml") == text)
        }
        #expect(throws: Failure.self) { _ = try save(project, "9", points) }
    }

    @Test("outlines replace the floor's, are removed with their file, and damaged ones change nothing")
    func outlines() throws {
        let project = try project("a.png")
        try change(project, [floor("0-1", "1", 1)])
        _ = try save(project, "1", points, ["cutline": outline])
        let text = try site.text("building.yaml")
        #expect(text.hasSuffix("    cutline: building.1.cut.geojson\n"))
        for damaged in ["{", "{}", #"{"type": "Point", "coordinates": [2, 48]}"#] {
            #expect(throws: Failure.self) { _ = try save(project, "1", points, ["cutline": damaged]) }
            #expect(try site.text("building.1.cut.geojson") == outline)
            #expect(try site.text("building.yaml") == text)
        }
        _ = try save(project, "1", points)
        #expect(!site.has("building.1.cut.geojson"))
        #expect(try !site.text("building.yaml").contains("cutline"))
    }

    @Test(
        "a plan with its own position keeps it, and others get theirs", arguments: ["world file", "points"])
    func ownPositions(kind: String) throws {
        if kind == "points" {
            try site.write(points.utf8, to: "a.png.points")
        } else {
            // In degrees; a pixel has a hundred-thousandth of a degree.
            try site.write("0.00001\n0\n0\n-0.00001\n2.000005\n48.001995\n".utf8, to: "a.pgw")
            let spheroid = "SPHEROID[\"WGS 84\",6378137,298.257223563]"
            try site.write(
                ("GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",\(spheroid)],PRIMEM[\"Greenwich\",0],"
                    + "UNIT[\"degree\",0.0174532925199433]]").utf8, to: "a.prj")
        }
        let project = try project("a.png", "b.png")
        try change(project, [floor("0-1", "1", 1), floor("1-1", "2", 2)])
        #expect(try shown(project)["isPlaced"] as? Bool == false)
        let before = try site.text("building.yaml")
        _ = try save(project, "2", points)
        #expect(try site.text("building.yaml") == before + "    gcps: b.png.points\n")
        #expect(try shown(project)["isPlaced"] as? Bool == true)
    }

    @Test("a plan with its own position keeps it, even if the others already share points")
    func ownPositionLater() throws {
        try site.write(Data(contentsOf: URL(filePath: site.path("a.png"))), to: "c.png")
        try site.write(points.utf8, to: "c.png.points")
        try change(project("a.png", "b.png"), [floor("0-1", "1", 1), floor("1-1", "2", 2)])
        let project = try project("a.png", "b.png", "c.png")
        _ = try save(project, "1", points)
        #expect(try site.text("building.yaml").contains("\ngcps: building.points\n"))
        try change(project, [floor("0-1", "1", 1), floor("1-1", "2", 2), floor("2-1", "3", 3)])
        let text = try site.text("building.yaml")
        #expect(!text.contains("\ngcps"))
        #expect(text.ranges(of: "    gcps: building.points\n").count == 2)
        #expect(text.hasSuffix("    image: c.png\n"))
        #expect(try shown(project)["isPlaced"] as? Bool == true)
    }
}

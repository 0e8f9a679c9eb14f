import Foundation
import TestSupport
import Testing

/// The command `place` with a manifest: the page of its floors, and the points that it takes back for them.
@Suite struct PlaceBuildingCommandTests {
    private let workshop: Workshop

    init() throws {
        workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.file("plans"), withIntermediateDirectories: true)
        for name in ["b1", "ground", "first"] {
            try workshop.plan.write(to: workshop.path("plans/\(name).png"))
        }
    }

    private func write(_ manifest: String, to name: String = "mall.yaml") throws {
        try workshop.write(manifest.utf8, to: name)
    }

    private func save(_ rows: [String] = SavedRows.rows, as name: String) throws {
        try workshop.write(([SavedRows.header] + rows).joined(separator: "\n").utf8, to: name)
    }

    /// The floors of the page, and in words what it says of the files of their points.
    private func floors(_ page: String = "mall.html") throws -> [[String: Any]] {
        try #require(try workshop.pageData(page)["floors"] as? [[String: Any]])
    }

    private func points(_ floor: [String: Any], _ key: String = "points") -> String? {
        guard let entry = floor[key] as? [String: Any] else { return nil }
        let words = [entry["path"], entry["download"]].map { "\($0 ?? "")" }
        let isFound = entry["isFound"] as? Bool == true ? ["found"] : []
        return (words + isFound + (entry["isAtTop"] as? Bool == true ? ["top"] : [])).joined(separator: " ")
    }

    private let separate = """
        name: Mall
        output: tiles
        floors:
          - {floor: 1, label: First floor, image: plans/first.png, gcps: plans/first.points, transform: tps}
          - {floor: B1, ordinal: -1, image: plans/b1.png}
          - {floor: 0, label: Ground floor, image: plans/ground.png, bounds: [2, 48, 2.003, 48.002]}
        """

    @Test("the page has all floors from the lowest on, each with its position and its file")
    func page() throws {
        try write(separate)
        try save(as: "plans/first.points")
        let outcome = try workshop.run(["place", "mall.yaml", "--preview", "100"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output == "mall.html\n")
        let floors = try floors()
        #expect(floors.map { $0["label"] as? String } == ["B1", "Ground floor", "First floor"])
        #expect(floors.map { $0["ordinal"] as? Int } == [-1, 0, 1])
        let plans = floors.compactMap { $0["plan"] as? [String: Any] }
        #expect(plans.map { $0["name"] as? String } == ["b1.png", "ground.png", "first.png"])
        #expect(plans[0]["path"] as? String == "plans/b1.png")
        #expect(plans.map { $0["corners"] != nil } == [false, true, true])
        #expect(plans.map { ($0["points"] as? [Any])?.count } == [0, 0, 3])
        #expect(plans[2]["model"] as? String == "tps" && plans[2]["pointsSize"] as? String == "300x200")
        #expect(
            floors.map { points($0) } == [
                "plans/b1.png.points b1.png.points found", "plans/ground.png.points ground.png.points",
                "plans/first.points first.points found",
            ])
        #expect(floors.allSatisfy { $0["ownPoints"] == nil && $0["isOffered"] as? Bool == true })
        let text = try String(contentsOf: workshop.file("mall.html"), encoding: .utf8)
        for index in 0..<3 { #expect(text.contains("id=\"picture-\(index)\">data:image/png;base64,")) }
        #expect(text.contains("<title>Place Mall</title>"))
    }

    @Test(
        "floors that take the position of the top share one file, and each can have its own",
        arguments: [
            ("gcps: ground.points", "ground.points ground.points found top"),
            ("bounds: [2, 48, 2.003, 48.002]", "plans/b1.png.points b1.png.points top"),
        ])
    func shared(position: String, common: String) throws {
        try save(as: "ground.points")
        try write(
            """
            output: tiles
            \(position)
            floors:
              - {floor: 1, image: plans/first.png, gcps: ground.points}
              - {floor: 0, image: plans/ground.png}
              - {floor: B1, ordinal: -1, image: plans/b1.png}
            """)
        try Program.succeed(["place", "mall.yaml"], in: workshop.url)
        let floors = try floors()
        #expect(floors.prefix(2).map { points($0) } == [common, common])
        #expect(points(floors[1], "ownPoints") == "plans/ground.png.points ground.png.points")
        // One that is called after the lowest floor would be that floor's own.
        #expect((points(floors[0], "ownPoints") == nil) == common.hasPrefix("plans"))
        #expect(points(floors[2])?.hasSuffix("found") == true)
    }

    @Test("a floor of another size shares no points, as pixels of one image are not those of another")
    func otherSize() throws {
        try Picture.plan(width: 600, height: 400).write(to: workshop.path("plans/first.png"))
        try save(as: "ground.points")
        try write(
            """
            output: tiles
            gcps: ground.points
            floors: [{floor: 0, image: plans/ground.png}, {floor: 1, image: plans/first.png}]
            """)
        try Program.succeed(["place", "mall.yaml"], in: workshop.url)
        #expect(
            try floors().map { points($0) } == [
                "ground.points ground.points found top", "plans/first.png.points first.png.points",
            ])
    }

    @Test("a crs of the manifest holds for the points that are there, and not for what the page saves")
    func otherSystem() throws {
        // EPSG:3857 of the plan's corners, by PROJ: cs2cs EPSG:4326 EPSG:3857.
        let rows = [
            "222638.981587,6107187.570072,0,0,1,0,0,0,a,300x200",
            "222972.940059,6107187.570072,300,0,1,0,0,0,b,300x200",
        ]
        try save(rows, as: "ground.points")
        try write(
            """
            output: tiles
            floors: [{floor: 0, image: plans/ground.png, gcps: ground.points, crs: "EPSG:3857"}]
            """)
        try Program.succeed(["place", "mall.yaml"], in: workshop.url)
        let floor = try floors()[0]
        #expect(points(floor) == "ground.points ground.points")
        try checkFirstPoint(of: floor)
        let taken = try workshop.run(["place", "mall.yaml", "--take", "ground.points"])
        #expect(taken.status != 0, "these are not degrees")
        try save(as: "saved.points")
        let again = try workshop.run(["place", "mall.yaml", "--take", "saved.points"])
        #expect(again.errors.contains("including crs and transform"), "\(again.errors)")
        // The same of points in a file next to the image.
        try save(rows, as: "plans/ground.png.points")
        try write("output: tiles\ncrs: EPSG:3857\nfloors: [{floor: 0, image: plans/ground.png}]")
        try Program.succeed(["place", "mall.yaml"], in: workshop.url)
        try checkFirstPoint(of: floors()[0])
    }

    private func checkFirstPoint(of floor: [String: Any]) throws {
        let plan = try #require(floor["plan"] as? [String: Any])
        let first = try #require((plan["points"] as? [[String: Any]])?.first?["place"] as? [Double])
        #expect(abs(first[0] - 2) < 1e-8 && abs(first[1] - 48.002) < 1e-8, "\(first)")
    }

    @Test("floors that cannot be placed are named, and the others are in the page")
    func refusedFloors() throws {
        try workshop.write("no image".utf8, to: "plans/first.png")
        try write(
            """
            output: tiles
            floors:
              - {floor: 2, label: Attic, image: [plans/b1.png, plans/ground.png]}
              - {floor: 1, label: First floor, image: plans/first.png}
              - {floor: 0, label: Ground floor, image: plans/ground.png}
            """)
        let outcome = try workshop.run(["place", "mall.yaml"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("floor '1' cannot be placed") && outcome.errors.contains("first.png"))
        let floors = try floors()
        #expect(floors.map { $0["label"] as? String } == ["Ground floor", "First floor", "Attic"])
        #expect(floors.map { $0["plan"] != nil } == [true, false, false])
        #expect("\(floors[1]["problem"] ?? "")".contains("first.png"))
        #expect("\(floors[2]["problem"] ?? "")".contains("tilewright place plans/b1.png"))
        let alone = try workshop.run(["place", "mall.yaml", "--floor", "1", "-o", "first.html"])
        #expect(alone.status == 65 && !workshop.has("first.html"), "\(alone.errors)")
    }

    @Test("--floor offers one floor, over the others of its building")
    func oneFloor() throws {
        try write(separate.replacing("gcps: plans/first.points, transform: tps", with: "ordinal: 1"))
        try Program.succeed(["place", "mall.yaml", "--floor", "1"], in: workshop.url)
        #expect(try floors().map { $0["isOffered"] as? Bool } == [false, false, true])
        let text = try String(contentsOf: workshop.file("mall.html"), encoding: .utf8)
        #expect(text.contains("<title>Place Mall, First floor</title>"))
    }

    @Test("the floors of a campus are grouped by building, and files of one name are distinguished")
    func campus() throws {
        for name in ["east", "west"] {
            try FileManager.default.createDirectory(
                at: workshop.file(name), withIntermediateDirectories: true)
            try workshop.plan.write(to: workshop.path("\(name)/plan.png"))
            try write(
                "name: \(name)\noutput: tiles\nfloors: [{floor: 0, image: plan.png}]",
                to: "\(name)/building.yaml")
        }
        try write("name: Harbour\noutput: tiles\nbuildings: [east/building.yaml, west/building.yaml]")
        try Program.succeed(["place", "mall.yaml"], in: workshop.url)
        let floors = try floors()
        #expect(floors.map { $0["building"] as? String } == ["east", "west"])
        #expect(floors.map { $0["manifest"] as? String } == ["east/building.yaml", "west/building.yaml"])
        #expect(
            floors.map { points($0) } == [
                "plan.png.points east-plan.png.points found", "plan.png.points west-plan.png.points found",
            ])
        try save(as: "west-plan.png.points")
        let taken = try workshop.run(["place", "mall.yaml", "--take", "west-plan.png.points"])
        #expect(taken.status == 0 && taken.output == "west/plan.png.points\n", "\(taken.errors)")
        try save(as: "any")
        let chosen = try workshop.run(["place", "mall.yaml", "--floor", "east/0", "--take", "any"])
        #expect(chosen.status == 0 && chosen.output == "east/plan.png.points\n", "\(chosen.errors)")
    }

    @Test("saved files are put where their names say, and needed changes of the manifest are printed")
    func take() throws {
        try write(separate)
        try save(Array(SavedRows.rows.prefix(2)), as: "plans/first.points")
        // A browser numbers what it saves again.
        try save(as: "first (2).points")
        try save(as: "b1.png.points")
        try save(as: "ground.png.points")
        let names = ["first (2).points", "b1.png.points", "ground.png.points"]
        let outcome = try workshop.run(["place", "mall.yaml"] + names.flatMap { ["--take", $0] })
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "plans/first.points\nplans/b1.png.points\nplans/ground.png.points\n")
        #expect(outcome.errors.contains("3 points, tps fit"))
        let advice = "write 'gcps: plans/ground.png.points' at the floor '0' of 'mall.yaml'"
        #expect(outcome.errors.components(separatedBy: "write 'gcps").count == 2)
        #expect(outcome.errors.contains(advice), "\(outcome.errors)")
        try write(separate.replacing("bounds: [2, 48, 2.003, 48.002]", with: "gcps: plans/ground.png.points"))
        try Program.succeed(["mall.yaml", "--max-tiles", "5000"], in: workshop.url)
    }

    @Test("points of a shared position place all its floors, and those of one floor only that")
    func takeShared() throws {
        try save(Array(SavedRows.rows.prefix(2)), as: "common.points")
        try write(
            """
            output: tiles
            gcps: common.points
            floors: [{floor: 0, image: plans/ground.png}, {floor: 1, image: plans/first.png}]
            """)
        try FileManager.default.createDirectory(
            at: workshop.file("Downloads"), withIntermediateDirectories: true)
        for name in ["common.points", "first.png.points"] { try save(as: "Downloads/\(name)") }
        let shared = try workshop.run(["place", "mall.yaml", "--take", "Downloads/common.points"])
        #expect(shared.status == 0 && shared.output == "common.points\n", "\(shared.errors)")
        #expect(shared.errors.contains("these points place the floor '0' and the floor '1'"))
        #expect(!shared.errors.contains("gcps"))
        for options in [[], ["--floor", "1"]] {
            let own = try workshop.run(
                ["place", "mall.yaml", "--take", "Downloads/first.png.points"] + options)
            #expect(own.status == 0 && own.output == "plans/first.png.points\n", "\(own.errors)")
            #expect(own.errors.contains("write 'gcps: plans/first.png.points' at the floor '1'"))
        }
    }

    @Test(
        "invalid input is refused with a remedy, and nothing is written",
        arguments: ([
            (["--floor", "7"], 64, "choose one with --floor: '1', 'B1' or '0'"),
            (["--take", "other.points"], 64, "add --floor: 'B1', '0' or '1'"),
            (["--take", "-"], 64, "add --floor"),
            (["--take", "b1.png.points", "--floor", "7"], 64, "there is no floor '7'"),
            (["--take", "b1.png.points", "--take", "other.points"], 64, "does not say which floor"),
            (["--take", "b1.png.points", "--take", "b1.png (1).points"], 64, "are both for"),
            (["--take", "b1.png.points", "--take", "a", "--floor", "0"], 64, "a floor takes one file"),
            (["--take", "b1.png.points", "--over", "plan.png"], 64, "cannot be combined with --take"),
            (["--take", "ground.png.points"], 65, "they were set on an image of 600x400"),
            (["-o", "mall.yaml"], 64, "choose a name that ends in .html"),
        ] as [([String], Int32, String)]).some(4))
    func refusals(arguments: [String], status: Int32, reason: String) throws {
        try write(separate)
        try save(as: "plans/first.points")
        for name in ["other", "b1.png", "b1.png (1)"] { try save(as: "\(name).points") }
        try save(SavedRows.rows.map { $0.replacing("300x200", with: "600x400") }, as: "ground.png.points")
        let outcome = try workshop.run(["place", "mall.yaml"] + arguments)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.output.isEmpty && !workshop.has("mall.html"))
        #expect(!workshop.has("plans/b1.png.points") && !workshop.has("plans/ground.png.points"))
    }
}

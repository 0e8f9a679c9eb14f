import Foundation
import TestSupport
import Testing

/// What the command `viewer` puts into the page of a manifest, and of folders that a manifest's build left.
@Suite struct ViewerBuildingTests {
    private let campus: Campus

    init() throws { campus = try Campus() }

    private func buildings(_ page: String) throws -> [[String: Any]] {
        let text = try campus.text(page)
        let start = try #require(text.firstRange(of: "id=\"tilesets\">")).upperBound
        let json = try JSONSerialization.jsonObject(with: Data(text[start...].prefix { $0 != "<" }.utf8))
        return try #require((json as? [String: Any])?["buildings"] as? [[String: Any]])
    }

    private func floors(_ building: [String: Any]) -> [[String: Any]] {
        building["floors"] as? [[String: Any]] ?? []
    }

    private func texts(_ building: [String: Any], _ member: String) -> [String?] {
        floors(building).map { $0[member] as? String }
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: campus.file(name))
    }

    @Test(
        "the page of a campus is next to its index, with the floors of each building from the top", .long)
    func manifest() throws {
        try campus.succeed(["campus.yaml"])
        let outcome = try campus.succeed(["viewer", "campus.yaml"])
        #expect(outcome.output == "tiles/index.html\n")
        #expect(outcome.errors.isEmpty)
        #expect(try campus.text("tiles/index.html").contains("<title>Harbour</title>"))
        let buildings = try buildings("tiles/index.html")
        #expect(buildings.map { $0["name"] as? String } == ["Mall", "Pavilion"])
        #expect(texts(buildings[0], "label") == ["First floor", "Ground floor", "Basement"])
        #expect(texts(buildings[0], "shortName") == ["1", "G", "B1"])
        #expect(floors(buildings[0]).map { $0["ordinal"] as? Int } == [1, 0, -1])
        #expect(buildings.map { $0["first"] as? Int } == [1, 1])
        #expect(texts(buildings[0], "address").last == "mall/B1/{z}/{x}/{y}.png")
        #expect(
            texts(buildings[1], "address") == ["1", "0"].map { "pavilion/\($0)/{z}/{x}/{y}.png" })
    }

    @Test("folders with an index are shown as it says, alone, as a campus, and side by side", .long)
    func folders() throws {
        try campus.succeed(["campus.yaml"])
        try campus.succeed(["viewer", "campus.yaml", "-o", "manifest.html"])
        try campus.succeed(["viewer", "tiles", "-o", "folder.html"])
        #expect(try campus.text("folder.html") == campus.text("manifest.html"))

        #expect(try campus.succeed(["viewer", "tiles/mall"]).output == "tiles/mall/index.html\n")
        let alone = try buildings("tiles/mall/index.html")
        #expect(alone.map { $0["name"] as? String } == ["Mall"])
        #expect(texts(alone[0], "label") == ["First floor", "Ground floor", "Basement"])

        // An earlier state of a building beside it, and a tileset that is no building.
        try FileManager.default.copyItem(at: campus.file("tiles/mall"), to: campus.file("old"))
        try campus.succeed(["mall-0.png", "--bounds", "2,48,2.003,48.002", "-o", "plan"])
        try campus.succeed(["viewer", "old", "tiles/mall", "plan", "-o", "all.html"])
        let all = try buildings("all.html")
        #expect(all.map { $0["name"] as? String } == ["Mall (old)", "Mall (tiles/mall)", ""])
        #expect(all.map { floors($0).count } == [3, 3, 1])
    }

    @Test("archives of a manifest are shown with their labels")
    func archives() throws {
        let mall = """
            name: Mall
            output: "tiles/{floor}.pmtiles"
            bounds: 2,48,2.003,48.002
            floors:
              - {floor: 0, label: Ground floor, image: mall-0.png}
              - {floor: 1, label: First floor, default: true, image: mall-1.png}
            """
        try Data(mall.utf8).write(to: campus.file("mall.yaml"))
        try campus.succeed(["mall.yaml"])
        #expect(try campus.succeed(["viewer", "mall.yaml"]).output == "tiles/index.html\n")
        let buildings = try buildings("tiles/index.html")
        #expect(texts(buildings[0], "archive") == ["1.pmtiles", "0.pmtiles"])
        #expect(texts(buildings[0], "label") == ["First floor", "Ground floor"])
        #expect(buildings[0]["first"] as? Int == 0)
    }

    @Test("floors that are not built are left out with a warning; without any there is no page", .long)
    func unbuilt() throws {
        let nothing = try campus.run(["viewer", "campus.yaml"])
        #expect(nothing.status == 66)
        #expect(
            nothing.errors == """
                error: cannot show 'campus.yaml': none of its floors has been built
                       build it first: tilewright campus.yaml

                """)
        try campus.succeed(["campus.yaml"])
        try remove("tiles/pavilion")
        try campus.succeed(["remove", "tiles/mall", "--floor", "B1"])
        let outcome = try campus.succeed(["viewer", "campus.yaml"])
        #expect(
            outcome.errors == """
                warning: floor 'B1' of 'Mall' is not in the page: it has not been built
                warning: 'Pavilion' is not in the page: none of its floors has been built

                """)
        #expect(texts(try buildings("tiles/index.html")[0], "key") == ["1", "0"])
    }

    @Test("without an index, the names of floors come from the manifest", .long)
    func withoutIndex() throws {
        try campus.succeed(["campus.yaml"])
        try remove("tiles/mall/building.json")
        try campus.succeed(["viewer", "campus.yaml", "-o", "page.html"])
        let buildings = try buildings("page.html")
        #expect(texts(buildings[0], "label") == ["First floor", "Ground floor", "Basement"])
        #expect(buildings[0]["name"] as? String == "Mall")
    }
}

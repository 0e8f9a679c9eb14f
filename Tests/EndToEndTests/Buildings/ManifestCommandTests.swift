import Foundation
import TestSupport
import Testing

/// The commands that look at floors, with the manifest of a building or of a campus.
struct ManifestCommandTests {
    private let site: Workshop

    /// Floors of the workshop's plan in three colours, and a manifest of them.
    init() throws {
        site = try Workshop()
        try site.drawFloors()
        try site.write(Self.manifest.utf8, to: "house.yaml")
        try site.write(Self.points.utf8, to: "plan.points")
    }

    private static let head = """
        name: House
        output: tiles
        template: "L{floor}_{z}_{x}_{y}.{ext}"

        """

    /// Two floors that share control points, and one with bounds.
    private static let manifest =
        head + """
            gcps: plan.points
            transform: affine
            floors:
              - {floor: 1, label: First floor, ordinal: 1, image: 1.png}
              - {floor: B1, label: Basement, ordinal: -1, image: b1.png, bounds: [\(Workshop.bounds)]}
              - {floor: 0, label: Ground floor, ordinal: 0, image: 0.png}

            """

    /// The corners of the workshop's plan, the last a metre or so off.
    private static let points = """
        mapX,mapY,sourceX,sourceY,enable
        2,48.002,0,0,1
        2.003,48.002,300,0,1
        2.003,48,300,-200,1
        2.00001,48.00001,0,-200,1

        """

    private func fails(_ status: Int32, _ command: String, saying text: String) throws {
        let outcome = try site.run(command.split(separator: " ").map(String.init))
        #expect(outcome.status == status && outcome.errors.contains(text), "\(command): \(outcome.errors)")
    }

    private func output(_ command: String) throws -> String {
        try Program.succeed(command.split(separator: " ").map(String.init), in: site.url).output
    }

    // MARK: info

    @Test("info shows a table of the floors with the zooms of the building, and all of a chosen one")
    func info() throws {
        let table = try output("info house.yaml").split(separator: "\n")
        #expect(table.count == 4 && table[1].contains("First floor") && table[1].contains("16-17"))
        // What would be built of the floor is what 'info' says of its image.
        let image = "1.png --gcps plan.points --transform affine --zoom 16-17"
        #expect(try output("info house.yaml --floor 1") == output("info \(image)"))
        struct Report: Decodable {
            struct Floor: Decodable {
                struct Plan: Decodable { var tileSize: Int }
                var floor: String
                var label: String
                var ordinal: Int
                var plan: Plan?
            }
            var floors: [Floor]
        }
        let json = try JSONDecoder().decode(Report.self, from: Data(output("info house.yaml --json").utf8))
        #expect(json.floors.map(\.floor) == ["1", "B1", "0"])
        #expect(json.floors.map(\.label) == ["First floor", "Basement", "Ground floor"])
        #expect(json.floors.map(\.ordinal) == [1, -1, 0])
        #expect(json.floors.map { $0.plan?.tileSize } == [256, 256, 256])
    }

    @Test("info describes the other floors if a floor has an error")
    func infoOfDamaged() throws {
        try site.write("no image".utf8, to: "b1.png")
        let outcome = try site.run(["info", "house.yaml"])
        #expect(outcome.status == 65 && outcome.errors.contains("error: floor 'B1': "), "\(outcome.errors)")
        #expect(outcome.output.contains("Ground floor"))
        let plan = try site.run(["house.yaml", "--dry-run"])
        #expect(plan.status == 65 && plan.output == outcome.output)
        try fails(65, "info house.yaml --floor B1", saying: "floor 'B1': ")
    }

    // MARK: fit

    @Test("fit shows the residuals of all floors, those of shared points once")
    func fit() throws {
        let text = try output("fit house.yaml")
        let own = try output("fit 1.png --gcps plan.points --transform affine")
        #expect(
            text == "floor '1', floor '0'\ncontrol points of 'plan.points'\n" + own
                + "\nfloor 'B1'\nbounds: no control points to fit\n")
        #expect(try output("fit house.yaml --floor 0") == own)
        try fails(64, "fit house.yaml --floor B1", saying: "there is nothing to fit")
        struct Report: Decodable {
            struct Fit: Decodable { var transform: String }
            struct Floor: Decodable {
                var floor: String
                var fit: Fit?
            }
            var floors: [Floor]
        }
        let json = try JSONDecoder().decode(Report.self, from: Data(output("fit house.yaml --json").utf8))
        #expect(json.floors.map(\.floor) == ["1", "B1", "0"])
        #expect(json.floors.map { $0.fit?.transform } == ["affine", nil, "affine"])
    }

    @Test("fit fails if a floor's error is larger than the option or the manifest allows")
    func maxResidual() throws {
        try fails(1, "fit house.yaml --max-residual 0.1", saying: "floor '1': the control point 'line")
        let manifest = Self.manifest.replacing("1.png}", with: "1.png, max-residual: 0.1}")
        try site.write(manifest.utf8, to: "house.yaml")
        try fails(1, "fit house.yaml", saying: "floor '1': the control point")
        try fails(1, "fit house.yaml --floor 1", saying: "the control point")
        _ = try output("fit house.yaml --max-residual 9")
    }

    @Test("fit writes a world file and a picture of the floor that was chosen", .long)
    func fitFiles() throws {
        try fails(64, "fit house.yaml -o 1.pgw", saying: "choose a floor of one image with --floor")
        try fails(64, "fit house.yaml --plot fit.svg", saying: "choose a floor of one image")
        _ = try output("fit house.yaml --floor 1 -o 1.pgw --plot fit.svg")
        #expect(site.has("1.pgw") && site.has("1.prj") && site.has("fit.svg"))
    }

    // MARK: tile, snapshot and camera

    @Test("tile renders the tiles that a build writes", .long)
    func tile() throws {
        try Program.succeed(["house.yaml"], in: site.url)
        let tiles = try Snapshot(of: site.file("tiles")).tiles
        for floor in ["1", "B1", "0"] {
            let (name, bytes) = try #require(
                tiles.filter { $0.key.hasPrefix("L\(floor)_17_") }.min { $0.key < $1.key })
            let address = name.dropFirst(floor.count + 2).prefix { $0 != "." }.replacing("_", with: "/")
            _ = try output("tile house.yaml --floor \(floor) -o tile.png \(address)")
            #expect(try Data(contentsOf: site.file("tile.png")) == bytes, "\(name)")
        }
        try fails(64, "tile house.yaml 17/1/1", saying: "choose one with --floor: '1', 'B1' or '0'")
        try fails(1, "tile house.yaml --floor 0 17/1/1", saying: "there is no tile 17/1/1 of 'house.yaml'")
        try fails(64, "tile house.yaml --floor 0 17/1/1 -o 0.png", saying: "'0.png' is an input")
        try fails(64, "tile house.yaml --floor 0 17/1/1 -o house.yaml", saying: "'house.yaml' is an input")
    }

    @Test("snapshot draws a floor as it draws the floor's image")
    func snapshot() throws {
        let view = "--size 200x200 --background #102030"
        _ = try output("snapshot house.yaml --floor B1 -o floor.png \(view)")
        _ = try output("snapshot b1.png --bounds \(Workshop.bounds) -o image.png \(view)")
        #expect(
            try Data(contentsOf: site.file("floor.png")) == Data(contentsOf: site.file("image.png")))
        try fails(64, "snapshot house.yaml -o a.png", saying: "there are several floors")
        try fails(
            64, "snapshot house.yaml 0.png -o a.png",
            saying: "'house.yaml' is a manifest and cannot be combined with '0.png'")
        try fails(
            64, "snapshot house.yaml --floor 0 --nodata 1,2,3 -o a.png",
            saying: "with the manifest 'house.yaml'")
    }

    @Test("camera shows all floors, or one")
    func camera() throws {
        let east = Self.manifest.replacing(Workshop.bounds, with: "2.004,48,2.007,48.002")
        try site.write(east.utf8, to: "house.yaml")
        #expect(
            try output("camera house.yaml --floor B1")
                == output("camera b1.png --bounds 2.004,48,2.007,48.002"))
        let all = try output("camera house.yaml")
        // The ground floor ends somewhat beyond its corner, and the basement does not.
        #expect(all.contains("target 2.0035") && all.contains("48.001"), "\(all)")
        try fails(64, "camera house.yaml --crop 1,2,3,4", saying: "with the manifest 'house.yaml'")
    }

    @Test("Pictures of a floor are not written over other floors, nor into what is built")
    func pictureOverInput() throws {
        try Program.succeed(["house.yaml"], in: site.url)
        let before = try Snapshot(of: site.url).contents
        for path in ["b1.png", "tiles/view.png"] {
            try fails(64, "snapshot house.yaml --floor 0 -o \(path)", saying: "cannot write '\(path)'")
            try fails(64, "tile house.yaml --floor 0 17/1/1 -o \(path)", saying: "cannot write '\(path)'")
            try fails(64, "fit house.yaml --floor 0 --plot \(path)", saying: "cannot write '\(path)'")
        }
        #expect(try Snapshot(of: site.url).contents == before)
    }

    @Test("fit compares the models of a floor")
    func compare() throws {
        #expect(
            try output("fit house.yaml --floor 1 --transform all")
                == output("fit 1.png --gcps plan.points --transform all"))
        try fails(64, "fit house.yaml --transform all", saying: "choose a floor of one image with --floor")
    }

    // MARK: what takes no manifest, or no floor

    @Test("Options that conflict with a manifest are refused")
    func refusals() throws {
        try fails(
            64, "convert house.yaml out", saying: "'house.yaml' is a manifest, and this command takes none")
        for command in [
            "info house.yaml --floor 7", "fit house.yaml --floor 7", "verify house.yaml --floor 7",
        ] {
            try fails(64, command, saying: "there is no floor '7'")
        }
        for command in ["info", "fit", "camera"] {
            try fails(
                64, "\(command) 0.png --bounds \(Workshop.bounds) --floor 0",
                saying: "--floor does not apply to '0.png'")
            try fails(64, "\(command) house.yaml --bounds 1,2,3,4", saying: "with the manifest 'house.yaml'")
        }
    }

    @Test("In a campus, a floor that several buildings have is chosen with the building", .long)
    func campus() throws {
        let tower = Self.manifest.replacing("House", with: "Tower").replacing("tiles", with: "tower")
        try site.write(tower.replacing(" B1", with: " B2").utf8, to: "tower.yaml")
        try site.write(
            "name: Campus\noutput: campus\nbuildings: [house.yaml, tower.yaml]\n".utf8, to: "campus.yaml")
        #expect(try output("info campus.yaml").contains("Tower 1"))
        try fails(64, "info campus.yaml --floor 1", saying: "several buildings have a floor '1'")
        try fails(64, "info campus.yaml --floor 1", saying: "'House/1' or 'Tower/1'")
        #expect(try output("info campus.yaml --floor Tower/1") == output("info house.yaml --floor 1"))
        #expect(try output("info campus.yaml --floor B2") == output("info house.yaml --floor B1"))
        #expect(
            try output("fit campus.yaml").hasPrefix(
                "floor '1' of 'House', floor '0' of 'House', floor '1' of"))
        try fails(64, "campus.yaml --only Tower/7", saying: "'Tower/1'")
        try Program.succeed(["campus.yaml", "--only", "Tower/1"], in: site.url)
        #expect(!site.has("tiles/building.json") && site.has("tower/tilejson-1.json"))
        try Program.succeed(["campus.yaml"], in: site.url)
        _ = try output("verify campus.yaml")
        _ = try output("verify campus.yaml --floor Tower/1")
        try site.write("{}".utf8, to: "campus/campus.json")
        try fails(1, "verify campus.yaml", saying: "has 1 fault")
    }
}

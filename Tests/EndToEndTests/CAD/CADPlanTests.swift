import Foundation
import TestSupport
import Testing

/// Tiles of CAD drawings, next to ezdxf's own picture of them and to arithmetic.
@Suite(.needsCAD, .needs("rsvg-convert"))
struct CADPlanTests {
    @Test("Three drawings look as ezdxf draws them, and are where arithmetic has them")
    func some() throws {
        try check(["old", "hatches", "layout"])
    }

    @Test(
        "Twenty drawings look as ezdxf draws them, and what they lack is named", .long,
        .timeLimit(.minutes(20)))
    func all() throws {
        try check([])
    }

    @Test(
        "Texts take the space that their fonts would take, and are where CAD has them", .needs("fc-match"),
        arguments: ["fonts_check.py", "texts_check.py"])
    func fonts(script: String) throws {
        let outcome = try CADEnvironment.run(script, [])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("A drawing has the same tiles in each run, and the same page whatever layers are chosen")
    func same() throws {
        let scratch = try TemporaryDirectory()
        func path(_ name: String) -> String { scratch.url.appending(path: name).path }
        let drawn = try CADEnvironment.run("draw_plans.py", [path("plans"), "hatches", "layers"])
        #expect(drawn.status == 0, "\(drawn.errors)")
        func build(_ name: String, _ output: String, _ options: String...) throws -> [Data] {
            let outcome = try Tool.run(
                Program.path,
                ["build", path("plans/\(name).dxf"), "--anchor", "0,0,10,53", "-o", path(output)] + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let tiles = try scratch.files().filter { $0.hasPrefix("\(output)/") && $0.hasSuffix(".png") }
            return try tiles.sorted().map { try Data(contentsOf: scratch.url.appending(path: $0)) }
        }
        let first = try build("hatches", "first")
        #expect(first.count > 10)
        #expect(try build("hatches", "second") == first)
        func size(_ options: String...) throws -> Substring? {
            let info = try Tool.run(
                Program.path, ["info", path("plans/layers.dxf"), "--anchor", "0,0,10,53"] + options)
            return info.output.firstMatch(of: /[0-9]+ x [0-9]+ pixels/)?.output
        }
        #expect(try size() != nil)
        #expect(try size("--layers", "PIPES") == size())
    }

    @Test(
        "What is damaged is left out, and a small drawing, or one in a wrong unit, has a page that can be read",
        arguments: [
            ("4", "0 0 964 500", [], ["model space at 1:5,", "0.97 m long in millimetres"]),
            ("6", "0 0 30 20", [], ["model space at 1:100,"]),
            (
                "4", "565000 5932000 565030 5932020", ["--crs", "EPSG:25832"],
                ["1:100, 30", "read as metres: in millim"]
            ),
            (
                "0", "565e6 5932e6 565.03e6 5932.02e6", ["--crs", "EPSG:25832"],
                ["1:100, 30", "millimetres are assumed"]
            ),
        ])
    func units(unit: String, line: String, options: [String], words: [String]) throws {
        let scratch = try TemporaryDirectory()
        let ends = line.split(separator: " ")
        func object(_ type: String, _ groups: [(Int, Substring)]) -> String {
            "0\n\(type)\n8\nWALLS\n" + groups.map { "\($0)\n\($1)\n" }.joined()
        }
        let text =
            "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n\(unit)\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
            + object("LINE", [(10, "nan"), (20, "0"), (11, "1"), (21, "1")])
            + object("INSERT", [(2, "NOWHERE"), (10, ends[0]), (20, ends[1])])
            + object("LINE", [(10, ends[0]), (20, ends[1]), (11, ends[2]), (21, ends[3])])
            + "0\nENDSEC\n0\nEOF\n"
        try Data(text.utf8).write(to: scratch.url.appending(path: "plan.dxf"))
        let place = options.isEmpty ? ["--anchor", "0,0,10,53"] : options
        let info = try Program.run(["info", scratch.url.appending(path: "plan.dxf").path] + place)
        #expect(info.status == 0, "\(info.errors)")
        for word in words + ["1 object of type LINE is damaged", "1 object of type INSERT is damaged"] {
            #expect((info.output + info.errors).contains(word), "\(word): \(info.output)\(info.errors)")
        }
    }

    private func check(_ names: [String]) throws {
        let scratch = try TemporaryDirectory()
        let folder = scratch.url.appending(path: "plans").path
        let outcome = try CADEnvironment.run("plans_check.py", [Program.path, folder] + names)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}

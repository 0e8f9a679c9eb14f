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

    private func check(_ names: [String]) throws {
        let scratch = try TemporaryDirectory()
        let folder = scratch.url.appending(path: "plans").path
        let outcome = try CADEnvironment.run("plans_check.py", [Program.path, folder] + names)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}

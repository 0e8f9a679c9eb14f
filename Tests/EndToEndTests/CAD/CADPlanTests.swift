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

    @Test("Texts take the space that their fonts would take", .needs("fc-match"))
    func fonts() throws {
        let outcome = try CADEnvironment.run("fonts_check.py", [])
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    private func check(_ names: [String]) throws {
        let scratch = try TemporaryDirectory()
        let folder = scratch.url.appending(path: "plans").path
        let outcome = try CADEnvironment.run("plans_check.py", [Program.path, folder] + names)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }
}

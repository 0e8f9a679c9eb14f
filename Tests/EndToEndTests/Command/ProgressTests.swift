import Foundation
import TestSupport
import Testing

/// The bar that people see while they wait.
struct ProgressTests {
    private static let build = ["plan.png", "--bounds", Workshop.bounds, "-o", "out"]
    private static let clearing = "\r\u{1B}[K"

    /// The bars of an output: what stands before them, and how much is done of how much.
    private func bars(_ output: String) -> [(name: String, filled: Int, done: Int, total: Int)] {
        output.matches(of: /\r([a-z]*) ?\[(#*)(-*)\] (\d+) of (\d+) tiles?, \d+ s left\u{1B}\[K/).map {
            #expect($0.2.count + $0.3.count == 30)
            return (String($0.1), $0.2.count, Int($0.4) ?? -1, Int($0.5) ?? -1)
        }
    }

    @Test("A bar grows to its end, once for the colours and once for the tiles, and is cleared")
    func bar() throws {
        let workshop = try Workshop()
        let errors = try Program.succeed(
            Self.build + ["--palette", "8", "--progress", "bar"], in: workshop.url
        ).errors
        let all = bars(errors)
        for name in ["colours", ""] {
            let bars = all.filter { $0.name == name }
            let last = try #require(bars.last)
            #expect(last.done == last.total && last.filled == 30)
            #expect(bars.map(\.filled) == bars.map(\.filled).sorted())
        }
        let closing = try #require(errors.components(separatedBy: Self.clearing).last)
        #expect(closing.hasSuffix(" s\n") && closing.contains(" tiles written, "), "\(closing)")
    }

    @Test("Copies and checks have a bar, too")
    func otherCommands() throws {
        let workshop = try Workshop()
        try workshop.build(to: "a.mbtiles")
        for arguments in [["convert", "a.mbtiles", "out"], ["verify", "a.mbtiles"]] {
            let errors = try Program.succeed(arguments + ["--progress", "bar"], in: workshop.url).errors
            let last = try #require(bars(errors).last)
            #expect(last.done == last.total && last.filled == 30)
            // Quiet commands show nothing, whatever is asked for.
            let quiet = try Program.succeed(
                arguments + ["--progress", "bar", "--quiet"], in: workshop.url)
            #expect(quiet.errors.isEmpty && quiet.output.isEmpty)
        }
    }

    @Test("Who looks at a terminal sees a bar, unless it is not wanted; a file has none", .needs("python3"))
    func terminal() throws {
        let workshop = try Workshop()
        func shown(_ options: [String]) throws -> String {
            let script = """
                import os, pty, sys
                sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
                """
            let outcome = try Python.run(
                script, [Program.path] + Self.build + options, in: workshop.url)
            #expect(outcome.status == 0, "\(outcome)")
            return outcome.output
        }
        #expect(try !bars(shown([])).isEmpty)
        #expect(try bars(shown(["--progress", "none"])).isEmpty)
        #expect(try bars(workshop.run(Self.build).errors).isEmpty)
    }

    @Test("A warning during a build is a line, and a quiet build has none")
    func warning() throws {
        // Pixels are squares in degrees. Between 60 degrees south and 75 north the rows of Web Mercator are far
        // from even.
        let workshop = try Workshop(.plan(width: 240, height: 1620))
        let options = ["--zoom", "4", "--doc-kml", "overlay", "-o", "tall", "--bounds=-10,-60,10,75"]
        let errors = try Program.succeed(["plan.png"] + options, in: workshop.url).errors
        #expect(errors.hasPrefix("warning: rows of doc.kml's picture are up to "), "\(errors)")
        #expect(try Program.succeed(["plan.png", "-q"] + options, in: workshop.url).errors.isEmpty)
    }
}

import Foundation
import TestSupport
import Testing

/// The bar that people see while they wait.
struct ProgressTests {
    private static let build = ["plan.png", "--bounds", Workshop.bounds, "-o", "out"]
    private static let clearing = "\r\u{1B}[K"

    /// The bars of an output: what stands before them, how much of them is filled, and how much is done of how
    /// much.
    private func bars(_ output: String) -> [(name: String, filled: Double, done: Int, total: Int)] {
        let line =
            /\r([a-z ]*) \[(#*)(-*)\] +(\d+) %  +(\d+) of (\d+)(  [\d.]+\/(s|min))?(  \d+ s left)?\u{1B}\[K/
        return output.matches(of: line).map {
            let (done, total) = (Int($0.5) ?? -1, Int($0.6) ?? -1)
            #expect(Int($0.4) == 100 * done / max(1, total))
            return (String($0.1), Double($0.2.count) / Double($0.2.count + $0.3.count), done, total)
        }
    }

    @Test("A bar grows to its end, once for the colours and once for the tiles, and is cleared")
    func bar() throws {
        let workshop = try Workshop()
        let errors = try Program.succeed(
            Self.build + ["--palette", "8", "--progress", "bar"], in: workshop.url
        ).errors
        let all = bars(errors)
        for name in ["reading colours", "tiles"] {
            let bars = all.filter { $0.name == name }
            let last = try #require(bars.last)
            #expect(last.done == last.total && last.filled == 1)
            #expect(bars.map(\.filled) == bars.map(\.filled).sorted())
        }
        let closing = try #require(errors.components(separatedBy: Self.clearing).last)
        #expect(closing.hasSuffix(" s\n") && closing.contains(" tiles written, "), "\(closing)")
    }

    @Test("Copies and checks have a bar, too")
    func otherCommands() throws {
        let workshop = try Workshop()
        try workshop.build(to: "a.mbtiles")
        for (arguments, name) in [
            (["convert", "a.mbtiles", "out"], "copying tiles"), (["verify", "a.mbtiles"], "checking tiles"),
        ] {
            let errors = try Program.succeed(arguments + ["--progress", "bar"], in: workshop.url).errors
            let last = try #require(bars(errors).last)
            #expect(last.name == name && last.done == last.total && last.filled == 1)
            // Quiet commands show nothing, whatever is asked for.
            let quiet = try Program.succeed(
                arguments + ["--progress", "bar", "--quiet"], in: workshop.url)
            #expect(quiet.errors.isEmpty && quiet.output.isEmpty)
        }
    }

    /// What a terminal of some width gets.
    private func shown(
        _ arguments: [String], columns: Int = 80, environment: [String] = [], in workshop: Workshop
    ) throws -> String {
        let script = """
            import fcntl, os, pty, struct, sys, termios
            columns, *command = sys.argv[1:]
            child, terminal = pty.fork()
            if child == 0:
                fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(columns), 0, 0))
                os.execvp(command[0], command)
            while True:
                try:
                    said = os.read(terminal, 65536)
                except OSError:
                    break
                if not said:
                    break
                sys.stdout.buffer.write(said)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        let clean = ["-u", "NO_COLOR", "-u", "CLICOLOR_FORCE", "TERM=xterm"]
        return try Python.run(
            script, ["\(columns)", "/usr/bin/env"] + clean + environment + [Program.path] + arguments,
            in: workshop.url
        ).output
    }

    @Test(
        "A terminal shows a bar, unless it is switched off; a file does not", .long,
        .needs("python3"))
    func terminal() throws {
        let workshop = try Workshop()
        #expect(try !bars(shown(Self.build, in: workshop)).isEmpty)
        #expect(try bars(shown(Self.build + ["--progress", "none"], in: workshop)).isEmpty)
        #expect(try bars(workshop.run(Self.build).errors).isEmpty)
    }

    @Test(
        "No line of progress reaches the terminal's edge", .needs("python3"),
        arguments: [80, 40, 20, 10, 3].some(1))
    func widths(columns: Int) throws {
        let workshop = try Workshop()
        let output = try shown(Self.build + ["--zoom", "15-20"], columns: columns, in: workshop)
        let parts = output.components(separatedBy: Self.clearing.dropFirst())
        let drawn = parts.dropLast().compactMap { $0.components(separatedBy: "\r").last }
        #expect(drawn.count > 1 && drawn.allSatisfy { $0.count < columns })
        #expect(drawn.contains { $0.contains("100 %") } == (columns > 5))
        // What comes last stands on a line that was cleared.
        let closing = try #require(parts.last)
        #expect(closing.contains(" tiles written, ") && closing.hasSuffix(" s\r\n"))
        #expect(output.hasSuffix(Self.clearing + closing))
    }

    @Test("Terminals that cannot redraw get plain lines; so does --progress lines", .needs("python3"))
    func lines() throws {
        let workshop = try Workshop()
        let dumb = try shown(Self.build, environment: ["TERM=dumb"], in: workshop)
        let asked = try Program.succeed(Self.build + ["--force", "--progress", "lines"], in: workshop.url)
            .errors
        #expect(dumb.contains(/tiles: 100 %, (\d+) of \1\r\n/) && !dumb.contains("\u{1B}"))
        #expect(!asked.contains("\u{1B}") && !asked.contains("\r"))
    }

    @Test("Words are highlighted only on a terminal", .long, .needs("python3"))
    func colors() throws {
        let workshop = try Workshop()
        let (error, wrong) = ("cannot read 'plam.png': no such file or directory", ["info", "plam.png"])
        #expect(
            try shown(wrong, in: workshop)
                == "\u{1B}[1;31merror:\u{1B}[0m \(error)\r\n       \u{1B}[2mdid you mean 'plan.png'?\u{1B}[0m\r\n"
        )
        let plain = "error: \(error)\n       did you mean 'plan.png'?\n"
        for variables in ["NO_COLOR=1", "TERM=dumb"] {
            let output = try shown(wrong, environment: [variables], in: workshop)
            #expect(output == plain.replacing("\n", with: "\r\n"))
        }
        let clean = ["-u", "CLICOLOR_FORCE"]
        #expect(try Program.run(wrong, environment: clean, in: workshop.url).errors == plain)
        let forced = try Program.run(
            wrong, environment: ["-u", "NO_COLOR", "CLICOLOR_FORCE=1"], in: workshop.url)
        #expect(forced.errors.hasPrefix("\u{1B}[1;31merror:\u{1B}[0m cannot"))
        let warned = try shown(["info", "plan.png", "--bounds", "2,48,2.0001,48.002"], in: workshop)
        #expect(warned.contains("\u{1B}[1;33mwarning:\u{1B}[0m a pixel of 'plan.png' is "), "\(warned)")
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

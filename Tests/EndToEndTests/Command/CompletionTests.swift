import Foundation
import TestSupport
import Testing

/// Real shells complete command lines with the scripts that the program prints for them.
struct CompletionTests {
    /// A command line up to the cursor, what is offered there, and what is not.
    private struct Line {
        var text: String
        var offers: [String]
        var omits: [String]

        init(_ text: String, offers: [String], omits: [String] = []) {
            (self.text, self.offers, self.omits) = (text, offers, omits)
        }
    }

    private static let lines = [
        // Commands, and images, since 'build' may be left out.
        Line("tilewright pl", offers: ["place", "plan.png"]),
        Line("tilewright ", offers: ["verify", "build", "plan.png", "PLAN.JPG"], omits: ["notes.txt"]),
        Line("tilewright ve", offers: ["verify"], omits: ["plan.png"]),
        Line("tilewright plan.png --form", offers: ["--format"]),
        Line("tilewright plan.png --format ", offers: ["png", "jpeg", "webp", "auto"], omits: ["plan.png"]),
        Line("tilewright plan.png --transform ", offers: ["similarity", "tps"]),
        Line("tilewright plan.png --resampling la", offers: ["lanczos"], omits: ["area"]),
        Line(
            "tilewright plan.png --force --dry-run --d", offers: ["--dpi", "--depfile"], omits: ["--dry-run"]),
        Line("tilewright build plan.png --over", offers: ["--overview-resampling", "--overviews"]),
        Line("tilewright plan.png -o ", offers: ["all.pmtiles"], omits: ["plan.png", "notes.txt"]),
        Line("tilewright verify ", offers: ["all.pmtiles", "house.yaml"], omits: ["plan.png", "notes.txt"]),
        Line("tilewright snippet all.pmtiles --for lea", offers: ["leaflet"]),
        Line("tilewright plan.png --gcps ", offers: ["a.points"], omits: ["plan.png"]),
        Line("tilewright help ve", offers: ["verify"], omits: ["plan.png"]),
    ]

    @Test("bash completes what people type")
    func bash() throws {
        try check("bash") { script, line, _ in ["complete.bash", script, line] }
    }

    @Test("zsh completes what people type", .long, .needs("zsh"))
    func zsh() throws {
        try check("zsh") { script, line, hits in ["-f", "complete.zsh", script, line, hits] }
    }

    @Test("fish completes what people type", .long, .needs("fish"))
    func fish() throws {
        try check("fish") { script, line, _ in ["complete.fish", script, line] }
    }

    private func check(
        _ shell: String, _ words: (_ script: String, _ line: String, _ hits: String) -> [String]
    )
        throws
    {
        let workshop = try Workshop()
        for name in ["PLAN.JPG", "notes.txt", "all.pmtiles", "house.yaml", "a.points"] {
            try workshop.write([], to: name)
        }
        let script = try Program.succeed(["--generate-completion-script", shell]).output
        try workshop.write(Array(script.utf8), to: ".script")
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Support/Completions").path
        for line in Self.lines {
            let words = words(".script", line.text, ".hits").map {
                $0.hasPrefix("complete.") ? "\(folder)/\($0)" : $0
            }
            let outcome = try Tool.run("/usr/bin/env", [shell] + words, in: workshop.url)
            let offered = Set(outcome.output.split(separator: "\n").map(String.init))
            let comment = Comment(rawValue: "\(line.text)| offers \(offered.sorted()); \(outcome.errors)")
            #expect(offered.isSuperset(of: line.offers), comment)
            #expect(offered.isDisjoint(with: line.omits), comment)
        }
    }
}

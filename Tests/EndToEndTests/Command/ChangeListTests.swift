import Foundation
import TestSupport
import Testing

/// The lists of `--changes` as those use them who keep a copy of a folder.
struct ChangeListTests {
    /// The next run, and where the tileset is to be found.
    private struct Step {
        var options: [String] = []
        var url: String?
        var zooms = "16-17"
        var isRepainted = false
    }

    /// Each differs from the one before in something else that documents or addresses tell.
    private static let steps = [
        Step(), Step(isRepainted: true), Step(url: "https://example.org/a"),
        Step(options: ["--name", "x"], url: "https://example.org/a"),
        Step(url: "https://cdn.example.org/b%20c/", zooms: "15-17"),
        Step(options: ["--scheme", "tms"], url: "https://cdn.example.org/b%20c/"),
        Step(options: ["--doc-kml", "superoverlay"]), Step(options: ["--doc-kml", "overlay"], zooms: "17"),
        Step(options: ["--template", "{z}-{x}-{y}.{ext}", "--floor", "a b"]), Step(isRepainted: true),
    ]

    @Test("A copy that follows the lists equals each run's output, including documents", .long)
    func copy() throws {
        var plan = Picture.plan(width: 300, height: 200)
        let workshop = try Workshop(plan)
        var copy: [String: Data] = [:]
        for (index, step) in Self.steps.enumerated() {
            if step.isRepainted {
                plan.fill(20..<30, 20 + 9 * index..<24 + 9 * index, (255, 0, 255, 255))
                try plan.write(to: workshop.path("plan.png"))
            }
            let url = step.url.map { ["--url", $0] } ?? []
            try workshop.build(
                ["--zoom", step.zooms, "--changes", "changes.txt"] + url + step.options)
            let lines = try Self.lines(workshop)
            for line in lines { try Self.follow(line, step, workshop, &copy) }
            let output = try Snapshot(of: workshop.file("out")).contents
                .filter { !$0.key.hasPrefix(".tilewright") }
            #expect(copy == output, "run \(index)")
            #expect(Set(lines.map { $0[1] }).count == lines.count, "run \(index): each address once")
            // The same again has nothing to tell.
            try workshop.build(
                ["--zoom", step.zooms, "--changes", "changes.txt"] + url + step.options)
            #expect(try Self.lines(workshop).isEmpty, "run \(index)")
        }
    }

    @Test("If the tileset's URL changes, each address is listed; otherwise only changes")
    func addresses() throws {
        let workshop = try Workshop()
        let options = ["--zoom", "16-17", "--changes", "changes.txt"]
        let tree = try workshop.build(options)
        let names = try Snapshot(of: tree).contents.keys.filter { !$0.hasPrefix(".tilewright") }
        #expect(try Set(Self.lines(workshop)) == Set(names.map { ["added", $0] }))
        for url in ["https://example.org/a", "https://example.org/b"] {
            try workshop.build(options + ["--url", url])
            #expect(try Set(Self.lines(workshop)) == Set(names.map { ["changed", "\(url)/\($0)"] }))
        }
        try workshop.build(options + ["--url", "https://example.org/b", "--name", "x"])
        #expect(
            try Set(Self.lines(workshop))
                == Set(["tilejson", "metadata"].map { ["changed", "https://example.org/b/\($0).json"] }))
        try workshop.build(options)
        #expect(try Set(Self.lines(workshop)) == Set(names.map { ["changed", $0] }))
        try FileManager.default.removeItem(at: workshop.file("out/metadata.json"))
        try workshop.build(options)
        #expect(try Self.lines(workshop) == [["added", "metadata.json"]])
    }

    private static func lines(_ workshop: Workshop) throws -> [[String]] {
        let text = try String(contentsOf: workshop.file("changes.txt"), encoding: .utf8)
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    private static func follow(
        _ line: [String], _ step: Step, _ workshop: Workshop, _ copy: inout [String: Data]
    ) throws {
        try #require(line.count == 2)
        let base = step.url.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        #expect(line[1].hasPrefix(base))
        let path = try #require(String(line[1].dropFirst(base.count)).removingPercentEncoding)
        switch line[0] {
        case "removed": copy[path] = nil
        case "added", "changed": copy[path] = try Data(contentsOf: workshop.file("out/\(path)"))
        default: Issue.record("\(line)")
        }
    }
}

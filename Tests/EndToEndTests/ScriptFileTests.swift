import Foundation
import TestSupport
import Testing

/// What scripts and Makefiles are given: lists of changes, and dependencies.
struct ScriptFileTests {
    @Test("The list of changes says which addresses to clear from caches")
    func changes() throws {
        var plan = Picture.plan(width: 300, height: 200)
        let workshop = try Workshop(plan)
        let options = ["--zoom", "16-17", "--changes", "changes.txt"]
        let first = try Snapshot(of: workshop.build(options)).tiles
        #expect(try lines(workshop) == Set(first.keys.map { "added \($0)" }))

        try workshop.build(options)
        #expect(try lines(workshop).isEmpty)

        plan.fill(20..<30, 20..<30, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))
        let url = ["--url", "https://example.org/a"]
        let second = try Snapshot(of: workshop.build(options + url)).tiles
        let differing = second.filter { first[$0.key] != $0.value }.keys
        #expect(!differing.isEmpty && differing.count < first.count)
        #expect(
            try lines(workshop) == Set(differing.map { "changed https://example.org/a/\($0)" }))

        try workshop.build(["--zoom", "16", "--changes", "changes.txt"])
        let gone = first.keys.filter { $0.hasPrefix("17/") }
        #expect(
            try lines(workshop).filter { $0.hasPrefix("removed ") }
                == Set(gone.map { "removed \($0)" }))
    }

    private func lines(_ workshop: Workshop) throws -> Set<Substring> {
        let text = try String(contentsOf: workshop.file("changes.txt"), encoding: .utf8)
        return Set(text.split(separator: "\n"))
    }

    @Test("make knows what a tileset is made of, whatever the files are called")
    func dependencies() throws {
        guard let make = Tool.path("make") else { return }
        let workshop = try Workshop()
        let image = "the #1 $plan.png"
        try workshop.plan.write(to: workshop.path(image))
        // Twice the size of the plan's pixels in degrees does not matter: what counts is the file.
        let worldFile = "0.00001\n0\n0\n-0.00001\n2\n48.002\n"
        try workshop.write(worldFile.utf8, to: "the #1 $plan.pgw")
        let build = [image, "--crs", "EPSG:4326", "-o", "out dir", "--depfile", "plan.d"]
        try Program.succeed(build, in: workshop.url)
        let makefile =
            "out\\ dir/tilejson.json: ; @touch 'out dir/tilejson.json'\n-include plan.d\n"
        try workshop.write(makefile.utf8, to: "Makefile")
        func isUpToDate() throws -> Bool {
            try Tool.run(make, ["-q", "out dir/tilejson.json"], in: workshop.url).status == 0
        }
        #expect(try isUpToDate())
        for name in [image, "the #1 $plan.pgw"] {
            let later = Date(timeIntervalSinceNow: 60)
            try FileManager.default.setAttributes(
                [.modificationDate: later], ofItemAtPath: workshop.path(name))
            #expect(try !isUpToDate())
            try FileManager.default.setAttributes(
                [.modificationDate: later], ofItemAtPath: workshop.path("out dir/tilejson.json"))
            #expect(try isUpToDate())
        }
        try FileManager.default.removeItem(at: workshop.file("the #1 $plan.pgw"))
        #expect(try !isUpToDate())
    }
}

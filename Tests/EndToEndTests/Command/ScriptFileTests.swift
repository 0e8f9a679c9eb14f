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
        let documents = ["tilejson.json", "metadata.json"]
        #expect(try lines(workshop) == Set((first.keys + documents).map { "added \($0)" }))

        try workshop.build(options)
        #expect(try lines(workshop).isEmpty)

        plan.fill(20..<30, 20..<30, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))
        let second = try Snapshot(of: workshop.build(options)).tiles
        let differing = second.filter { first[$0.key] != $0.value }.keys
        #expect(!differing.isEmpty && differing.count < first.count)
        #expect(
            try lines(workshop) == Set((differing + documents).map { "changed \($0)" }))

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

    @Test(
        "make knows what a tileset is made of, whatever the files are called",
        .needs("make"),
        arguments: [
            "the #1 $plan", "a:b=c", "100%", "[1]*?", "a\\b", "a\\ b", "a\\#b", "~plan", "ä&(b)'\"",
        ].some(4))
    func dependencies(name: String) throws {
        let workshop = try Workshop()
        let (image, output) = ("\(name).png", "out \(name)")
        try workshop.plan.write(to: workshop.path(image))
        let worldFile = "0.00001\n0\n0\n-0.00001\n2\n48.002\n"
        try workshop.write(worldFile.utf8, to: "\(name).pgw")
        let build = ["./" + image, "--crs", "EPSG:4326", "-o", output, "--depfile", "plan.d"]
        try Program.succeed(build, in: workshop.url)
        // make tells nobody how to write such a target: the fragment is the only one that says it.
        try workshop.write(
            "MAKEFLAGS += -rR\n-include plan.d\n.DEFAULT: ; @false\n".utf8, to: "Makefile")
        let target = "\(output)/tilejson.json"
        func isUpToDate() throws -> Bool {
            let outcome = try Tool.run("make", ["-dq", target], in: workshop.url)
            return !outcome.output.contains("Must remake target")
                && !outcome.output.contains("is newer than target")
        }
        #expect(try isUpToDate())
        for input in [image, "\(name).pgw"] {
            let later = Date(timeIntervalSinceNow: 60)
            try FileManager.default.setAttributes(
                [.modificationDate: later], ofItemAtPath: workshop.path(input))
            #expect(try !isUpToDate())
            try FileManager.default.setAttributes(
                [.modificationDate: later], ofItemAtPath: workshop.path(target))
            #expect(try isUpToDate())
        }
        try FileManager.default.removeItem(at: workshop.file("\(name).pgw"))
        #expect(try !isUpToDate())
    }

    @Test(
        "Targets that depend on a TileJSON or an archive are made only after changes",
        .needs("make"))
    func followers() throws {
        var plan = Picture.plan(width: 300, height: 200)
        let workshop = try Workshop(plan)
        let build = "\t@$(TILEWRIGHT) plan.png --bounds \(Workshop.bounds) --zoom 16"
        try workshop.write(
            """
            all: tree pmtiles mbtiles
            out/tilejson.json: plan.png
            \(build) -o out --depfile out.d
            a.pmtiles a.mbtiles: plan.png
            \(build) -o $@
            -include out.d
            tree: out/tilejson.json
            pmtiles: a.pmtiles
            mbtiles: a.mbtiles
            tree pmtiles mbtiles:
            \t@echo $@ uploaded; touch $@

            """.utf8, to: "Makefile")
        func uploads() throws -> Set<Substring> {
            let outcome = try Tool.run(
                "make", ["TILEWRIGHT=\(Program.path)", "-j3"], in: workshop.url)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return Set(outcome.output.split(separator: "\n").filter { $0.contains("uploaded") })
        }
        let all: Set<Substring> = ["tree uploaded", "pmtiles uploaded", "mbtiles uploaded"]
        #expect(try uploads() == all)
        #expect(try uploads() == [])
        // The same image again, with a later time.
        try plan.write(to: workshop.path("plan.png"))
        #expect(try uploads() == [])
        plan.fill(20..<30, 20..<30, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))
        #expect(try uploads() == all)
    }

    @Test(
        "Many floors are built at once into one folder, as one after the other", .long, .needs("make"))
    func manyFloors() throws {
        let workshop = try Workshop()
        try workshop.write(
            """
            all: $(patsubst %,$(OUT)/tilejson-%.json,1 2 3 4 5 6 7 8)
            $(OUT)/tilejson-%.json: plan.png
            \t@$(TILEWRIGHT) plan.png --bounds \(Workshop.bounds) --zoom 16-18 -o $(OUT) --floor $* \
            \t    --template '{z}/{x}/{y}-{floor}.{ext}' --jobs 2

            """.utf8, to: "Makefile")
        for (output, jobs) in [("one", "-j1"), ("all", "-j8")] {
            let outcome = try Tool.run(
                "make", ["TILEWRIGHT=\(Program.path)", "OUT=\(output)", jobs], in: workshop.url)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let (one, all) = try (
            Snapshot(of: workshop.file("one")), Snapshot(of: workshop.file("all"))
        )
        #expect(one.tiles == all.tiles && one.sideFiles == all.sideFiles)
        #expect(all.sideFiles.count == 16)
        #expect(try workshop.run(["verify", "all"]).status == 0)
    }

    @Test("Names that make cannot write are refused", arguments: ["a;b", "a|b", "a\tb", "a\nb"])
    func unwritableNames(name: String) throws {
        let workshop = try Workshop()
        try workshop.plan.write(to: workshop.path("\(name).png"))
        let outcome = try workshop.run([
            "\(name).png", "--bounds", Workshop.bounds, "-o", "out", "--depfile", "plan.d",
        ])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("a Makefile cannot"))
        #expect(!workshop.has("out"))
    }

    @Test(
        "Lists go into pipes, and behind what is in a file already",
        arguments: ["out", "a.pmtiles"])
    func listsIntoStreams(output: String) throws {
        let workshop = try Workshop()
        let build = "$0 plan.png --bounds \(Workshop.bounds) --zoom 16 -q --changes /dev/stdout"
        let script =
            "\(build) -o \(output) | cat; echo before >log; "
            + "{ \(build) -o x\(output); \(build) -o x\(output) --zoom 15; echo after; } >>log"
        let outcome = try Tool.run("/bin/sh", ["-c", script, Program.path], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let list = outcome.output.split(separator: "\n").map(String.init)
        let documents = output == "out" ? ["added metadata.json", "added tilejson.json"] : []
        #expect(list.count == 2 + documents.count, "\(outcome)")
        #expect(list.prefix(2).allSatisfy { $0.hasPrefix("added 16/") }, "\(outcome)")
        #expect(Array(list.dropFirst(2)) == documents, "\(outcome)")
        let log = try String(contentsOf: workshop.file("log"), encoding: .utf8)
        let lines = log.split(separator: "\n").map(String.init)
        #expect(lines.first == "before" && lines.last == "after", "\(log)")
        #expect(Array(lines.dropFirst().prefix(list.count)) == list, "\(log)")
        #expect(lines.count == 7 + 2 * documents.count, "\(log)")
    }

    @Test("A list of images may come from a pipe")
    func listFromPipe() throws {
        let workshop = try Workshop()
        let script = "echo plan.png | $0 @/dev/stdin --bounds \(Workshop.bounds) -o out"
        let outcome = try Tool.run("/bin/sh", ["-c", script, Program.path], in: workshop.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}

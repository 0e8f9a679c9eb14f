import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a second run does with what the first one left.
struct RepeatedRunTests {
    private static let zooms = ["--zoom", "16-18"]

    @Test("A second run with nothing changed writes nothing")
    func nothingIsWrittenTwice() throws {
        let workshop = try Workshop()
        let tree = try workshop.build(Self.zooms)
        let before = try FileIdentities(of: tree)
        let outcome = try workshop.run(
            ["plan.png", "--bounds", Workshop.bounds, "-o", "out"] + Self.zooms)
        #expect(outcome.errors.hasPrefix("0 tiles written, "))
        #expect(try FileIdentities(of: tree) == before)
    }

    @Test("A changed source rewrites the tiles that differ, and the documents with their digest")
    func changedTilesAreRewritten() throws {
        let workshop = try Workshop()
        let tree = try workshop.build(Self.zooms)
        let (before, old) = (try FileIdentities(of: tree), try Snapshot(of: tree))
        var plan = workshop.plan
        plan.fill(20..<30, 20..<30, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))
        try workshop.build(Self.zooms)
        let new = try Snapshot(of: tree)
        let differing = Set(new.tiles.filter { old.tiles[$0.key] != $0.value }.keys)
        #expect(!differing.isEmpty && differing.count < new.tiles.count / 2)
        let documents: Set = ["tilejson.json", "metadata.json"]
        #expect(try FileIdentities(of: tree).changes(since: before) == differing.union(documents))
        #expect(new.tiles == (try Snapshot(of: workshop.build(Self.zooms, to: "new"))).tiles)
    }

    @Test("A changed room rewrites the tiles that it touches, and no others", .long)
    func changedRoom() throws {
        var plan = Picture.plan(width: 1200, height: 800)
        let workshop = try Workshop(plan)
        let tree = try workshop.build(["--zoom", "16-20"])
        let before = try FileIdentities(of: tree)
        plan.fill(700..<760, 300..<340, (255, 0, 255, 255))
        try plan.write(to: workshop.path("plan.png"))
        try workshop.build(["--zoom", "16-20"])
        let written = try FileIdentities(of: tree).changes(since: before)
            .filter { $0.hasSuffix(".png") }
        #expect(written == Self.tiles(touching: 700..<760, 300..<340, zooms: 16...20))
    }

    /// The tiles in which pixels of the workshop's plan lie, whose size is 1200 x 800. Filters reach
    /// one pixel farther here; no tile of the test begins in between.
    private static func tiles(
        touching columns: Range<Int>, _ rows: Range<Int>, zooms: ClosedRange<Int>
    ) -> Set<String> {
        func column(_ pixel: Int, _ zoom: Int) -> Int {
            let longitude = 2 + 0.003 * Double(pixel) / 1200
            return Int((longitude + 180) / 360 * Double(1 << zoom))
        }
        func row(_ pixel: Int, _ zoom: Int) -> Int {
            let latitude = (48.002 - 0.002 * Double(pixel) / 800) * .pi / 180
            let y = 0.5 - asinh(tan(latitude)) / (2 * .pi)
            return Int(y * Double(1 << zoom))
        }
        return Set(
            zooms.flatMap { zoom in
                (column(columns.lowerBound, zoom)...column(columns.upperBound, zoom)).flatMap { x in
                    (row(rows.lowerBound, zoom)...row(rows.upperBound, zoom)).map { y in
                        "\(zoom)/\(x)/\(y).png"
                    }
                }
            })
    }

    @Test("Missing and damaged files are repaired, stale files removed, foreign files kept")
    func treeIsRepaired() throws {
        let workshop = try Workshop()
        let tree = try workshop.build(Self.zooms)
        let whole = try Snapshot(of: tree)
        let tiles = whole.tiles.keys.sorted()
        try FileManager.default.removeItem(at: tree.appending(path: tiles[0]))
        try Data([1, 2, 3]).write(to: tree.appending(path: tiles[1]))
        try Data([4]).write(to: tree.appending(path: "letter.txt"))
        try Data([5]).write(to: tree.appending(path: "18/mine.png"))
        let outcome = try workshop.run(
            ["plan.png", "--bounds", Workshop.bounds, "-o", "out"] + Self.zooms)
        #expect(outcome.errors.contains("\n2 tiles written, "))
        let repaired = try Snapshot(of: tree).contents
        #expect(repaired["letter.txt"] == Data([4]) && repaired["18/mine.png"] == Data([5]))
        for (path, data) in whole.tiles { #expect(repaired[path] == data) }
        // Fewer zooms: the tiles of the others go, the foreign file stays.
        try workshop.build(["--zoom", "16-17"])
        let left = try Snapshot(of: tree).tiles.keys
        #expect(left.filter { $0.hasPrefix("18/") } == ["18/mine.png"])
    }

    @Test("A foreign directory is used only with --force, and its files stay")
    func foreignDirectoryIsTakenOver() throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(
            at: workshop.file("out"), withIntermediateDirectories: false)
        try workshop.write([7], to: "out/letter.txt")
        let refused = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(refused.status == 73)
        let tree = try workshop.build(["--force"])
        #expect(try Snapshot(of: tree).contents["letter.txt"] == Data([7]))
        try workshop.build()
    }

    @Test("A second run at the same time is refused")
    func secondRunIsRefused() throws {
        let workshop = try Workshop()
        let tree = try workshop.build()
        let before = try Snapshot(of: tree)
        let lock = open(
            tree.appending(path: ".tilewright/tileset/lock").path, O_RDWR | O_CREAT, 0o666)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let outcome = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(outcome.status == 75)
        #expect(outcome.errors.hasPrefix("error: another run is writing the tiles in 'out'\n"))
        #expect(try Snapshot(of: tree) == before)
        // Another floor does not mind.
        try workshop.build(["--floor", "1", "--template", "{floor}/{z}/{x}/{y}.{ext}"])
    }

    @Test("Floors share a directory, each with its own tiles and documents")
    func floorsShareADirectory() throws {
        let workshop = try Workshop()
        let template = ["--template", "L{floor}_{z}_{x}_{y}.{ext}"]
        // A basement's name may begin with a dash.
        let tree = try workshop.build(template + ["--floor", "-1"])
        let basement = try FileIdentities(of: tree)
        try workshop.build(template + ["--floor", "0"])
        let both = try Snapshot(of: tree)
        #expect(
            try FileIdentities(of: tree).changes(since: basement).allSatisfy {
                $0.hasPrefix("L0_") || ["tilejson-0.json", "metadata-0.json"].contains($0)
            })
        #expect(both.tiles.keys.contains { $0.hasPrefix("L-1_") })
        #expect(
            Set(both.sideFiles.keys) == [
                "tilejson-0.json", "metadata-0.json", "tilejson--1.json", "metadata--1.json",
            ])
        for (path, data) in both.tiles where path.hasPrefix("L0_") {
            #expect(both.tiles[path.replacing("L0_", with: "L-1_")] == data)
        }
    }
}

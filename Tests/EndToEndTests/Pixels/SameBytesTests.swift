import Foundation
import TestSupport
import Testing

/// The bytes of tiles do not depend on how they are made.
struct SameBytesTests {
    /// A way to run, as options and variables.
    struct Way: CustomStringConvertible {
        var options: [String] = []
        var environment: [String] = []
        var description: String { (environment + options).joined(separator: " ") }
    }

    static let ways = [
        Way(options: ["-j", "4"]), Way(options: ["-j", "3", "--memory", "1K"]),
        Way(options: ["--memory", "1M"]), Way(environment: ["TILEWRIGHT_SIMD=portable"]),
    ]

    @Test("A turned plan has the same tiles, however the program runs", .long)
    func turnedPlanIsTheSame() throws {
        let cell = World.cellSize(zoom: 19) * 0.9
        let plan = try TurnedPlan(.plan(width: 700, height: 500), cellSize: cell, turnedBy: 31)
        let zooms = ["--zoom", "16-19", "--resampling", "lanczos"]
        let once = try Snapshot(of: plan.build(zooms + ["-j", "1"], to: "once"))
        for (index, way) in Self.ways.enumerated() {
            let again = try plan.build(
                zooms + way.options, environment: way.environment, to: "again\(index)")
            try expectSameTiles(once, again, way)
        }
    }

    @Test(
        "An upright plan has the same tiles, however the program runs",
        arguments: [[], ["--zoom", "15-18", "--palette", "24"]].some(1))
    func uprightPlanIsTheSame(options: [String]) throws {
        let workshop = try Workshop(.plan(width: 700, height: 500, hasPaper: true))
        let once = try Snapshot(of: workshop.build(options + ["-j", "1"], to: "once"))
        for (index, way) in Self.ways.enumerated() {
            try Program.succeed(
                ["plan.png", "--bounds", Workshop.bounds, "-o", "again\(index)"] + options
                    + way.options,
                environment: way.environment, in: workshop.url)
            try expectSameTiles(once, workshop.file("again\(index)"), way)
        }
    }

    @Test("A small budget moves rows to a scratch file, as the tests above assume")
    func smallBudgetSpills() throws {
        let workshop = try Workshop(.plan(width: 700, height: 500))
        for (memory, spills) in [("1K", true), ("1M", true), ("1G", false)] {
            let info = try Program.succeed(
                ["info", "plan.png", "--bounds", Workshop.bounds, "--memory", memory, "--json"],
                in: workshop.url)
            #expect((try Report(info.output).estimate.scratch > 0) == spills, "\(memory)")
        }
    }

    private func expectSameTiles(_ once: Snapshot, _ again: URL, _ way: Way) throws {
        #expect(once.tiles.count > 12)
        let isSame = try once.tiles == Snapshot(of: again).tiles
        #expect(isSame, "\(way)")
    }

    @Test("Tiles of 512 pixels are four tiles of the next zoom")
    func largeTilesAreFourSmallOnes() throws {
        let plan = try TurnedPlan(
            .plan(width: 700, height: 500), cellSize: World.cellSize(zoom: 21), turnedBy: -24)
        let large = try plan.build(["--zoom", "20", "--tile-size", "512"], to: "large")
        let small = try plan.build(["--zoom", "21", "--tile-size", "256"], to: "small")
        let stitched = try Mosaic(of: small, zoom: 21)
        let whole = try Mosaic(of: large, zoom: 20, tileSize: 512)
        #expect(stitched.tiles.count > 4)
        #expect(stitched.picture(like: whole) == whole.picture)
    }
}

import ArgumentParser
import CommandSupport
import Platform
import Tilesets
import TilewrightKit

/// `tilewright verify`: checks a finished tileset against its metadata.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks all tiles of a finished tileset, and its metadata.")

    @Argument(
        help: ArgumentHelp(
            "A folder of tiles or an archive; or the manifest of a building, whose floors are also compared "
                + "with each other.",
            valueName: "OUTPUT"),
        completion: .tilesetsAndManifests)
    var tileset: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to check. (default: all floors)", valueName: "NAME"))
    var floor: String?

    @OptionGroup var limit: TileLimitOption
    @OptionGroup var reports: ProgressOptions

    func run() async throws {
        try await SignalWatch.run(advice: nil) { try verify() }
    }

    /// The check of the tileset, or of all tilesets of a manifest.
    private func check() throws -> ((@escaping (TilesetCheck.Event) -> Void) throws -> TilesetCheck.Summary) {
        let maxTiles = limit.maxTiles.value
        if Manifest.isManifest(tileset) {
            return try BuildingCheck(Manifest(contentsOf: tileset), floor: floor, maxTiles: maxTiles).run
        }
        return try TilesetCheck(tileset, floor: floor, maxTiles: maxTiles).run
    }

    private func verify() throws {
        let start = ContinuousClock.now
        let check = try check()
        let (faults, reports) = (FaultList(), reports)
        var warnings: [TilesetFault] = []
        var progress: ProgressReporter?
        let sum = try check { event in
            switch event {
            case .began(let tileCount):
                progress = ProgressReporter(style: reports.style, total: tileCount, phase: .checking)
            case .progressed(let tilesDone): progress?.report(tilesDone)
            case .ended: progress?.finish()
            case .fault(let fault): faults.add(fault)
            case .warning(let warning): warnings.append(warning)
            }
        }
        try faults.finish()
        guard sum.faults == 0 else {
            throw Failure(
                .checkFailed,
                "'\(tileset)' has \(sum.faults.counted("fault")) (\(sum.tiles.counted("tile")))")
        }
        if reports.quiet { return }
        Console.say(
            "\(sum.tiles.counted("tile")), \(sum.bytes.byteText), no faults, "
                + "\(start.duration(to: .now).seconds.text(decimals: 1)) s")
        // The floors of a building usually have the same warnings, so that the first one is enough.
        if let first = warnings.first {
            let others = warnings.count > 1 ? " (and \((warnings.count - 1).counted("other")))" : ""
            Console.warn("\(first)\(others)")
        }
    }
}

/// Prints the first faults and counts the rest.
final class FaultList {
    /// More than people read, and few enough for a terminal's memory.
    private static let most = 100

    /// The number of faults.
    private(set) var count = 0
    private var error: (any Error)?

    /// Counts a fault, and prints it if it is one of the first.
    func add(_ fault: TilesetFault) {
        count += 1
        guard count <= Self.most, error == nil else { return }
        do { try Console.result(fault.description) } catch { self.error = error }
    }

    /// Prints the number of faults that were not printed.
    ///
    /// - Throws: `.inputOutput` if the list did not arrive whole.
    func finish() throws {
        if let error { throw error }
        if count > Self.most { try Console.result("and \(count - Self.most) more") }
    }
}

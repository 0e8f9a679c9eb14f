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

    @Flag(help: "Print JSON: the report of --report, with all faults.")
    var json = false

    @OptionGroup var report: ReportOption

    func run() async throws {
        try await SignalWatch.run(advice: nil) { try verify() }
    }

    /// A check, and the tilesets that it reads.
    private struct Check {
        let run: (@escaping (TilesetCheck.Event) -> Void) throws -> TilesetCheck.Summary
        let outputs: [CheckedOutput]

        /// The tileset in reports.
        func output(_ checked: TilesetCheck.Checked) -> RunOutput {
            outputs.first { $0.path == checked.path && $0.floor == checked.floor }?.output
                ?? RunOutput(checked.path, floor: checked.floor)
        }
    }

    /// A tileset as it is stored, and as it is reported: an archive does not know its floor.
    private typealias CheckedOutput = (path: String, floor: String?, output: RunOutput)

    /// The check of the tileset, or of all tilesets of a manifest.
    private func check() throws -> Check {
        let maxTiles = limit.maxTiles.value
        if Manifest.isManifest(tileset) {
            let manifest = try Manifest(contentsOf: tileset)
            let floors = try floor.map { [try manifest.floor($0)] } ?? manifest.floors
            let outputs: [CheckedOutput] = floors.map {
                let output = $0.request.build.output
                return (
                    output.path, output.storedFloor,
                    RunOutput(output.path, floor: $0.name.floor, of: $0.name.building)
                )
            }
            try report.begin(outputs.map(\.output))
            return Check(
                run: try BuildingCheck(manifest, floor: floor, maxTiles: maxTiles).run, outputs: outputs)
        }
        let check = try TilesetCheck(tileset, floor: floor, maxTiles: maxTiles)
        try report.begin(check.floors.map { RunOutput(tileset, floor: $0) })
        return Check(run: check.run, outputs: [])
    }

    private func verify() throws {
        let start = ContinuousClock.now
        RunRecord.beginFaults()
        let check = try check()
        let (faults, reports) = (FaultList(), reports)
        var warnings: [TilesetFault] = []
        var progress: ProgressReporter?
        var outputs: [RunOutput] = []
        let sum = try check.run { event in
            switch event {
            case .began(let tileCount):
                progress = ProgressReporter(style: reports.style, total: tileCount, phase: .checking)
            case .progressed(let tilesDone): progress?.report(tilesDone)
            case .ended: progress?.finish()
            case .fault(let fault): faults.add(fault)
            case .warning(let warning): warnings.append(warning)
            case .checked(let checked):
                outputs.append(check.output(checked).checked(checked.summary, digest: checked.digest))
                outputs.last.map(RunRecord.note)
            }
        }
        warnings.forEach { RunRecord.note($0.asWarning) }
        // The faults say why a floor of a manifest could not be checked.
        for (_, _, output) in check.outputs where !outputs.contains(where: output.isSame) {
            var output = output
            output.state = .failed
            RunRecord.note(output)
        }
        try faults.finish()
        guard sum.faults == 0 else {
            throw Failure(
                .checkFailed,
                "'\(tileset)' has \(sum.faults.counted("fault")) (\(sum.tiles.counted("tile")))")
        }
        if reports.quiet { return }
        // Programs get the result last.
        if EventLine.areWanted { warnings.forEach { Console.warn($0.asWarning) } }
        Console.say(
            "\(sum.tiles.counted("tile")), \(sum.bytes.byteText), no faults, "
                + "\(start.duration(to: .now).seconds.text(decimals: 1)) s",
            as: .result,
            outputs.count == 1 ? outputs[0] : RunOutput(tileset, floor: floor).checked(sum, digest: nil))
        // The floors of a building usually have the same warnings, so that the first one is enough for people.
        if let first = warnings.first, !EventLine.areWanted {
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
        RunRecord.note(fault.reported)
        guard count <= Self.most, error == nil, !RunRecord.takesStandardOutput else { return }
        do { try Console.result(fault.description) } catch { self.error = error }
    }

    /// Prints the number of faults that were not printed.
    ///
    /// - Throws: `.inputOutput` if the list did not arrive whole.
    func finish() throws {
        if let error { throw error }
        if count > Self.most, !RunRecord.takesStandardOutput {
            try Console.result("and \(count - Self.most) more")
        }
    }
}

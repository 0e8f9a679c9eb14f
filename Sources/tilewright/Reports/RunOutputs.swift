import CommandSupport
import Platform
import Tilesets
import TilewrightKit

extension RunOutput {
    /// The output of a build that has not begun.
    init(_ request: OutputRequest) { self.init(request.path, floor: request.floor) }

    /// This tileset when it is done.
    func done(_ changes: TilesetSummary, skipped: Int = 0, digest: String?) -> RunOutput {
        var output = self
        output.state = .done
        output.tiles = Tiles(
            written: changes.written, unchanged: changes.unchanged, removed: changes.removed.count,
            skipped: skipped)
        (output.bytes, output.digest) = (changes.bytes, digest)
        return output
    }

    /// This tileset when it is built.
    func done(_ summary: BuildSummary) -> RunOutput {
        done(
            summary.changes, skipped: summary.skippedCount, digest: summary.metadata.contents?.digest)
    }

    /// This tileset when it is checked.
    func checked(_ summary: TilesetCheck.Summary, digest: String?) -> RunOutput {
        var output = self
        output.state = summary.faults == 0 ? .done : .failed
        output.tiles = Tiles(unchanged: summary.tiles)
        (output.bytes, output.digest) = (summary.bytes, digest)
        return output
    }

    /// The sum of several tilesets.
    init(sumOf summaries: [BuildSummary], in folder: String) {
        func sum(_ count: (TilesetSummary) -> Int) -> Int { summaries.reduce(0) { $0 + count($1.changes) } }
        self.init(folder, state: .done)
        tiles = Tiles(
            written: sum(\.written), unchanged: sum(\.unchanged), removed: sum(\.removed.count),
            skipped: summaries.reduce(0) { $0 + $1.skippedCount })
        bytes = sum(\.bytes)
    }

    /// This tileset with an error of its own.
    func failed(_ failure: Failure) -> RunOutput {
        var output = self
        (output.state, output.error) = (.failed, RunError(failure))
        return output
    }
}

extension BuildSummary {
    /// Notes the result, and prints the closing line.
    func close(_ request: OutputRequest, from start: ContinuousClock.Instant, isQuiet: Bool) {
        let output = RunOutput(request).done(self)
        RunRecord.note(output)
        if isQuiet { return }
        Console.say(
            [changes].closingLine(empty: skippedCount, elapsed: start.duration(to: .now)), as: .result, output
        )
    }
}

extension FloorPlan {
    /// The floor in a report, before it is built.
    var output: RunOutput {
        RunOutput(request.build.output.path, floor: name.floor, of: name.building)
    }
}

extension TilesetFault {
    /// The fault in a report.
    var reported: RunFaults.Fault { RunFaults.Fault(place, problem, tile: tile.map { "\($0)" }) }

    /// A fault that is only a warning.
    var asWarning: Warning { Warning("metadata", description) }
}

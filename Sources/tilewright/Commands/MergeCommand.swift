import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit
import Tiling

/// `tilewright merge`: puts the parts of a job together.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Puts the parts of a job together: the tileset is the one that 'build' would make.")

    @Argument(help: ArgumentHelp("The folder of the job.", valueName: "JOB"), completion: .directory)
    var job: String

    @OptionGroup(title: "Where the tiles go") var output: OutputOptions

    @Option(help: ArgumentHelp("Rows count from the north, or from the south.", valueName: "xyz|tms"))
    var scheme: TileScheme = .xyz

    @Flag(help: "Choose the palette by the surveys of all shards, and write no tiles.")
    var survey = false

    @OptionGroup(title: "How to run") var resources: MachineOptions
    @OptionGroup var reports: ReportOptions

    func run() async throws { try await SignalWatch.run { try await merge() } }

    private func merge() async throws {
        let reporter = BuildReporter(reports)
        if survey {
            if let option = (output.output.map { _ in "--output" } ?? output.given.first) {
                throw Failure(.usage, "--survey writes no tiles, so that \(option) has no meaning")
            }
            return try await ShardMerge.chooseColors(
                of: job, resources: resources.request, report: reporter.take)
        }
        let clock = ContinuousClock()
        let start = clock.now
        let merge = try ShardMerge(
            job: job, output: output.request(scheme: scheme), resources: resources.request)
        if !reports.quiet { merge.warnings.forEach(Console.warn) }
        let summary = try await merge.run(report: reporter.take)
        if reports.quiet { return }
        Console.say(
            ClosingLine([summary.changes], empty: summary.skippedCount, elapsed: clock.now - start).text)
    }
}

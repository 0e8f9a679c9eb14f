import ArgumentParser
import Diagnostics
import TilewrightKit

/// `tilewright build`: builds a tileset from images.
struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Builds the tiles of an image (the default command).")

    @OptionGroup var source: SourceOptions
    @OptionGroup(title: "What of the image counts") var image: ImageOptions
    @OptionGroup(title: "Where the image lies") var position: PositionOptions
    @OptionGroup(title: "What to build") var tiles: TileOptions
    @OptionGroup(title: "Where the tiles go") var output: OutputOptions
    @OptionGroup(title: "How to run") var resources: RunOptions
    @OptionGroup var reports: ReportOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fail if a control point is farther from its place.", valueName: "METRES"))
    var maxResidual: Double?

    @Flag(help: "Print the plan, as 'info' does, and write nothing.")
    var dryRun = false

    func run() async throws {
        try await SignalWatch.run { try await runBuild() }
    }

    private func runBuild() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let build = try TilesetBuild(request())
        if !reports.quiet { build.warnings.forEach(Console.warn) }
        if output.url == nil, reports.verbose, !build.request.output.container.isArchive {
            Console.warn("without --url the addresses in TileJSON are relative")
        }
        let report = PlanReport(build.plan)
        if dryRun { return try Console.result(report.text) }
        if reports.verbose {
            Console.say(report.text)
        } else if !reports.quiet {
            (report.fitLines + [report.rangeText].compactMap(\.self)).forEach(Console.say)
        }
        let reporter = BuildReporter(reports)
        let summary = try await build.run(report: reporter.take)
        if reports.quiet { return }
        Console.say(
            ClosingLine(
                summary.changes, empty: summary.skippedCount, elapsed: clock.now - start
            ).text)
    }

    private func request() throws -> BuildRequest {
        let images = try image.requests(source.paths(), at: position.request())
        var request = BuildRequest(
            images, pyramid: tiles.request, output: output.request(scheme: tiles.form.scheme ?? .xyz))
        request.resources = resources.request
        request.maxResidual = maxResidual
        request.lists = source.lists
        return request
    }
}

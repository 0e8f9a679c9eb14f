import ArgumentParser
import Codecs
import Diagnostics
import Palettes
import Pyramid
import Publishing
import Raster
import Tiling
import Tilesets

/// `tilewright build`: an image becomes a tileset.
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
            "Fail where a control point is farther from its place.", valueName: "METRES"))
    var maxResidual: Double?

    @Flag(help: "Print the plan, as 'info' does, and write nothing.")
    var dryRun = false

    func run() async throws {
        try await SignalWatch.run { try await build() }
    }

    private func build() async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let inputs = try BuildInputs(source: source, position: position)
        let (names, plan) = try prepare(inputs)
        let report = PlanReport(plan, tiles: tiles, run: resources)
        if dryRun { return try Console.result(report.text) }
        if reports.verbose {
            Console.say(report.text)
        } else if !reports.quiet, let range = report.rangeText {
            Console.say(range)
        }
        try plan.checkMemory()
        try writeDependencies(inputs)
        let job = try JobFingerprint(plan, options: image, tiles: tiles)
        let tileset = try TilesetOutput(
            path: output.output, force: output.force, fsync: output.fsync,
            scratchDirectory: scratchDirectory
        ).open(names: names, job: job.hash)
        let finished =
            try await tileset.isComplete ? tileset : render(plan, of: inputs, into: tileset)
        let contents = finished.contents
        let metadata = TilesetMetadata(
            output: output, names: names, tiles: tiles, plan: plan,
            limits: plan.pyramid.limits(of: finished.tiles), contents: contents)
        var documents = TilesetDocuments(metadata)
        documents.sideFiles =
            try await earthFiles(plan, of: inputs, finished, metadata) + documents.sideFiles
        let summary = try finished.finish(documents)
        try writeChanges(summary, metadata)
        if reports.quiet { return }
        Console.say(
            ClosingLine(
                summary, empty: plan.pyramid.tileCount - contents.tileCount,
                elapsed: clock.now - start
            ).text)
    }

    /// Everything that can be wrong before anything is written.
    private func prepare(_ inputs: BuildInputs) throws -> (TileNames, TilesetPlan) {
        let container = Container(path: output.output)
        try container.check(output, tiles)
        try checkSources(inputs)
        try checkLists(inputs)
        let names = try TileNames(
            TileTemplate(output.template), fileExtension: tiles.format.fileExtension,
            floor: output.floor, scheme: tiles.scheme)
        let placed = try PlacedImages(paths: inputs.images, image: image, options: position)
        for image in placed.all { try image.check(maxResidual: maxResidual) }
        let plan = try TilesetPlan(
            images: placed.all, tiles: tiles, run: resources,
            scratchDirectory: scratchDirectory)
        try output.check(tileCount: plan.pyramid.tileCount)
        if !reports.quiet { (placed.warnings + plan.warnings).forEach(Console.warn) }
        if output.url == nil, reports.verbose, !container.isArchive {
            Console.warn("without --url the addresses in TileJSON are relative")
        }
        return (names, plan)
    }

    /// Where scratch files go.
    private var scratchDirectory: String {
        resources.tmpdir ?? output.output.parentDirectory
    }
}

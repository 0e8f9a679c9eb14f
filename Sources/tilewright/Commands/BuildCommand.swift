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
        let job = try JobFingerprint(plan, options: image, tiles: tiles).hash
        let place = TilesetOutput(
            path: output.output, force: output.force, fsync: output.fsync,
            scratchDirectory: scratchDirectory)
        let (summary, tileCount): (TilesetSummary, Int)
        do {
            (summary, tileCount) = try await make(
                plan, of: inputs, names, in: place.open(names: names, job: job))
        } catch is DamagedArchive {
            let anew = try place.open(names: names, job: job, reusesTiles: false)
            (summary, tileCount) = try await make(plan, of: inputs, names, in: anew)
        }
        if reports.quiet { return }
        Console.say(
            ClosingLine(
                summary, empty: plan.pyramid.tileCount - tileCount, elapsed: clock.now - start
            ).text)
    }

    /// Makes the tiles, unless they are there, and the documents.
    ///
    /// - Returns: what was changed, and the number of all tiles.
    private func make(
        _ plan: TilesetPlan, of inputs: BuildInputs, _ names: TileNames,
        in tileset: any TilesetWriter
    ) async throws -> (TilesetSummary, tileCount: Int) {
        let finished =
            try await tileset.isComplete ? tileset : render(plan, of: inputs, into: tileset)
        let contents = finished.contents
        let metadata = TilesetMetadata(
            output: output, names: names, tiles: tiles, plan: plan,
            limits: plan.pyramid.limits(of: finished.tiles), contents: contents)
        var documents = TilesetDocuments(metadata)
        documents.sideFiles =
            try await earthFiles(plan, of: inputs, finished, metadata) + documents.sideFiles
        // Whoever reads a pipe acts at once, and an archive changes when it is finished. A file is
        // written before that: if it cannot be, the next run says the same again.
        let isRead = container.isArchive && output.changes.map(WholeFile.isStream) == true
        let summary = try finished.finish(documents) { summary in
            if !isRead { try writeChanges(summary, metadata) }
        }
        if isRead { try writeChanges(summary, metadata) }
        return (summary, contents.tileCount)
    }

    /// What the name of OUTPUT says that it is.
    var container: Container { Container(path: output.output) }

    /// Everything that can be wrong before anything is written.
    private func prepare(_ inputs: BuildInputs) throws -> (TileNames, TilesetPlan) {
        try container.check(output, tiles)
        try checkSources(inputs)
        try checkLists(inputs)
        let names = try TileNames(
            TileTemplate(output.template), fileExtension: tiles.format.fileExtension,
            floor: output.floor, scheme: tiles.scheme)
        let placed = try PlacedImages(
            paths: inputs.images, image: image, options: position,
            limits: PixelLimits(resources.maxPixels))
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

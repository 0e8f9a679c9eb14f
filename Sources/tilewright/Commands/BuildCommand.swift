import ArgumentParser
import Codecs
import Diagnostics
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
        let (names, plan) = try prepare()
        let report = PlanReport(plan, tiles: tiles, run: resources)
        if dryRun { return try Console.result(report.text) }
        if reports.verbose {
            Console.say(report.text)
        } else if !reports.quiet, let range = report.rangeText {
            Console.say(range)
        }
        let job = try JobFingerprint(plan, options: image, tiles: tiles)
        let tileset = try output.makeTileset(names: names, job: job.hash)
        let finished = try await tileset.isComplete ? tileset : render(plan, into: tileset)
        let contents = finished.contents
        let metadata = TilesetMetadata(
            output: output, names: names, tiles: tiles, plan: plan,
            limits: plan.pyramid.limits(of: finished.tiles), contents: contents)
        var documents = TilesetDocuments(metadata)
        documents.sideFiles =
            try await earthFiles(plan, finished, metadata) + documents.sideFiles
        let summary = try finished.finish(documents)
        try writeLists(summary, metadata)
        if reports.quiet { return }
        Console.say(
            ClosingLine(
                summary, empty: plan.pyramid.tileCount - contents.tileCount,
                elapsed: clock.now - start
            ).text)
    }

    /// The files that Google Earth wants.
    private func earthFiles(
        _ plan: TilesetPlan, _ tileset: any TilesetWriter, _ metadata: TilesetMetadata
    ) async throws -> [SideFile] {
        switch output.docKml {
        case nil: return []
        case .superoverlay: return SuperOverlay(metadata, tiles: tileset.tiles).files
        case .overlay:
            let picture = try await OverlayPicture.render(plan, tiles: tiles, run: resources)
            if let shift = picture.visibleShift, !reports.quiet {
                Console.warn(
                    "rows of doc.kml's picture are up to \(shift.text(decimals: 1)) pixels off, "
                        + "since the image is so tall; --doc-kml superoverlay is exact")
            }
            return OverlayDocument(metadata, box: picture.box, picture: picture.bytes).files
        }
    }

    /// Writes the files that say what a run did.
    private func writeLists(_ summary: TilesetSummary, _ metadata: TilesetMetadata) throws {
        if let path = output.changes {
            let list = ChangeList(
                metadata, added: summary.added, changed: summary.changed, removed: summary.removed)
            try OutputFile.write(list.bytes, to: path)
        }
        if let path = output.depfile {
            let fragment = try DependencyFile(
                target: output.target, source: source, position: position)
            try OutputFile.write(fragment.text.utf8, to: path)
        }
    }

    /// Everything that can be wrong before anything is written.
    private func prepare() throws -> (TileNames, TilesetPlan) {
        let names = try TileNames(
            TileTemplate(output.template), fileExtension: tiles.format.fileExtension,
            floor: output.floor, scheme: tiles.scheme)
        let placed = try PlacedImages(paths: source.paths(), image: image, options: position)
        for image in placed.all { try image.check(maxResidual: maxResidual) }
        let plan = try TilesetPlan(
            images: placed.all, tiles: tiles, run: resources,
            scratchDirectory: resources.tmpdir ?? output.output.parentDirectory)
        try output.check(tileCount: plan.pyramid.tileCount)
        if !reports.quiet { (placed.warnings + plan.warnings).forEach(Console.warn) }
        if output.url == nil, reports.verbose {
            Console.warn("without --url the addresses in TileJSON are relative")
        }
        return (names, plan)
    }

    /// Renders all tiles into the tileset; takes it all back where the input is at fault.
    private func render(
        _ plan: TilesetPlan, into tileset: any TilesetWriter
    ) async throws -> any TilesetWriter {
        var tileset = tileset
        let style = reports.quiet ? ProgressStyle.none : reports.progress
        let progress = ProgressReporter(style: style, total: plan.pyramid.tileCount)
        defer { progress.finish() }
        do {
            let space = SpaceCheck(
                plan, tiles: tiles, output: output.output, staged: tileset.staged.count)
            if let warning = try space?.warning(), !reports.quiet { Console.warn(warning) }
            let summary = try await plan.builder.build(
                from: { try plan.open($0) }, to: &tileset, makeEncoder: tiles.makeEncoder,
                progress: progress.report)
            guard summary.tiles > 0 else {
                throw Failure(
                    .badInput,
                    "cannot build tiles of '\(plan.images[0].path)': every pixel is transparent",
                    remedy: "check --nodata and --crop, or add --empty write")
            }
            return tileset
        } catch let failure as Failure where failure.kind == .badInput {
            try tileset.discard()
            throw failure
        } catch {
            try tileset.suspend()
            throw error
        }
    }
}

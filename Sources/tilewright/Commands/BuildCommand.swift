import CommandSupport
import ArgumentParser
import Platform
import TilewrightKit

/// `tilewright build`: builds a tileset from images, or the floors of a manifest.
struct BuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract:
            "Builds the tiles of an image, or of the floors in a manifest (the default command).")

    @OptionGroup var source: SourceOptions
    @OptionGroup(title: "Image") var image: ImageOptions
    @OptionGroup(title: "Position") var position: PositionOptions
    @OptionGroup(title: "Tiles") var tiles: TileOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Resources") var resources: MachineOptions
    @OptionGroup var manifest: ManifestOptions
    @OptionGroup var reports: ReportOptions
    @OptionGroup var report: ReportOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Fail if a control point is off by more than this.", valueName: "METRES"))
    var maxResidual: Double?

    @Flag(help: "Write nothing; print the plan as 'info' does, or a table of a manifest's floors.")
    var dryRun = false

    func run() async throws {
        CADReporter.begin(reports.style, quiet: reports.quiet)
        if let path = try source.manifest() {
            try refuseOptions(nextTo: path)
            return try await SignalWatch.run(jobs: resources.jobs) { try await buildBuilding(path) }
        }
        if manifest.only != nil {
            throw Failure.needsManifest("--only", nextTo: source.sources[0])
        }
        try await SignalWatch.run(jobs: resources.jobs) { try await runBuild() }
    }

    /// Refuses options for images, positions and tiles, which are set in the manifest.
    private func refuseOptions(nextTo path: String) throws {
        let others = maxResidual == nil ? [] : ["--max-residual"]
        try ManifestOptions.refuse(
            image.given + position.given + tiles.given + output.given + others, nextTo: path)
    }

    /// Builds the floors of a manifest.
    private func buildBuilding(_ path: String) async throws {
        var options = BuildingOptions()
        options.only = manifest.floors
        options.resources = resources.request
        options.force = output.force
        options.fsync = output.fsync
        options.changes = output.changes
        options.pending = output.pending
        options.depfile = output.depfile
        let work = try ManifestBuild(Manifest(contentsOf: path), options: options)
        try beginReport(work.plans.map(\.output))
        work.warnings.forEach { RunRecord.warn($0, isQuiet: reports.quiet) }
        if dryRun || reports.verbose { try show(work.plans.table) }
        if dryRun {
            if let failure = work.plans.failure { throw failure }
            return
        }
        let reporter = BuildingReporter(reports, work)
        try reporter.finish(try await work.run(report: reporter.take))
    }

    private func beginReport(_ outputs: [RunOutput]) throws {
        try report.begin(
            dryRun ? [] : outputs, lists: [output.changes, output.pending, output.depfile],
            printsResult: dryRun ? "--dry-run" : nil)
    }

    private func show(_ lines: [String]) throws {
        if dryRun { try Console.result(lines: lines) } else { Console.say(lines: lines) }
    }

    private func runBuild() async throws {
        let start = ContinuousClock.now
        try beginReport(output.output.map { [RunOutput($0, floor: output.floor)] } ?? [])
        let images = try image.requests(
            source.paths(hasOutput: output.output != nil), at: position.request())
        if output.output == nil {
            if dryRun { return try await showPlan(images) }
            // Errors of an image come first: naming an OUTPUT would not help.
            for image in images {
                _ = try image.fileInfo(resources.request)
            }
        }
        let build = try TilesetBuild(request(images), hashesAhead: !dryRun)
        build.warnings.forEach { RunRecord.warn($0, isQuiet: reports.quiet) }
        if dryRun { return try await show(build.plan) }
        if !reports.quiet { say(PlanReport(build.plan, build.plan.roughEstimate)) }
        let reporter = BuildReporter(reports.style, quiet: reports.quiet)
        let summary = try await build.run(report: reporter.take)
        if build.request.output.hasRelativeAddresses, !summary.changes.isEmpty {
            RunRecord.warn(BuildReporter.relativeAddresses(remedy: "add --url"), isQuiet: reports.quiet)
        }
        summary.close(build.request.output, from: start, isQuiet: reports.quiet)
    }

    private func say(_ report: PlanReport) {
        Console.say(
            lines: reports.verbose
                ? report.lines : report.fitLines + [report.rangeText].compactMap(\.self))
    }

    /// Prints the plan for tiles if no OUTPUT is given.
    private func showPlan(_ images: [ImageRequest]) async throws {
        let placed = try PlacedImages(images, resources: resources.request)
        for image in placed.all { try image.check(maxResidual: maxResidual) }
        let plan = try TilesetPlan(
            images: placed.all, request: tiles.request, resources: resources.request)
        (placed.warnings + plan.warnings).forEach { RunRecord.warn($0, isQuiet: reports.quiet) }
        try await show(plan)
    }

    private func show(_ plan: TilesetPlan) async throws {
        try Console.result(lines: PlanReport(plan, try await plan.sampledEstimate()).lines)
    }

    private func request(_ images: [ImageRequest]) throws -> BuildRequest {
        var request = BuildRequest(
            images, pyramid: tiles.request, output: try output.request(scheme: tiles.form.scheme ?? .xyz))
        request.resources = resources.request
        request.maxResidual = maxResidual
        request.lists = source.lists
        return request
    }
}

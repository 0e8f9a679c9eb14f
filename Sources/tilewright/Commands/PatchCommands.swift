import ArgumentParser
import CommandSupport
import TilewrightKit
import Tilesets

/// `tilewright diff`: writes the patch that turns one tileset into another.
struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Writes a patch: the tiles and metadata that differ between two tilesets.",
        discussion: """
            Send the patch instead of the new tileset; 'tilewright patch' applies it. The tilesets may be in \
            any container. The patch has the form of martin's 'mbtiles diff'.
            """)

    @Argument(
        help: ArgumentHelp("The tileset that others have: a folder or an archive.", valueName: "OLD"),
        completion: .tilesets)
    var old: String

    @Argument(
        help: ArgumentHelp("The tileset that they should get.", valueName: "NEW"), completion: .tilesets)
    var new: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The patch, a file that ends in .mbtiles.", valueName: "PATCH"),
        completion: .tilesets)
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to compare, if a folder has several.", valueName: "NAME"))
    var floor: String?

    @OptionGroup var limit: TileLimitOption

    @Flag(help: "Overwrite a PATCH that is not a patch made by tilewright.")
    var force = false

    @Flag(help: "Report success only when everything is on the disk.")
    var fsync = false

    @OptionGroup var reports: ProgressOptions

    func run() async throws {
        try await SignalWatch.run(advice: "nothing was written") { try compare() }
    }

    private func compare() throws {
        let start = ContinuousClock.now
        for path in [old, new] {
            try SoleArgument.refuseManifest(path, remedy: "compare the tilesets of each floor")
        }
        var request = DiffRequest(from: old, to: new, output: output)
        request.floor = floor
        (request.maxTiles, request.force, request.fsync) = (limit.maxTiles.value, force, fsync)
        let diff = try TilesetDiff(request)
        diff.warnings.forEach { RunRecord.warn($0, isQuiet: reports.quiet) }
        let progress = ProgressReporter(style: reports.style, total: diff.tileCount, phase: .comparing)
        defer { progress.finish() }
        let summary = try diff.run(progress: progress.report)
        if reports.quiet { return }
        progress.finish()
        let line =
            "\(summary.added.count.counted("tile")) added, \(summary.changed.count) changed, "
            + "\(summary.removed.count) removed, \(summary.unchanged) unchanged, "
            + "\(summary.bytes.byteText), \(start.duration(to: .now).seconds.text(decimals: 1)) s"
        Console.say(line, as: .result, RunOutput(output).done(summary, digest: nil))
    }
}

/// `tilewright patch`: applies a patch to a tileset.
struct PatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "patch",
        abstract: "Applies a patch of 'tilewright diff' to a tileset.")

    @Argument(
        help: ArgumentHelp(
            "The tileset that the patch is for: an archive or a folder.", valueName: "TILESET"),
        completion: .tilesets)
    var tileset: String

    @Argument(help: ArgumentHelp("The patch.", valueName: "PATCH"), completion: .tilesets)
    var patch: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The new tileset; required if TILESET is a folder. (default: TILESET itself is changed)",
            valueName: "OUTPUT"),
        completion: .tilesets)
    var output: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to change, if a folder has several.", valueName: "NAME"))
    var floor: String?

    @OptionGroup var limit: TileLimitOption

    @Flag(help: "Overwrite an OUTPUT not made by tilewright, or made from other images.")
    var force = false

    @Flag(help: "Report success only when everything is on the disk.")
    var fsync = false

    @OptionGroup var reports: ProgressOptions
    @OptionGroup var report: ReportOption

    func run() async throws {
        try await SignalWatch.run { try apply() }
    }

    /// The tileset that results.
    private var result: RunOutput { RunOutput(output ?? tileset, floor: floor) }

    private func apply() throws {
        let start = ContinuousClock.now
        try report.begin([result])
        try SoleArgument.refuseManifest(tileset, remedy: "patch the archive of each floor that it builds")
        var request = PatchRequest(tileset, patch: patch)
        (request.output, request.floor) = (output, floor)
        (request.maxTiles, request.force, request.fsync) = (limit.maxTiles.value, force, fsync)
        let patching = try TilesetPatching(request)
        patching.warnings.forEach { RunRecord.warn($0, isQuiet: reports.quiet) }
        let progress = ProgressReporter(style: reports.style, total: patching.tileCount, phase: .copying)
        defer { progress.finish() }
        let summary = try patching.run(progress: progress.report)
        let done = result.done(summary, digest: patching.digest)
        RunRecord.note(done)
        if reports.quiet { return }
        progress.finish()
        Console.say(
            [summary].closingLine(empty: 0, elapsed: start.duration(to: .now)), as: .result, done)
    }
}

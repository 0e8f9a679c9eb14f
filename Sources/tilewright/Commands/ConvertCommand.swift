import ArgumentParser
import CommandSupport
import TilewrightKit
import Tiling

/// `tilewright convert`: copies a tileset into another container, without encoding its tiles again.
struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Copies a tileset into a folder or an archive, without encoding its tiles again.")

    @Argument(
        help: ArgumentHelp("A folder of tiles, or an archive.", valueName: "IN"),
        completion: .tilesets)
    var input: String

    @Argument(
        help: ArgumentHelp(
            "A folder, or a file that ends in .mbtiles or .pmtiles.", valueName: "OUT"),
        completion: .tilesets)
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The floor to copy, if a folder has several.", valueName: "NAME"))
    var floor: String?

    @Option(
        help: ArgumentHelp(
            "Which way rows are counted in IN, if IN is MBTiles, or a folder without TileJSON. (default: "
                + "as the metadata of IN says; otherwise xyz for a folder, tms for MBTiles)",
            valueName: "xyz|tms"))
    var inScheme: TileScheme?

    @Option(
        help: ArgumentHelp(
            "File names in the new folder: {z} {x} {y} {-y} {ext} {floor} {quadkey}. "
                + "(default: {z}/{x}/{y}.{ext})",
            valueName: "TEMPLATE"))
    var template: String?

    @Option(
        help: ArgumentHelp(
            "Whether row 0 of the new folder is in the north (xyz) or in the south (tms). (default: xyz)",
            valueName: "xyz|tms"))
    var scheme: TileScheme?

    @Option(
        help: ArgumentHelp(
            "The future address of the new folder on the web; makes the addresses in TileJSON absolute.",
            valueName: "URL"))
    var url: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The zooms to copy: 16-20, 18, 16- or -20. (default: all)", valueName: "MIN-MAX"),
        transform: { try ZoomRange(parsing: $0) })
    var zoom: ZoomRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The area, in degrees, whose tiles are copied. If W > E, it crosses the antimeridian. (default: all)",
            valueName: "W,S,E,N"),
        transform: { try BoundingBox(parsing: $0) })
    var bounds: BoundingBox?

    @OptionGroup var labels: LabelOptions
    @OptionGroup var limit: TileLimitOption

    @Flag(help: "Overwrite an OUT not made by tilewright, or made from other images; other files stay.")
    var force = false

    @Flag(help: "Report success only when everything is on the disk.")
    var fsync = false

    @OptionGroup var reports: ProgressOptions
    @OptionGroup var report: ReportOption

    func validate() throws { if let url = url { try WebAddress.checkBase(url) } }

    func run() async throws {
        try await SignalWatch.run { try convert() }
    }

    private func convert() throws {
        let start = ContinuousClock.now
        try report.begin([RunOutput(output, floor: floor)])
        try SoleArgument.refuseManifest(
            input, remedy: "convert the folder or the archive of each floor that it builds")
        let conversion = try TilesetConversion(request)
        conversion.warnings.forEach { RunRecord.warn($0, isQuiet: reports.quiet) }
        let progress = ProgressReporter(
            style: reports.style, total: conversion.tileCount, phase: .copying)
        defer { progress.finish() }
        let summary = try conversion.run(progress: progress.report)
        let done = RunOutput(output, floor: floor).done(summary, digest: conversion.digest)
        RunRecord.note(done)
        if reports.quiet { return }
        progress.finish()
        Console.say(
            [summary].closingLine(empty: 0, elapsed: start.duration(to: .now)), as: .result, done)
    }

    /// The options as a request.
    private var request: ConversionRequest {
        var request = ConversionRequest(input, to: output)
        request.floor = floor
        request.inScheme = inScheme
        request.template = template
        request.scheme = scheme
        request.url = url
        request.zooms = zoom ?? ZoomRange()
        request.bounds = bounds
        request.labels = labels.request
        request.maxTiles = limit.maxTiles.value
        request.force = force
        request.fsync = fsync
        return request
    }
}

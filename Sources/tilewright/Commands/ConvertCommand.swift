import CommandSupport
import ArgumentParser
import TilewrightKit

/// `tilewright convert`: copies a tileset into another container, without encoding its tiles anew.
struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Copies a tileset into a folder or an archive, without encoding its tiles anew.")

    @Argument(
        help: ArgumentHelp("A folder of tiles, or an archive.", valueName: "IN"),
        completion: .tilesets)
    var input: String

    @Argument(
        help: ArgumentHelp(
            "A folder, or a file that ends in .mbtiles or .pmtiles.", valueName: "OUT"),
        completion: .tilesets)
    var output: String

    @OptionGroup var options: ConvertOptions
    @OptionGroup var reports: ProgressOptions

    func validate() throws { if let url = options.url { try WebAddress.checkBase(url) } }

    func run() async throws {
        try await SignalWatch.run { try convert() }
    }

    private func convert() throws {
        let clock = ContinuousClock()
        let start = clock.now
        try ManifestArgument.refuse(
            input, remedy: "convert the folder or the archive of each floor that it builds")
        let conversion = try TilesetConversion(options.request(input, to: output))
        if !reports.quiet { conversion.warnings.forEach(Console.warn) }
        let progress = ProgressReporter(
            style: reports.style, total: conversion.tileCount, phase: .copying)
        defer { progress.finish() }
        let summary = try conversion.run(progress: progress.report)
        if reports.quiet { return }
        progress.finish()
        Console.say(ClosingLine([summary], empty: 0, elapsed: clock.now - start).text)
    }
}

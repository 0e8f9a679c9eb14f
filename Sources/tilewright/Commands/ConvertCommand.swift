import ArgumentParser
import Diagnostics
import Publishing
import Tilesets
import Tiling

/// `tilewright convert`: a tileset goes into another container, its tiles as they are.
struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Copies a tileset into a folder or an archive, without encoding its tiles anew.")

    @Argument(
        help: ArgumentHelp("A folder of tiles, or an archive.", valueName: "IN"),
        completion: .file())
    var input: String

    @Argument(
        help: ArgumentHelp(
            "A folder, or a file that ends in .mbtiles or .pmtiles.", valueName: "OUT"),
        completion: .file())
    var output: String

    @OptionGroup var options: ConvertOptions
    @OptionGroup var reports: ProgressOptions

    func run() async throws {
        try Container(path: output).check(
            template: options.template, scheme: options.scheme, url: options.url)
        try await SignalWatch.run { try convert() }
    }

    private func convert() throws {
        let clock = ContinuousClock()
        let start = clock.now
        if OutputFile.areSame(input, output) {
            throw Failure(
                .usage, "cannot convert '\(input)' into itself", remedy: "give another OUT")
        }
        let source = try StoredTileset(input, floor: options.floor, scheme: options.inScheme)
        try source.tree?.checkNobodyWrites()
        let copy = try TilesetCopy(of: source, options)
        if Container(path: output) == .pmtiles, copy.format == .auto {
            throw Failure(
                .usage, "cannot convert '\(input)' to PMTiles, whose tiles are all of one type",
                remedy: "a folder or MBTiles take PNG and JPEG together")
        }
        let tileset = try TilesetOutput(
            path: output, force: options.force, fsync: options.fsync,
            scratchDirectory: output.parentDirectory
        ).open(names: copy.names, copy: copy.hash, of: copy.job)
        let summary = try fill(tileset, with: copy)
        if reports.quiet { return }
        Console.say(ClosingLine(summary, empty: 0, elapsed: clock.now - start).text)
    }

    /// Copies all tiles; takes it all back where the input is at fault.
    private func fill(
        _ tileset: any TilesetWriter, with copy: TilesetCopy
    ) throws -> TilesetSummary {
        var tileset = tileset
        let progress = ProgressReporter(style: reports.style, total: copy.contents.tileCount)
        defer { progress.finish() }
        let metadata: TilesetMetadata
        do {
            metadata = try copy.write(to: &tileset, progress: progress.report)
        } catch let failure as Failure where failure.kind == .badInput {
            try tileset.discard()
            throw failure
        } catch {
            try tileset.suspend()
            throw error
        }
        return try tileset.finish(TilesetDocuments(metadata))
    }
}

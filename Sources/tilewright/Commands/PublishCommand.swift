import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit

/// `tilewright publish`: brings what a build made to a bucket.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Brings tiles and their documents to an S3 bucket, and later only what differs.",
        discussion: """
            Tiles are put before the documents that name them, and removed after these, so that clients never \
            miss a tile. A list of what is there is kept next to the objects. If a run is stopped or killed, \
            the same command continues. Two runs to the same place at once are noticed: both fail, and the next one \
            repairs what they did.

            Credentials, region and endpoint come from the environment or a profile, as for the programs of \
            AWS: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL, \
            AWS_PROFILE.
            """)

    @Argument(
        help: ArgumentHelp("A folder that tilewright made, or an archive.", valueName: "OUTPUT"),
        completion: .tilesets)
    var output: String

    @Argument(
        help: ArgumentHelp(
            "The place in the bucket. An archive becomes tiles there; if the place ends like its name, in "
                + ".pmtiles or .mbtiles, it becomes that object.",
            valueName: "s3://BUCKET/PREFIX"))
    var address: String

    @Flag(
        help: "Remove objects that earlier runs put and that are no longer in OUTPUT. (default: they stay)")
    var delete = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long clients and caches may keep tiles. Documents have 'public, max-age=60'. (default: public, "
                + "max-age=604800, a week)",
            valueName: "VALUE"))
    var cacheControl: String?

    @Flag(help: "Print the objects that would be put and removed, and change nothing.")
    var dryRun = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp("The number of requests at a time.", valueName: "N"))
    var jobs = PublishRequest.standardJobs

    @OptionGroup var limit: TileLimitOption
    @OptionGroup var reports: ProgressOptions
    @OptionGroup var report: ReportOption

    func validate() throws { try request.check() }

    func run() async throws {
        try await SignalWatch.run { try publish() }
    }

    private func publish() throws {
        let start = ContinuousClock.now
        try SoleArgument.refuseManifest(output, remedy: "name the folder that it builds")
        let place = RunOutput(PublishRequest.title(address))
        try report.begin([place], printsResult: dryRun ? "--dry-run" : nil)
        let publication = try Publication(request)
        publication.warnings.forEach { RunRecord.warn($0, isQuiet: reports.quiet) }
        if dryRun {
            try Console.result(lines: publication.lines)
            RunRecord.note(place.planned(publication.summary, digest: publication.digest))
            if !reports.quiet { Console.say("dry run: " + publication.summary.line(isDone: false)) }
            return
        }
        let progress = ProgressReporter(
            style: reports.style, total: publication.summary.changes, phase: .publishing)
        defer { progress.finish() }
        let summary = try publication.run(progress: progress.report)
        let done = place.done(summary, digest: publication.digest)
        RunRecord.note(done)
        if reports.quiet { return }
        progress.finish()
        let seconds = start.duration(to: .now).seconds.text(decimals: 1)
        Console.say("\(summary.line(isDone: true)), \(seconds) s", as: .result, done)
        if summary.left > 0 {
            Console.say(
                "\(summary.left.counted("object")) of earlier runs stayed; --delete removes what is no longer in "
                    + "OUTPUT")
        }
    }

    /// The options as a request.
    private var request: PublishRequest {
        var request = PublishRequest(output, to: address)
        request.deletes = delete
        request.cacheControl = cacheControl
        request.jobs = jobs
        request.maxTiles = limit.maxTiles.value
        return request
    }
}

extension PublishingSummary {
    /// The counts in one line.
    fileprivate func line(isDone: Bool) -> String {
        [
            "\(tiles.counted("tile")) and \(documents.counted("document")) \(isDone ? "" : "to be ")put",
            "\(unchangedTiles + unchangedDocuments) unchanged",
            "\(removed) \(isDone ? "" : "to be ")removed", bytes.byteText,
        ].joined(separator: ", ")
    }
}

extension RunOutput {
    /// The place when everything is published; `tiles` counts tiles and documents.
    fileprivate func done(_ summary: PublishingSummary, digest: String) -> RunOutput {
        var output = planned(summary, digest: digest)
        output.state = .done
        return output
    }

    /// The place before anything is put.
    fileprivate func planned(_ summary: PublishingSummary, digest: String) -> RunOutput {
        var output = self
        output.tiles = Tiles(
            written: summary.tiles + summary.documents,
            unchanged: summary.unchangedTiles + summary.unchangedDocuments, removed: summary.removed)
        (output.bytes, output.digest) = (summary.bytes, digest)
        return output
    }
}

import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit

/// `tilewright split`: plans a pyramid that many machines make.
struct SplitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract:
            "Plans the tiles of images as parts for many machines, which 'shard' makes and 'merge' puts together.",
        discussion: """
            On one machine with four cores, or anywhere else:
              tilewright split plan.tif --shards 8 -o job
              seq 0 7 | xargs -P4 -I{} tilewright shard job {}
              tilewright merge job -o tiles.pmtiles
            Names of sources that are relative count from where 'shard' and 'merge' run.
            """)

    @OptionGroup var source: SourceOptions
    @OptionGroup(title: "What of the image counts") var image: ImageOptions
    @OptionGroup(title: "Where the image lies") var position: PositionOptions
    @OptionGroup(title: "What to build") var tiles: TileOptions
    @OptionGroup(title: "How to run") var resources: MachineOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("How many parts.", valueName: "N"))
    var shards: Int

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder of the job, which all machines see.", valueName: "JOB"),
        completion: .directory)
    var output: String

    @Option(
        help: ArgumentHelp(
            "An earlier job: its cut is kept, and shards that would be the same are taken over.",
            valueName: "JOB"),
        completion: .directory)
    var earlier: String?

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    func run() async throws { try await SignalWatch.run { try split() } }

    private func split() throws {
        if let manifest = try source.manifest() {
            throw Failure(
                .usage, "a manifest needs no job: its floors are built one by one",
                remedy:
                    "run tilewright build \(ShellWord.quoted(manifest)) --only FLOOR for each, then once without --only"
            )
        }
        if tiles.form.scheme != nil {
            throw Failure(
                .usage, "--scheme says how tiles are written", remedy: "give it to 'tilewright merge'")
        }
        let job = try JobSplit(
            image.requests(source.paths(), at: position.request()), pyramid: tiles.request, shards: shards,
            lists: source.lists, earlier: earlier, resources: resources.request)
        if !quiet { job.warnings.forEach(Console.warn) }
        let present = Set(try job.write(to: output))
        if quiet { return }
        let lines = job.work.enumerated().map { index, work in
            "shard \(index): " + (work == 0 ? "nothing" : "about \(work.counted("tile"))")
                + (present.contains(index) ? ", taken over" : "")
        }
        try Console.result(lines: lines)
        if job.needsSurvey {
            Console.say(
                "the palette needs a first round: 'shard --survey' for each shard, then 'merge --survey'")
        }
        let (lowest, highest) = (job.plan.zooms.lowerBound, job.plan.zooms.upperBound)
        Console.say(
            "\(Self.zooms(job.cut, highest)) by \(shards.counted("shard")), "
                + (job.cut > lowest ? "\(Self.zooms(lowest, job.cut - 1)) by 'merge'" : "none by 'merge'"))
    }

    private static func zooms(_ lowest: Int, _ highest: Int) -> String {
        lowest == highest ? "zoom \(lowest)" : "zooms \(lowest) to \(highest)"
    }
}

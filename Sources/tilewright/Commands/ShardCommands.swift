import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `tilewright split`: plans a pyramid that several machines make.
struct SplitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract:
            "Divides a build into shards for several machines; 'shard' makes one, 'merge' joins all of them.",
        discussion: """
            An example on one machine with four cores:
              tilewright split plan.tif --shards 8 -o job
              seq 0 7 | xargs -P4 -I{} tilewright shard job {}
              tilewright merge job -o tiles.pmtiles
            Relative names of sources are looked up in the folder in which 'shard' and 'merge' run.
            """)

    @OptionGroup var source: SourceOptions
    @OptionGroup(title: "Image") var image: ImageOptions
    @OptionGroup(title: "Position") var position: PositionOptions
    @OptionGroup(title: "Tiles") var tiles: TileOptions
    @OptionGroup(title: "Resources") var resources: MachineOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("The number of shards.", valueName: "N"))
    var shards: Int

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder of the job; all machines need access to it.", valueName: "JOB"),
        completion: .directory)
    var output: String

    @Option(
        help: ArgumentHelp(
            "An earlier job: zooms are divided between 'shard' and 'merge' as in that job, and unchanged "
                + "shards are reused.",
            valueName: "JOB"),
        completion: .directory)
    var earlier: String?

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    func run() async throws {
        CADReporter.begin(quiet: quiet)
        try await SignalWatch.run(jobs: resources.jobs) { try split() }
    }

    private func split() throws {
        if let manifest = try source.manifest() {
            throw Failure(
                .usage, "a manifest cannot be split: its floors are built one by one",
                remedy:
                    "run tilewright build \(ShellWord.quoted(manifest)) --only FLOOR for each, then without --only"
            )
        }
        if tiles.form.scheme != nil {
            throw Failure(
                .usage, "--scheme does not apply to 'split'", remedy: "give it to 'tilewright merge'")
        }
        var machine = resources.request
        machine.scratchDirectory = machine.scratchDirectory ?? output.existingParent
        let images = try image.requests(source.paths(), at: position.request())
        let job = try JobSplit(
            images.map { $0.on(tiles.request.background) }, pyramid: tiles.request, shards: shards,
            lists: source.lists, earlier: earlier, resources: machine)
        if !quiet { job.warnings.forEach(Console.warn) }
        let present = Set(try job.write(to: output))
        if quiet { return }
        let lines = job.work.enumerated().map { index, work in
            "shard \(index): " + (work == 0 ? "nothing" : "about \(work.counted("tile"))")
                + (present.contains(index) ? ", reused" : "")
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

/// `tilewright shard`: makes a part of a job.
struct ShardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shard",
        abstract: "Builds one shard of a job, unless it already exists.",
        discussion: """
            'auto' reads the number from the first of these variables that is set; job arrays set them: \
            \(ArrayIndex.names.joined(separator: ", ")).
            """)

    @Argument(help: ArgumentHelp("The folder of the job.", valueName: "JOB"), completion: .directory)
    var job: String

    @Argument(help: ArgumentHelp("The number of the shard, from 0, or 'auto'.", valueName: "INDEX"))
    var index: String

    @Flag(help: "Make no tiles; count colours, from which 'merge --survey' chooses the palette.")
    var survey = false

    @OptionGroup(title: "Resources") var machine: MachineOptions
    @OptionGroup var reports: ProgressOptions

    func run() async throws {
        CADReporter.begin(reports.style, quiet: reports.quiet)
        try await SignalWatch.run(jobs: machine.jobs) { try await make() }
    }

    private func make() async throws {
        let index = try ArrayIndex.value(of: index)
        let shard = try ShardBuild(job: job, index: index, survey: survey)
        let reporter = BuildReporter(reports.style, quiet: reports.quiet)
        let start = ContinuousClock.now
        let result = try await shard.run(resources: machine.request, report: reporter.take)
        if reports.quiet { return }
        let line: String
        switch result {
        case .present: line = "\(survey ? "survey" : "shard") \(index) already exists"
        case .made where survey: line = "survey \(index) is done"
        case .made(let tiles):
            let seconds = start.duration(to: .now).seconds.text(decimals: 1)
            line = "shard \(index): \(tiles.counted("tile")), \(seconds) s"
        }
        Console.say(line, as: .result, RunMessage(line))
    }
}

/// The number of a part, from 0: given by the user, or by a job array.
enum ArrayIndex {
    /// Variables of job arrays, each with its first number.
    private static let variables = [
        ("TILEWRIGHT_SHARD", 0), ("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0),
        ("AWS_BATCH_JOB_ARRAY_INDEX", 0), ("PBS_ARRAY_INDEX", 0), ("SGE_TASK_ID", 1),
    ]

    /// The names of the variables.
    static var names: [String] { variables.map(\.0) }

    /// Reads a number, or `auto`.
    ///
    /// - Throws: `.usage`.
    static func value(of text: String) throws(Failure) -> Int {
        let environment = ProcessInfo.processInfo.environment
        guard text == "auto" else { return try number(text, "'\(text)'") }
        let found = variables.lazy.compactMap { name, first in
            environment[name].map { (name: name, text: $0, first: first) }
            // Grid Engine sets 'undefined' outside of arrays.
        }.first { !$0.text.isEmpty && $0.text != "undefined" }
        guard let found else {
            throw Failure(
                .usage, "'auto' needs one of \(names.joined(separator: ", ")), but none is set",
                remedy: "give the number of the shard")
        }
        let quoted = "\(found.name)='\(found.text)'"
        return try number(found.text, quoted, first: found.first) - found.first
    }

    private static func number(_ text: String, _ quoted: String, first: Int = 0) throws(Failure) -> Int {
        guard let number = Int(text), number >= first else {
            throw Failure(
                .usage, "\(quoted) is not a shard number: expected a whole number from \(first)")
        }
        return number
    }
}

/// `tilewright merge`: puts the parts of a job together.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Joins the shards of a job into the same tileset that 'build' would make.")

    @Argument(help: ArgumentHelp("The folder of the job.", valueName: "JOB"), completion: .directory)
    var job: String

    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "Whether row 0 is in the north (xyz) or in the south (tms).", valueName: "xyz|tms"))
    var scheme: TileScheme = .xyz

    @Flag(help: "Write no tiles; choose the palette from the surveys of all shards.")
    var survey = false

    @OptionGroup(title: "Resources") var resources: MachineOptions
    @OptionGroup var reports: ReportOptions
    @OptionGroup var report: ReportOption

    func run() async throws {
        CADReporter.begin(reports.style, quiet: reports.quiet)
        try await SignalWatch.run(jobs: resources.jobs) { try await merge() }
    }

    private func merge() async throws {
        let reporter = BuildReporter(reports.style, quiet: reports.quiet)
        try report.begin(
            output.output.map { [RunOutput($0, floor: output.floor)] } ?? [],
            lists: [output.changes, output.pending, output.depfile])
        if survey {
            if let option = (output.output.map { _ in "--output" } ?? output.given.first) {
                throw Failure(
                    .usage, "\(option) cannot be combined with --survey, which does not write tiles")
            }
            return try await ShardMerge.chooseColors(
                of: job, resources: resources.request, report: reporter.take)
        }
        let start = ContinuousClock.now
        let merge = try ShardMerge(
            job: job, output: output.request(scheme: scheme), resources: resources.request)
        merge.warnings.forEach { RunRecord.warn($0, isQuiet: reports.quiet) }
        let summary = try await merge.run(report: reporter.take)
        summary.close(merge.request.output, from: start, isQuiet: reports.quiet)
    }
}
